use reduce_runtime::prelude::*;

#[reduction]
fn bare(x: f32) -> f32 {
    x
}

#[reduction(strategy = Shuffle)]
fn without(x: f32) -> f32 {
    x
}

fn main() {}
