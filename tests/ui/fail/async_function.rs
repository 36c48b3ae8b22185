use reduce_runtime::prelude::*;

#[reduction(op = Add)]
async fn sum(x: f32) -> f32 {
    x
}

fn main() {}
