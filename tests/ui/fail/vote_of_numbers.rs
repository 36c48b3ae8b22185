use reduce_runtime::prelude::*;

#[reduction(op = Add, strategy = Vote)]
fn sum(x: f32) -> f32 {
    x
}

fn main() {}
