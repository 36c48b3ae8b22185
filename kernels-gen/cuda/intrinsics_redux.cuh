// The instructions that fold a warp's 32-bit integers, from sm_80 on. Every lane that `mask` names calls
// these, and gets the fold; they order no memory.

#ifdef __CUDACC__

DEVICE u32 redux_add(u32 mask, u32 value) { return __reduce_add_sync(mask, value); }
DEVICE u32 redux_min(u32 mask, u32 value) { return __reduce_min_sync(mask, value); }
DEVICE u32 redux_max(u32 mask, u32 value) { return __reduce_max_sync(mask, value); }
DEVICE u32 redux_and(u32 mask, u32 value) { return __reduce_and_sync(mask, value); }
DEVICE u32 redux_or(u32 mask, u32 value) { return __reduce_or_sync(mask, value); }
DEVICE u32 redux_xor(u32 mask, u32 value) { return __reduce_xor_sync(mask, value); }

// Two's complement adds and has bits as the unsigned type does; order differs.
DEVICE i32 redux_add(u32 mask, i32 value) { return i32(redux_add(mask, u32(value))); }
DEVICE i32 redux_min(u32 mask, i32 value) { return __reduce_min_sync(mask, value); }
DEVICE i32 redux_max(u32 mask, i32 value) { return __reduce_max_sync(mask, value); }
DEVICE i32 redux_and(u32 mask, i32 value) { return i32(redux_and(mask, u32(value))); }
DEVICE i32 redux_or(u32 mask, i32 value) { return i32(redux_or(mask, u32(value))); }
DEVICE i32 redux_xor(u32 mask, i32 value) { return i32(redux_xor(mask, u32(value))); }

#endif
