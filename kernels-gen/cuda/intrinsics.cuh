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
