use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn by_reference(x: &f32) -> f32 {
    *x
}

#[reduction(op = Add)]
fn whole_slice(x: &[f32]) -> f32 {
    x[0]
}

#[reduction(op = Add)]
fn array(x: [f64; 4]) -> f64 {
    x[0]
}

fn main() {}
