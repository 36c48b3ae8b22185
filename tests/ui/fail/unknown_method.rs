use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn near(x: f32) -> f32 {
    x.sqr()
}

#[reduction(op = Add)]
fn of_another_type(x: i32) -> i32 {
    x.sqrt()
}

#[reduction(op = Add)]
fn habits(x: f32) -> f64 {
    x.clone().into()
}

#[reduction(op = Add)]
fn arguments(x: f32) -> f32 {
    x.max() + x.abs(1.0) + x.powi(2.0)
}

#[reduction(op = Add)]
fn by_path(x: f32) -> f32 {
    f32::asinh(x) + f32::max(x, 1)
}

fn main() {}
