//! Rust's arithmetic as the kernels have it, a module for each type: what the host twin of a device
//! function calls where Rust's own operator or method may panic, overflow or leave a choice open.
//! The kernels' side is `cuda/rust_*.cuh`, function by function.

macro_rules! integer {
    ($name:ident, $bits:ident, $signed:ident) => {
        #[doc = concat!("Functions on `", stringify!($name), "`.")]
        pub mod $name {
            type T = core::primitive::$name;
            type Bits = core::primitive::$bits;

            functions! {
                add(a: T, b: T) -> T { a.wrapping_add(b) }
                sub(a: T, b: T) -> T { a.wrapping_sub(b) }
                mul(a: T, b: T) -> T { a.wrapping_mul(b) }
                wrapping_add(a: T, b: T) -> T { a.wrapping_add(b) }
                wrapping_sub(a: T, b: T) -> T { a.wrapping_sub(b) }
                wrapping_mul(a: T, b: T) -> T { a.wrapping_mul(b) }
                wrapping_neg(a: T) -> T { a.wrapping_neg() }
                div(a: T, b: T) -> T { if b == 0 { 0 } else { a.wrapping_div(b) } }
                rem(a: T, b: T) -> T { if b == 0 { a } else { a.wrapping_rem(b) } }
                rem_euclid(a: T, b: T) -> T { if b == 0 { a } else { a.wrapping_rem_euclid(b) } }
                min(a: T, b: T) -> T { if b < a { b } else { a } }
                max(a: T, b: T) -> T { if b > a { b } else { a } }
                minimum(a: T, b: T) -> T { min(a, b) }
                maximum(a: T, b: T) -> T { max(a, b) }
                clamp(a: T, low: T, high: T) -> T { if a < low { low } else if a > high { high } else { a } }
                abs_diff(a: T, b: T) -> Bits { a.abs_diff(b) }
                saturating_add(a: T, b: T) -> T { a.saturating_add(b) }
                saturating_sub(a: T, b: T) -> T { a.saturating_sub(b) }
                pow(a: T, exponent: core::primitive::u32) -> T { a.wrapping_pow(exponent) }
                count_ones(a: T) -> core::primitive::u32 { a.count_ones() }
                leading_zeros(a: T) -> core::primitive::u32 { a.leading_zeros() }
                trailing_zeros(a: T) -> core::primitive::u32 { a.trailing_zeros() }
                rotate_left(a: T, by: core::primitive::u32) -> T { a.rotate_left(by % T::BITS) }
                rotate_right(a: T, by: core::primitive::u32) -> T { a.rotate_right(by % T::BITS) }
            }

            /// `a << by`, the distance modulo the width.
            #[inline(always)]
            pub fn shl(a: T, by: impl super::Distance) -> T {
                a.wrapping_shl(by.low_bits())
            }

            /// `a >> by`, the distance modulo the width.
            #[inline(always)]
            pub fn shr(a: T, by: impl super::Distance) -> T {
                a.wrapping_shr(by.low_bits())
            }

            integer!(@$signed);
        }
    };
    (@Signed) => {
        functions! {
            abs(a: T) -> T { a.wrapping_abs() }
            wrapping_abs(a: T) -> T { a.wrapping_abs() }
            unsigned_abs(a: T) -> Bits { a.unsigned_abs() }
            signum(a: T) -> T { a.signum() }
            is_negative(a: T) -> bool { a < 0 }
            is_positive(a: T) -> bool { a > 0 }
        }
    };
    (@Unsigned) => {};
}

macro_rules! functions {
    ($($function:ident($($argument:ident: $ty:ty),*) -> $result:ty $body:block)*) => {
        $(
            #[allow(missing_docs, clippy::missing_docs_in_private_items)]
            #[inline(always)]
            pub fn $function($($argument: $ty),*) -> $result $body
        )*
    };
}

/// The distance of a shift, of any integer type.
pub trait Distance {
    /// Its low bits; those above the width of the shifted value do not count.
    fn low_bits(self) -> u32;
}

macro_rules! distance {
    ($ty:ident) => {
        impl Distance for core::primitive::$ty {
            #[inline(always)]
            fn low_bits(self) -> core::primitive::u32 {
                self as core::primitive::u32
            }
        }
    };
}

macro_rules! for_each_integer {
    ($(($constant:ident, $name:ident, $kind:ident, $bytes:literal, $one:literal, $bits:ident, $accumulator:ident, $half:literal))*) => {
        $(for_each_integer!(@$kind $name $bits);)*
    };
    (@Float $name:ident $bits:ident) => {};
    (@Bool $name:ident $bits:ident) => {};
    (@$kind:ident $name:ident $bits:ident) => {
        distance!($name);
        integer!($name, $bits, $kind);
    };
}

kernels_gen::for_each_dtype!(for_each_integer);

