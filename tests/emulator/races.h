// Races: two threads at the same bytes, at least one of them storing, and nothing that orders the two.
// The compiler reports every plain access to the `__tsan_` functions below, because the text is
// compiled with `-fsanitize=thread`; they stand in for that sanitizer's own library.

#pragma once

#include <array>

#include "counters.h"
#include "dependents.h"
#include "regions.h"

namespace emulator {

enum class Kind { Load, Store, Atomic };

inline const char* past_tense(Kind kind) {
    return kind == Kind::Load ? "loaded" : kind == Kind::Store ? "stored" : "changed atomically";
}

// Cells of single bytes, and the last atomic accesses to cells that had some.
inline std::vector<std::array<Cell, 4>> byte_cells;
inline std::vector<std::array<Access, 2>> atomic_accesses;

// Whether the thread is sure to come after the access.
inline bool is_after(const Thread& thread, const Access& access) {
    const Block& block = block_of(thread);
    if (access.block == block.index && (access.thread == thread.index || access.epoch < block.epoch)) return true;
    return thread.seen.has(access) || block.seen.has(access) ||
           (thread.cluster_seen && thread.cluster_seen->has(access)) ||
           (block.cluster_seen && block.cluster_seen->has(access));
}

// What a check needs to know of the access that it is for.
struct Touch {
    Kind kind;
    Region& region;
    Access access;

    void check(const Access& earlier, Kind earlier_kind, u64 byte) const {
        if (!earlier.exists() || is_after(self(), earlier)) return;
        fault(self(), access.site,
              "a race: byte %llu of %llu of %s is %s here; %s %u of block %u %s it at %s, and nothing orders the two",
              byte, region.bytes, region.name, past_tense(kind), earlier.is_copy() ? "copy" : "thread",
              earlier.is_copy() ? earlier.thread - FIRST_COPY : earlier.thread, earlier.block,
              past_tense(earlier_kind), SiteText(earlier.site).text);
        abandon();
    }
};

// Adds the access to a pair, which forgets those that are sure to come before it.
template <class Pair>
void keep(Pair& pair, const Access& access) {
    Access* free = nullptr;
    for (Access& each : pair) {
        if (each.exists() && is_after(self(), each)) each = {};
        if (!each.exists()) free = &each;
    }
    if (free) *free = access;
}

inline void touch(Cell& cell, const Touch& touch, u64 byte) {
    touch.check(cell.store, Kind::Store, byte);
    if (touch.kind != Kind::Load) {
        for (const Access& each : cell.loads) touch.check(each, Kind::Load, byte);
    }
    if (touch.kind != Kind::Atomic && cell.atomics) {
        for (const Access& each : atomic_accesses[cell.atomics - 1]) touch.check(each, Kind::Atomic, byte);
    }
    if (touch.kind == Kind::Load) {
        keep(cell.loads, touch.access);
    } else if (touch.kind == Kind::Store) {
        cell = Cell{touch.access, {}, 0};
    } else {
        if (!cell.atomics) {
            atomic_accesses.push_back({});
            cell.atomics = atomic_accesses.size();
        }
        keep(atomic_accesses[cell.atomics - 1], touch.access);
    }
}

inline std::array<Cell, 4>& bytes_of(Word& word) {
    if (!word.bytes) {
        byte_cells.push_back({word.cell, word.cell, word.cell, word.cell});
        word.bytes = byte_cells.size();
    }
    return byte_cells[word.bytes - 1];
}

// Whether some access stored to the cell.
inline bool is_written(const Cell& cell) {
    return cell.store.exists() || cell.atomics;
}

// Shared memory has nothing in it at first. Only the first byte counts: a value that is loaded at once
// may have padding, though never there.
inline void check_written(Region& region, u64 byte, Site site) {
    const u64 place = reinterpret_cast<u64>(region.start) % 4 + byte;
    Word& word = region.words[place / 4];
    if (is_written(word.bytes ? bytes_of(word)[place % 4] : word.cell)) return;
    fault(self(), site, "byte %llu of %llu of %s is loaded, which nobody has written", byte, region.bytes, region.name);
    abandon();
}

inline Access access_by_current(Site site) {
    const Thread& thread = self();
    return {site, block_of(thread).index, thread.index, thread.epoch, thread.clock};
}

// An access that the current thread makes, or begins, to memory that the region has.
inline void watch_as(const Access& access, Kind kind, Region& region, const char* address, u64 bytes) {
    const Touch now{kind, region, access};
    const u64 first = address - region.start;
    const u64 skew = reinterpret_cast<u64>(region.start) % 4;
    const u64 end = first + skew + bytes;
    for (u64 place = first + skew; place < end;) {
        Word& word = region.words[place / 4];
        const u64 word_end = place / 4 * 4 + 4;
        if (!word.bytes && place % 4 == 0 && word_end <= end) {
            touch(word.cell, now, place - skew);
            place = word_end;
        } else {
            for (; place < end && place < word_end; ++place) touch(bytes_of(word)[place % 4], now, place - skew);
        }
    }
}

inline void watch(Kind kind, Region& region, const char* address, u64 bytes, Site site) {
    if (++effort > MOST_EFFORT) {
        fault(self(), site, "the launch does not end");
        abandon();
    }
    const Access access = access_by_current(site);
    if (region.is_shared && kind != Kind::Store) check_written(region, address - region.start, site);
    if (!region.is_shared) note_global_access(access);
    count_access(region.is_shared, address, bytes, site);
    watch_as(access, kind, region, address, bytes);
}

// What was released at an address, by all who did so.
inline std::map<const void*, Seen> released;

// Others who acquire at this address later have seen what the current thread has, and what it did.
inline void release(const void* address) {
    Thread& thread = self();
    const Block& block = block_of(thread);
    Seen& there = released[address];
    there.add(block.seen);
    there.add(thread.seen);
    if (thread.cluster_seen) there.add(*thread.cluster_seen);
    if (block.cluster_seen) there.add(*block.cluster_seen);
    there.add_thread(block.index, thread.index, thread.clock++);
}

inline void acquire(const void* address) {
    self().seen.add(released[address]);
}

// An access that the text spells as such.
inline void watch_plain(Kind kind, const void* pointer, u64 bytes, const void* instruction) {
    if (faulted) return;
    const char* address = static_cast<const char*>(pointer);
    if (is_private(address, kind == Kind::Load)) return;
    const Site site = {nullptr, int(static_cast<const char*>(instruction) - __ehdr_start)};
    const char* what = kind == Kind::Load ? "a load" : "a store";
    watch(kind, region_of(what, pointer, bytes, site), address, bytes, site);
}

void watch_copy(void* into, const void* from, u64 bytes) {
    watch_plain(Kind::Load, from, bytes, __builtin_return_address(0));
    watch_plain(Kind::Store, into, bytes, __builtin_return_address(0));
}

void watch_fill(void* into, u64 bytes) {
    watch_plain(Kind::Store, into, bytes, __builtin_return_address(0));
}

}  // namespace emulator

