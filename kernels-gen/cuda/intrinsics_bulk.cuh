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
