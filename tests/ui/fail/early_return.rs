use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn clipped(x: f32) -> f32 {
    if x > 1.0 {
        return 1.0;
    }
    match x.is_nan() {
        true => 0.0,
        false => x,
    }
}

fn main() {}
