// sum_sq: folds with Add what the function makes of each element.
// fn sum_sq(x: u32) -> u32

#line 1 "types.cuh"
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

#line 1 "intrinsics.cuh"
// Everything that only the hardware can do. All inline PTX is here; what runs elsewhere supplies
// these functions itself.

#ifdef __CUDACC__

// 16, 8, 4, 2 or 1 bytes of input that this launch reads once. Volatile and with a clobber, so that no
// load moves above a wait; without `.nc`, which promises that nobody writes the data meanwhile.
DEVICE void load_bytes(u32 (&words)[4], const void* from) {
    asm volatile("ld.global.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "l"(from) : "memory");
}
DEVICE void load_bytes(u32 (&words)[2], const void* from) {
    asm volatile("ld.global.L1::no_allocate.v2.b32 {%0, %1}, [%2];"
                 : "=r"(words[0]), "=r"(words[1]) : "l"(from) : "memory");
}
DEVICE void load_bytes(u32 (&words)[1], const void* from) {
    asm volatile("ld.global.L1::no_allocate.b32 %0, [%1];" : "=r"(words[0]) : "l"(from) : "memory");
}
DEVICE void load_bytes(u16 (&words)[1], const void* from) {
    asm volatile("ld.global.L1::no_allocate.b16 %0, [%1];" : "=h"(words[0]) : "l"(from) : "memory");
}
DEVICE void load_bytes(u8 (&words)[1], const void* from) {
    u16 wide;  // no register is narrower
    asm volatile("ld.global.L1::no_allocate.b8 %0, [%1];" : "=h"(wide) : "l"(from) : "memory");
    words[0] = u8(wide);
}

// The same of values that other blocks stored in this launch, once their arrival was seen.
DEVICE void load_shared_by_grid(u32 (&words)[4], const void* from) {
    asm volatile("ld.relaxed.gpu.global.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "l"(from) : "memory");
}
DEVICE void load_shared_by_grid(u32 (&words)[2], const void* from) {
    asm volatile("ld.relaxed.gpu.global.v2.b32 {%0, %1}, [%2];"
                 : "=r"(words[0]), "=r"(words[1]) : "l"(from) : "memory");
}
DEVICE void load_shared_by_grid(u32 (&words)[1], const void* from) {
    asm volatile("ld.relaxed.gpu.global.b32 %0, [%1];" : "=r"(words[0]) : "l"(from) : "memory");
}
DEVICE void load_shared_by_grid(u16 (&words)[1], const void* from) {
    asm volatile("ld.relaxed.gpu.global.b16 %0, [%1];" : "=h"(words[0]) : "l"(from) : "memory");
}
DEVICE void load_shared_by_grid(u8 (&words)[1], const void* from) {
    u16 wide;
    asm volatile("ld.relaxed.gpu.global.b8 %0, [%1];" : "=h"(wide) : "l"(from) : "memory");
    words[0] = u8(wide);
}

// Counts one more block. Its earlier stores, and those it has seen, are visible to whoever sees the
// count; the count that reaches `last` goes back to zero. Returns the count before.
DEVICE u32 arrive(u32* counter, u32 last) {
    u32 before;
    asm volatile("atom.inc.acq_rel.gpu.global.u32 %0, [%1], %2;"
                 : "=r"(before) : "l"(counter), "r"(last) : "memory");
    return before;
}

// Every lane that `mask` names calls this; each gets the word of the lane `distance` above, or its
// own where there is none. Orders no memory.
DEVICE u32 shuffle_word_down(u32 mask, u32 word, u32 distance) {
    return __shfl_down_sync(mask, word, distance);
}

// Between the bits of an f16 and an f32; to the nearest, ties to even.
DEVICE f32 f32_from_f16_bits(u16 bits) {
    f32 value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
    return value;
}
DEVICE u16 f16_bits_from_f32(f32 value) {
    u16 bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return bits;
}

// The lesser and the greater; NaN if either is, and -0.0 below 0.0.
DEVICE f32 f32_minimum(f32 a, f32 b) {
#if __CUDA_ARCH__ >= 800
    f32 least;
    asm("min.NaN.f32 %0, %1, %2;" : "=f"(least) : "f"(a), "f"(b));
    return least;
#else
    return a != a ? a : b != b ? b : a < b || (a == b && signbit(a)) ? a : b;
#endif
}
DEVICE f32 f32_maximum(f32 a, f32 b) {
#if __CUDA_ARCH__ >= 800
    f32 greatest;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(greatest) : "f"(a), "f"(b));
    return greatest;
#else
    return a != a ? a : b != b ? b : a < b || (a == b && signbit(a)) ? b : a;
#endif
}

// Launches may overlap, from sm_90 on. Every thread calls both, once and in this order, before it touches
// memory: it waits for the launch before to end, and only then lets the launch after start, which might
// depend on both.
DEVICE void wait_for_predecessor() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
DEVICE void release_dependents() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// Every thread of the block waits here for the others, and sees what they stored before.
DEVICE void block_barrier() {
    __syncthreads();
}

#endif

#line 1 "rust_integer.cuh"
// Rust's integer arithmetic with overflow checks off: it wraps, and nothing is undefined. C's signed
// overflow is undefined, so sums are taken in the unsigned type of the same width.

template <u32 BYTES>
struct BitsOf;
template <>
struct BitsOf<1> { typedef u8 Type; };
template <>
struct BitsOf<2> { typedef u16 Type; };
template <>
struct BitsOf<4> { typedef u32 Type; };
template <>
struct BitsOf<8> { typedef u64 Type; };

template <class T>
struct Int {
    typedef typename BitsOf<sizeof(T)>::Type Bits;
    static const u32 WIDTH = 8 * sizeof(T);
    static const bool IS_SIGNED = T(-1) < T(0);
    static const T MIN = IS_SIGNED ? T(1ull << (WIDTH - 1)) : T(0);
    static const T MAX = T(~MIN);
    static constexpr f64 END = 2.0 * (1ull << (WIDTH - 1 - IS_SIGNED));  // MAX + 1
};

namespace rust {

template <class T>
using Bits = typename Int<T>::Bits;

template <class T>
DEVICE T add(T a, T b) { return T(Bits<T>(a) + Bits<T>(b)); }
template <class T>
DEVICE T sub(T a, T b) { return T(Bits<T>(a) - Bits<T>(b)); }
template <class T>
DEVICE T mul(T a, T b) { return T(1u * Bits<T>(a) * Bits<T>(b)); }  // 1u: C would promote u16 to a signed int
template <class T>
DEVICE T wrapping_add(T a, T b) { return add(a, b); }
template <class T>
DEVICE T wrapping_sub(T a, T b) { return sub(a, b); }
template <class T>
DEVICE T wrapping_mul(T a, T b) { return mul(a, b); }
template <class T>
DEVICE T wrapping_neg(T a) { return sub(T(0), a); }

// x / 0 is 0, and MIN / -1 is MIN.
template <class T>
DEVICE T div(T a, T b) {
    if (b == 0) return 0;
    if (Int<T>::IS_SIGNED && b == T(-1)) return wrapping_neg(a);
    return a / b;
}
// x % 0 is x, and MIN % -1 is 0.
template <class T>
DEVICE T rem(T a, T b) {
    if (b == 0) return a;
    if (Int<T>::IS_SIGNED && b == T(-1)) return 0;
    return a % b;
}
template <class T>
DEVICE T rem_euclid(T a, T b) {
    const T r = rem(a, b);
    return r < 0 && b != 0 ? (b < 0 ? sub(r, b) : add(r, b)) : r;
}

// The distance of a shift counts modulo the width.
template <class T, class By>
DEVICE T shl(T a, By by) { return T(1u * Bits<T>(a) << (u32(by) & (Int<T>::WIDTH - 1))); }
template <class T, class By>
DEVICE T shr(T a, By by) { return a >> (u32(by) & (Int<T>::WIDTH - 1)); }

template <class T>
DEVICE T min(T a, T b) { return b < a ? b : a; }
template <class T>
DEVICE T max(T a, T b) { return b > a ? b : a; }
template <class T>
DEVICE T minimum(T a, T b) { return min(a, b); }
template <class T>
DEVICE T maximum(T a, T b) { return max(a, b); }
template <class T>
DEVICE T clamp(T a, T low, T high) { return a < low ? low : a > high ? high : a; }

template <class T>
DEVICE T wrapping_abs(T a) { return a < 0 ? wrapping_neg(a) : a; }
template <class T>
DEVICE T abs(T a) { return wrapping_abs(a); }
template <class T>
DEVICE Bits<T> unsigned_abs(T a) { return Bits<T>(wrapping_abs(a)); }
template <class T>
DEVICE T signum(T a) { return (a > 0) - (a < 0); }
template <class T>
DEVICE bool is_negative(T a) { return a < 0; }
template <class T>
DEVICE bool is_positive(T a) { return a > 0; }
template <class T>
DEVICE Bits<T> abs_diff(T a, T b) {
    return a < b ? Bits<T>(b) - Bits<T>(a) : Bits<T>(a) - Bits<T>(b);
}

template <class T>
DEVICE T saturating_add(T a, T b) {
    const T sum = add(a, b);
    if (b >= 0 ? sum >= a : sum < a) return sum;
    return b >= 0 ? Int<T>::MAX : Int<T>::MIN;
}
template <class T>
DEVICE T saturating_sub(T a, T b) {
    const T difference = sub(a, b);
    if (b >= 0 ? difference <= a : difference > a) return difference;
    return b >= 0 ? Int<T>::MIN : Int<T>::MAX;
}

template <class T>
DEVICE T pow(T base, u32 exponent) {
    T power = 1;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 != 0) power = mul(power, base);
        base = mul(base, base);
    }
    return power;
}

