use reduce_runtime::prelude::*;

#[reduction(op = Add, grid = Atomic)]
fn sum(x: f32) -> f32 {
    x
}

#[reduction(op = All, grid = Atomic)]
fn all(x: bool) -> bool {
    x
}

#[operator]
fn larger(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

#[reduction(op = larger, grid = Atomic, unordered)]
fn peak(x: i32) -> i32 {
    x
}

#[reduction(op = Add, unordered)]
fn total(x: f32) -> f32 {
    x
}

#[reduction(op = Add, grid = Atomic, unordered = true)]
fn whole(x: f32) -> f32 {
    x
}

fn main() {}
