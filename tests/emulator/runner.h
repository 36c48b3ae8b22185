// What kernel text asks of the runner, and how a launch is described to it.

#pragma once

#define EMULATOR_EXPORT __attribute__((visibility("default")))

namespace emulator {

typedef unsigned long long u64;

struct Dim3 {
    unsigned x, y, z;
};

// Those of the thread that runs.
extern Dim3 threadIdx, blockIdx, blockDim, gridDim;

// A place in the kernel text; without a file, `line` is the offset of an instruction in the object.
struct Site {
    const char* file;
    int line;
};

// As a default argument: where the call is.
constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
}

// What a thread's access orders: those before it, for who acquires; those after it, by who released.
enum class Order { Relaxed, Acquire, Release, AcqRel };
constexpr bool acquires(Order order) {
    return order == Order::Acquire || order == Order::AcqRel;
}
constexpr bool releases(Order order) {
    return order == Order::Release || order == Order::AcqRel;
}

// Every thing that a thread does beyond its own registers and plain loads and stores, which the compiler
// reports (races.h).

// Copies and fills by the C functions, which the compiler does not report.
void watch_copy(void* into, const void* from, u64 bytes);
void watch_fill(void* into, u64 bytes);
// Copies what this launch may read; anything else is a fault.
void load(void* into, const void* from, unsigned bytes, Site site);
// Adds one, or goes back to zero from `last` on; returns the count before.
unsigned increment(unsigned* counter, unsigned last, Order order, Site site);
// Waits for the lanes that `mask` names.
unsigned shuffle_down(unsigned mask, unsigned word, unsigned distance, Site site);
enum class Combine { Add, Min, Max, And, Or, Xor };
unsigned ballot(unsigned mask, bool value, Site site);
unsigned redux(Combine how, unsigned mask, unsigned word, Site site);
int redux(Combine how, unsigned mask, int word, Site site);
void warp_barrier(unsigned mask, Site site);
unsigned active_lanes(Site site);
// Waits for all threads of the block.
void barrier(Site site);

void atomic(Combine how, unsigned* into, unsigned value, Site site);
void atomic(Combine how, int* into, int value, Site site);
void atomic(Combine how, u64* into, u64 value, Site site);
void atomic(Combine how, long long* into, long long value, Site site);
void atomic(Combine how, float* into, float value, Site site);
void atomic(Combine how, double* into, double value, Site site);
unsigned compare_exchange(unsigned* at, unsigned expected, unsigned desired, Site site);
u64 compare_exchange(u64* at, u64 expected, u64 desired, Site site);

unsigned cluster_rank();
unsigned cluster_blocks();
void cluster_arrive(Order order, Site site);
void cluster_wait(Order order, Site site);
void store_word_to_rank(unsigned* slot, unsigned rank, unsigned word, Site site);

unsigned char* dynamic_shared();
void barrier_init(u64* barrier, unsigned count, Site site);
void fence_barriers(Order order);
void barrier_expect(u64* barrier, unsigned bytes, Order order, Site site);
void barrier_wait(u64* barrier, unsigned parity, Order order, Site site);
void bulk_load(void* shared, const void* global, unsigned bytes, u64* barrier, Site site);

void wait_for_predecessor(Site site);
void release_dependents(Site site);
// The arguments of the launch are not those of the entry.
[[noreturn]] void wrong_arguments();

// One argument of an entry.
struct Argument {
    const void* value;
    u64 bytes;
};

struct Arguments {
    const Argument* list;
    u64 count;
};

// The first argument, where there are `count`.
const Argument* begin_arguments(const Arguments& given, u64 count);
// Copies the argument and goes on to the next.
void take_argument(const Argument*& next, void* into, u64 bytes);

// Memory that a launch may touch.
struct Allocation {
    const char* name;
    const char* start;
    u64 bytes;
};

// What a launch did; for readers of kernels. Filled only where it is asked for.
struct Counters {
    u64 block_barriers, collectives;
    u64 shared_accesses, shared_transactions, bank_conflict, divergent;
    u64 shared_bytes;
};

// A launch. `stacks` has STACK_BYTES for each thread of the blocks that run at once, a cluster of them.
struct Launch {
    void (*entry)(const Arguments&);
    Arguments arguments;
    const Allocation* allocations;
    u64 allocation_count;
    unsigned blocks, threads, cluster, dynamic_shared;
    u64 seed;
    Counters* counters;
    char* stacks;
    char* report;
    u64 report_bytes;
    // Whether it may overlap with the launch before, so that every thread has to wait for that.
    bool overlaps;
};

const u64 STACK_BYTES = 64 * 1024;

}  // namespace emulator