template <class T>
DEVICE u32 count_ones(T a) {
    u32 ones = 0;
    for (Bits<T> rest = Bits<T>(a); rest != 0; rest &= rest - 1) ++ones;
    return ones;
}
template <class T>
DEVICE u32 leading_zeros(T a) {
    u32 zeros = Int<T>::WIDTH;
    for (Bits<T> rest = Bits<T>(a); rest != 0; rest >>= 1) --zeros;
    return zeros;
}
template <class T>
DEVICE u32 trailing_zeros(T a) {
    const Bits<T> bits = Bits<T>(a);
    return bits == 0 ? Int<T>::WIDTH : count_ones(T((bits & (~bits + 1)) - 1));
}
template <class T>
DEVICE T rotate_left(T a, u32 by) {
    const u32 distance = by & (Int<T>::WIDTH - 1);
    const Bits<T> bits = Bits<T>(a);
    return distance == 0 ? a : T(bits << distance | bits >> (Int<T>::WIDTH - distance));
}
template <class T>
DEVICE T rotate_right(T a, u32 by) { return rotate_left(a, Int<T>::WIDTH - (by & (Int<T>::WIDTH - 1))); }

// `as` from a float: truncates, saturates, and makes NaN 0.
template <class To, class From>
DEVICE To to_integer(From a) {
    if (a != a) return 0;
    if (a <= From(Int<To>::MIN)) return Int<To>::MIN;
    if (a >= From(Int<To>::END)) return Int<To>::MAX;
    return To(a);
}

}  // namespace rust

