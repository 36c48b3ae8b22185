//! The user's function and its twin agree: what a reduction folds is what a direct call returns,
//! wherever Rust's own result is defined.

#[macro_use]
mod common;

use std::collections::BTreeSet;
use std::panic::catch_unwind;

use common::{Sample, forms, pairs};
use kernels_gen::{dtype, intrinsic};
use proptest::prelude::*;
use reduce_runtime::Reduction;
use reduce_runtime::prelude::*;
use reduce_runtime::private::twin;

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

macro_rules! body_agrees {
    ($body:ident, $ty:ident) => {
        #[test]
        fn $body() {
            let mut compared = 0;
            for (x, y) in pairs::<$ty>() {
                // The twin is defined where the direct call overflows, which panics in this build.
                let Ok(called) = catch_unwind(|| common::bodies::$body(x, y)) else {
                    continue;
                };
                let folded = mapped::<common::bodies::$body>((x, y), 0);
                assert_eq!(folded, called, "{x:?}, {y:?}");
                compared += 1;
            }
            assert!(compared >= 30, "only {compared} pairs do not panic");
        }
    };
}

for_each_body!(body_agrees);

/// The bits of a value that an operator folds.
trait Folded: Copy + std::fmt::Debug {
    fn folded_bits(self) -> Vec<u64>;
}

impl<T: Sample> Folded for T {
    fn folded_bits(self) -> Vec<u64> {
        vec![common_canonical(self)]
    }
}

impl<A: Sample, B: Sample> Folded for (A, B) {
    fn folded_bits(self) -> Vec<u64> {
        vec![common_canonical(self.0), common_canonical(self.1)]
    }
}

/// Compares an operator with its function on all pairs of values that do not panic.
fn operator_agrees<T: Folded, O: Operator<T>>(pairs: Vec<(T, T)>, called: fn(T, T) -> T) {
    for (a, b) in pairs {
        assert_eq!(
            O::combine(a, b).folded_bits(),
            called(a, b).folded_bits(),
            "{a:?}, {b:?}"
        );
    }
}

/// Pairs of the first with positions, equal ones among them.
fn with_positions<T: Sample>() -> Vec<((T, u64), (T, u64))> {
    let positions = [(0, 1), (1, 0), (7, 7)];
    let pairs = pairs::<T>();
    let with_each = |(a, b): (T, T)| positions.map(|(i, j)| ((a, i), (b, j)));
    pairs.into_iter().flat_map(with_each).collect()
}

/// Pairs but for two zeros of different sign, of which Rust's `min` and `max` may return either.
fn ordered<T: Sample + PartialEq>() -> Vec<(T, T)> {
    let mut pairs = pairs::<T>();
    pairs.retain(|&(a, b)| a != b || a.bits() == b.bits());
    pairs
}

#[test]
fn operators_agree_with_their_functions() {
    macro_rules! check {
        ($($operator:ident on $ty:ty: $pairs:expr;)*) => {
            $(operator_agrees::<$ty, forms::$operator>($pairs, forms::$operator);)*
        };
    }
    let doubles = pairs::<f64>().into_iter().zip(pairs::<f32>());
    check! {
        larger on i32: pairs();
        smaller on f64: pairs();
        first_largest on (f32, u64): with_positions();
        nan_or_largest on (f32, u64): with_positions();
        nan_or_least on (f32, u64): with_positions();
        first_least_f64 on (f64, u64): with_positions();
        first_largest_u32 on (u32, u64): with_positions();
        rounded_sum on f16: pairs();
        sum_and_product on (f64, f32): doubles.map(|((a, b), (c, d))| ((a, c), (b, d))).collect();
        least on f32: ordered();
        greatest on f64: ordered();
        either on f32: pairs();
        sum on f64: pairs();
        largest on i64: pairs();
        common_bits on u64: pairs();
    }
}

/// Calls methods of Rust's and their twins, compares what they say, and returns the methods' names.
/// `Debug` tells -0.0 from 0.0, and no NaN from another.
macro_rules! compare {
    ($ty:ident: $($name:ident($($argument:expr),*))*) => {{
        $(
            let (ours, rusts) = (twin::$ty::$name($($argument),*), <$ty>::$name($($argument),*));
            assert_eq!(
                format!("{ours:?}"),
                format!("{rusts:?}"),
                "{}::{}{:?}",
                stringify!($ty),
                stringify!($name),
                ($($argument,)*)
            );
        )*
        [$(stringify!($name)),*]
    }};
}

/// The same where Rust's method has no result for some arguments, which `$checked` gives as `None`.
macro_rules! compare_where_defined {
    ($ty:ident: $($name:ident($($argument:expr),*) as $checked:ident)*) => {{
        $(
            if let Some(rusts) = <$ty>::$checked($($argument),*) {
                assert_eq!(twin::$ty::$name($($argument),*), rusts, "{:?}", ($($argument,)*));
            }
        )*
        [$(stringify!($name)),*]
    }};
}

