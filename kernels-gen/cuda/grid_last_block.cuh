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
