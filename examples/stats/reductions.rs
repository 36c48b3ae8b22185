//! What is computed: the reductions, and how a column's [`Summary`] follows from them.
//!
//! They are ordinary functions of one element, each with the operator that folds its results. A macro
//! writes them once for every element type; `$T` is that type.

use reduce_runtime::Input;
use reduce_runtime::prelude::*;

use crate::summary::{Number, Summary};

/// An element type whose slices can be summed up.
pub trait Summarise: Sized {
    /// How often [`summarise`](Summarise::summarise) goes through the data.
    const PASSES: u32;

    /// The statistics of `n` elements, wherever they are.
    fn summarise<I: Input<Self> + Copy>(device: &Device, n: u64, x: I) -> Result<Summary>;
}

/// Operators on (value, position): the lower value wins, or the higher; among equals the first one.
/// Their identity, which loses to everything, stands for "no value".
macro_rules! extremes {
    ($module:ident, $T:ident, $highest:expr, $lowest:expr) => {
        mod $module {
            use reduce_runtime::prelude::*;

            #[operator(identity = ($highest, u64::MAX))]
            pub fn lower(a: ($T, u64), b: ($T, u64)) -> ($T, u64) {
                if b.0 < a.0 || (b.0 == a.0 && b.1 < a.1) {
                    b
                } else {
                    a
                }
            }

            #[operator(identity = ($lowest, u64::MAX))]
            pub fn higher(a: ($T, u64), b: ($T, u64)) -> ($T, u64) {
                if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) {
                    b
                } else {
                    a
                }
            }
        }
    };
}

extremes!(real, f64, f64::INFINITY, f64::NEG_INFINITY);
extremes!(signed, i64, i64::MAX, i64::MIN);
extremes!(unsigned, u64, u64::MAX, u64::MIN);

/// The reductions of a floating point type: `$wide` is the element `$x` as f64, in which sums are
/// kept; values of the type print as `Number::$Shown`.
macro_rules! reals {
    ($module:ident, $T:ident, |$x:ident| $wide:expr, $Shown:ident($shown:ident)) => {
        mod $module {
            use super::real::{higher, lower};
            use super::*;

            #[reduction(op = Add)]
            fn nans($x: $T) -> u64 {
                $x.is_nan() as u64
            }

            #[reduction(op = Add)]
            fn sum($x: $T) -> f64 {
                if $x.is_nan() { 0.0 } else { $wide }
            }

            #[reduction(op = Add)]
            fn squares($x: $T) -> f64 {
                if $x.is_nan() { 0.0 } else { $wide * $wide }
            }

            #[reduction(op = Add)]
            fn squares_about($x: $T, #[uniform] mean: f64) -> f64 {
                if $x.is_nan() {
                    0.0
                } else {
                    ($wide - mean) * ($wide - mean)
                }
            }

            #[reduction(op = lower)]
            fn lowest($x: $T, #[index] i: u64) -> (f64, u64) {
                if $x.is_nan() {
                    (f64::INFINITY, u64::MAX)
                } else {
                    ($wide, i)
                }
            }

            #[reduction(op = higher)]
            fn highest($x: $T, #[index] i: u64) -> (f64, u64) {
                if $x.is_nan() {
                    (f64::NEG_INFINITY, u64::MAX)
                } else {
                    ($wide, i)
                }
            }

            impl Summarise for $T {
                const PASSES: u32 = 6;

                fn summarise<I: Input<$T> + Copy>(
                    device: &Device,
                    n: u64,
                    x: I,
                ) -> Result<Summary> {
                    let nans = nans::reduce(device, x)?;
                    let count = n - nans;
                    let sum = sum::reduce(device, x)?;
                    let mean = sum / count as f64;
                    let (low, first_low) = lowest::reduce(device, x)?;
                    let (high, first_high) = highest::reduce(device, x)?;
                    Ok(Summary {
                        count,
                        nans,
                        sum: Number::F64(sum),
                        mean,
                        variance: squares_about::with(mean).reduce(device, x)? / count as f64,
                        mean_square: squares::reduce(device, x)? / count as f64,
                        minimum: (Number::$Shown(low as $shown), first_low),
                        maximum: (Number::$Shown(high as $shown), first_high),
                    })
                }
            }
        }
    };
}

reals!(half_precision, f16, |x| x.to_f64(), F32(f32));
reals!(brain_float, bf16, |x| x.to_f64(), F32(f32));
reals!(single, f32, |x| x as f64, F32(f32));
reals!(double, f64, |x| x, F64(f64));

/// Addition of 128-bit integers as (low, high) words, so that no sum of 64-bit ones overflows.
#[operator(identity = (0, 0))]
fn add_wide(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    let low = a.0.wrapping_add(b.0);
    let carry = if low < a.0 { 1 } else { 0 };
    (low, a.1.wrapping_add(b.1).wrapping_add(carry))
}

/// The number that [`add_wide`]'s two words are.
fn wide((low, high): (u64, u64)) -> i128 {
    (u128::from(high) << 64 | u128::from(low)) as i128
}

