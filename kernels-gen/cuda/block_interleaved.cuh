// The fold of a block's threads: thread t meets t + s, for s = 1, 2, 4 and so on, where t is a multiple
// of 2 s. The first way one thinks of, and to be seen rather than used: the threads that work are
// spread over all warps, so that every warp diverges in every step.

// Every thread of the block calls this; threads from `present` on have no value. Thread 0 gets the
// fold. The next call must be given other slots: then no barrier is needed between the two.
DEVICE Acc block_fold(Acc value, u32 present, Acc (&slots)[THREADS]) {
    const u32 thread = threadIdx.x;
    if (thread < present) slots[thread] = value;
    block_barrier();
#pragma unroll
    for (u32 s = 1; s < THREADS; s *= 2) {
        if (thread % (2 * s) == 0 && thread + s < present) slots[thread] = combine(slots[thread], slots[thread + s]);
        block_barrier();
    }
    return slots[0];
}
