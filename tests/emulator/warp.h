// What the lanes of a warp do together: each brings a word, and gets one when all that its mask names
// have come to the same call with the same mask.

#pragma once

#include "atomics.h"
#include "counters.h"
#include "state.h"

namespace emulator {

// Whether the lanes that the thread names in its mask are at this call, or may still come.
inline bool check_mask(Thread& asks) {
    const Warp& warp = warp_of(asks);
    if (!(asks.mask >> (asks.index % WARP) & 1)) {
        fault(asks, asks.site, "the mask 0x%08x does not name the lane itself", asks.mask);
        return false;
    }
    for (unsigned lane = 0; lane < WARP; ++lane) {
        const unsigned bit = 1u << lane;
        if (!(asks.mask & bit)) continue;
        const Thread& other = lanes_of(asks)[lane];
        if (warp.absent & bit) {
            fault(asks, asks.site, "the mask 0x%08x names lane %u, which the block does not have", asks.mask, lane);
        } else if (warp.exited & bit) {
            fault(asks, asks.site, "the mask 0x%08x names lane %u, which has exited", asks.mask, lane);
        } else if (warp.at_barrier & bit) {
            fault(asks, asks.site, "the mask 0x%08x names lane %u, which waits at the barrier of %s", asks.mask, lane,
                  SiteText(other.site).text);
        } else if (warp.at_collective & bit) {
            if (other.mask == asks.mask && other.apply == asks.apply && is_same(other.site, asks.site)) continue;
            // It waits for others first, and comes here when they have met.
            if (!(other.mask >> (asks.index % WARP) & 1)) continue;
            fault(asks, asks.site, "the mask 0x%08x names lane %u, which waits at %s with the mask 0x%08x", asks.mask,
                  lane, SiteText(other.site).text, other.mask);
        }
    }
    return !faulted;
}

// What each lane of the mask did so far, all of them have seen.
inline void join_lanes(Thread* lanes, unsigned mask) {
    Seen all;
    for (unsigned lane = 0; lane < WARP; ++lane) {
        if (!(mask >> lane & 1)) continue;
        Thread& each = lanes[lane];
        all.add(each.seen);
        if (each.cluster_seen) all.add(*each.cluster_seen);
        all.add_thread(block_of(each).index, each.index, each.clock++);
    }
    for (unsigned lane = 0; lane < WARP; ++lane) {
        if (mask >> lane & 1) lanes[lane].seen = all;
    }
}

// If all lanes of the thread's mask have come, gives each its word. A call that applies nothing is a
// barrier.
inline void meet_lanes(Thread& thread) {
    Warp& warp = warp_of(thread);
    Thread* lanes = lanes_of(thread);
    const unsigned mask = thread.mask;
    warp.at_collective |= 1u << (thread.index % WARP);
    if (!check_mask(thread) || (warp.at_collective & mask) != mask) return;

    unsigned words[WARP];
    for (unsigned lane = 0; lane < WARP; ++lane) words[lane] = mask >> lane & 1 ? lanes[lane].word : POISON_WORD;
    if (thread.apply) count_collective();
    else join_lanes(lanes, mask);
    warp.at_collective &= ~mask;
    for (unsigned lane = 0; lane < WARP; ++lane) {
        if (!(mask >> lane & 1)) continue;
        Thread& each = lanes[lane];
        if (each.apply) each.word = each.apply(words, mask, lane, each.operand);
        make_ready(each);
    }
}

// After a lane exited or went to a barrier: whether one at a call waits for it.
inline void check_waiting_lanes(Thread& thread) {
    const Warp& warp = warp_of(thread);
    for (unsigned lane = 0; lane < WARP && !faulted; ++lane) {
        if (warp.at_collective >> lane & 1) check_mask(lanes_of(thread)[lane]);
    }
}

inline unsigned meet(Apply apply, unsigned mask, unsigned word, unsigned operand, Site site) {
    Thread& thread = self();
    thread.apply = apply;
    thread.mask = mask;
    thread.word = word;
    thread.operand = operand;
    wait(State::AtCollective, site);
    return thread.word;
}

inline unsigned shuffled(const unsigned (&words)[WARP], unsigned, unsigned lane, unsigned distance) {
    return words[lane + distance < WARP ? lane + distance : lane];
}

inline unsigned voted(const unsigned (&words)[WARP], unsigned mask, unsigned, unsigned) {
    unsigned votes = 0;
    for (unsigned lane = 0; lane < WARP; ++lane) {
        if (mask >> lane & 1) votes |= words[lane] << lane;
    }
    return votes;
}

template <class T>
unsigned reduced(const unsigned (&words)[WARP], unsigned mask, unsigned, unsigned how) {
    const unsigned first = __builtin_ctz(mask);
    T value = T(words[first]);
    for (unsigned lane = first + 1; lane < WARP; ++lane) {
        if (mask >> lane & 1) value = combine(Combine(how), value, T(words[lane]));
    }
    return unsigned(value);
}

unsigned shuffle_down(unsigned mask, unsigned word, unsigned distance, Site site) {
    return meet(shuffled, mask, word, distance, site);
}

unsigned ballot(unsigned mask, bool value, Site site) {
    return meet(voted, mask, value, 0, site);
}

unsigned redux(Combine how, unsigned mask, unsigned word, Site site) {
    return meet(reduced<unsigned>, mask, word, unsigned(how), site);
}

int redux(Combine how, unsigned mask, int word, Site site) {
    return int(meet(reduced<int>, mask, unsigned(word), unsigned(how), site));
}

void warp_barrier(unsigned mask, Site site) {
    meet(nullptr, mask, 0, 0, site);
}

// The lanes that are at this call meet in groups that chance makes: whoever is taken up first finds
// some of the others, and those get the same answer.
unsigned active_lanes(Site site) {
    Thread& asks = self();
    asks.is_converging = true;
    asks.site = site;
    // In some blocks after all others, so that whole warps may converge.
    if (block_of(asks).keeps_turns) ready.push({0, current});
    else make_ready(asks);
    leave_to_scheduler();
    if (!asks.is_converging) return asks.word;

    const bool takes_all = rng.next() % 4 == 0;
    unsigned group = 0;
    Warp& warp = warp_of(asks);
    for (unsigned lane = 0; lane < WARP; ++lane) {
        if (warp.absent >> lane & 1) continue;
        const Thread& other = lanes_of(asks)[lane];
        const bool is_here = other.is_converging && is_same(other.site, site);
        if (&other == &asks || (is_here && (takes_all || rng.next() % 2 == 0))) group |= 1u << lane;
    }
    for (unsigned lane = 0; lane < WARP; ++lane) {
        if (!(group >> lane & 1)) continue;
        lanes_of(asks)[lane].is_converging = false;
        lanes_of(asks)[lane].word = group;
    }
    return group;
}

}  // namespace emulator
