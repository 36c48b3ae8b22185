// Relaxed atomics on global memory: indivisible, and in no order with anything else.

#pragma once

#include <type_traits>

#include "races.h"

namespace emulator {

inline void watch_atomic(const void* pointer, unsigned bytes, Site site) {
    check_aligned("an atomic access", pointer, bytes, site);
    Region& region = region_of("an atomic access", pointer, bytes, site);
    watch(Kind::Atomic, region, static_cast<const char*>(pointer), bytes, site);
}

template <class T>
T combine(Combine how, T a, T b) {
    if (how == Combine::Add) {
        // Integers wrap.
        if constexpr (std::is_integral_v<T>) return T(std::make_unsigned_t<T>(a) + std::make_unsigned_t<T>(b));
        else return a + b;
    }
    if (how == Combine::Min) return b < a ? b : a;
    if (how == Combine::Max) return b < a ? a : b;
    if constexpr (std::is_integral_v<T>) {
        if (how == Combine::And) return a & b;
        if (how == Combine::Or) return a | b;
        return a ^ b;
    }
    return a;
}

template <class T>
void change(Combine how, T* into, T value, Site site) {
    watch_atomic(into, sizeof(T), site);
    *into = combine(how, *into, value);
}

template <class T>
T exchange(T* at, T expected, T desired, Site site) {
    watch_atomic(at, sizeof(T), site);
    const T before = *at;
    if (before == expected) *at = desired;
    return before;
}

void atomic(Combine how, unsigned* into, unsigned value, Site site) {
    change(how, into, value, site);
}
void atomic(Combine how, int* into, int value, Site site) {
    change(how, into, value, site);
}
void atomic(Combine how, u64* into, u64 value, Site site) {
    change(how, into, value, site);
}
void atomic(Combine how, long long* into, long long value, Site site) {
    change(how, into, value, site);
}
void atomic(Combine how, float* into, float value, Site site) {
    change(how, into, value, site);
}
void atomic(Combine how, double* into, double value, Site site) {
    change(how, into, value, site);
}

unsigned compare_exchange(unsigned* at, unsigned expected, unsigned desired, Site site) {
    return exchange(at, expected, desired, site);
}
u64 compare_exchange(u64* at, u64 expected, u64 desired, Site site) {
    return exchange(at, expected, desired, site);
}

// What the counter released is what was released by all who counted, so far as their order releases.
unsigned increment(unsigned* counter, unsigned last, Order order, Site site) {
    watch_atomic(counter, sizeof(*counter), site);
    if (releases(order)) release(counter);
    if (acquires(order)) acquire(counter);
    const unsigned before = *counter;
    *counter = before >= last ? 0 : before + 1;
    return before;
}

}  // namespace emulator
