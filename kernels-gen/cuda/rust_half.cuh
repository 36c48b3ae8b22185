// f16 and bf16: kept as bits, computed in f32, rounded after every operation. An f32 is wide enough
// that the two roundings of + - * / give what one would.

struct f16 {
    u16 bits;
};
struct bf16 {
    u16 bits;
};

namespace rust {

// The f32 nearest below in magnitude, its last bit set where that lost something; what is rounded
// from there to a half is as if rounded at once.
DEVICE f32 round_to_odd(f64 a) {
    const f32 near = f32(a);
    if (f64(near) == a || a != a) return near;
    const u32 bits = from_bits<u32>(near);
    return from_bits<f32>((::fabs(f64(near)) > ::fabs(a) ? bits - 1 : bits) | 1);
}

DEVICE f32 to_f32(f16 a) { return f32_from_f16_bits(a.bits); }
DEVICE f16 to_f16(f32 a) { return f16{f16_bits_from_f32(a)}; }
DEVICE f32 to_f32(bf16 a) { return from_bits<f32>(u32(a.bits) << 16); }
DEVICE bf16 to_bf16(f32 a) {
    const u32 bits = from_bits<u32>(a);
    if (a != a) return bf16{u16(bits >> 16 | 0x40)};
    return bf16{u16((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

#define FOR_HALF(T, NAN_BITS)                                                                         \
    DEVICE f64 to_f64(T a) { return f64(to_f32(a)); }                                                 \
    DEVICE T to_##T(f64 a) { return to_##T(round_to_odd(a)); }                                        \
    DEVICE bool is_nan(T a) { return is_nan(to_f32(a)); }                                             \
    DEVICE bool is_finite(T a) { return is_finite(to_f32(a)); }                                       \
    DEVICE bool is_infinite(T a) { return is_infinite(to_f32(a)); }                                   \
    DEVICE bool is_sign_negative(T a) { return (a.bits & 0x8000) != 0; }                              \
    DEVICE bool is_sign_positive(T a) { return (a.bits & 0x8000) == 0; }                              \
    DEVICE T canonical(T a) { return is_nan(a) ? T{NAN_BITS} : a; }                                   \
    DEVICE T min(T a, T b) { return is_nan(a) ? b : is_nan(b) ? a : is_below(to_f32(a), to_f32(b)) ? a : b; } \
    DEVICE T max(T a, T b) { return is_nan(a) ? b : is_nan(b) ? a : is_below(to_f32(a), to_f32(b)) ? b : a; } \
    DEVICE T clamp(T a, T low, T high) {                                                              \
        return to_f32(a) < to_f32(low) ? low : to_f32(a) > to_f32(high) ? high : a;                   \
    }                                                                                                 \
    DEVICE T copysign(T a, T sign) { return T{u16((a.bits & 0x7fff) | (sign.bits & 0x8000))}; }       \
    DEVICE T signum(T a) { return is_nan(a) ? a : copysign(to_##T(1.0f), a); }                        \
    DEVICE T rem(T a, T b) { return to_##T(rem(to_f32(a), to_f32(b))); }

FOR_HALF(f16, 0x7e00)
FOR_HALF(bf16, 0x7fc0)

}  // namespace rust

#define OPERATORS_OF(T)                                                                                  \
    DEVICE T operator+(T a, T b) { return rust::to_##T(rust::to_f32(a) + rust::to_f32(b)); }          \
    DEVICE T operator-(T a, T b) { return rust::to_##T(rust::to_f32(a) - rust::to_f32(b)); }          \
    DEVICE T operator*(T a, T b) { return rust::to_##T(rust::to_f32(a) * rust::to_f32(b)); }          \
    DEVICE T operator/(T a, T b) { return rust::to_##T(rust::to_f32(a) / rust::to_f32(b)); }          \
    DEVICE T operator-(T a) { return T{u16(a.bits ^ 0x8000)}; }                                       \
    DEVICE bool operator==(T a, T b) { return rust::to_f32(a) == rust::to_f32(b); }                   \
    DEVICE bool operator!=(T a, T b) { return rust::to_f32(a) != rust::to_f32(b); }                   \
    DEVICE bool operator<(T a, T b) { return rust::to_f32(a) < rust::to_f32(b); }                     \
    DEVICE bool operator<=(T a, T b) { return rust::to_f32(a) <= rust::to_f32(b); }                   \
    DEVICE bool operator>(T a, T b) { return rust::to_f32(a) > rust::to_f32(b); }                     \
    DEVICE bool operator>=(T a, T b) { return rust::to_f32(a) >= rust::to_f32(b); }

OPERATORS_OF(f16)
OPERATORS_OF(bf16)
