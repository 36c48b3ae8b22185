// What one thread folds: its places in every row of a tile.
//
// A source gives accumulators by position: `Step`, the raw values of VEC positions, loaded at once;
// `load`, and `load_some` of the first `left`; `value`, one of them as an accumulator.

// Folds this thread's places in the tile of `count` positions that starts at `start`; some thread has
// none if `count` is short, and its result is then not to be used. WHOLE: the tile is full and aligned.
//
// The loads of a batch of rows leave before the first value of it is needed: as many as the source
// says of a whole tile, two otherwise, which keeps this rare path from taking the registers of the
// common one.
template <bool WHOLE, class Source>
DEVICE Acc thread_fold(const Source& source, u64 start, u32 count) {
    const u32 VEC = Source::VEC;
    const u32 BATCH = ROWS == 1 ? 1 : WHOLE ? Source::IN_FLIGHT : 2;
    static_assert(!WHOLE || ROWS % BATCH == 0, "a whole tile is whole batches");
    const u64 first = start + threadIdx.x * VEC;
    const i32 left = i32(count) - i32(threadIdx.x * VEC);  // places from this thread's first on

    Acc acc[VEC];
#pragma unroll 1
    for (u32 row = 0; row < ROWS; row += BATCH) {
        typename Source::Step steps[BATCH];
#pragma unroll
        for (u32 r = 0; r < BATCH; ++r) {
            const u32 place = (row + r) * (THREADS * VEC);
            steps[r] = WHOLE ? source.load(first + place) : source.load_some(first + place, left - i32(place));
        }
#pragma unroll
        for (u32 r = 0; r < BATCH; ++r) {
            const u32 place = (row + r) * (THREADS * VEC);
#pragma unroll
            for (u32 v = 0; v < VEC; ++v) {
                if (!WHOLE && i32(place + v) >= left) continue;
                const Acc value = source.value(steps[r], v, first + place + v);
                acc[v] = row + r == 0 ? value : combine(acc[v], value);
            }
        }
    }

#pragma unroll
    for (u32 distance = 1; distance < VEC; distance *= 2) {
#pragma unroll
        for (u32 v = 0; v < VEC; v += 2 * distance) {
            if (WHOLE || i32(v + distance) < left) acc[v] = combine(acc[v], acc[v + distance]);
        }
    }
    return acc[0];
}
