use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn steps(x: f32) -> f32 {
    let mut y = [x];
    y[0] += 1.0;
    y[0]
}

#[reduction(op = Add)]
fn of_another_type(x: f32) -> f32 {
    let mut y = x;
    y = 1;
    y
}

fn main() {}
