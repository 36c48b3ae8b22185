// The shared memory of blocks that run at once. A `__shared__` variable has one address, so what
// another block has there is kept aside while a thread of this one runs.

#pragma once

#include "regions.h"

namespace emulator {

inline std::vector<std::vector<char>> kept_statics, dynamic_memory;
inline unsigned resident;

inline u64 static_bytes() {
    return __start_shared_memory ? __stop_shared_memory - __start_shared_memory : 0;
}

inline void open_shared_memory(unsigned blocks_at_once) {
    const u64 bytes = static_bytes(), align = 128;
    resident = 0;
    if (bytes) memset(__start_shared_memory, POISON, bytes);
    kept_statics.assign(blocks_at_once, std::vector<char>(blocks_at_once > 1 ? bytes : 0, char(POISON)));
    dynamic_memory.assign(blocks_at_once, std::vector<char>(launch->dynamic_shared + align, char(POISON)));
    for (unsigned rank = 0; rank < blocks_at_once; ++rank) {
        const char* start = dynamic_memory[rank].data();
        start += -reinterpret_cast<u64>(start) % align;
        statics.push_back(make_region("shared memory", __start_shared_memory, bytes, true));
        dynamics.push_back(make_region("dynamic shared memory", start, launch->dynamic_shared, true));
    }
}

inline void make_resident(unsigned rank) {
    if (rank == resident) return;
    if (const u64 bytes = static_bytes()) {
        memcpy(kept_statics[resident].data(), __start_shared_memory, bytes);
        memcpy(__start_shared_memory, kept_statics[rank].data(), bytes);
    }
    resident = rank;
}

// A place in shared memory as the block of this rank has it: `region` for races, which an address of the
// current block leads to, and where its bytes are now.
struct Place {
    Region* region;
    const char* address;
    char* bytes;
};

inline Place place_in(unsigned rank, const char* address, u64 bytes, const char* what, Site site) {
    const unsigned own = self().rank;
    if (statics[own].has(address, bytes)) {
        const u64 offset = address - statics[own].start;
        char* base = rank == resident ? __start_shared_memory : kept_statics[rank].data();
        return {&statics[rank], address, base + offset};
    }
    if (!dynamics[own].has(address, bytes)) {
        fault(self(), site, "%s goes to %u bytes at %p, which are not in shared memory", what, unsigned(bytes), address);
        abandon();
    }
    const char* there = dynamics[rank].start + (address - dynamics[own].start);
    return {&dynamics[rank], there, const_cast<char*>(there)};
}

unsigned char* dynamic_shared() {
    return reinterpret_cast<unsigned char*>(const_cast<char*>(dynamics[self().rank].start));
}

}  // namespace emulator
