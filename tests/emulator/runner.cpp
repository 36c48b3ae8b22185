// Runs launches: blocks one after another, or a cluster of them at once, each thread on a stack of its
// own, in an order that the seed decides. The first fault ends the launch and is reported.

#include "runner.h"

#include "races.h"
#include "regions.h"
#include "state.h"
#include "warp.h"

namespace emulator {

__attribute__((section("launch_indices"))) Dim3 threadIdx, blockIdx, blockDim, gridDim;

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
    for (unsigned t = 0; t < launch->threads; ++t) {
        its[t].epoch = block.epoch;
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
    for (Warp& warp : block.warps) warp.at_barrier = 0;
    join_block(block);
    for (unsigned t = 0; t < launch->threads; ++t) make_ready(its[t]);
}

// Takes up a thread until it waits, and sees whether that lets others go on.
void step(unsigned number) {
    current = number;
    Thread& thread = self();
    Block& block = block_of(thread);
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
    } else {
        warp.at_barrier |= bit;
        ++block.barrier_count;
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

void run_blocks(unsigned first, unsigned at_once) {
    ready = {};
    open_shared_memory(at_once);
    for (unsigned rank = 0; rank < at_once; ++rank) prepare_block(rank, first + rank);
    while (!ready.empty() && !faulted) {
        const unsigned number = ready.top().second;
        ready.pop();
        step(number);
    }
    for (const Thread& each : threads) {
        if (faulted) break;
        if (each.state != State::Exited) fault(each, each.site, "no thread can go on; this one waits here");
    }
    close(statics);
}

void run_launch() {
    open_allocations();
    blocks.resize(1);
    threads.resize(launch->threads);
    for (unsigned block : rng.permutation(launch->blocks)) {
        if (!faulted) run_blocks(block, 1);
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

// What the counter released is what was released by all who counted.
unsigned increment(unsigned* counter, unsigned last, Site site) {
    check_aligned("an arrival", counter, sizeof(*counter), site);
    Region& region = region_of("an arrival", counter, sizeof(*counter), site);
    watch(Kind::Atomic, region, reinterpret_cast<const char*>(counter), sizeof(*counter), site);
    release_and_acquire(counter);
    const unsigned before = *counter;
    *counter = before >= last ? 0 : before + 1;
    return before;
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
    blockDim = {launch->threads, 1, 1};
    gridDim = {launch->blocks, 1, 1};
    run_launch();
    return !faulted;
}
