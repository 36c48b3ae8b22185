// What one thread folds: its places in every row of a tile.
//
// A source gives accumulators by position: `Step`, the raw values of VEC positions, loaded at once;
// `load` and `load_below`, which skips positions from `end` on; `value`, one of them as an accumulator.

// Folds this thread's places in the tile of `count` positions that starts at `start`; some thread has
// none if `count` is short, and its result is then not to be used. WHOLE: the tile is full and aligned.
template <bool WHOLE, class Source>
DEVICE Acc thread_fold(const Source& source, u64 start, u64 count) {
    const u32 VEC = Source::VEC;
    const u64 end = start + count;
    const u64 first = start + threadIdx.x * VEC;

    // All loads leave before the first value is needed.
    typename Source::Step steps[ROWS];
#pragma unroll
    for (u32 r = 0; r < ROWS; ++r) {
        const u64 i = first + r * (THREADS * VEC);
        steps[r] = WHOLE ? source.load(i) : source.load_below(i, end);
    }

    Acc acc[VEC];
#pragma unroll
    for (u32 v = 0; v < VEC; ++v) acc[v] = source.value(steps[0], v, first + v);
#pragma unroll
    for (u32 r = 1; r < ROWS; ++r) {
        const u64 i = first + r * (THREADS * VEC);
#pragma unroll
        for (u32 v = 0; v < VEC; ++v) {
            if (WHOLE || i + v < end) acc[v] = combine(acc[v], source.value(steps[r], v, i + v));
        }
    }

#pragma unroll
    for (u32 distance = 1; distance < VEC; distance *= 2) {
#pragma unroll
        for (u32 v = 0; v < VEC; v += 2 * distance) {
            if (WHOLE || first + v + distance < end) acc[v] = combine(acc[v], acc[v + distance]);
        }
    }
    return acc[0];
}
