use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn over_iterator(x: f32) -> f32 {
    for step in [1.0, 2.0].iter() {
        drop(step);
    }
    x
}

#[reduction(op = Add)]
fn without_end(x: f32) -> f32 {
    loop {
        break x;
    }
}

#[reduction(op = Add)]
fn conditional(x: f32) -> f32 {
    while x > 1.0 {}
    x
}

fn main() {}
