// What the last block does: it folds the partials level by level, until one value is left.

// Every thread of one block calls this, `tiles` at least two; all of them may read the `tiles` partials.
DEVICE void fold_levels(Acc* partials, u64 tiles, const Outputs& outputs, BlockSlots& slots) {
    while (tiles > 1) {
        const Partials below = {partials};
        partials += (tiles + PARTIAL_VEC - 1) / PARTIAL_VEC * PARTIAL_VEC;
        fold_tiles(below, tiles, partials, outputs, slots, 0, 1);
        tiles = tile_count<Partials>(tiles);
        block_barrier();
    }
}
