use reduce_runtime::prelude::*;

#[reduction(op = Add, stratgy = Shuffle)]
fn sum(x: f32) -> f32 {
    x
}

#[operator(identiy = 0)]
fn add(a: i32, b: i32) -> i32 {
    a + b
}

fn main() {}
