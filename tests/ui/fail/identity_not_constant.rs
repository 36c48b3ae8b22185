use reduce_runtime::prelude::*;

const LOWEST: i32 = i32::MIN;

#[operator(identity = LOWEST)]
fn larger(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

#[operator(identity = (f32::default(), 1.0 + 1.0))]
fn both(a: (f32, f32), b: (f32, f32)) -> (f32, f32) {
    (a.0 + b.0, a.1 + b.1)
}

fn main() {}
