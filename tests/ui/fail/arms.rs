use reduce_runtime::prelude::*;

const LIMIT: u32 = 3;

#[reduction(op = Add)]
fn of_a_constant(x: u32) -> u32 {
    match x {
        LIMIT => 0,
        other => other,
    }
}

#[reduction(op = Add)]
fn of_a_tuple(x: u32) -> u32 {
    match (x, x > 3) {
        (0, _) => 1,
        pair => pair.0,
    }
}

#[reduction(op = Add)]
fn of_a_slice(x: u32) -> u32 {
    match [x] {
        [1] => 1,
        _ => 2,
    }
}

#[reduction(op = Add)]
fn of_two_types(x: u32) -> f32 {
    match x {
        0 => 1.0,
        _ => x,
    }
}

fn main() {}
