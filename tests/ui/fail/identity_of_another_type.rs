use reduce_runtime::prelude::*;

#[operator(identity = i64::MIN)]
fn larger(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

#[operator(identity = 0)]
fn sum(a: f32, b: f32) -> f32 {
    a + b
}

#[operator(identity = 0.0)]
fn both(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    (a.0 + b.0, a.1 + b.1)
}

fn main() {}
