// How a block walks the tiles that fall to it.

// Stores the fold of tile `tile` among `tiles`; one thread calls this.
DEVICE void store_fold(const Acc& fold, u64 tile, u64 tiles, Acc* partials, const Outputs& outputs) {
    if (tiles == 1) write_result(outputs, fold);
    else partials[tile] = fold;
}

// How many tiles `n` positions have.
template <class Source>
DEVICE u64 tile_count(u64 n) {
    const u64 length = tile_length<Source>();
    return n / length + (n % length != 0);
}

// Folds tile `tile` of `n` positions; as tile_fold otherwise.
template <class Source>
DEVICE Acc fold_one_tile(const Source& source, u64 n, u64 tile, BlockSlots& slots, u32 turn) {
    const u64 start = tile * tile_length<Source>();
    const u64 rest = n - start;
    return tile_fold(source, start, rest < tile_length<Source>() ? rest : tile_length<Source>(), slots, turn);
}

// Folds the tiles of `n` positions that fall to this block: `first`, and every `stride` on. Thread 0
// stores the fold of tile k in `partials[k]`, or as the result if there is but one tile.
template <class Source>
DEVICE void fold_tiles(const Source& source, u64 n, Acc* partials, const Outputs& outputs, BlockSlots& slots,
                       u64 first, u64 stride) {
    const u64 tiles = tile_count<Source>(n);
    u32 turn = 0;
    for (u64 tile = first; tile < tiles; tile += stride, turn ^= 1) {
        const Acc fold = fold_one_tile(source, n, tile, slots, turn);
        if (threadIdx.x == 0) store_fold(fold, tile, tiles, partials, outputs);
    }
}
