use reduce_runtime::prelude::*;

#[reduction(op = Add, strategy = Shufle)]
fn sum(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = TwoPass)]
fn grid_as_a_strategy(x: f32) -> f32 {
    x
}

fn main() {}
