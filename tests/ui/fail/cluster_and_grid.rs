use reduce_runtime::prelude::*;

#[reduction(op = Add, strategy = Cluster, grid = TwoPass)]
fn sum(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = Bulk, grid = Atomic)]
fn total(x: u32) -> u32 {
    x
}

fn main() {}
