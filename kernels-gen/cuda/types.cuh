// Names for the types, as Rust has them, and tuples.

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;

#define DEVICE static __device__ __forceinline__
#define DEVICE_MEMBER __device__ __forceinline__

template <class A, class B>
struct tuple2 {
    A _0;
    B _1;
};

// The tile: how many threads a block has, and how many vectors each takes.
#ifndef THREADS
#define THREADS 256
#define ROWS 4
#endif

// Half the threads, rounded up to a power of two: the first distance at which threads meet.
static __device__ constexpr u32 first_distance(u32 threads) {
    u32 power = 1;
    while (power < threads) power *= 2;
    return power / 2;
}
const u32 FIRST_DISTANCE = first_distance(THREADS);

// The same bits as another type.
template <class To, class From>
DEVICE To from_bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "from_bits keeps the size");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}
