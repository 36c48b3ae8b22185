use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn over_iterator(x: f32) -> f32 {
    for step in [1.0, 2.0].iter() {
        drop(step);
    }
    x
}

#[reduction(op = Add)]
fn with_a_value(x: f32) -> f32 {
    loop {
        break x;
    }
}

#[reduction(op = Add)]
fn labelled(x: f32) -> f32 {
    'outer: while x > 1.0 {
        break 'outer;
    }
    x
}

#[reduction(op = Add)]
fn without_end(x: f32) -> f32 {
    for _ in 0.. {
        return x;
    }
    x
}

#[reduction(op = Add)]
fn by_steps(x: f32) -> f32 {
    let mut sum = x;
    for k in (0..10).step_by(2) {
        sum += k as f32;
    }
    sum
}

fn main() {}
