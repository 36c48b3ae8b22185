// sum_sq: folds with Add what the function makes of each element.
// fn sum_sq(x: f32) -> f32

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

#line 1 "rust_float.cuh"
// Rust's floating point arithmetic, where C's differs or has another name. -0.0 is below 0.0.

namespace rust {

#define FOR_FLOAT(T, BITS, SIGN, NAN_BITS, suffix)                                                                \
    DEVICE BITS to_bits(T a) { return from_bits<BITS>(a); }                                                       \
    DEVICE bool is_nan(T a) { return a != a; }                                                                    \
    DEVICE bool is_sign_negative(T a) { return (to_bits(a) & SIGN) != 0; }                                        \
    DEVICE bool is_sign_positive(T a) { return (to_bits(a) & SIGN) == 0; }                                        \
    DEVICE bool is_infinite(T a) { return (to_bits(a) & ~SIGN) == (NAN_BITS & NAN_BITS << 1); }                    \
    DEVICE bool is_finite(T a) { return a - a == 0; }                                                             \
    /* The one NaN that results have. */                                                                          \
    DEVICE T canonical(T a) { return a != a ? from_bits<T>(NAN_BITS) : a; }                                       \
    DEVICE bool is_below(T a, T b) { return a < b || (a == b && is_sign_negative(a)); }                           \
    /* NaN loses, as in f32::min and f32::max. */                                                                 \
    DEVICE T min(T a, T b) { return a != a ? b : b != b ? a : is_below(a, b) ? a : b; }                           \
    DEVICE T max(T a, T b) { return a != a ? b : b != b ? a : is_below(a, b) ? b : a; }                           \
    DEVICE T clamp(T a, T low, T high) { return a < low ? low : a > high ? high : a; }                            \
    DEVICE T copysign(T a, T sign) { return from_bits<T>((to_bits(a) & ~SIGN) | (to_bits(sign) & SIGN)); }        \
    DEVICE T abs(T a) { return from_bits<T>(to_bits(a) & ~SIGN); }                                                \
    DEVICE T signum(T a) { return a != a ? a : copysign(T(1), a); }                                               \
    DEVICE T rem(T a, T b) { return ::fmod##suffix(a, b); }                                                       \
    DEVICE T sqrt(T a) { return ::sqrt##suffix(a); }                                                              \
    DEVICE T floor(T a) { return ::floor##suffix(a); }                                                            \
    DEVICE T ceil(T a) { return ::ceil##suffix(a); }                                                              \
    DEVICE T trunc(T a) { return ::trunc##suffix(a); }                                                            \
    DEVICE T round(T a) { return ::round##suffix(a); }                                                            \
    DEVICE T fract(T a) { return a - trunc(a); }                                                                  \
    DEVICE T recip(T a) { return T(1) / a; }                                                                      \
    DEVICE T mul_add(T a, T b, T c) { return ::fma##suffix(a, b, c); }                                            \
    DEVICE T exp(T a) { return ::exp##suffix(a); }                                                                \
    DEVICE T exp2(T a) { return ::exp2##suffix(a); }                                                              \
    DEVICE T exp_m1(T a) { return ::expm1##suffix(a); }                                                           \
    DEVICE T ln(T a) { return ::log##suffix(a); }                                                                 \
    DEVICE T ln_1p(T a) { return ::log1p##suffix(a); }                                                            \
    DEVICE T log2(T a) { return ::log2##suffix(a); }                                                              \
    DEVICE T log10(T a) { return ::log10##suffix(a); }                                                            \
    DEVICE T sin(T a) { return ::sin##suffix(a); }                                                                \
    DEVICE T cos(T a) { return ::cos##suffix(a); }                                                                \
    DEVICE T tan(T a) { return ::tan##suffix(a); }                                                                \
    DEVICE T asin(T a) { return ::asin##suffix(a); }                                                              \
    DEVICE T acos(T a) { return ::acos##suffix(a); }                                                              \
    DEVICE T atan(T a) { return ::atan##suffix(a); }                                                              \
    DEVICE T atan2(T a, T b) { return ::atan2##suffix(a, b); }                                                    \
    DEVICE T sinh(T a) { return ::sinh##suffix(a); }                                                              \
    DEVICE T cosh(T a) { return ::cosh##suffix(a); }                                                              \
    DEVICE T tanh(T a) { return ::tanh##suffix(a); }                                                              \
    DEVICE T cbrt(T a) { return ::cbrt##suffix(a); }                                                              \
    DEVICE T hypot(T a, T b) { return ::hypot##suffix(a, b); }                                                    \
    DEVICE T powf(T a, T b) { return ::pow##suffix(a, b); }                                                       \
    DEVICE T powi(T a, i32 b) { return T(::pow(f64(a), f64(b))); }

FOR_FLOAT(f32, u32, 0x80000000u, 0x7fc00000u, f)
FOR_FLOAT(f64, u64, 0x8000000000000000ull, 0x7ff8000000000000ull, )

// NaN wins.
DEVICE f32 minimum(f32 a, f32 b) { return f32_minimum(a, b); }
DEVICE f32 maximum(f32 a, f32 b) { return f32_maximum(a, b); }
DEVICE f64 minimum(f64 a, f64 b) {
    if (a < b) return a;
    if (b < a) return b;
    return a == b ? from_bits<f64>(to_bits(a) | to_bits(b)) : a + b;  // equal but for the sign of zero, or NaN
}
DEVICE f64 maximum(f64 a, f64 b) {
    if (a > b) return a;
    if (b > a) return b;
    return a == b ? from_bits<f64>(to_bits(a) & to_bits(b)) : a + b;
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

#line 1 "intrinsics_bulk.cuh"
// Copies from global to shared memory that an engine does, and the barriers that count their bytes, from
// sm_90 on.

#ifdef __CUDACC__

extern __shared__ __align__(128) u8 dynamic_bytes[];

// The shared memory that the launch asked for, a multiple of 128.
DEVICE u8* dynamic_shared() {
    return dynamic_bytes;
}

DEVICE u32 shared_address(const void* pointer) {
    return u32(__cvta_generic_to_shared(pointer));
}

// A barrier whose phases end when `count` threads have arrived and the bytes they expect are there.
// One thread makes them, and then the fence, before others and the copies use them.
DEVICE void barrier_init(u64* barrier, u32 count) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(shared_address(barrier)), "r"(count) : "memory");
}
DEVICE void barrier_init_fence() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Arrives, and says how many bytes copies will bring in this phase.
DEVICE void barrier_expect(u64* barrier, u32 bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
}

// Waits for the end of a phase of this parity, and sees what its copies brought.
DEVICE void barrier_wait(u64* barrier, u32 parity) {
    u32 has_ended;
    do {
        asm volatile("{\n"
                     "    .reg .pred ended;\n"
                     "    mbarrier.try_wait.parity.shared::cta.b64 ended, [%1], %2;\n"
                     "    selp.u32 %0, 1, 0, ended;\n"
                     "}"
                     : "=r"(has_ended) : "r"(shared_address(barrier)), "r"(parity) : "memory");
    } while (!has_ended);
}

// Starts a copy; both ends and `bytes` are multiples of 16.
DEVICE void bulk_load(void* to, const void* from, u32 bytes, u64* barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(barrier)) : "memory");
}

// 16, 8, 4, 2 bytes or one that a copy brought; `from` is a multiple of so many.
DEVICE void load_copied(u32 (&words)[4], const void* from) {
    asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "r"(shared_address(from)) : "memory");
}
DEVICE void load_copied(u32 (&words)[2], const void* from) {
    asm volatile("ld.shared.v2.b32 {%0, %1}, [%2];"
                 : "=r"(words[0]), "=r"(words[1]) : "r"(shared_address(from)) : "memory");
}
DEVICE void load_copied(u32 (&words)[1], const void* from) {
    words[0] = *static_cast<const u32*>(from);
}
DEVICE void load_copied(u16 (&words)[1], const void* from) {
    words[0] = *static_cast<const u16*>(from);
}
DEVICE void load_copied(u8 (&words)[1], const void* from) {
    words[0] = *static_cast<const u8*>(from);
}

#endif

// N consecutive values that a copy brought.
template <u32 N, class T>
DEVICE Vector<T, N> load_staged(const T* from) {
    Words<sizeof(T) * N> bytes;
    load_copied(bytes.words, from);
    return from_bits<Vector<T, N>>(bytes);
}

#line 1 "accumulator.cuh"
// What a thread keeps, and how many partials it loads at once.
typedef f32 Acc;
const u32 PARTIAL_VEC = 4;
#define HAS_IDENTITY 1
DEVICE f32 combine(f32 a, f32 b) {
    return a + b;
}
DEVICE f32 identity() {
    return 0.0f;
}
DEVICE f32 map(f32 x) {
    return x * x;
}

#line 1 "elements.cuh"
// The inputs as a source of accumulators.
struct Elements {
    const f32* x;

    static const u32 VEC = 4;
    static const u32 IN_FLIGHT = ROWS;  // rows loaded at once
    struct Step {
        Vector<f32, VEC> x;
    };

    DEVICE_MEMBER bool aligned() const { return is_aligned(x, sizeof(f32) * VEC); }
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
    f32* _0;
};

DEVICE void write_result(const Outputs& outputs, const Acc& fold) {
    *outputs._0 = rust::canonical(fold);
}

#line 1 "staged.cuh"
// The inputs of one whole tile, copied to shared memory, as a source of accumulators.
struct Staged {
    const Elements& elements;
    u64 start;        // the tile's first position
    const u8* bytes;  // one input after the other

    static const u32 VEC = Elements::VEC;
    static const u32 IN_FLIGHT = Elements::IN_FLIGHT;
    static const u32 COUNT = THREADS * ROWS * VEC;
    static const u32 BYTES = sizeof(f32);  // of one position
    typedef Elements::Step Step;

    // Whether bulk copies can take any whole tile.
    static DEVICE_MEMBER bool takes(const Elements& elements) {
        return is_aligned(elements.x, 16) && COUNT * sizeof(f32) % 16 == 0;
    }
    static DEVICE_MEMBER void copy(const Elements& elements, u64 start, u8* to, u64* arrived) {
        bulk_load(to, elements.x + start, COUNT * sizeof(f32), arrived);
    }

    DEVICE_MEMBER Step load(u64 position) const {
        const u32 place = u32(position - start);
        return {load_staged<VEC>(reinterpret_cast<const f32*>(bytes) + place)};
    }
    DEVICE_MEMBER Step load_some(u64 position, i32) const { return load(position); }
    DEVICE_MEMBER Acc value(const Step& step, u32 v, u64 position) const { return elements.value(step, v, position); }
};

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

#line 1 "tile_bulk.cuh"
// How a block walks its tiles with bulk copies: a ring of stages in shared memory, each a whole tile,
// filled by the copy engine while the block folds another.

const u32 STAGE_BYTES = THREADS * ROWS * Elements::VEC * Staged::BYTES;
// As many as leave room for a second block; one at least.
const u32 RING_BYTES = 90 * 1024;
const u32 STAGES = RING_BYTES / STAGE_BYTES < 1 ? 1 : RING_BYTES / STAGE_BYTES > 8 ? 8 : RING_BYTES / STAGE_BYTES;

// Starts the copy of a whole tile to a stage, whose barrier then waits for its bytes; one thread
// calls this.
DEVICE void start_copy(const Elements& elements, u64 tile, u32 stage, u64* arrived) {
    barrier_expect(arrived, STAGE_BYTES);
    Staged::copy(elements, tile * tile_length<Elements>(), dynamic_shared() + stage * STAGE_BYTES, arrived);
}

// Folds the tiles of `n` elements that fall to this block, as the other fold_tiles does. Tiles that are
// not whole, and all tiles of inputs that a bulk copy cannot take, are loaded without it.
DEVICE void fold_tiles(const Elements& elements, u64 n, Acc* partials, const Outputs& outputs, BlockSlots& slots,
                       u64 first, u64 stride) {
    __shared__ u64 arrived[STAGES];
    const u64 length = tile_length<Elements>();
    const u64 whole = Staged::takes(elements) ? n / length : 0;
    const u64 tiles = tile_count<Elements>(n);
    if (threadIdx.x == 0) {
        for (u32 stage = 0; stage < STAGES; ++stage) barrier_init(&arrived[stage], 1);
        barrier_init_fence();
    }
    block_barrier();
    if (threadIdx.x == 0) {
        u64 tile = first;
        for (u32 stage = 0; stage < STAGES && tile < whole; ++stage, tile += stride) {
            start_copy(elements, tile, stage, &arrived[stage]);
        }
    }

    u32 turn = 0, stage = 0, phase = 0;
    for (u64 tile = first; tile < tiles; tile += stride, turn ^= 1) {
        Acc fold;
        if (tile < whole) {
            barrier_wait(&arrived[stage], phase);
            const Staged staged = {elements, tile * length, dynamic_shared() + stage * STAGE_BYTES};
            fold = block_fold(thread_fold<true>(staged, tile * length, u32(length)), THREADS, slots.of[turn]);
            // All threads have read the stage: block_fold has a barrier, but for a single warp.
            if (THREADS <= 32) block_barrier();
            const u64 next = tile + STAGES * stride;
            if (threadIdx.x == 0 && next < whole) start_copy(elements, next, stage, &arrived[stage]);
            if (++stage == STAGES) stage = 0, phase ^= 1;
        } else {
            fold = fold_one_tile(elements, n, tile, slots, turn);
        }
        if (threadIdx.x == 0) store_fold(fold, tile, tiles, partials, outputs);
    }
}

#line 1 "levels.cuh"
// What the last block does: it folds the partials level by level, until one value is left.

// Every thread of one block calls this, `tiles` at least two; all of them may read the `tiles` partials.
DEVICE void fold_levels(Acc* partials, u64 tiles, const Outputs& outputs, BlockSlots& slots) {
    while (tiles > 1) {
        const Partials below = {partials};
        partials += (tiles + PARTIAL_VEC - 1) / PARTIAL_VEC * PARTIAL_VEC;
        fold_tiles(below, tiles, partials, outputs, slots, 0, 1);
        tiles = tile_count<Partials>(tiles);
        block_barrier();
    }
}

#line 1 "grid_last_block.cuh"
// How blocks meet: each stores its partials and counts itself; the last to count folds them all.

// `partials` holds every level's, each level's start a multiple of PARTIAL_VEC; `arrivals` is zero, and
// is zero again afterwards. `status` is for errors that only the device can see; none yet.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fold_array(Elements elements, u64 n, Acc* partials, u32* arrivals, u32* status, Outputs outputs) {
    __shared__ BlockSlots slots;
    __shared__ bool is_last;
    wait_for_predecessor();
    release_dependents();
#if HAS_IDENTITY
    if (n == 0) {
        if (threadIdx.x == 0) write_result(outputs, identity());
        return;
    }
#endif
    const u64 tiles = tile_count<Elements>(n);
    fold_tiles(elements, n, partials, outputs, slots, blockIdx.x, gridDim.x);
    if (tiles == 1) return;

    // The thread that stored this block's partials releases them; the barrier passes on what it acquired.
    if (threadIdx.x == 0) is_last = arrive(arrivals, gridDim.x - 1) == gridDim.x - 1;
    block_barrier();
    if (is_last) fold_levels(partials, tiles, outputs, slots);
}