/// The reductions of an integer type: `$sign` is the element's upper word, all ones if it is below
/// zero; positions are kept with the value as `$W`, by the operators of `$extremes`.
macro_rules! integers {
    ($module:ident, $T:ident, |$x:ident| $sign:expr, $extremes:ident($W:ident)) => {
        mod $module {
            use super::$extremes::{higher, lower};
            use super::*;

            #[reduction(op = add_wide)]
            fn sum($x: $T) -> (u64, u64) {
                ($x as u64, $sign)
            }

            #[reduction(op = Add)]
            fn squares($x: $T) -> f64 {
                $x as f64 * $x as f64
            }

            #[reduction(op = Add)]
            fn squares_about($x: $T, #[uniform] mean: f64) -> f64 {
                ($x as f64 - mean) * ($x as f64 - mean)
            }

            #[reduction(op = lower)]
            fn lowest($x: $T, #[index] i: u64) -> ($W, u64) {
                ($x as $W, i)
            }

            #[reduction(op = higher)]
            fn highest($x: $T, #[index] i: u64) -> ($W, u64) {
                ($x as $W, i)
            }

            impl Summarise for $T {
                const PASSES: u32 = 5;

                fn summarise<I: Input<$T> + Copy>(
                    device: &Device,
                    n: u64,
                    x: I,
                ) -> Result<Summary> {
                    let sum = wide(sum::reduce(device, x)?);
                    let mean = sum as f64 / n as f64;
                    let (low, first_low) = lowest::reduce(device, x)?;
                    let (high, first_high) = highest::reduce(device, x)?;
                    Ok(Summary {
                        count: n,
                        nans: 0,
                        sum: Number::Integer(sum),
                        mean,
                        variance: squares_about::with(mean).reduce(device, x)? / n as f64,
                        mean_square: squares::reduce(device, x)? / n as f64,
                        minimum: (Number::Integer(low.into()), first_low),
                        maximum: (Number::Integer(high.into()), first_high),
                    })
                }
            }
        }
    };
}

integers!(signed_32, i32, |x| ((x as i64) >> 63) as u64, signed(i64));
integers!(signed_64, i64, |x| (x >> 63) as u64, signed(i64));
integers!(unsigned_32, u32, |x| 0, unsigned(u64));
integers!(unsigned_64, u64, |x| 0, unsigned(u64));

#[cfg(test)]
mod tests {
    use super::*;

    /// The statistics on the host.
    fn of<T: Summarise>(x: &[T]) -> Summary
    where
        for<'x> &'x [T]: Input<T>,
    {
        T::summarise(&Device::host(), x.len() as u64, x).expect("summarised")
    }

    #[test]
    fn nan_are_counted_and_skipped() {
        let summary = of(&[f32::NAN, 3.0, -1.5, f32::NAN, 3.0, -1.5]);
        assert_eq!((summary.count, summary.nans), (4, 2));
        assert_eq!(summary.sum, Number::F64(3.0));
        assert_eq!((summary.mean, summary.variance), (0.75, 5.0625));
        assert_eq!(summary.mean_square, 5.625);
        assert_eq!(summary.minimum, (Number::F32(-1.5), 2));
        assert_eq!(summary.maximum, (Number::F32(3.0), 1));
    }

    #[test]
    fn infinities_have_positions() {
        let summary = of(&[f64::NAN, f64::INFINITY, f64::INFINITY]);
        assert_eq!(summary.minimum, (Number::F64(f64::INFINITY), 1));
        assert_eq!(summary.maximum, (Number::F64(f64::INFINITY), 1));
    }

    #[test]
    fn halves_are_summed_in_f64() {
        let ones = vec![f16::from_f32(1.0); 5000];
        assert_eq!(of(&ones).sum, Number::F64(5000.0));
        let tenths = [bf16::from_f32(0.1)];
        assert_eq!(of(&tenths).minimum, (Number::F32(tenths[0].to_f32()), 0));
    }

    #[test]
    fn integers_are_exact() {
        let summary = of(&[i64::MIN, i64::MIN, 5, i64::MAX - 1, i64::MAX]);
        let sum = 2 * i128::from(i64::MIN) + 5 + 2 * i128::from(i64::MAX) - 1;
        assert_eq!(summary.sum, Number::Integer(sum));
        assert_eq!(summary.minimum, (Number::Integer(i64::MIN.into()), 0));
        assert_eq!(summary.maximum, (Number::Integer(i64::MAX.into()), 4));

        let large = vec![u64::MAX; 1000];
        assert_eq!(of(&large).sum, Number::Integer(1000 * i128::from(u64::MAX)));
        assert_eq!(of(&large).minimum, (Number::Integer(u64::MAX.into()), 0));
        assert_eq!(
            of(&vec![i32::MIN; 3000]).sum,
            Number::Integer(3000 * i128::from(i32::MIN))
        );
        assert_eq!(
            of(&[u32::MAX, u32::MAX]).sum,
            Number::Integer(2 * i128::from(u32::MAX))
        );
    }

    #[test]
    fn nothing_is_summed_up_too() {
        assert_eq!(of::<f64>(&[]).count, 0);
        assert_eq!(of(&[f32::NAN; 40]).count, 0);
        assert_eq!(of::<u64>(&[]).sum, Number::Integer(0));
    }
}
