// Stores into a block's shared memory that others make: some thread of the block has to see each
// before the block ends, or they may come when its memory is another's.

#pragma once

#include "races.h"

namespace emulator {

struct Duty {
    Access access;
    unsigned rank;
    // Who issued it.
    unsigned thread;
    const char* what;
};

inline std::vector<Duty> duties;

inline bool is_seen_by_block(const Duty& duty) {
    for (const Thread& each : threads) {
        if (each.rank == duty.rank && is_after(each, duty.access)) return true;
    }
    return false;
}

inline void check_duties() {
    for (const Duty& each : duties) {
        if (!is_seen_by_block(each)) {
            fault(threads[each.thread], each.access.site, "block %u may end before %s: none of its threads waits for it",
                  blocks[each.rank].index, each.what);
        }
    }
    duties.clear();
}

}  // namespace emulator
