// Blocks that run together and reach each other's shared memory, from sm_90 on.

#ifdef __CUDACC__

// This block's number in its cluster, and how many the cluster has.
DEVICE u32 cluster_rank() {
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
DEVICE u32 cluster_blocks() {
    u32 blocks;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
    return blocks;
}

// A barrier of all threads of the cluster in two halves. `cluster_arrive` passes on what was stored
// before, to whoever waits; the relaxed one says only that this thread is there.
DEVICE void cluster_arrive_relaxed() {
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
}
DEVICE void cluster_arrive() {
    asm volatile("barrier.cluster.arrive.release;" ::: "memory");
}
DEVICE void cluster_wait() {
    asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// Stores to the same variable of the block of that rank, which has started and not ended.
DEVICE void store_word_to_rank(u32* variable, u32 rank, u32 word) {
    const u32 local = u32(__cvta_generic_to_shared(variable));
    u32 remote;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(local), "r"(rank));
    asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(remote), "r"(word) : "memory");
}

#endif