macro_rules! float {
    ($name:ident, $bits:ident, $nan:literal) => {
        #[doc = concat!("Functions on `", stringify!($name), "`.")]
        pub mod $name {
            type T = core::primitive::$name;

            /// The lesser; of two zeros the negative one, and NaN if either is. Where both orders of
            /// the comparison agree, so do the bits; where they do not, the values are equal or a NaN
            /// is among them, and the bits of both are the answer. No branch, so that it vectorises.
            #[inline(always)]
            fn lesser(a: T, b: T) -> T {
                let near = if a < b { a } else { b };
                let far = if b < a { b } else { a };
                T::from_bits(near.to_bits() | far.to_bits())
            }

            functions! {
                to_bits(a: T) -> core::primitive::$bits { a.to_bits() }
                is_nan(a: T) -> bool { a.is_nan() }
                is_finite(a: T) -> bool { a.is_finite() }
                is_infinite(a: T) -> bool { a.is_infinite() }
                is_sign_negative(a: T) -> bool { a.is_sign_negative() }
                is_sign_positive(a: T) -> bool { a.is_sign_positive() }
                canonical(a: T) -> T { if a.is_nan() { T::from_bits($nan) } else { a } }
                min(a: T, b: T) -> T { if a.is_nan() { b } else if b.is_nan() { a } else { lesser(a, b) } }
                max(a: T, b: T) -> T { -min(-a, -b) }
                minimum(a: T, b: T) -> T { lesser(a, b) }
                maximum(a: T, b: T) -> T { -lesser(-a, -b) }
                clamp(a: T, low: T, high: T) -> T { if a < low { low } else if a > high { high } else { a } }
                copysign(a: T, sign: T) -> T { a.copysign(sign) }
                abs(a: T) -> T { a.abs() }
                signum(a: T) -> T { a.signum() }
                rem(a: T, b: T) -> T { a % b }
                sqrt(a: T) -> T { a.sqrt() }
                floor(a: T) -> T { a.floor() }
                ceil(a: T) -> T { a.ceil() }
                trunc(a: T) -> T { a.trunc() }
                round(a: T) -> T { a.round() }
                fract(a: T) -> T { a - a.trunc() }
                recip(a: T) -> T { 1.0 / a }
                mul_add(a: T, b: T, c: T) -> T { a.mul_add(b, c) }
                exp(a: T) -> T { a.exp() }
                exp2(a: T) -> T { a.exp2() }
                exp_m1(a: T) -> T { a.exp_m1() }
                ln(a: T) -> T { a.ln() }
                ln_1p(a: T) -> T { a.ln_1p() }
                log2(a: T) -> T { a.log2() }
                log10(a: T) -> T { a.log10() }
                sin(a: T) -> T { a.sin() }
                cos(a: T) -> T { a.cos() }
                tan(a: T) -> T { a.tan() }
                asin(a: T) -> T { a.asin() }
                acos(a: T) -> T { a.acos() }
                atan(a: T) -> T { a.atan() }
                atan2(a: T, b: T) -> T { a.atan2(b) }
                sinh(a: T) -> T { a.sinh() }
                cosh(a: T) -> T { a.cosh() }
                tanh(a: T) -> T { a.tanh() }
                cbrt(a: T) -> T { a.cbrt() }
                hypot(a: T, b: T) -> T { a.hypot(b) }
                powf(a: T, b: T) -> T { a.powf(b) }
                powi(a: T, b: core::primitive::i32) -> T { a.powi(b) }
            }

            float!(@$name);
        }
    };
    (@f32) => {
        functions! {
            to_f16(a: T) -> half::f16 { half::f16::from_f32(a) }
            to_bf16(a: T) -> half::bf16 { half::bf16::from_f32(a) }
        }
    };
    (@f64) => {
        /// The f32 nearest below in magnitude, its last bit set where that lost something; what is
        /// rounded from there to a half is as if rounded at once, which `half` leaves to the processor.
        #[inline(always)]
        fn round_to_odd(a: T) -> core::primitive::f32 {
            let near = a as core::primitive::f32;
            if T::from(near) == a || a.is_nan() {
                return near;
            }
            let above = T::from(near).abs() > a.abs();
            core::primitive::f32::from_bits((near.to_bits() - core::primitive::u32::from(above)) | 1)
        }

        functions! {
            to_f16(a: T) -> half::f16 { half::f16::from_f32(round_to_odd(a)) }
            to_bf16(a: T) -> half::bf16 { half::bf16::from_f32(round_to_odd(a)) }
        }
    };
}

float!(f32, u32, 0x7fc0_0000);
float!(f64, u64, 0x7ff8_0000_0000_0000);

macro_rules! half {
    ($name:ident, $nan:literal) => {
        #[doc = concat!("Functions on `", stringify!($name), "`.")]
        pub mod $name {
            use super::f32;

            type T = half::$name;

            functions! {
                to_f32(a: T) -> core::primitive::f32 { a.to_f32() }
                to_f64(a: T) -> core::primitive::f64 { a.to_f64() }
                is_nan(a: T) -> bool { a.is_nan() }
                is_finite(a: T) -> bool { a.is_finite() }
                is_infinite(a: T) -> bool { a.is_infinite() }
                is_sign_negative(a: T) -> bool { a.is_sign_negative() }
                is_sign_positive(a: T) -> bool { a.is_sign_positive() }
                canonical(a: T) -> T { if a.is_nan() { T::from_bits($nan) } else { a } }
                min(a: T, b: T) -> T { T::from_f32(f32::min(a.to_f32(), b.to_f32())) }
                max(a: T, b: T) -> T { T::from_f32(f32::max(a.to_f32(), b.to_f32())) }
                clamp(a: T, low: T, high: T) -> T { T::from_f32(f32::clamp(a.to_f32(), low.to_f32(), high.to_f32())) }
                copysign(a: T, sign: T) -> T { a.copysign(sign) }
                signum(a: T) -> T { a.signum() }
                rem(a: T, b: T) -> T { T::from_f32(a.to_f32() % b.to_f32()) }
            }
        }
    };
}

half!(f16, 0x7e00);
half!(bf16, 0x7fc0);