#line 1 "load.cuh"
// How values come from memory, and from other lanes, whatever their type.

// The words that a value of `BYTES` bytes is moved in.
template <u32 BYTES>
struct Words {
    static_assert(BYTES % 4 == 0, "values are whole words, but for the narrow ones");
    u32 words[BYTES / 4];
};
template <>
struct Words<2> {
    u16 words[1];
};
template <>
struct Words<1> {
    u8 words[1];
};

// N consecutive values.
template <class T, u32 N>
struct Vector {
    T at[N];
};

// Whether `pointer` is a multiple of `bytes`.
DEVICE bool is_aligned(const void* pointer, u32 bytes) {
    return reinterpret_cast<u64>(pointer) % bytes == 0;
}

// N values of input; `from` is a multiple of their size together.
template <u32 N, class T>
DEVICE Vector<T, N> load_vector(const T* from) {
    Words<sizeof(T) * N> bytes;
    load_bytes(bytes.words, from);
    return from_bits<Vector<T, N>>(bytes);
}

// N partials of this launch; `from` is a multiple of their size together, or N is 1.
template <u32 N, class T>
DEVICE Vector<T, N> load_partials(const T* from) {
    Words<sizeof(T) * N> bytes;
    load_shared_by_grid(bytes.words, from);
    return from_bits<Vector<T, N>>(bytes);
}

// The value of the lane `distance` above; every lane that `mask` names calls this.
template <class T>
DEVICE T shuffle_down(u32 mask, T value, u32 distance) {
    const u32 COUNT = (sizeof(T) + 3) / 4;
    u32 words[COUNT] = {};
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (u32 w = 0; w < COUNT; ++w) words[w] = shuffle_word_down(mask, words[w], distance);
    memcpy(&value, words, sizeof(T));
    return value;
}

#line 1 "intrinsics_atomic.cuh"
// Atomic operations on global memory, for all threads of the device; they order nothing else.

