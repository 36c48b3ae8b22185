// Rust's floating point arithmetic, where C's differs or has another name. -0.0 is below 0.0.

namespace rust {

#define FOR_FLOAT(T, BITS, SIGN, NAN_BITS, suffix)                                                                \
    DEVICE BITS to_bits(T a) { return from_bits<BITS>(a); }                                                       \
    DEVICE bool is_nan(T a) { return a != a; }                                                                    \
    DEVICE bool is_sign_negative(T a) { return (to_bits(a) & SIGN) != 0; }                                        \
    DEVICE bool is_sign_positive(T a) { return (to_bits(a) & SIGN) == 0; }                                        \
    DEVICE bool is_infinite(T a) { return (to_bits(a) & ~SIGN) == (NAN_BITS & NAN_BITS << 1); }                    \
    DEVICE bool is_finite(T a) { return a - a == 0; }                                                             \
    /* The one NaN that results have. */                                                                          \
    DEVICE T canonical(T a) { return a != a ? from_bits<T>(NAN_BITS) : a; }                                       \
    DEVICE bool is_below(T a, T b) { return a < b || (a == b && is_sign_negative(a)); }                           \
    /* NaN loses, as in f32::min and f32::max. */                                                                 \
    DEVICE T min(T a, T b) { return a != a ? b : b != b ? a : is_below(a, b) ? a : b; }                           \
    DEVICE T max(T a, T b) { return a != a ? b : b != b ? a : is_below(a, b) ? b : a; }                           \
    DEVICE T clamp(T a, T low, T high) { return a < low ? low : a > high ? high : a; }                            \
    DEVICE T copysign(T a, T sign) { return from_bits<T>((to_bits(a) & ~SIGN) | (to_bits(sign) & SIGN)); }        \
    DEVICE T abs(T a) { return from_bits<T>(to_bits(a) & ~SIGN); }                                                \
    DEVICE T signum(T a) { return a != a ? a : copysign(T(1), a); }                                               \
    DEVICE T rem(T a, T b) { return ::fmod##suffix(a, b); }                                                       \
    DEVICE T sqrt(T a) { return ::sqrt##suffix(a); }                                                              \
    DEVICE T floor(T a) { return ::floor##suffix(a); }                                                            \
    DEVICE T ceil(T a) { return ::ceil##suffix(a); }                                                              \
    DEVICE T trunc(T a) { return ::trunc##suffix(a); }                                                            \
    DEVICE T round(T a) { return ::round##suffix(a); }                                                            \
    DEVICE T fract(T a) { return a - trunc(a); }                                                                  \
    DEVICE T recip(T a) { return T(1) / a; }                                                                      \
    DEVICE T mul_add(T a, T b, T c) { return ::fma##suffix(a, b, c); }                                            \
    DEVICE T exp(T a) { return ::exp##suffix(a); }                                                                \
    DEVICE T exp2(T a) { return ::exp2##suffix(a); }                                                              \
    DEVICE T exp_m1(T a) { return ::expm1##suffix(a); }                                                           \
    DEVICE T ln(T a) { return ::log##suffix(a); }                                                                 \
    DEVICE T ln_1p(T a) { return ::log1p##suffix(a); }                                                            \
    DEVICE T log2(T a) { return ::log2##suffix(a); }                                                              \
    DEVICE T log10(T a) { return ::log10##suffix(a); }                                                            \
    DEVICE T sin(T a) { return ::sin##suffix(a); }                                                                \
    DEVICE T cos(T a) { return ::cos##suffix(a); }                                                                \
    DEVICE T tan(T a) { return ::tan##suffix(a); }                                                                \
    DEVICE T asin(T a) { return ::asin##suffix(a); }                                                              \
    DEVICE T acos(T a) { return ::acos##suffix(a); }                                                              \
    DEVICE T atan(T a) { return ::atan##suffix(a); }                                                              \
    DEVICE T atan2(T a, T b) { return ::atan2##suffix(a, b); }                                                    \
    DEVICE T sinh(T a) { return ::sinh##suffix(a); }                                                              \
    DEVICE T cosh(T a) { return ::cosh##suffix(a); }                                                              \
    DEVICE T tanh(T a) { return ::tanh##suffix(a); }                                                              \
    DEVICE T cbrt(T a) { return ::cbrt##suffix(a); }                                                              \
    DEVICE T hypot(T a, T b) { return ::hypot##suffix(a, b); }                                                    \
    DEVICE T powf(T a, T b) { return ::pow##suffix(a, b); }                                                       \
    DEVICE T powi(T a, i32 b) { return T(::pow(f64(a), f64(b))); }

FOR_FLOAT(f32, u32, 0x80000000u, 0x7fc00000u, f)
FOR_FLOAT(f64, u64, 0x8000000000000000ull, 0x7ff8000000000000ull, )

// NaN wins.
DEVICE f32 minimum(f32 a, f32 b) { return f32_minimum(a, b); }
DEVICE f32 maximum(f32 a, f32 b) { return f32_maximum(a, b); }
DEVICE f64 minimum(f64 a, f64 b) {
    if (a < b) return a;
    if (b < a) return b;
    return a == b ? from_bits<f64>(to_bits(a) | to_bits(b)) : a + b;  // equal but for the sign of zero, or NaN
}
DEVICE f64 maximum(f64 a, f64 b) {
    if (a > b) return a;
    if (b > a) return b;
    return a == b ? from_bits<f64>(to_bits(a) & to_bits(b)) : a + b;
}

}  // namespace rust
