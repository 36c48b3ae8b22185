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
