// The fold of a block's threads: slot p meets p + s, for s = 1, 2, 4 and so on, where p = 2 s t is
// thread t's. Neighbouring threads work, so that whole warps idle; but their slots are 2 s apart, and
// meet in the same banks of shared memory.

// Every thread of the block calls this; threads from `present` on have no value. Thread 0 gets the
// fold. The next call must be given other slots: then no barrier is needed between the two.
DEVICE Acc block_fold(Acc value, u32 present, Acc (&slots)[THREADS]) {
    const u32 thread = threadIdx.x;
    if (thread < present) slots[thread] = value;
    block_barrier();
#pragma unroll
    for (u32 s = 1; s < THREADS; s *= 2) {
        const u32 place = 2 * s * thread;
        if (place + s < present) slots[place] = combine(slots[place], slots[place + s]);
        block_barrier();
    }
    return slots[0];
}
