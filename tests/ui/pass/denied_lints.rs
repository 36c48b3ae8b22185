//! Generated code is silent, also where nothing of it is used.
#![deny(warnings, missing_docs, missing_debug_implementations, missing_copy_implementations, unused, nonstandard_style)]
#![deny(unreachable_pub, unused_results, unused_qualifications, trivial_casts, trivial_numeric_casts)]
#![deny(clippy::all, clippy::pedantic, clippy::nursery)]
#![forbid(unsafe_code)]

use reduce_runtime::prelude::*;

/// Adds what is in the middle.
#[must_use]
#[reduction(op = Add)]
pub fn centred(x: f32, #[uniform] mean: f32) -> f32 {
    let unused_parentheses = x - mean;
    unused_parentheses * unused_parentheses
}

/// Keeps the larger.
#[must_use]
#[operator(identity = f32::NEG_INFINITY)]
pub fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Keeps the largest.
#[reduction(op = larger, strategy = Sequential, grid = TwoPass)]
#[must_use]
pub const fn peak(x: f32, y: f32, #[index] i: u64) -> f32 {
    if i > 3 { x } else { y }
}

#[reduction(op = Add)]
const fn never_used(x: f16) -> f16 {
    x
}

mod inner {
    use reduce_runtime::prelude::*;

    #[operator]
    const fn never_used_either(a: i64, b: i64) -> i64 {
        a ^ b
    }
}

fn main() {}
