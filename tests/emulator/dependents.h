// Launches that overlap with the one before: a kernel that waits for its predecessor touches no global
// memory before, in any thread, and lets its own dependents start only afterwards.

#pragma once

#include "state.h"

namespace emulator {

inline void note_global_access(const Access& access) {
    Thread& thread = self();
    if (!thread.has_waited && !thread.early.exists()) thread.early = access;
}

void wait_for_predecessor(Site site) {
    Thread& thread = self();
    if (thread.early.exists()) {
        fault(thread, thread.early.site, "global memory is accessed before the wait for the predecessor at %s",
              SiteText(site).text);
        abandon();
    }
    if (thread.has_released) {
        fault(thread, site, "the dependents were released before this wait for the predecessor");
        abandon();
    }
    thread.has_waited = true;
}

void release_dependents(Site) {
    self().has_released = true;
}

// After the blocks have ended: whether all threads did what one of them did, or the launch asks for.
inline void check_dependents() {
    bool any_waited = launch->overlaps, any_released = launch->overlaps;
    for (const Thread& each : threads) {
        any_waited |= each.has_waited;
        any_released |= each.has_released;
    }
    for (const Thread& each : threads) {
        if (any_waited && !each.has_waited) {
            fault(each, each.site, "the thread exits without a wait for the predecessor, which it has to make");
        }
        if (any_released && !each.has_released) {
            fault(each, each.site, "the thread exits without a release of the dependents, which it has to make");
        }
    }
}

}  // namespace emulator
