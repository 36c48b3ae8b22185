//! Operators for the programs under `pass`, which meet them as those of another crate.

use reduce_runtime::prelude::*;

/// Keeps the larger.
#[must_use]
#[operator(identity = i32::MIN)]
pub fn larger(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

/// Keeps the largest value with its position, the first where several are equal.
#[must_use]
#[operator(identity = (f32::NEG_INFINITY, u64::MAX))]
pub fn first_largest(a: (f32, u64), b: (f32, u64)) -> (f32, u64) {
    if b.0 > a.0 || b.0 == a.0 && b.1 < a.1 {
        b
    } else {
        a
    }
}
