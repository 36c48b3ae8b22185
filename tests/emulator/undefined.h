// What C++ leaves undefined: overflow of signed numbers, shifts too far, misaligned accesses. The
// compiler calls the `__ubsan_` functions below where it happens, because the text is compiled with
// `-fsanitize=undefined`; they stand in for that sanitizer's own library.

#pragma once

#include "state.h"

namespace emulator {

[[noreturn]] inline void undefined(const char* what, const void* instruction) {
    const Site site = {nullptr, int(static_cast<const char*>(instruction) - __ehdr_start)};
    fault(self(), site, "undefined in C++: %s", what);
    abandon();
}

}  // namespace emulator

#define EMULATOR_UNDEFINED(name, what)                                             \
    __attribute__((visibility("hidden"), noreturn)) void __ubsan_handle_##name() { \
        emulator::undefined(what, __builtin_return_address(0));                    \
    }

extern "C" {
EMULATOR_UNDEFINED(add_overflow_abort, "a sum that its type does not hold")
EMULATOR_UNDEFINED(sub_overflow_abort, "a difference that its type does not hold")
EMULATOR_UNDEFINED(mul_overflow_abort, "a product that its type does not hold")
EMULATOR_UNDEFINED(negate_overflow_abort, "a negated value that its type does not hold")
EMULATOR_UNDEFINED(divrem_overflow_abort, "a division by zero, or one whose quotient its type does not hold")
EMULATOR_UNDEFINED(shift_out_of_bounds_abort, "a shift by as many bits as there are, by more, or by less than none")
EMULATOR_UNDEFINED(out_of_bounds_abort, "an index beyond its array")
EMULATOR_UNDEFINED(pointer_overflow_abort, "a pointer that wraps around")
EMULATOR_UNDEFINED(type_mismatch_v1_abort, "an access to null, outside its object, or to an address that its type is not aligned to")
EMULATOR_UNDEFINED(nonnull_arg_abort, "null for an argument that is not to be null")
EMULATOR_UNDEFINED(vla_bound_not_positive_abort, "an array of no length")
EMULATOR_UNDEFINED(invalid_builtin_abort, "a builtin of an argument that it does not take")
EMULATOR_UNDEFINED(builtin_unreachable, "a place that is not to be reached")
EMULATOR_UNDEFINED(missing_return, "the end of a function that returns a value")
}
