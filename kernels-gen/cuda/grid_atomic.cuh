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
