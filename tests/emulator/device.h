// The stand-in for CUDA: what the kernel text names and its own files define for the device alone
// (the words of the language, and intrinsics.cuh). The unchanged text follows.

#pragma once

#include <math.h>
#include <string.h>

#include "intrinsics.h"
#include "runner.h"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
// A section of its own, so that the runner finds all of it; used, so that stores stay that nobody reads.
#define __shared__ static __attribute__((section("shared_memory"), used))

using emulator::blockDim;
using emulator::blockIdx;
using emulator::gridDim;
using emulator::threadIdx;

// Makes `entry` callable with arguments that are known only by their bytes.
#define EMULATOR_ENTRY(entry)                                                            \
    extern "C" EMULATOR_EXPORT void emulator_##entry(const emulator::Arguments& given) { \
        emulator::call(entry, given);                                                    \
    }

namespace emulator {

template <class T>
T take(const Argument*& next) {
    T value;
    take_argument(next, &value, sizeof(T));
    return value;
}

struct Call {
    template <class... Parameters>
    Call(void (*entry)(Parameters...), Parameters... values) {
        entry(values...);
    }
};

template <class... Parameters>
void call(void (*entry)(Parameters...), const Arguments& given) {
    const Argument* next = begin_arguments(given, sizeof...(Parameters));
    // Braces, because they evaluate from left to right.
    Call{entry, take<Parameters>(next)...};
}

inline float f32_from_bits(unsigned bits) {
    float value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

inline unsigned bits_of_f32(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

// A few sizes become plain loads and stores; others would not be seen.
inline constexpr bool is_plain(unsigned long bytes) {
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

__attribute__((always_inline)) inline void* copy_bytes(void* into, const void* from, unsigned long bytes) {
    if (!__builtin_constant_p(bytes) || !is_plain(bytes)) watch_copy(into, from, bytes);
    return __builtin_memcpy(into, from, bytes);
}

__attribute__((always_inline)) inline void* fill_bytes(void* into, int byte, unsigned long bytes) {
    watch_fill(into, bytes);
    return __builtin_memset(into, byte, bytes);
}

}  // namespace emulator

#define memcpy emulator::copy_bytes
#define memset emulator::fill_bytes

inline float f32_from_f16_bits(unsigned short bits) {
    using namespace emulator;
    const unsigned sign = (bits & 0x8000u) << 16;
    const unsigned exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    if (exponent == 0x1f) return f32_from_bits(sign | 0x7f800000 | fraction << 13);
    if (exponent == 0) return f32_from_bits(sign | bits_of_f32(float(fraction) * 0x1p-24f));
    return f32_from_bits(sign | (exponent + 127 - 15) << 23 | fraction << 13);
}

inline float f32_minimum(float a, float b) {
    if (a != a || b != b) return a != a ? a : b;
    return a < b || (a == b && __builtin_signbit(a)) ? a : b;
}

inline float f32_maximum(float a, float b) {
    if (a != a || b != b) return a != a ? a : b;
    return a < b || (a == b && __builtin_signbit(a)) ? b : a;
}

// To the nearest, ties to even.
inline unsigned short f16_bits_from_f32(float value) {
    using namespace emulator;
    const unsigned bits = bits_of_f32(value);
    const unsigned sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return sign | 0x7e00;
    // Half way between the largest f16 and what would follow it.
    if (magnitude >= bits_of_f32(65520.0f)) return sign | 0x7c00;
    // Subnormal: the last place of 0.5f is the unit of subnormals, so adding to it rounds.
    if (magnitude < bits_of_f32(0x1p-14f)) {
        return sign | (bits_of_f32(f32_from_bits(magnitude) + 0.5f) - bits_of_f32(0.5f));
    }
    const unsigned rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return sign | ((rounded >> 13) - ((127 - 15) << 10));
}
