use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn nothing(x: f32) {}

fn main() {}
