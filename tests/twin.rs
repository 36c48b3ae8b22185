//! The user's function and its twin agree: what a reduction folds is what a direct call returns,
//! wherever Rust's own result is defined.

mod common;

use common::{Sample, forms};
use proptest::prelude::*;
use reduce_runtime::Reduction;
use reduce_runtime::prelude::*;

/// What the reduction `R` maps an element to.
fn mapped<R: Reduction<Uniforms = ()>>(elements: R::Elements, index: u64) -> R::Accumulator {
    R::map(elements, index, &())
}

/// Any bits, with special values often.
fn any_bits<T: Sample + std::fmt::Debug>(from_bits: fn(u64) -> T) -> impl Strategy<Value = T> {
    let special = T::special();
    prop_oneof![
        any::<u64>().prop_map(from_bits),
        prop::sample::select(special)
    ]
}

fn f32s() -> impl Strategy<Value = f32> {
    any_bits(|bits| f32::from_bits(bits as u32))
}

fn f64s() -> impl Strategy<Value = f64> {
    any_bits(f64::from_bits)
}

/// Equal bits, but for which NaN it is.
fn same<T: Sample>(a: T, b: T) -> bool {
    common_canonical(a) == common_canonical(b)
}

fn common_canonical<T: Sample>(value: T) -> u64 {
    reduce_runtime::Element::canonical(value).bits()
}

mod bodies {
    use reduce_runtime::prelude::*;

    #[reduction(op = Add)]
    pub fn float_methods(x: f32, y: f32) -> f32 {
        let inside = x.clamp(-2.5, 1e6).abs().sqrt() + y.floor() - y.ceil() * x.trunc().signum();
        if x < y || x.is_nan() {
            inside.mul_add(x, y)
        } else {
            inside.max(y - 1.5).min(1e3) * x.copysign(y) - x.fract()
        }
    }

    #[reduction(op = Add)]
    pub fn double_methods(x: f64, y: f64) -> f64 {
        let ratio = x / y + x % y;
        let rounded = ratio.round();
        if rounded.is_finite() && !y.is_sign_negative() {
            rounded.recip()
        } else {
            -x
        }
    }

    #[reduction(op = Add)]
    pub fn integer_methods(a: i32, b: i32) -> i64 {
        let mixed = a.wrapping_mul(b).rotate_left(7) ^ (a.wrapping_add(b) >> 3);
        let wide = a as i64 * b as i64 + mixed.leading_zeros() as i64 - b.count_ones() as i64;
        wide + (a.abs_diff(b) as i64).min(1000) + a.saturating_sub(b) as i64 + a.signum() as i64
    }

    #[reduction(op = Add)]
    pub fn bits(a: u64, b: u32) -> u64 {
        let high = (a & 0xff00_ff00_ff00_ff00) | (b as u64) << 5;
        (!high).trailing_zeros() as u64 + (high ^ a).wrapping_sub(b as u64 >> 2)
    }

    #[reduction(op = Add)]
    pub fn casts(x: f64, y: f32) -> i64 {
        let small = x as i32 as i64;
        let unsigned = y as u32 as i64 + (y as u64 >> 1) as i64 / 7;
        if x > 1e300 {
            small
        } else {
            unsigned.wrapping_add(x as i64 % 11) + (x as f32 as i64 / 3)
        }
    }

    #[reduction(op = Add)]
    pub fn shadows(x: f32) -> f64 {
        let x = x as f64 * 2.0;
        let (x, twice) = (x + 1.0, x);
        let y = {
            let x = x - twice;
            if x > 0.5 {
                x * 3.0
            } else if x < -0.5 {
                x
            } else {
                0.0
            }
        };
        x + y - twice
    }

    #[reduction(op = Add)]
    pub fn halves(a: f16, b: bf16) -> f32 {
        let sum = a + f16::from_f32(0.5) * a - a / f16::from_f32(3.0);
        let other = b.max(bf16::from_f32(-1.0)) * b;
        sum.to_f32() + other.to_f32()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn floats(x in f32s(), y in f32s()) {
        prop_assert!(same(mapped::<bodies::float_methods>((x, y), 0), bodies::float_methods(x, y)), "{x:?} {y:?}");
        prop_assert!(same(mapped::<bodies::shadows>((x,), 0), bodies::shadows(x)), "{x:?}");
        prop_assert!(same(mapped::<forms::dot>((x, y), 0), forms::dot(x, y)));
        let (folded, called) = (mapped::<forms::both>((x,), 0), forms::both(x));
        prop_assert!(same(folded.0, called.0) && same(folded.1, called.1));
        prop_assert!(same(forms::centred::map((x,), 0, &(y,)), forms::centred(x, y)));
    }

    #[test]
    fn doubles(x in f64s(), y in f64s()) {
        prop_assert!(same(mapped::<bodies::double_methods>((x, y), 0), bodies::double_methods(x, y)), "{x:?} {y:?}");
        let y = y as f32;
        prop_assert_eq!(mapped::<bodies::casts>((x, y), 0), bodies::casts(x, y), "{:?} {:?}", x, y);
    }

    #[test]
    fn integers(a in any::<i32>(), b in any::<i32>(), c in any::<u64>()) {
        // `abs` and `+` in a direct call panic where they overflow; these stay inside.
        let (a, b) = (a >> 1, b >> 1);
        prop_assert_eq!(mapped::<bodies::integer_methods>((a, b), 0), bodies::integer_methods(a, b));
        prop_assert_eq!(mapped::<bodies::bits>((c >> 8, a as u32), 0), bodies::bits(c >> 8, a as u32));
        prop_assert_eq!(mapped::<forms::peak>((a,), 0), forms::peak(a));
        prop_assert_eq!(mapped::<forms::peak_at>((1.5,), c), forms::peak_at(1.5, c));
    }

    #[test]
    fn halves(a in any::<u16>(), b in any::<u16>()) {
        let (a, b) = (f16::from_bits(a), bf16::from_bits(b));
        prop_assert!(same(mapped::<bodies::halves>((a, b), 0), bodies::halves(a, b)), "{a:?} {b:?}");
    }
}

#[test]
fn what_would_panic_wraps() {
    assert_eq!(mapped::<forms::peak>((i32::MIN,), 0), i32::MIN);

    #[reduction(op = Add)]
    fn quotient(a: i32, b: i32) -> i32 {
        a / b + a % b
    }
    assert_eq!(mapped::<quotient>((7, 0), 0), 7);
    assert_eq!(mapped::<quotient>((i32::MIN, -1), 0), i32::MIN);

    #[reduction(op = Add)]
    fn shifted(a: u32, by: u32) -> u32 {
        a << by
    }
    assert_eq!(mapped::<shifted>((1, 33), 0), 2);
}
