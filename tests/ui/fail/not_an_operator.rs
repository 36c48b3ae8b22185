use reduce_runtime::prelude::*;

fn plain(a: f32, b: f32) -> f32 {
    a + b
}

struct Type;

#[reduction(op = plain)]
fn by_function(x: f32) -> f32 {
    x
}

#[reduction(op = self::Type)]
fn by_type(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
fn square(x: f32) -> f32 {
    x * x
}

#[reduction(op = square)]
fn by_reduction(x: f32) -> f32 {
    x
}

fn main() {
    let _: f32 = by_type::reduce(&Device::host(), &[1.0]).unwrap();
}
