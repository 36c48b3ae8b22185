use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn narrow(x: f32, #[index] i: u32) -> f32 {
    x
}

#[reduction(op = Add)]
fn two(#[index] i: u64, #[index] j: u64) -> u64 {
    i + j
}

#[reduction(op = Add)]
fn both(x: f32, #[index] #[uniform] i: u64) -> f32 {
    x
}

#[reduction(op = Add)]
fn with_arguments(x: f32, #[index(0)] i: u64) -> f32 {
    x
}

fn main() {}
