// What a kernel costs, for readers. Lanes of a warp that execute the same instruction for the k-th time
// since the block's last barrier are taken as one access of the warp.

#pragma once

#include <array>
#include <set>
#include <tuple>

#include "regions.h"

namespace emulator {

const unsigned BANKS = 32;

struct WarpAccess {
    bool is_shared;
    unsigned lanes;
    // What each lane accesses, in words.
    std::array<u64, WARP> first, count;
};

// By the rank of the block, the warp, the instruction and its repetition; and of each thread, how often
// it executed the instruction.
inline std::map<std::tuple<unsigned, unsigned, const char*, int, unsigned>, WarpAccess> warp_accesses;
inline std::map<std::tuple<unsigned, unsigned, const char*, int>, unsigned> repetitions;

inline void count_collective() {
    if (launch->counters) ++launch->counters->collectives;
}

inline void count_access(bool is_shared, const char* address, u64 bytes, Site site) {
    if (!launch->counters) return;
    const Thread& thread = self();
    const unsigned lane = thread.index % WARP;
    const unsigned k = repetitions[{thread.rank, thread.index, site.file, site.line}]++;
    WarpAccess& access = warp_accesses[{thread.rank, thread.index / WARP, site.file, site.line, k}];
    const u64 first = reinterpret_cast<u64>(address) / 4;
    access.is_shared = is_shared;
    access.lanes |= 1u << lane;
    access.first[lane] = first;
    access.count[lane] = (reinterpret_cast<u64>(address) + bytes + 3) / 4 - first;
}

// The most distinct words in one bank that these lanes access, of the words `from` to `to` of each.
inline unsigned conflict(const WarpAccess& access, unsigned first_lane, unsigned lanes, u64 from, u64 to) {
    std::array<std::set<u64>, BANKS> banks;
    for (unsigned lane = first_lane; lane < first_lane + lanes; ++lane) {
        if (!(access.lanes >> lane & 1)) continue;
        for (u64 k = from; k < to && k < access.count[lane]; ++k) {
            const u64 word = access.first[lane] + k;
            banks[word % BANKS].insert(word);
        }
    }
    unsigned most = 0;
    for (const std::set<u64>& each : banks) most = std::max(most, unsigned(each.size()));
    return most;
}

// An instruction moves up to 16 bytes a lane. Of 8 bytes a lane, half of the lanes are served at a
// time, of 16 a quarter.
inline void count_shared(const WarpAccess& access) {
    u64 widest = 0;
    for (unsigned lane = 0; lane < WARP; ++lane) widest = std::max(widest, access.count[lane]);
    for (u64 from = 0; from < widest; from += 4) {
        const u64 words = std::min<u64>(widest - from, 4);
        const unsigned lanes = words == 1 ? WARP : words == 2 ? WARP / 2 : WARP / 4;
        ++launch->counters->shared_accesses;
        for (unsigned first = 0; first < WARP; first += lanes) {
            const unsigned degree = conflict(access, first, lanes, from, from + words);
            launch->counters->shared_transactions += degree;
            launch->counters->bank_conflict = std::max<u64>(launch->counters->bank_conflict, degree);
        }
    }
}

// At a barrier of the block, and at its end.
inline void count_block(const Block& block) {
    if (!launch->counters) return;
    const unsigned rank = &block - blocks.data();
    const auto begin = warp_accesses.lower_bound({rank, 0, nullptr, 0, 0});
    const auto end = warp_accesses.lower_bound({rank + 1, 0, nullptr, 0, 0});
    for (auto each = begin; each != end; ++each) {
        const unsigned absent = block.warps[std::get<1>(each->first)].absent;
        launch->counters->divergent += each->second.lanes != ~absent;
        if (each->second.is_shared) count_shared(each->second);
    }
    warp_accesses.erase(begin, end);
    repetitions.erase(repetitions.lower_bound({rank, 0, nullptr, 0}), repetitions.lower_bound({rank + 1, 0, nullptr, 0}));
}

}  // namespace emulator