// The unsigned integer of so many bytes: bits do not know signs.
template <u32 BYTES>
struct Unsigned {
    typedef u32 Type;
};
template <>
struct Unsigned<8> {
    typedef u64 Type;
};

#ifdef __CUDACC__

DEVICE void atomic_add(u32* into, u32 value) { atomicAdd(into, value); }
DEVICE void atomic_add(i32* into, i32 value) { atomicAdd(into, value); }
DEVICE void atomic_add(u64* into, u64 value) { atomicAdd(into, value); }
DEVICE void atomic_add(i64* into, i64 value) { atomicAdd(reinterpret_cast<u64*>(into), u64(value)); }
DEVICE void atomic_add(f64* into, f64 value) { atomicAdd(into, value); }

template <class T>
DEVICE void atomic_min(T* into, T value) { atomicMin(into, value); }
template <class T>
DEVICE void atomic_max(T* into, T value) { atomicMax(into, value); }

template <class T>
DEVICE typename Unsigned<sizeof(T)>::Type* unsigned_at(T* at) {
    return reinterpret_cast<typename Unsigned<sizeof(T)>::Type*>(at);
}
template <class T>
DEVICE void atomic_and(T* into, T value) { atomicAnd(unsigned_at(into), typename Unsigned<sizeof(T)>::Type(value)); }
template <class T>
DEVICE void atomic_or(T* into, T value) { atomicOr(unsigned_at(into), typename Unsigned<sizeof(T)>::Type(value)); }
template <class T>
DEVICE void atomic_xor(T* into, T value) { atomicXor(unsigned_at(into), typename Unsigned<sizeof(T)>::Type(value)); }

// Stores `wanted` if there is `expected`; returns what was there.
DEVICE u32 compare_exchange(u32* at, u32 expected, u32 wanted) { return atomicCAS(at, expected, wanted); }
DEVICE u64 compare_exchange(u64* at, u64 expected, u64 wanted) { return atomicCAS(at, expected, wanted); }

#endif

#line 1 "accumulator.cuh"
// What a thread keeps, and how many partials it loads at once.
typedef u32 Acc;
const u32 PARTIAL_VEC = 4;
#define HAS_IDENTITY 1
DEVICE u32 combine(u32 a, u32 b) {
    return a + b;
}
DEVICE u32 identity() {
    return 0u;
}

#line 1 "atomic_fold.cuh"
// What changes no other value.
DEVICE Acc neutral() {
    return 0u;
}
DEVICE void atomic_fold(Acc* all, Acc value) {
    atomic_add(all, value);
}
DEVICE u32 map(u32 x) {
    return x * x;
}

#line 1 "elements.cuh"
// The inputs as a source of accumulators.
struct Elements {
    const u32* x;

    static const u32 VEC = 4;
    static const u32 IN_FLIGHT = ROWS;  // rows loaded at once
    struct Step {
        Vector<u32, VEC> x;
    };

    DEVICE_MEMBER bool aligned() const { return is_aligned(x, sizeof(u32) * VEC); }
    DEVICE_MEMBER Step load(u64 position) const { return {load_vector<VEC>(x + position)}; }
    DEVICE_MEMBER Step load_some(u64 position, i32 left) const {
        Step step;
#pragma unroll
        for (u32 lane = 0; lane < VEC; ++lane) {
            if (i32(lane) >= left) break;
            step.x.at[lane] = load_vector<1>(x + position + lane).at[0];
        }
        return step;
    }
    DEVICE_MEMBER Acc value(const Step& step, u32 lane, u64 position) const { return map(step.x.at[lane]); }
};

// Where the result goes.
struct Outputs {
    u32* _0;
};

DEVICE void write_result(const Outputs& outputs, const Acc& fold) {
    *outputs._0 = fold;
}

#line 1 "thread_fold.cuh"
// What one thread folds: its places in every row of a tile.
//
// A source gives accumulators by position: `Step`, the raw values of VEC positions, loaded at once;
// `load`, and `load_some` of the first `left`; `value`, one of them as an accumulator.

