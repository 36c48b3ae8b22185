use reduce_runtime::prelude::*;

#[allow(non_camel_case_types)]
type f32 = f64;

#[reduction(op = Add)]
fn tenth(x: f32) -> f32 {
    x * 0.1
}

fn main() {}
