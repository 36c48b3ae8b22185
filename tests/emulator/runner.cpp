// Runs launches: blocks one after another, each thread of a block on a stack of its own, in an order
// that the seed decides. The first fault ends the launch and is reported.

#include "runner.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <queue>
#include <utility>
#include <vector>

#include "context.h"

extern "C" __attribute__((weak, visibility("hidden"))) char __start_shared_memory[], __stop_shared_memory[];

namespace emulator {

Dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace {

// What nobody wrote.
const unsigned char POISON = 0xa5;
const unsigned POISON_WORD = 0xa5a5a5a5;
const unsigned WARP = 32;

enum class State { Ready, AtShuffle, AtBarrier, Exited };

struct Thread {
    Context context;
    State state;
    // Where it waits, and what it brought.
    Site site;
    unsigned mask, word, distance;
    // Its place in the order, where the block keeps one.
    unsigned rank;
};

struct Warp {
    // A bit a lane.
    unsigned at_shuffle, at_barrier, exited, absent;
};

struct Random {
    u64 state;

    // splitmix64
    unsigned next() {
        u64 z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return unsigned(z >> 32);
    }

    std::vector<unsigned> permutation(unsigned count) {
        std::vector<unsigned> order(count);
        std::iota(order.begin(), order.end(), 0);
        for (unsigned k = count; k > 1; --k) std::swap(order[k - 1], order[next() % k]);
        return order;
    }
};

const Launch* launch;
Random rng;
bool faulted;

std::vector<Thread> threads;
std::vector<Warp> warps;
unsigned barrier_count, exit_count;
// A block either draws a thread's rank each time that it gets ready, or keeps one for each thread,
// which starves some of them for as long as the barriers allow.
bool keeps_ranks;
std::priority_queue<std::pair<unsigned, unsigned>> ready;

Context scheduler;
unsigned current;

// Reports the launch's first fault.
__attribute__((format(printf, 3, 4))) void fault(unsigned thread, Site site, const char* format, ...) {
    if (faulted) return;
    faulted = true;
    const u64 room = launch->report_bytes;
    const u64 start = snprintf(launch->report, room, "block %u, thread %u, %s:%d: ", blockIdx.x, thread, site.file,
                               site.line);
    va_list values;
    va_start(values, format);
    if (start < room) vsnprintf(launch->report + start, room - start, format, values);
    va_end(values);
}

void leave_to_scheduler() {
    switch_context(threads[current].context, scheduler);
}

// A thread at fault is never taken up again.
[[noreturn]] void abandon() {
    for (;;) leave_to_scheduler();
}

void wait(State state, Site site) {
    threads[current].state = state;
    threads[current].site = site;
    leave_to_scheduler();
}

void make_ready(unsigned thread) {
    threads[thread].state = State::Ready;
    ready.push({keeps_ranks ? threads[thread].rank : rng.next(), thread});
}

// The address, relative to the allocation that is nearest.
void fault_out_of_bounds(const char* what, const char* address, Site site) {
    const Allocation* nearest = launch->allocations;
    u64 least = ~0ull;
    for (u64 k = 0; k < launch->allocation_count; ++k) {
        const Allocation& each = launch->allocations[k];
        const char* end = each.start + each.bytes;
        const u64 distance = address < each.start ? each.start - address : address < end ? 0 : address - end;
        if (distance < least) {
            least = distance;
            nearest = &each;
        }
    }
    fault(current, site, "%s at byte %lld of %llu of %s is out of bounds", what,
          (long long)(address - nearest->start), nearest->bytes, nearest->name);
    abandon();
}

void check_access(const char* what, const void* pointer, unsigned bytes, Site site) {
    const char* address = static_cast<const char*>(pointer);
    if (reinterpret_cast<u64>(address) % bytes != 0) {
        fault(current, site, "%s of %u bytes at %p is not aligned", what, bytes, pointer);
        abandon();
    }
    for (u64 k = 0; k < launch->allocation_count; ++k) {
        const Allocation& each = launch->allocations[k];
        if (address >= each.start && address + bytes <= each.start + each.bytes) return;
    }
    fault_out_of_bounds(what, address, site);
}

void run_thread() {
    launch->entry(launch->arguments);
    wait(State::Exited, threads[current].site);
    abandon();
}

// Whether the lanes that `thread` names in its mask are at this shuffle, or may still come.
bool check_mask(unsigned thread, const Warp& warp) {
    const Thread& asks = threads[thread];
    const unsigned first = thread / WARP * WARP;
    if (!(asks.mask >> (thread % WARP) & 1)) {
        fault(thread, asks.site, "the mask 0x%08x does not name the lane itself", asks.mask);
        return false;
    }
    for (unsigned lane = 0; lane < WARP; ++lane) {
        const unsigned bit = 1u << lane;
        if (!(asks.mask & bit)) continue;
        if (warp.absent & bit) {
            fault(thread, asks.site, "the mask 0x%08x names lane %u, which the block does not have", asks.mask, lane);
        } else if (warp.exited & bit) {
            fault(thread, asks.site, "the mask 0x%08x names lane %u, which has exited", asks.mask, lane);
        } else if (warp.at_barrier & bit) {
            const Site at = threads[first + lane].site;
            fault(thread, asks.site, "the mask 0x%08x names lane %u, which waits at the barrier of %s:%d", asks.mask,
                  lane, at.file, at.line);
        } else if (warp.at_shuffle & bit) {
            const Thread& other = threads[first + lane];
            const bool is_same = other.mask == asks.mask && other.site.line == asks.site.line &&
                                 strcmp(other.site.file, asks.site.file) == 0;
            if (is_same) continue;
            fault(thread, asks.site, "the mask 0x%08x names lane %u, which waits at %s:%d with the mask 0x%08x",
                  asks.mask, lane, other.site.file, other.site.line, other.mask);
        }
    }
    return !faulted;
}

// If all lanes of the thread's mask have come, gives each its word.
void meet_shuffle(unsigned thread) {
    Warp& warp = warps[thread / WARP];
    const unsigned first = thread / WARP * WARP;
    const unsigned mask = threads[thread].mask;
    warp.at_shuffle |= 1u << (thread % WARP);
    if (!check_mask(thread, warp) || (warp.at_shuffle & mask) != mask) return;

    unsigned words[WARP];
    for (unsigned lane = 0; lane < WARP; ++lane) {
        words[lane] = mask >> lane & 1 ? threads[first + lane].word : POISON_WORD;
    }
    warp.at_shuffle &= ~mask;
    for (unsigned lane = 0; lane < WARP; ++lane) {
        if (!(mask >> lane & 1)) continue;
        Thread& each = threads[first + lane];
        if (lane + each.distance < WARP) each.word = words[lane + each.distance];
        make_ready(first + lane);
    }
}

// After a lane exited or went to a barrier: whether one at a shuffle waits for it.
void check_waiting_lanes(const Warp& warp, unsigned first) {
    for (unsigned lane = 0; lane < WARP && !faulted; ++lane) {
        if (warp.at_shuffle >> lane & 1) check_mask(first + lane, warp);
    }
}

// If all threads have come to the barrier, lets them go on.
void meet_barrier() {
    if (barrier_count == 0 || barrier_count + exit_count < threads.size()) return;
    const Thread* waiting = nullptr;
    for (unsigned t = 0; t < threads.size(); ++t) {
        const Thread& each = threads[t];
        if (each.state == State::Exited) continue;
        if (exit_count > 0) return fault(t, each.site, "%u threads exited without this barrier", exit_count);
        if (!waiting) waiting = &each;
        if (waiting->site.line != each.site.line || strcmp(waiting->site.file, each.site.file) != 0) {
            return fault(t, each.site, "other threads wait at the barrier of %s:%d", waiting->site.file,
                         waiting->site.line);
        }
    }
    barrier_count = 0;
    for (Warp& warp : warps) warp.at_barrier = 0;
    for (unsigned t = 0; t < threads.size(); ++t) make_ready(t);
}

// Takes up a thread until it waits, and sees whether that lets others go on.
void step(unsigned thread) {
    current = thread;
    threadIdx = {thread, 0, 0};
    switch_context(scheduler, threads[thread].context);
    if (faulted) return;

    Warp& warp = warps[thread / WARP];
    const unsigned bit = 1u << (thread % WARP);
    if (threads[thread].state == State::AtShuffle) return meet_shuffle(thread);
    if (threads[thread].state == State::Exited) {
        warp.exited |= bit;
        ++exit_count;
    } else {
        warp.at_barrier |= bit;
        ++barrier_count;
    }
    check_waiting_lanes(warp, thread / WARP * WARP);
    if (!faulted) meet_barrier();
}

void prepare_block() {
    const unsigned count = launch->threads;
    if (__start_shared_memory) memset(__start_shared_memory, POISON, __stop_shared_memory - __start_shared_memory);
    barrier_count = exit_count = 0;
    ready = {};
    warps.assign((count + WARP - 1) / WARP, Warp{});
    if (count % WARP != 0) warps.back().absent = ~0u << count % WARP;

    keeps_ranks = rng.next() % 2 == 0;
    const std::vector<unsigned> ranks = rng.permutation(count);
    for (unsigned t = 0; t < count; ++t) {
        threads[t].rank = ranks[t];
        threads[t].site = {"the entry", 0};
        prepare_context(threads[t].context, launch->stacks + t * STACK_BYTES, STACK_BYTES, run_thread);
        make_ready(t);
    }
}

void run_block() {
    prepare_block();
    while (!ready.empty() && !faulted) {
        const unsigned thread = ready.top().second;
        ready.pop();
        step(thread);
    }
    for (unsigned t = 0; t < threads.size() && !faulted; ++t) {
        if (threads[t].state != State::Exited) fault(t, threads[t].site, "no thread can go on; this one waits here");
    }
}

}  // namespace

void load(void* into, const void* from, unsigned bytes, Site site) {
    check_access("a load", from, bytes, site);
    memcpy(into, from, bytes);
}

unsigned increment(unsigned* counter, unsigned last, Site site) {
    check_access("an arrival", counter, sizeof(*counter), site);
    const unsigned before = *counter;
    *counter = before >= last ? 0 : before + 1;
    return before;
}

unsigned shuffle_down(unsigned mask, unsigned word, unsigned distance, Site site) {
    Thread& self = threads[current];
    self.mask = mask;
    self.word = word;
    self.distance = distance;
    wait(State::AtShuffle, site);
    return self.word;
}

void barrier(Site site) {
    wait(State::AtBarrier, site);
}

void wrong_arguments() {
    fault(current, threads[current].site, "the arguments are not those of the entry");
    abandon();
}

}  // namespace emulator

// Whether the launch went without a fault; the report says which it was.
extern "C" EMULATOR_EXPORT bool emulate(const emulator::Launch* wanted) {
    using namespace emulator;
    launch = wanted;
    rng = {launch->seed};
    faulted = false;
    threads.resize(launch->threads);
    blockDim = {launch->threads, 1, 1};
    gridDim = {launch->blocks, 1, 1};
    for (unsigned block : rng.permutation(launch->blocks)) {
        blockIdx = {block, 0, 0};
        run_block();
        if (faulted) return false;
    }
    return true;
}
