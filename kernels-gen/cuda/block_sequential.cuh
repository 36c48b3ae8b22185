// The fold of a block's threads: thread t meets t + s, for s from half the threads down to 1, all in
// shared memory. No bank conflicts and whole warps idle, but a barrier a step.

// Every thread of the block calls this; threads from `present` on have no value. Thread 0 gets the
// fold. The next call must be given other slots: then no barrier is needed between the two.
DEVICE Acc block_fold(Acc value, u32 present, Acc (&slots)[THREADS]) {
    const u32 thread = threadIdx.x;
    if (thread < present) slots[thread] = value;
    block_barrier();
#pragma unroll
    for (u32 s = FIRST_DISTANCE; s > 0; s /= 2) {
        if (thread < s && thread + s < present) slots[thread] = combine(slots[thread], slots[thread + s]);
        block_barrier();
    }
    return slots[0];
}
