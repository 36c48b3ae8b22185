use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn sizes(x: usize, y: u8) -> u64 {
    0
}

#[reduction(op = Add)]
fn misspelt(x: f23) -> f64 {
    0.0
}

#[reduction(op = Add)]
fn owned(x: String) -> f64 {
    0.0
}

#[reduction(op = Add)]
fn pairs(x: (f32, f32)) -> f32 {
    x.0
}

fn main() {}
