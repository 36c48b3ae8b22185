use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn pair(x: f32) -> (f32, i32) {
    (x, 1)
}

#[reduction(op = Max)]
fn condition(x: f32) -> bool {
    x > 1.0
}

#[reduction(op = Add)]
fn triple(x: f32) -> (f32, f32, f32) {
    (x, x, x)
}

fn main() {}
