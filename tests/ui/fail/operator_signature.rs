use reduce_runtime::prelude::*;

#[operator]
fn one(a: f32) -> f32 {
    a
}

#[operator]
fn other_result(a: f32, b: f32) -> f64 {
    a as f64 + b as f64
}

#[operator]
fn with_position(a: f32, #[index] b: f32) -> f32 {
    a + b
}

fn main() {}