/// Every method that bodies may call on the type was compared.
fn all_were_compared(ty: &str, compared: &BTreeSet<&str>) {
    let methods = intrinsic::methods(dtype::find(ty).expect("a type of the table"));
    let missing: Vec<_> = methods
        .map(|row| row.name)
        .filter(|name| !compared.contains(name))
        .collect();
    assert!(missing.is_empty(), "{ty}: {missing:?}");
}

macro_rules! integer_methods {
    ($test:ident, $ty:ident, |$a:ident, $b:ident| $signed:expr) => {
        #[test]
        fn $test() {
            let mut names = BTreeSet::new();
            for ($a, $b) in pairs::<$ty>() {
                let (low, high) = ($a.min($b), $a.max($b));
                let by = $b as u32;
                names.extend(compare!($ty:
                    min($a, $b) max($a, $b) clamp($a ^ $b, low, high)
                    wrapping_add($a, $b) wrapping_sub($a, $b) wrapping_mul($a, $b) wrapping_neg($a)
                    saturating_add($a, $b) saturating_sub($a, $b) abs_diff($a, $b)
                    count_ones($a) leading_zeros($a) trailing_zeros($a)
                    rotate_left($a, by) rotate_right($a, by)
                ));
                names.extend(compare_where_defined!($ty:
                    pow($a, by % 70) as checked_pow
                    rem_euclid($a, $b) as checked_rem_euclid
                ));
                names.extend($signed);
            }
            all_were_compared(stringify!($ty), &names);
        }
    };
}

macro_rules! signed_methods {
    ($ty:ident, $a:ident) => {{
        let absolute = compare_where_defined!($ty: abs($a) as checked_abs);
        let others = compare!($ty: wrapping_abs($a) unsigned_abs($a) signum($a) is_negative($a) is_positive($a));
        absolute.into_iter().chain(others)
    }};
}

integer_methods!(methods_of_i8, i8, |a, b| signed_methods!(i8, a));
integer_methods!(methods_of_i16, i16, |a, b| signed_methods!(i16, a));
integer_methods!(methods_of_i32, i32, |a, b| signed_methods!(i32, a));
integer_methods!(methods_of_i64, i64, |a, b| signed_methods!(i64, a));
integer_methods!(methods_of_u8, u8, |a, b| [""; 0]);
integer_methods!(methods_of_u16, u16, |a, b| [""; 0]);
integer_methods!(methods_of_u32, u32, |a, b| [""; 0]);
integer_methods!(methods_of_u64, u64, |a, b| [""; 0]);

macro_rules! float_methods {
    ($test:ident, $ty:ident, |$a:ident, $b:ident| $others:expr) => {
        #[test]
        fn $test() {
            let mut names = BTreeSet::new();
            for ($a, $b) in ordered::<$ty>() {
                names.extend(compare!($ty:
                    min($a, $b) max($a, $b) signum($a) copysign($a, $b) is_nan($a) is_finite($a)
                    is_infinite($a) is_sign_negative($a) is_sign_positive($a)
                ));
                if !$a.is_nan() && $b.is_sign_positive() && !$b.is_nan() {
                    names.extend(compare!($ty: clamp($a, -$b, $b)));
                }
                names.extend($others);
            }
            all_were_compared(stringify!($ty), &names);
        }
    };
}

/// What floats have and halves have not; those that are not exact are the host's own on the host.
macro_rules! wide_methods {
    ($ty:ident, $a:ident, $b:ident) => {{
        let exact = compare!($ty:
            abs($a) sqrt($a) floor($a) ceil($a) trunc($a) round($a) fract($a) recip($a)
            mul_add($a, $b, -$a)
        );
        let bits = if $a.is_nan() { ["to_bits"] } else { compare!($ty: to_bits($a)) };
        let others = compare!($ty:
            exp($a) exp2($a) exp_m1($a) ln($a) ln_1p($a) log2($a) log10($a) sin($a) cos($a) tan($a)
            asin($a) acos($a) atan($a) atan2($a, $b) sinh($a) cosh($a) tanh($a) cbrt($a)
            hypot($a, $b) powf($a, $b) powi($a, $b as i32)
        );
        exact.into_iter().chain(bits).chain(others)
    }};
}

float_methods!(methods_of_f32, f32, |a, b| wide_methods!(f32, a, b));
float_methods!(methods_of_f64, f64, |a, b| wide_methods!(f64, a, b));
float_methods!(
    methods_of_f16,
    f16,
    |a, b| compare!(f16: to_f32(a) to_f64(a))
);
float_methods!(
    methods_of_bf16,
    bf16,
    |a, b| compare!(bf16: to_f32(a) to_f64(a))
);
