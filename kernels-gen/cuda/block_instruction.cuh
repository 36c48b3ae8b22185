// The fold of a block's threads by the instruction that folds a warp: each warp its lanes, then one
// warp the results. In which order lanes meet is the hardware's matter, so the operator is exact.

// The lowest `count` lanes of a warp; all of them from 32 on.
DEVICE u32 lowest_lanes(u32 count) {
    return count < 32 ? (1u << count) - 1 : 0xffffffffu;
}

// Every thread of the block calls this; threads from `present` on have no value. Thread 0 gets the
// fold. The next call must be given other slots: then no barrier is needed between the two.
DEVICE Acc block_fold(Acc value, u32 present, Acc (&slots)[THREADS]) {
    const u32 warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // How many lanes of this warp have a value: known to all of them before any branch.
    const u32 lanes = present > 32 * warp ? present - 32 * warp : 0;
    if (lane < lanes) value = warp_fold(lowest_lanes(lanes), value);
    if (THREADS <= 32) return value;

    if (lane == 0) slots[warp] = value;
    block_barrier();
    const u32 warps = (present + 31) / 32;
    if (threadIdx.x < warps) value = warp_fold(lowest_lanes(warps), slots[threadIdx.x]);
    return value;
}
