// How blocks meet: each stores its partials and counts itself; the last to count folds them all.

// `partials` holds every level's, each level's start a multiple of PARTIAL_VEC; `arrivals` is zero, and
// is zero again afterwards. `status` is for errors that only the device can see; none yet.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fold_array(Elements elements, u64 n, Acc* partials, u32* arrivals, u32* status, Outputs outputs) {
    __shared__ BlockSlots slots;
    __shared__ bool is_last;
#if HAS_IDENTITY
    if (n == 0) {
        if (threadIdx.x == 0) write_result(outputs, identity());
        return;
    }
#endif
    u64 tiles = fold_tiles(elements, n, partials, outputs, slots, blockIdx.x, gridDim.x);
    if (tiles == 1) return;

    // The thread that stored this block's partials releases them; the barrier passes on what it acquired.
    if (threadIdx.x == 0) is_last = arrive(arrivals, gridDim.x - 1) == gridDim.x - 1;
    block_barrier();
    if (!is_last) return;

    while (tiles > 1) {
        const Partials below = {partials};
        partials += (tiles + PARTIAL_VEC - 1) / PARTIAL_VEC * PARTIAL_VEC;
        tiles = fold_tiles(below, tiles, partials, outputs, slots, 0, 1);
        block_barrier();
    }
}
