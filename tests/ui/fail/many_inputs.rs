use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn five(a: f32, b: f32, c: f32, d: f32, e: f32) -> f32 {
    a + b + c + d + e
}

fn main() {}
