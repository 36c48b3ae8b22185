use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn typing(x: f32) -> f32 {
    x +
}

fn main() {}
