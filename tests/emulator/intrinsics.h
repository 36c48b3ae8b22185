// What intrinsics.cuh defines for the device alone, by the runner.

#pragma once

#include "runner.h"

// What a function orders, as the kernel's own PTX says (ptx.rs, which defines these).
#define EMULATOR_ORDER(function) EMULATOR_ORDER_OF_##function

// Lanes of a warp.

inline unsigned shuffle_word_down(unsigned mask, unsigned word, unsigned distance,
                                  emulator::Site site = emulator::here()) {
    return emulator::shuffle_down(mask, word, distance, site);
}
inline unsigned ballot(unsigned mask, bool value, emulator::Site site = emulator::here()) {
    return emulator::ballot(mask, value, site);
}
inline bool all_lanes(unsigned mask, bool value, emulator::Site site = emulator::here()) {
    return emulator::ballot(mask, value, site) == mask;
}
inline bool any_lane(unsigned mask, bool value, emulator::Site site = emulator::here()) {
    return emulator::ballot(mask, value, site) != 0;
}
inline unsigned count_bits(unsigned word) {
    return __builtin_popcount(word);
}
inline void warp_barrier(unsigned mask, emulator::Site site = emulator::here()) {
    emulator::warp_barrier(mask, site);
}
inline unsigned active_lanes(emulator::Site site = emulator::here()) {
    return emulator::active_lanes(site);
}

#define EMULATOR_REDUX(name, how)                                                               \
    template <class T>                                                                          \
    inline T redux_##name(unsigned mask, T value, emulator::Site site = emulator::here()) {     \
        return emulator::redux(emulator::Combine::how, mask, value, site);                      \
    }
EMULATOR_REDUX(add, Add)
EMULATOR_REDUX(min, Min)
EMULATOR_REDUX(max, Max)
EMULATOR_REDUX(and, And)
EMULATOR_REDUX(or, Or)
EMULATOR_REDUX(xor, Xor)
#undef EMULATOR_REDUX

// The block, and its shared memory.

inline void block_barrier(emulator::Site site = emulator::here()) {
    emulator::barrier(site);
}
inline unsigned char* dynamic_shared() {
    return emulator::dynamic_shared();
}

// Global memory.

template <class Word, unsigned N>
inline void load_bytes(Word (&words)[N], const void* from, emulator::Site site = emulator::here()) {
    emulator::load(words, from, sizeof(words), site);
}
template <class Word, unsigned N>
inline void load_shared_by_grid(Word (&words)[N], const void* from, emulator::Site site = emulator::here()) {
    emulator::load(words, from, sizeof(words), site);
}
inline unsigned arrive(unsigned* counter, unsigned last, emulator::Order order = EMULATOR_ORDER(ARRIVE),
                       emulator::Site site = emulator::here()) {
    return emulator::increment(counter, last, order, site);
}

#define EMULATOR_ATOMIC(name, how)                                                              \
    template <class T>                                                                          \
    inline void atomic_##name(T* into, T value, emulator::Site site = emulator::here()) {       \
        emulator::atomic(emulator::Combine::how, into, value, site);                            \
    }
EMULATOR_ATOMIC(add, Add)
EMULATOR_ATOMIC(min, Min)
EMULATOR_ATOMIC(max, Max)
EMULATOR_ATOMIC(and, And)
EMULATOR_ATOMIC(or, Or)
EMULATOR_ATOMIC(xor, Xor)
#undef EMULATOR_ATOMIC

template <class T>
inline T compare_exchange(T* at, T expected, T desired, emulator::Site site = emulator::here()) {
    return emulator::compare_exchange(at, expected, desired, site);
}

// Clusters.

inline unsigned cluster_rank() {
    return emulator::cluster_rank();
}
inline unsigned cluster_blocks() {
    return emulator::cluster_blocks();
}
inline void cluster_arrive_relaxed(emulator::Order order = EMULATOR_ORDER(CLUSTER_ARRIVE_RELAXED),
                                   emulator::Site site = emulator::here()) {
    emulator::cluster_arrive(order, site);
}
inline void cluster_arrive(emulator::Order order = EMULATOR_ORDER(CLUSTER_ARRIVE), emulator::Site site = emulator::here()) {
    emulator::cluster_arrive(order, site);
}
inline void cluster_wait(emulator::Order order = EMULATOR_ORDER(CLUSTER_WAIT), emulator::Site site = emulator::here()) {
    emulator::cluster_wait(order, site);
}
inline void store_word_to_rank(unsigned* slot, unsigned rank, unsigned word,
                               emulator::Site site = emulator::here()) {
    emulator::store_word_to_rank(slot, rank, word, site);
}

// Bulk copies.

inline void barrier_init(emulator::u64* barrier, unsigned count, emulator::Site site = emulator::here()) {
    emulator::barrier_init(barrier, count, site);
}
inline void barrier_init_fence(emulator::Order order = EMULATOR_ORDER(BARRIER_INIT_FENCE)) {
    emulator::fence_barriers(order);
}
inline void barrier_expect(emulator::u64* barrier, unsigned bytes, emulator::Order order = EMULATOR_ORDER(BARRIER_EXPECT),
                           emulator::Site site = emulator::here()) {
    emulator::barrier_expect(barrier, bytes, order, site);
}
inline void barrier_wait(emulator::u64* barrier, unsigned parity, emulator::Order order = EMULATOR_ORDER(BARRIER_WAIT),
                         emulator::Site site = emulator::here()) {
    emulator::barrier_wait(barrier, parity, order, site);
}
inline void bulk_load(void* shared, const void* global, unsigned bytes, emulator::u64* barrier,
                      emulator::Site site = emulator::here()) {
    emulator::bulk_load(shared, global, bytes, barrier, site);
}

// Launches that follow one another.

// One load of all the words, as the device has it.
template <class Word, unsigned N>
inline void load_copied(Word (&words)[N], const void* from) {
    memcpy(words, __builtin_assume_aligned(from, sizeof(words)), sizeof(words));
}

inline void wait_for_predecessor(emulator::Site site = emulator::here()) {
    emulator::wait_for_predecessor(site);
}
inline void release_dependents(emulator::Site site = emulator::here()) {
    emulator::release_dependents(site);
}
