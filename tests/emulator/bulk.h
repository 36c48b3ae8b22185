// Asynchronous copies from global to shared memory, and the barriers that tell of their end. A copy
// takes place at some later moment, as if a thread of its own did it; whoever waits for the barrier's
// phase has seen it.

#pragma once

#include "duties.h"
#include "shared.h"

namespace emulator {

struct BulkBarrier {
    unsigned initialised_by;
    bool is_fenced;
    // The arrivals of a phase, and those of this phase that are still to come.
    unsigned count, pending;
    // Bytes that are expected, less those that have come.
    long long bytes;
    unsigned phase;
    // Of this phase, and of those that are complete.
    Seen released, passed_on;
};

struct Copy {
    unsigned rank;
    char* into;
    const void* from;
    unsigned bytes;
    BulkBarrier* barrier;
    Access access;
};

// By the rank of the block and the address.
inline std::map<std::pair<unsigned, const void*>, BulkBarrier> bulk_barriers;
// Those that have not taken place, and how many were begun.
inline std::vector<Copy> copies;
inline unsigned copy_count;

inline BulkBarrier& barrier_at(u64* address, Site site) {
    const Place place = place_in(self().rank, reinterpret_cast<const char*>(address), sizeof(u64), "a barrier", site);
    watch(Kind::Atomic, *place.region, place.address, sizeof(u64), site);
    const auto found = bulk_barriers.find({self().rank, address});
    if (found == bulk_barriers.end()) {
        fault(self(), site, "this barrier was not initialised");
        abandon();
    }
    return found->second;
}

inline void complete_phase_if_due(BulkBarrier& barrier) {
    if (barrier.pending > 0 || barrier.bytes != 0) return;
    ++barrier.phase;
    barrier.pending = barrier.count;
    barrier.passed_on.add(barrier.released);
    for (Thread& each : threads) {
        if (each.state == State::AtBulkBarrier) make_ready(each);
    }
}

void barrier_init(u64* address, unsigned count, Site site) {
    const Place place = place_in(self().rank, reinterpret_cast<const char*>(address), sizeof(u64), "a barrier", site);
    check_aligned("a barrier", address, sizeof(u64), site);
    watch(Kind::Store, *place.region, place.address, sizeof(u64), site);
    bulk_barriers[{self().rank, address}] = {current, false, count, count, 0, 0, {}, {}};
}

void fence_barriers(Order order) {
    if (!releases(order)) return;
    for (auto& [place, barrier] : bulk_barriers) {
        if (barrier.initialised_by == current) barrier.is_fenced = true;
    }
}

void barrier_expect(u64* address, unsigned bytes, Order order, Site site) {
    BulkBarrier& barrier = barrier_at(address, site);
    Thread& thread = self();
    if (barrier.pending == 0) {
        fault(thread, site, "more than the %u arrivals of a phase", barrier.count);
        abandon();
    }
    if (releases(order)) {
        barrier.released.add(block_of(thread).seen);
        barrier.released.add(thread.seen);
        barrier.released.add_thread(block_of(thread).index, thread.index, thread.clock++);
    }
    barrier.bytes += bytes;
    --barrier.pending;
    complete_phase_if_due(barrier);
}

void barrier_wait(u64* address, unsigned parity, Order order, Site site) {
    BulkBarrier& barrier = barrier_at(address, site);
    while (barrier.phase % 2 == parity % 2) wait(State::AtBulkBarrier, site);
    if (acquires(order)) self().seen.add(barrier.passed_on);
}

inline void check_copy(const void* into, const void* from, unsigned bytes, Site site) {
    const u64 addresses[2] = {reinterpret_cast<u64>(into), reinterpret_cast<u64>(from)};
    const char* const fault_of = addresses[0] % 16 != 0   ? "the destination is not aligned to"
                                 : addresses[1] % 16 != 0 ? "the source is not aligned to"
                                 : bytes % 16 != 0        ? "the size is not a multiple of"
                                                          : nullptr;
    if (!fault_of) return;
    fault(self(), site, "a bulk copy of %u bytes: %s 16 bytes", bytes, fault_of);
    abandon();
}

// The destination is stored to by the copy, in no order with any thread until the barrier's phase is
// complete; but what threads did there before has to be known to the one that begins it.
void bulk_load(void* into, const void* from, unsigned bytes, u64* address, Site site) {
    check_copy(into, from, bytes, site);
    BulkBarrier& barrier = barrier_at(address, site);
    if (!barrier.is_fenced) {
        fault(self(), site, "a bulk copy, but no fence followed the barrier's initialisation");
        abandon();
    }
    const Place place = place_in(self().rank, static_cast<const char*>(into), bytes, "a bulk copy", site);
    Region& source = region_of("a bulk copy from", from, bytes, site);
    if (source.is_shared) fault_out_of_bounds("a bulk copy from", static_cast<const char*>(from), site);
    watch(Kind::Load, source, static_cast<const char*>(from), bytes, site);

    const Access access = {site, block_of(self()).index, FIRST_COPY + copy_count++, ~0u, 1};
    watch_as(access, Kind::Store, *place.region, place.address, bytes);
    memset(into, POISON, bytes);
    copies.push_back({self().rank, static_cast<char*>(into), from, bytes, &barrier, access});
    duties.push_back({access, self().rank, current, "this copy to its shared memory"});
}

// One of the copies that were begun takes place.
inline void perform_copy() {
    std::swap(copies[rng.next() % copies.size()], copies.back());
    const Copy copy = copies.back();
    copies.pop_back();
    make_resident(copy.rank);
    memcpy(copy.into, copy.from, copy.bytes);
    copy.barrier->bytes -= copy.bytes;
    copy.barrier->released.add_thread(copy.access.block, copy.access.thread, copy.access.clock);
    complete_phase_if_due(*copy.barrier);
}

inline void close_bulk_barriers() {
    bulk_barriers.clear();
    copies.clear();
    copy_count = 0;
}

}  // namespace emulator