// Folds this thread's places in the tile of `count` positions that starts at `start`; some thread has
// none if `count` is short, and its result is then not to be used. WHOLE: the tile is full and aligned.
//
// The loads of a batch of rows leave before the first value of it is needed: as many as the source
// says of a whole tile, two otherwise, which keeps this rare path from taking the registers of the
// common one.
template <bool WHOLE, class Source>
DEVICE Acc thread_fold(const Source& source, u64 start, u32 count) {
    const u32 VEC = Source::VEC;
    const u32 BATCH = ROWS == 1 ? 1 : WHOLE ? Source::IN_FLIGHT : 2;
    static_assert(!WHOLE || ROWS % BATCH == 0, "a whole tile is whole batches");
    const u64 first = start + threadIdx.x * VEC;
    const i32 left = i32(count) - i32(threadIdx.x * VEC);  // places from this thread's first on

    Acc acc[VEC];
#pragma unroll 1
    for (u32 row = 0; row < ROWS; row += BATCH) {
        typename Source::Step steps[BATCH];
#pragma unroll
        for (u32 r = 0; r < BATCH; ++r) {
            const u32 place = (row + r) * (THREADS * VEC);
            steps[r] = WHOLE ? source.load(first + place) : source.load_some(first + place, left - i32(place));
        }
#pragma unroll
        for (u32 r = 0; r < BATCH; ++r) {
            const u32 place = (row + r) * (THREADS * VEC);
#pragma unroll
            for (u32 v = 0; v < VEC; ++v) {
                if (!WHOLE && i32(place + v) >= left) continue;
                const Acc value = source.value(steps[r], v, first + place + v);
                acc[v] = row + r == 0 ? value : combine(acc[v], value);
            }
        }
    }

#pragma unroll
    for (u32 distance = 1; distance < VEC; distance *= 2) {
#pragma unroll
        for (u32 v = 0; v < VEC; v += 2 * distance) {
            if (WHOLE || i32(v + distance) < left) acc[v] = combine(acc[v], acc[v + distance]);
        }
    }
    return acc[0];
}

#line 1 "block_shuffle.cuh"
// The fold of a block's threads: thread t meets t + s, for s from half the threads down to 1.
// Warps meet first: each lane of warp 0 folds the values of its lane in every warp, in registers;
// then the lanes of warp 0 shuffle.

// Every thread of the block calls this; threads from `present` on have no value. Thread 0 gets the
// fold. The next call must be given other slots: then no barrier is needed between the two.
DEVICE Acc block_fold(Acc value, u32 present, Acc (&slots)[THREADS]) {
    const u32 WARPS = (THREADS + 31) / 32;
    const u32 MASK = THREADS < 32 ? (1u << (THREADS % 32)) - 1 : 0xffffffffu;

    const u32 thread = threadIdx.x;
    if (WARPS > 1) {
        if (thread < present) slots[thread] = value;
        block_barrier();
        if (thread >= 32) return value;

        Acc warps[WARPS];
#pragma unroll
        for (u32 w = 0; w < WARPS; ++w) {
            if (thread + 32 * w < present) warps[w] = slots[thread + 32 * w];
        }
#pragma unroll
        for (u32 s = FIRST_DISTANCE / 32; s > 0; s /= 2) {
#pragma unroll
            for (u32 w = 0; w < s; ++w) {
                if (w + s < WARPS && thread + 32 * (w + s) < present) warps[w] = combine(warps[w], warps[w + s]);
            }
        }
        value = warps[0];
    }
#pragma unroll
    for (u32 s = (FIRST_DISTANCE < 16 ? FIRST_DISTANCE : 16); s > 0; s /= 2) {
        const Acc other = shuffle_down(MASK, value, s);
        // Above lane s the value is of no use, nor is it used.
        if (thread + s < present) value = combine(value, other);
    }
    return value;
}

#line 1 "tile_fold.cuh"
// The fold of one tile: THREADS x ROWS steps of consecutive positions of a source. A tile does not
// know what it is part of.

// Shared memory for the folds of a block. They take turns, so that a slow thread of one fold is not
// overtaken by the next.
struct BlockSlots {
    Acc of[2][THREADS];
};

// Positions of a whole tile.
template <class Source>
DEVICE u64 tile_length() {
    return u64(THREADS) * ROWS * Source::VEC;
}

// Folds the `count` positions from `start` on; 1 to tile_length() of them. Every thread of the block
// calls this, with `turn` 0 and 1 by turns; thread 0 gets the fold.
template <class Source>
DEVICE Acc tile_fold(const Source& source, u64 start, u64 count, BlockSlots& slots, u32 turn) {
    if (count == tile_length<Source>() && source.aligned()) {
        return block_fold(thread_fold<true>(source, start, u32(count)), THREADS, slots.of[turn]);
    }
    const u32 present = (u32(count) + Source::VEC - 1) / Source::VEC;
    return block_fold(thread_fold<false>(source, start, u32(count)), present < THREADS ? present : THREADS,
                      slots.of[turn]);
}

