// Clusters: blocks that run at once, their barrier, and stores to each other's shared memory.

#pragma once

#include "duties.h"
#include "shared.h"

namespace emulator {

struct Cluster {
    // How many barriers are complete, and how many threads have arrived at the next.
    unsigned completed, arrived;
    // What was released by arriving so far, and what of it the completed barriers pass on.
    Seen released;
    std::shared_ptr<const Seen> passed_on;
};

inline Cluster cluster;

unsigned cluster_rank() {
    return self().rank;
}

unsigned cluster_blocks() {
    return launch->cluster;
}

inline void complete_cluster_barrier() {
    ++cluster.completed;
    cluster.arrived = 0;
    cluster.passed_on = std::make_shared<const Seen>(cluster.released);
    for (Thread& each : threads) {
        if (each.state == State::AtClusterBarrier) make_ready(each);
    }
}

void cluster_arrive(Order order, Site site) {
    Thread& thread = self();
    const Block& block = block_of(thread);
    if (thread.cluster_arrivals != thread.cluster_waits) {
        fault(thread, site, "this arrives at the cluster's barrier again, without having waited");
        abandon();
    }
    ++thread.cluster_arrivals;
    if (releases(order)) {
        cluster.released.add(block.seen);
        cluster.released.add(thread.seen);
        cluster.released.add_thread(block.index, thread.index, thread.clock++);
    }
    if (++cluster.arrived == threads.size()) complete_cluster_barrier();
}

void cluster_wait(Order order, Site site) {
    Thread& thread = self();
    if (thread.cluster_arrivals == thread.cluster_waits) {
        fault(thread, site, "this waits at the cluster's barrier without having arrived");
        abandon();
    }
    if (cluster.completed == thread.cluster_waits) wait(State::AtClusterBarrier, site);
    ++thread.cluster_waits;
    if (acquires(order)) thread.cluster_seen = cluster.passed_on;
}

inline void check_started_and_running(unsigned rank, Site site) {
    const Thread& thread = self();
    if (rank >= blocks.size()) {
        fault(thread, site, "a store to the block of rank %u, but the cluster has %u", rank, unsigned(blocks.size()));
        abandon();
    }
    const unsigned index = blocks[rank].index;
    if (rank != thread.rank && thread.cluster_waits == 0) {
        fault(thread, site, "a store to block %u, which may not have started: no barrier of the cluster was before", index);
        abandon();
    }
    if (blocks[rank].exit_count == launch->threads) {
        fault(thread, site, "a store to block %u, which has exited", index);
        abandon();
    }
}

void store_word_to_rank(unsigned* slot, unsigned rank, unsigned word, Site site) {
    check_started_and_running(rank, site);
    const char* address = reinterpret_cast<const char*>(slot);
    const Place place = place_in(rank, address, sizeof(word), "a store to another block", site);
    const Access access = access_by_current(site);
    watch_as(access, Kind::Store, *place.region, place.address, sizeof(word));
    memcpy(place.bytes, &word, sizeof(word));
    if (rank != self().rank) duties.push_back({access, rank, current, "this store to its shared memory"});
}

// After the blocks have ended: whether all threads arrived as often.
inline void check_arrivals() {
    for (const Thread& each : threads) {
        if (each.cluster_arrivals > cluster.completed) {
            fault(each, each.site, "%u of %u threads arrived at this barrier of the cluster", cluster.arrived,
                  unsigned(threads.size()));
        }
    }
}

}  // namespace emulator
