// How blocks meet: a launch for each level of the tree, the end of a launch between them.

// Elements to partials, or to the result if there is but one tile. `status` is for errors that only
// the device can see; none yet.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fold_elements(Elements elements, u64 n, Acc* partials, u32* status, Outputs outputs) {
    __shared__ BlockSlots slots;
    wait_for_predecessor();
    release_dependents();
#if HAS_IDENTITY
    if (n == 0) {
        if (threadIdx.x == 0) write_result(outputs, identity());
        return;
    }
#endif
    fold_tiles(elements, n, partials, outputs, slots, blockIdx.x, gridDim.x);
}

// Partials to the partials of the next level, or to the result.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
fold_partials(const Acc* below, u64 n, Acc* partials, u32* status, Outputs outputs) {
    __shared__ BlockSlots slots;
    wait_for_predecessor();
    release_dependents();
    fold_tiles(Partials{below}, n, partials, outputs, slots, blockIdx.x, gridDim.x);
}
