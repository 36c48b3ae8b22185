// What happens before what. A thread's accesses carry its epoch, which counts the barriers of its
// block, and its clock, which counts what it released by itself. What a thread has seen is kept by
// block: all of the epochs before one, and of single threads what they released.

#pragma once

#include <algorithm>
#include <map>

#include "runner.h"

namespace emulator {

// Asynchronous copies count as threads from this number on, each for itself, in no epoch of the block.
const unsigned FIRST_COPY = 1 << 16;

// One access to memory, or its absence, where there is no site.
struct Access {
    Site site;
    unsigned block, thread, epoch, clock;

    bool exists() const { return site.file || site.line; }
    bool is_copy() const { return thread >= FIRST_COPY; }
};

class Seen {
    struct Block {
        unsigned epoch = 0;
        std::map<unsigned, unsigned> clocks;
    };
    std::map<unsigned, Block> blocks;

public:
    bool is_empty() const { return blocks.empty(); }
    void clear() { blocks.clear(); }

    // All that the threads of the block did before this epoch.
    void add_epochs(unsigned block, unsigned epoch) {
        unsigned& seen = blocks[block].epoch;
        seen = std::max(seen, epoch);
    }

    // All that this thread did up to this clock.
    void add_thread(unsigned block, unsigned thread, unsigned clock) {
        unsigned& seen = blocks[block].clocks[thread];
        seen = std::max(seen, clock);
    }

    void add(const Seen& other) {
        for (const auto& [block, theirs] : other.blocks) {
            add_epochs(block, theirs.epoch);
            for (const auto& [thread, clock] : theirs.clocks) add_thread(block, thread, clock);
        }
    }

    bool has(const Access& access) const {
        const auto block = blocks.find(access.block);
        if (block == blocks.end()) return false;
        if (access.epoch < block->second.epoch) return true;
        const auto clock = block->second.clocks.find(access.thread);
        return clock != block->second.clocks.end() && access.clock <= clock->second;
    }
};

}  // namespace emulator
