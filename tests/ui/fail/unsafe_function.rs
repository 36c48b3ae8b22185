use reduce_runtime::prelude::*;

#[reduction(op = Add)]
unsafe fn sum(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
extern "C" fn sum_for_c(x: f32) -> f32 {
    x
}

fn main() {}
