// Rust's integer arithmetic with overflow checks off: it wraps, and nothing is undefined. C's signed
// overflow is undefined, so sums are taken in the unsigned type of the same width.

template <u32 BYTES>
struct BitsOf;
template <>
struct BitsOf<1> { typedef u8 Type; };
template <>
struct BitsOf<2> { typedef u16 Type; };
template <>
struct BitsOf<4> { typedef u32 Type; };
template <>
struct BitsOf<8> { typedef u64 Type; };

template <class T>
struct Int {
    typedef typename BitsOf<sizeof(T)>::Type Bits;
    static const u32 WIDTH = 8 * sizeof(T);
    static const bool IS_SIGNED = T(-1) < T(0);
    static const T MIN = IS_SIGNED ? T(1ull << (WIDTH - 1)) : T(0);
    static const T MAX = T(~MIN);
    static constexpr f64 END = 2.0 * (1ull << (WIDTH - 1 - IS_SIGNED));  // MAX + 1
};

namespace rust {

template <class T>
using Bits = typename Int<T>::Bits;

template <class T>
DEVICE T add(T a, T b) { return T(Bits<T>(a) + Bits<T>(b)); }
template <class T>
DEVICE T sub(T a, T b) { return T(Bits<T>(a) - Bits<T>(b)); }
template <class T>
DEVICE T mul(T a, T b) { return T(1u * Bits<T>(a) * Bits<T>(b)); }  // 1u: C would promote u16 to a signed int
template <class T>
DEVICE T wrapping_add(T a, T b) { return add(a, b); }
template <class T>
DEVICE T wrapping_sub(T a, T b) { return sub(a, b); }
template <class T>
DEVICE T wrapping_mul(T a, T b) { return mul(a, b); }
template <class T>
DEVICE T wrapping_neg(T a) { return sub(T(0), a); }

// x / 0 is 0, and MIN / -1 is MIN.
template <class T>
DEVICE T div(T a, T b) {
    if (b == 0) return 0;
    if (Int<T>::IS_SIGNED && b == T(-1)) return wrapping_neg(a);
    return a / b;
}
// x % 0 is x, and MIN % -1 is 0.
template <class T>
DEVICE T rem(T a, T b) {
    if (b == 0) return a;
    if (Int<T>::IS_SIGNED && b == T(-1)) return 0;
    return a % b;
}
template <class T>
DEVICE T rem_euclid(T a, T b) {
    const T r = rem(a, b);
    return r < 0 && b != 0 ? (b < 0 ? sub(r, b) : add(r, b)) : r;
}

// The distance of a shift counts modulo the width.
template <class T, class By>
DEVICE T shl(T a, By by) { return T(1u * Bits<T>(a) << (u32(by) & (Int<T>::WIDTH - 1))); }
template <class T, class By>
DEVICE T shr(T a, By by) { return a >> (u32(by) & (Int<T>::WIDTH - 1)); }

template <class T>
DEVICE T min(T a, T b) { return b < a ? b : a; }
template <class T>
DEVICE T max(T a, T b) { return b > a ? b : a; }
template <class T>
DEVICE T minimum(T a, T b) { return min(a, b); }
template <class T>
DEVICE T maximum(T a, T b) { return max(a, b); }
template <class T>
DEVICE T clamp(T a, T low, T high) { return a < low ? low : a > high ? high : a; }

template <class T>
DEVICE T wrapping_abs(T a) { return a < 0 ? wrapping_neg(a) : a; }
template <class T>
DEVICE T abs(T a) { return wrapping_abs(a); }
template <class T>
DEVICE Bits<T> unsigned_abs(T a) { return Bits<T>(wrapping_abs(a)); }
template <class T>
DEVICE T signum(T a) { return (a > 0) - (a < 0); }
template <class T>
DEVICE bool is_negative(T a) { return a < 0; }
template <class T>
DEVICE bool is_positive(T a) { return a > 0; }
template <class T>
DEVICE Bits<T> abs_diff(T a, T b) {
    return a < b ? Bits<T>(b) - Bits<T>(a) : Bits<T>(a) - Bits<T>(b);
}

template <class T>
DEVICE T saturating_add(T a, T b) {
    const T sum = add(a, b);
    if (b >= 0 ? sum >= a : sum < a) return sum;
    return b >= 0 ? Int<T>::MAX : Int<T>::MIN;
}
template <class T>
DEVICE T saturating_sub(T a, T b) {
    const T difference = sub(a, b);
    if (b >= 0 ? difference <= a : difference > a) return difference;
    return b >= 0 ? Int<T>::MIN : Int<T>::MAX;
}

template <class T>
DEVICE T pow(T base, u32 exponent) {
    T power = 1;
    for (; exponent != 0; exponent /= 2) {
        if (exponent % 2 != 0) power = mul(power, base);
        base = mul(base, base);
    }
    return power;
}

template <class T>
DEVICE u32 count_ones(T a) {
    u32 ones = 0;
    for (Bits<T> rest = Bits<T>(a); rest != 0; rest &= rest - 1) ++ones;
    return ones;
}
template <class T>
DEVICE u32 leading_zeros(T a) {
    u32 zeros = Int<T>::WIDTH;
    for (Bits<T> rest = Bits<T>(a); rest != 0; rest >>= 1) --zeros;
    return zeros;
}
template <class T>
DEVICE u32 trailing_zeros(T a) {
    const Bits<T> bits = Bits<T>(a);
    return bits == 0 ? Int<T>::WIDTH : count_ones(T((bits & (~bits + 1)) - 1));
}
template <class T>
DEVICE T rotate_left(T a, u32 by) {
    const u32 distance = by & (Int<T>::WIDTH - 1);
    const Bits<T> bits = Bits<T>(a);
    return distance == 0 ? a : T(bits << distance | bits >> (Int<T>::WIDTH - distance));
}
template <class T>
DEVICE T rotate_right(T a, u32 by) { return rotate_left(a, Int<T>::WIDTH - (by & (Int<T>::WIDTH - 1))); }

// `as` from a float: truncates, saturates, and makes NaN 0.
template <class To, class From>
DEVICE To to_integer(From a) {
    if (a != a) return 0;
    if (a <= From(Int<To>::MIN)) return Int<To>::MIN;
    if (a >= From(Int<To>::END)) return Int<To>::MAX;
    return To(a);
}

}  // namespace rust
