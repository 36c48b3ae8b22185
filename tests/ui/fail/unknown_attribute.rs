use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn shifted(x: f32, #[unifrom] by: f32) -> f32 {
    x - by
}

#[reduction(op = Add)]
fn places(#[Index] i: u64) -> u64 {
    i
}

fn main() {
    let _ = shifted::with(1.0).reduce(&Device::host(), &[1.0]);
}
