// The memory that a thread may touch, and whose bytes an address is.

#pragma once

#include <cstdlib>

#include "state.h"

extern "C" __attribute__((weak, visibility("hidden"))) char __start_shared_memory[], __stop_shared_memory[];
// Of this object: its start, and the end of what it never writes.
extern "C" __attribute__((visibility("hidden"))) char __ehdr_start[], _DYNAMIC[];

namespace emulator {

// An access that is kept, and the last loads that nothing orders: where two threads made some, two of
// them, so that one is by another thread than whoever stores next.
struct Cell {
    Access store;
    Access loads[2];
    // Of the list of atomic accesses, plus one.
    unsigned atomics;
};

// Four bytes that were only accessed together, or else the number of a list of their own cells, plus one.
struct Word {
    Cell cell;
    unsigned bytes;
};

struct Region {
    const char* name;
    const char* start;
    u64 bytes;
    bool is_shared;
    // One for each word that it has a part of; zeros, until they are used.
    Word* words;

    u64 word_count() const {
        return (reinterpret_cast<u64>(start) % 4 + bytes + 3) / 4;
    }
    bool has(const char* address, u64 count) const {
        return address >= start && count <= bytes && u64(address - start) <= bytes - count;
    }
};

inline Region make_region(const char* name, const char* start, u64 bytes, bool is_shared) {
    Region region{name, start, bytes, is_shared, nullptr};
    // Zeros of the system's own where it is much: most of it is never touched.
    region.words = static_cast<Word*>(calloc(region.word_count() + 1, sizeof(Word)));
    return region;
}

// Those of the launch, and the shared memory of each block that runs.
inline std::vector<Region> allocations, statics, dynamics;

inline bool is_between(const char* address, const char* start, const char* end) {
    return address >= start && address < end;
}

// What is not memory of the launch: stacks, the indices, constants.
inline bool is_private(const char* address, bool is_load) {
    if (is_between(address, launch->stacks, launch->stacks + threads.size() * STACK_BYTES)) return true;
    if (!is_load) return false;
    for (const Dim3* each : {&threadIdx, &blockIdx, &blockDim, &gridDim}) {
        const char* start = reinterpret_cast<const char*>(each);
        if (is_between(address, start, start + sizeof(*each))) return true;
    }
    return is_between(address, __ehdr_start, _DYNAMIC);
}

// The current thread's region with these bytes.
inline Region* find_region(const char* address, u64 bytes) {
    for (Region* shared : {&statics[self().rank], &dynamics[self().rank]}) {
        if (shared->has(address, bytes)) return shared;
    }
    for (Region& each : allocations) {
        if (each.has(address, bytes)) return &each;
    }
    return nullptr;
}

inline u64 distance(const char* address, const Region& region) {
    const char* end = region.start + region.bytes;
    return address < region.start ? region.start - address : address < end ? 0 : address - end;
}

// The address, relative to the region that is nearest.
[[noreturn]] inline void fault_out_of_bounds(const char* what, const char* address, Site site) {
    const Region* nearest = &statics[self().rank];
    u64 least = distance(address, *nearest);
    const auto look_at = [&](const Region& region) {
        if (distance(address, region) >= least) return;
        least = distance(address, region);
        nearest = &region;
    };
    look_at(dynamics[self().rank]);
    for (const Region& each : allocations) look_at(each);
    fault(self(), site, "%s at byte %lld of %llu of %s is out of bounds", what, (long long)(address - nearest->start),
          nearest->bytes, nearest->name);
    abandon();
}

inline Region& region_of(const char* what, const void* pointer, unsigned bytes, Site site) {
    const char* address = static_cast<const char*>(pointer);
    Region* region = find_region(address, bytes);
    if (!region) fault_out_of_bounds(what, address, site);
    return *region;
}

inline void check_aligned(const char* what, const void* pointer, unsigned bytes, Site site) {
    if (reinterpret_cast<u64>(pointer) % bytes == 0) return;
    fault(self(), site, "%s of %u bytes at %p is not aligned", what, bytes, pointer);
    abandon();
}

inline void open_allocations() {
    for (u64 k = 0; k < launch->allocation_count; ++k) {
        const Allocation& each = launch->allocations[k];
        allocations.push_back(make_region(each.name, each.start, each.bytes, false));
    }
}

inline void close(std::vector<Region>& regions) {
    for (Region& each : regions) free(each.words);
    regions.clear();
}

}  // namespace emulator