#define EMULATOR_HOOK __attribute__((visibility("hidden"))) void
#define EMULATOR_PLAIN(name, kind, bytes)                                                             \
    EMULATOR_HOOK name(void* address) {                                                               \
        emulator::watch_plain(emulator::Kind::kind, address, bytes, __builtin_return_address(0));     \
    }
#define EMULATOR_PLAIN_OF_SIZE(bytes)                              \
    EMULATOR_PLAIN(__tsan_read##bytes, Load, bytes)                \
    EMULATOR_PLAIN(__tsan_write##bytes, Store, bytes)              \
    EMULATOR_PLAIN(__tsan_unaligned_read##bytes, Load, bytes)      \
    EMULATOR_PLAIN(__tsan_unaligned_write##bytes, Store, bytes)    \
    EMULATOR_PLAIN(__tsan_volatile_read##bytes, Load, bytes)       \
    EMULATOR_PLAIN(__tsan_volatile_write##bytes, Store, bytes)

extern "C" {
EMULATOR_PLAIN_OF_SIZE(1)
EMULATOR_PLAIN_OF_SIZE(2)
EMULATOR_PLAIN_OF_SIZE(4)
EMULATOR_PLAIN_OF_SIZE(8)
EMULATOR_PLAIN_OF_SIZE(16)

EMULATOR_HOOK __tsan_read_range(void* address, unsigned long bytes) {
    emulator::watch_plain(emulator::Kind::Load, address, bytes, __builtin_return_address(0));
}
EMULATOR_HOOK __tsan_write_range(void* address, unsigned long bytes) {
    emulator::watch_plain(emulator::Kind::Store, address, bytes, __builtin_return_address(0));
}
EMULATOR_HOOK __tsan_vptr_update(void**, void*) {}
EMULATOR_HOOK __tsan_init() {}
EMULATOR_HOOK __tsan_func_entry(void*) {}
EMULATOR_HOOK __tsan_func_exit() {}
}
