use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn method(self, x: f32) -> f32 {
    x
}

fn main() {}
