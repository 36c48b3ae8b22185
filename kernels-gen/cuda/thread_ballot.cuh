// What one warp counts, by ballots: each place of its lanes is one vote of the warp, and lane 0 keeps
// the count. The other lanes keep zero, which changes no count.

// Folds this thread's places in the tile of `count` positions that starts at `start`, as the other
// thread_fold does; every thread of the block calls this.
template <bool WHOLE>
DEVICE Acc thread_fold(const Elements& source, u64 start, u32 count) {
    const u32 VEC = Elements::VEC;
    const u32 BATCH = ROWS == 1 ? 1 : WHOLE ? Elements::IN_FLIGHT : 2;
    // The lanes that the block has in this warp: all of them vote, those without a place with no.
    const u32 lanes = THREADS - threadIdx.x / 32 * 32;
    const u32 mask = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
    const u64 first = start + threadIdx.x * VEC;
    const i32 left = i32(count) - i32(threadIdx.x * VEC);  // places from this thread's first on

    u32 votes = 0;
#pragma unroll 1
    for (u32 row = 0; row < ROWS; row += BATCH) {
        Elements::Step steps[BATCH];
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
                const bool is_place = WHOLE || i32(place + v) < left;
                const bool vote = is_place && source.value(steps[r], v, first + place + v) != 0;
                votes += count_bits(ballot(mask, vote));
            }
        }
    }
    return threadIdx.x % 32 == 0 ? votes : 0;
}
