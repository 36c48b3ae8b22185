// Runs launches: blocks one after another, or a cluster of them at once, each thread on a stack of its
// own, in an order that the seed decides. The first fault ends the launch and is reported.

#include "runner.h"

#include "atomics.h"
#include "bulk.h"
#include "cluster.h"
#include "counters.h"
#include "dependents.h"
#include "duties.h"
#include "races.h"
#include "regions.h"
#include "shared.h"
#include "state.h"
#include "undefined.h"
#include "warp.h"

namespace emulator {

// Between zones that no kernel may touch: shared memory, or its end, may be beside.
#define LAUNCH_INDICES __attribute__((section("launch_indices"), used))
LAUNCH_INDICES char zone_before[4096] = {};
LAUNCH_INDICES Dim3 threadIdx, blockIdx, blockDim, gridDim;
LAUNCH_INDICES char zone_after[4096] = {};

namespace {

void run_thread() {
    launch->entry(launch->arguments);
    wait(State::Exited, self().site);
    abandon();
}

// The threads of a block, which follow one another.
Thread* threads_of(const Block& block) {
    return &threads[(&block - blocks.data()) * launch->threads];
}

// All have seen what each has.
void join_block(Block& block) {
    Thread* its = threads_of(block);
    block.epoch = ++its[0].epoch;
    unsigned cluster_waits = 0;
    for (unsigned t = 0; t < launch->threads; ++t) {
        its[t].epoch = block.epoch;
        if (its[t].cluster_waits > cluster_waits) {
            cluster_waits = its[t].cluster_waits;
            block.cluster_seen = its[t].cluster_seen;
        }
        if (its[t].seen.is_empty()) continue;
        block.seen.add(its[t].seen);
        its[t].seen.clear();
    }
    block.seen.add_epochs(block.index, block.epoch);
}

// If all threads have come to the barrier, lets them go on.
void meet_barrier(Block& block) {
    if (block.barrier_count == 0 || block.barrier_count + block.exit_count < launch->threads) return;
    Thread* its = threads_of(block);
    const Thread* waiting = nullptr;
    for (unsigned t = 0; t < launch->threads; ++t) {
        const Thread& each = its[t];
        if (each.state == State::Exited) continue;
        if (block.exit_count > 0) {
            return fault(each, each.site, "%u threads exited without this barrier", block.exit_count);
        }
        if (!waiting) waiting = &each;
        if (!is_same(waiting->site, each.site)) {
            return fault(each, each.site, "other threads wait at the barrier of %s", SiteText(waiting->site).text);
        }
    }
    block.barrier_count = 0;
    ++block.barriers;
    count_block(block);
    for (Warp& warp : block.warps) warp.at_barrier = 0;
    join_block(block);
    for (unsigned t = 0; t < launch->threads; ++t) make_ready(its[t]);
}

// Takes up a thread until it waits, and sees whether that lets others go on.
void step(unsigned number) {
    current = number;
    Thread& thread = self();
    Block& block = block_of(thread);
    make_resident(thread.rank);
    blockIdx = {block.index, 0, 0};
    threadIdx = {thread.index, 0, 0};
    switch_context(scheduler, thread.context);
    if (faulted) return;

    Warp& warp = warp_of(thread);
    const unsigned bit = 1u << (thread.index % WARP);
    if (thread.state == State::AtCollective) return meet_lanes(thread);
    if (thread.state == State::Exited) {
        warp.exited |= bit;
        ++block.exit_count;
    } else if (thread.state == State::AtBarrier) {
        warp.at_barrier |= bit;
        ++block.barrier_count;
    } else {
        return;
    }
    check_waiting_lanes(thread);
    if (!faulted) meet_barrier(block);
}

void prepare_block(unsigned rank, unsigned index) {
    const unsigned count = launch->threads;
    Block& block = blocks[rank];
    block = Block{};
    block.index = index;
    block.warps.assign((count + WARP - 1) / WARP, Warp{});
    if (count % WARP != 0) block.warps.back().absent = ~0u << count % WARP;
    block.keeps_turns = rng.next() % 2 == 0;

    const std::vector<unsigned> turns = rng.permutation(count);
    for (unsigned t = 0; t < count; ++t) {
        const u64 number = u64(rank) * count + t;
        Thread& thread = threads[number];
        thread = Thread{};
        thread.rank = rank;
        thread.index = t;
        thread.turn = turns[t];
        thread.site = {"the entry", 0};
        // Zero is what nobody has seen.
        thread.clock = 1;
        prepare_context(thread.context, launch->stacks + number * STACK_BYTES, STACK_BYTES, run_thread);
        make_ready(thread);
    }
}

// Copies take place between any two steps.
void run_threads() {
    while (!faulted) {
        if (++effort > MOST_EFFORT) return fault(threads[current], threads[current].site, "the launch does not end");
        if (!copies.empty() && (ready.empty() || rng.next() % 8 == 0)) {
            perform_copy();
        } else if (!ready.empty()) {
            const unsigned number = ready.top().second;
            ready.pop();
            step(number);
        } else {
            return;
        }
    }
}

// What can be said only when no thread can go on.
void check_ended() {
    check_arrivals();
    for (const Thread& each : threads) {
        if (each.state != State::Exited) fault(each, each.site, "no thread can go on; this one waits here");
    }
    check_duties();
    check_dependents();
}

void count_ended() {
    if (!launch->counters) return;
    for (const Block& each : blocks) {
        count_block(each);
        launch->counters->block_barriers = std::max<u64>(launch->counters->block_barriers, each.barriers);
    }
    launch->counters->shared_bytes = static_bytes() + launch->dynamic_shared;
}

void run_cluster(unsigned first) {
    ready = {};
    cluster = Cluster{};
    open_shared_memory(launch->cluster);
    for (unsigned rank = 0; rank < launch->cluster; ++rank) prepare_block(rank, first + rank);
    run_threads();
    check_ended();
    count_ended();
    close_bulk_barriers();
    close(statics);
    close(dynamics);
}

void run_launch() {
    open_allocations();
    blocks.resize(launch->cluster);
    threads.resize(launch->cluster * launch->threads);
    for (unsigned cluster : rng.permutation(launch->blocks / launch->cluster)) {
        if (!faulted) run_cluster(cluster * launch->cluster);
    }
    close(allocations);
    byte_cells.clear();
    atomic_accesses.clear();
    released.clear();
}

}  // namespace

void load(void* into, const void* from, unsigned bytes, Site site) {
    check_aligned("a load", from, bytes, site);
    Region& region = region_of("a load", from, bytes, site);
    watch(Kind::Load, region, static_cast<const char*>(from), bytes, site);
    memcpy(into, from, bytes);
}

void barrier(Site site) {
    wait(State::AtBarrier, site);
}

const Argument* begin_arguments(const Arguments& given, u64 count) {
    if (given.count != count) wrong_arguments();
    return given.list;
}

void take_argument(const Argument*& next, void* into, u64 bytes) {
    if (next->bytes != bytes) wrong_arguments();
    memcpy(into, next->value, bytes);
    ++next;
}

void wrong_arguments() {
    fault(self(), self().site, "the arguments are not those of the entry");
    abandon();
}

}  // namespace emulator

// Whether the launch went without a fault; the report says which it was.
extern "C" EMULATOR_EXPORT bool emulate(const emulator::Launch* wanted) {
    using namespace emulator;
    launch = wanted;
    rng = {launch->seed};
    faulted = false;
    effort = 0;
    blockDim = {launch->threads, 1, 1};
    gridDim = {launch->blocks, 1, 1};
    run_launch();
    return !faulted;
}
