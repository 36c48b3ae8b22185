use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn nothing() -> f32 {
    1.0
}

#[reduction(op = Add)]
fn uniform_alone(#[uniform] scale: f32) -> f32 {
    scale
}

fn main() {}