// Partials of the level below, as a source.
struct Partials {
    const Acc* values;

    static const u32 VEC = PARTIAL_VEC;
    static const u32 IN_FLIGHT = ROWS < 4 ? ROWS : 4;  // rows loaded at once
    typedef Vector<Acc, VEC> Step;

    DEVICE_MEMBER bool aligned() const { return true; }
    DEVICE_MEMBER Step load(u64 i) const { return load_partials<VEC>(values + i); }
    DEVICE_MEMBER Step load_some(u64 i, i32 left) const {
        Step step;
#pragma unroll
        for (u32 v = 0; v < VEC; ++v) {
            if (i32(v) < left) step.at[v] = load_partials<1>(values + i + v).at[0];
        }
        return step;
    }
    DEVICE_MEMBER Acc value(const Step& step, u32 v, u64) const { return step.at[v]; }
};

#line 1 "tile_loop.cuh"
// How a block walks the tiles that fall to it.

// Stores the fold of tile `tile` among `tiles`; one thread calls this.
DEVICE void store_fold(const Acc& fold, u64 tile, u64 tiles, Acc* partials, const Outputs& outputs) {
    if (tiles == 1) write_result(outputs, fold);
    else partials[tile] = fold;
}

// How many tiles `n` positions have.
template <class Source>
DEVICE u64 tile_count(u64 n) {
    const u64 length = tile_length<Source>();
    return n / length + (n % length != 0);
}

// Folds tile `tile` of `n` positions; as tile_fold otherwise.
template <class Source>
DEVICE Acc fold_one_tile(const Source& source, u64 n, u64 tile, BlockSlots& slots, u32 turn) {
    const u64 start = tile * tile_length<Source>();
    const u64 rest = n - start;
    return tile_fold(source, start, rest < tile_length<Source>() ? rest : tile_length<Source>(), slots, turn);
}

// Folds the tiles of `n` positions that fall to this block: `first`, and every `stride` on. Thread 0
// stores the fold of tile k in `partials[k]`, or as the result if there is but one tile.
template <class Source>
DEVICE void fold_tiles(const Source& source, u64 n, Acc* partials, const Outputs& outputs, BlockSlots& slots,
                       u64 first, u64 stride) {
    const u64 tiles = tile_count<Source>(n);
    u32 turn = 0;
    for (u64 tile = first; tile < tiles; tile += stride, turn ^= 1) {
        const Acc fold = fold_one_tile(source, n, tile, slots, turn);
        if (threadIdx.x == 0) store_fold(fold, tile, tiles, partials, outputs);
    }
}

#line 1 "grid_atomic.cuh"
// How blocks meet: each folds its tiles into one value, and that into the value of all by an atomic
// operation; the last to arrive writes the result. In which order blocks meet is chance, so the
// operator is exact, or the user has said that order does not matter.

// Makes the value of all, which is `*all`, what changes no other.
extern "C" __global__ void begin_fold(Acc* all) {
    wait_for_predecessor();
    release_dependents();
    if (threadIdx.x == 0) *all = neutral();
}

// `all` is what begin_fold made of it; `arrivals` is zero, and is zero again afterwards. `status` is for
// errors that only the device can see; none yet.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fold_array(Elements elements, u64 n, Acc* all, u32* arrivals, u32* status, Outputs outputs) {
    __shared__ BlockSlots slots;
    wait_for_predecessor();
    release_dependents();
#if HAS_IDENTITY
    if (n == 0) {
        if (threadIdx.x == 0) write_result(outputs, identity());
        return;
    }
#endif
    // Blocks are never more than tiles: each has one.
    Acc folded = fold_one_tile(elements, n, blockIdx.x, slots, 0);
    u32 turn = 1;
    for (u64 tile = u64(blockIdx.x) + gridDim.x; tile < tile_count<Elements>(n); tile += gridDim.x, turn ^= 1) {
        const Acc fold = fold_one_tile(elements, n, tile, slots, turn);
        folded = combine(folded, fold);
    }
    if (threadIdx.x != 0) return;

    atomic_fold(all, folded);
    if (arrive(arrivals, gridDim.x - 1) == gridDim.x - 1) write_result(outputs, load_partials<1>(all).at[0]);
}
