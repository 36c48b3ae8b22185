// The launch that runs: its blocks and threads, where each waits, and how a fault ends it.

#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "context.h"
#include "order.h"
#include "random.h"
#include "runner.h"

namespace emulator {

// What nobody wrote.
const unsigned char POISON = 0xa5;
const unsigned POISON_WORD = 0xa5a5a5a5;
const unsigned WARP = 32;

enum class State { Ready, AtCollective, AtBarrier, AtClusterBarrier, AtBulkBarrier, Exited };

// The result of a lane, from the words that the lanes of the mask brought.
typedef unsigned (*Apply)(const unsigned (&words)[WARP], unsigned mask, unsigned lane, unsigned operand);

struct Thread {
    Context context;
    // Its block's place among those that run at once, and its own in the block.
    unsigned rank, index;
    State state;
    // Where it waits, and what it brought to the other lanes.
    Site site;
    unsigned mask, word, operand;
    Apply apply;
    // At `active_lanes`, without an answer yet.
    bool is_converging;
    // Its place in the order, where the block keeps one.
    unsigned turn;
    // For order.h; `seen` is beyond what its block has.
    unsigned epoch, clock;
    Seen seen;
    // What its cluster had released when it last waited for all; shared, because it is large.
    std::shared_ptr<const Seen> cluster_seen;
    unsigned cluster_arrivals, cluster_waits;
    // For dependents.h: its first access to global memory before its wait.
    Access early;
    bool has_waited, has_released;
};

struct Warp {
    // A bit a lane.
    unsigned at_collective, at_barrier, exited, absent;
};

struct Block {
    unsigned index;
    std::vector<Warp> warps;
    unsigned barrier_count, exit_count;
    // How many barriers are behind it.
    unsigned barriers;
    // What all of its threads have seen; of the block itself, all before this epoch.
    Seen seen;
    std::shared_ptr<const Seen> cluster_seen;
    unsigned epoch;
    // A block either draws a thread's turn each time that it gets ready, or keeps one for each thread,
    // which starves some of them for as long as the barriers allow.
    bool keeps_turns;
};

inline const Launch* launch;
inline Random rng;
inline bool faulted;

// Those that run at once: a cluster of blocks, and the threads of each in turn.
inline std::vector<Block> blocks;
inline std::vector<Thread> threads;
inline std::priority_queue<std::pair<unsigned, unsigned>> ready;

// Accesses to memory and turns of threads so far, and how many are more than any kernel makes.
inline u64 effort;
const u64 MOST_EFFORT = 1 << 24;

inline Context scheduler;
inline unsigned current;

inline Thread& self() {
    return threads[current];
}

inline Block& block_of(const Thread& thread) {
    return blocks[thread.rank];
}

inline Warp& warp_of(const Thread& thread) {
    return block_of(thread).warps[thread.index / WARP];
}

// The thread that is lane 0 of this one's warp.
inline Thread* lanes_of(Thread& thread) {
    return &thread - thread.index % WARP;
}

inline bool is_same(Site a, Site b) {
    return a.line == b.line && (a.file == b.file || (a.file && b.file && strcmp(a.file, b.file) == 0));
}

// A site in words. An instruction's is looked up by who reads the report.
struct SiteText {
    char text[256];

    explicit SiteText(Site site) {
        if (site.file) snprintf(text, sizeof(text), "%s:%d", site.file, site.line);
        else snprintf(text, sizeof(text), "code+0x%x", unsigned(site.line));
    }
};

// Reports the launch's first fault.
__attribute__((format(printf, 3, 4))) inline void fault(const Thread& thread, Site site, const char* format, ...) {
    if (faulted) return;
    faulted = true;
    const u64 room = launch->report_bytes;
    const u64 start = snprintf(launch->report, room, "block %u, thread %u, %s: ", block_of(thread).index, thread.index,
                               SiteText(site).text);
    va_list values;
    va_start(values, format);
    if (start < room) vsnprintf(launch->report + start, room - start, format, values);
    va_end(values);
}

inline void leave_to_scheduler() {
    switch_context(self().context, scheduler);
}

// A thread at fault is never taken up again.
[[noreturn]] inline void abandon() {
    for (;;) leave_to_scheduler();
}

inline void wait(State state, Site site) {
    self().state = state;
    self().site = site;
    leave_to_scheduler();
}

inline void make_ready(Thread& thread) {
    thread.state = State::Ready;
    ready.push({block_of(thread).keeps_turns ? thread.turn : rng.next(), unsigned(&thread - threads.data())});
}

}  // namespace emulator
