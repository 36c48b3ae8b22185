use reduce_runtime::prelude::*;

#[reduction(op = Mximum)]
fn far(x: f32) -> f32 {
    x
}

#[reduction(op = Mxa)]
fn near(x: f32) -> f32 {
    x
}

#[reduction(op = Sum)]
fn by_another_name(x: f32) -> f32 {
    x
}

#[reduction(op = ArgMax)]
fn of_places(x: f32) -> f32 {
    x
}

fn main() {
    // The reduction is still there for its callers: one fault is one message.
    let _: f32 = near::reduce(&Device::host(), &[near(1.0)]).unwrap();
}
