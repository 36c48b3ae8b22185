use reduce_runtime::prelude::*;

#[reduction(op = Add, strategy = Redux)]
fn sum(x: f32) -> f32 {
    x
}

#[operator]
fn larger(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

#[reduction(op = larger, strategy = Redux)]
fn peak(x: i32) -> i32 {
    x
}

fn main() {}
