// The fold of one tile: THREADS x ROWS steps of consecutive positions of a source. A tile does not
// know what it is part of.

// Shared memory for the folds of a block. They take turns, so that a slow thread of one fold is not
// overtaken by the next.
struct BlockSlots {
    Acc of[2][THREADS];
};

// Positions of a whole tile.
template <class Source>
DEVICE u64 tile_length() {
    return u64(THREADS) * ROWS * Source::VEC;
}

// Folds the `count` positions from `start` on; 1 to tile_length() of them. Every thread of the block
// calls this, with `turn` 0 and 1 by turns; thread 0 gets the fold.
template <class Source>
DEVICE Acc tile_fold(const Source& source, u64 start, u64 count, BlockSlots& slots, u32 turn) {
    if (count == tile_length<Source>() && source.aligned()) {
        return block_fold(thread_fold<true>(source, start, u32(count)), THREADS, slots.of[turn]);
    }
    const u32 present = (u32(count) + Source::VEC - 1) / Source::VEC;
    return block_fold(thread_fold<false>(source, start, u32(count)), present < THREADS ? present : THREADS,
                      slots.of[turn]);
}

// Partials of the level below, as a source.
struct Partials {
    const Acc* values;

    static const u32 VEC = PARTIAL_VEC;
    static const u32 IN_FLIGHT = ROWS < 4 ? ROWS : 4;  // rows loaded at once
    typedef Vector<Acc, VEC> Step;

    DEVICE_MEMBER bool aligned() const { return true; }
    DEVICE_MEMBER Step load(u64 i) const { return load_partials<VEC>(values + i); }
    DEVICE_MEMBER Step load_some(u64 i, i32 left) const {
        Step step;
#pragma unroll
        for (u32 v = 0; v < VEC; ++v) {
            if (i32(v) < left) step.at[v] = load_partials<1>(values + i + v).at[0];
        }
        return step;
    }
    DEVICE_MEMBER Acc value(const Step& step, u32 v, u64) const { return step.at[v]; }
};
