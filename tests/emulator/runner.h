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

// Every thing that a thread does beyond its own registers and plain loads and stores, which the compiler
// reports (races.h).

// Copies what this launch may read; anything else is a fault.
void load(void* into, const void* from, unsigned bytes, Site site);
// Adds one, or goes back to zero from `last` on; returns the count before.
unsigned increment(unsigned* counter, unsigned last, Site site);
// Waits for the lanes that `mask` names.
unsigned shuffle_down(unsigned mask, unsigned word, unsigned distance, Site site);
// Waits for all threads of the block.
void barrier(Site site);
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

// A launch. `stacks` has STACK_BYTES for each thread of a block.
struct Launch {
    void (*entry)(const Arguments&);
    Arguments arguments;
    const Allocation* allocations;
    u64 allocation_count;
    unsigned blocks, threads;
    u64 seed;
    char* stacks;
    char* report;
    u64 report_bytes;
};

const u64 STACK_BYTES = 64 * 1024;

}  // namespace emulator
