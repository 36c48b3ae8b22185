// What a warp can do with one bit of each lane. Every lane that `mask` names calls these; they order no
// memory.

#ifdef __CUDACC__

DEVICE bool all_lanes(u32 mask, bool value) {
    return __all_sync(mask, value);
}
DEVICE bool any_lane(u32 mask, bool value) {
    return __any_sync(mask, value);
}
// Bit k is lane k's.
DEVICE u32 ballot(u32 mask, bool value) {
    return __ballot_sync(mask, value);
}
DEVICE u32 count_bits(u32 word) {
    return __popc(word);
}

#endif
