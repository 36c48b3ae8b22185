use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn root(x: f32) -> f32 {
    let two = 2.0;
    x * two.sqrt() + 3.max(4) as f32
}

fn main() {}
