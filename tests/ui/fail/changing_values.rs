use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn steps(x: f32) -> f32 {
    let mut y = x;
    y += 1.0;
    y = y * 2.0;
    let z;
    z = y;
    z
}

fn main() {}
