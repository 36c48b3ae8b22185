// How a block walks its tiles with bulk copies: a ring of stages in shared memory, each a whole tile,
// filled by the copy engine while the block folds another.

const u32 STAGE_BYTES = THREADS * ROWS * Elements::VEC * Staged::BYTES;
// As many as leave room for a second block; one at least.
const u32 RING_BYTES = 90 * 1024;
const u32 STAGES = RING_BYTES / STAGE_BYTES < 1 ? 1 : RING_BYTES / STAGE_BYTES > 8 ? 8 : RING_BYTES / STAGE_BYTES;

// Starts the copy of a whole tile to a stage, whose barrier then waits for its bytes; one thread
// calls this.
DEVICE void start_copy(const Elements& elements, u64 tile, u32 stage, u64* arrived) {
    barrier_expect(arrived, STAGE_BYTES);
    Staged::copy(elements, tile * tile_length<Elements>(), dynamic_shared() + stage * STAGE_BYTES, arrived);
}

// Folds the tiles of `n` elements that fall to this block, as the other fold_tiles does. Tiles that are
// not whole, and all tiles of inputs that a bulk copy cannot take, are loaded without it.
DEVICE void fold_tiles(const Elements& elements, u64 n, Acc* partials, const Outputs& outputs, BlockSlots& slots,
                       u64 first, u64 stride) {
    __shared__ u64 arrived[STAGES];
    const u64 length = tile_length<Elements>();
    const u64 whole = Staged::takes(elements) ? n / length : 0;
    const u64 tiles = tile_count<Elements>(n);
    if (threadIdx.x == 0) {
        for (u32 stage = 0; stage < STAGES; ++stage) barrier_init(&arrived[stage], 1);
        barrier_init_fence();
    }
    block_barrier();
    if (threadIdx.x == 0) {
        u64 tile = first;
        for (u32 stage = 0; stage < STAGES && tile < whole; ++stage, tile += stride) {
            start_copy(elements, tile, stage, &arrived[stage]);
        }
    }

    u32 turn = 0, stage = 0, phase = 0;
    for (u64 tile = first; tile < tiles; tile += stride, turn ^= 1) {
        Acc fold;
        if (tile < whole) {
            barrier_wait(&arrived[stage], phase);
            const Staged staged = {elements, tile * length, dynamic_shared() + stage * STAGE_BYTES};
            fold = block_fold(thread_fold<true>(staged, tile * length, u32(length)), THREADS, slots.of[turn]);
            // All threads have read the stage: block_fold has a barrier, but for a single warp.
            if (THREADS <= 32) block_barrier();
            const u64 next = tile + STAGES * stride;
            if (threadIdx.x == 0 && next < whole) start_copy(elements, next, stage, &arrived[stage]);
            if (++stage == STAGES) stage = 0, phase ^= 1;
        } else {
            fold = fold_one_tile(elements, n, tile, slots, turn);
        }
        if (threadIdx.x == 0) store_fold(fold, tile, tiles, partials, outputs);
    }
}
