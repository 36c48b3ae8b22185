use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn pair(x: f32) -> (f32, i32) {
    (x, 1)
}

#[reduction(op = Max)]
fn condition(x: f32) -> bool {
    x > 1.0
}

#[reduction(op = Add)]
fn sum_of_conditions(x: bool) -> bool {
    x
}

#[reduction(op = All)]
fn no_condition(x: f32) -> f32 {
    x
}

#[reduction(op = Count)]
fn no_comparison(x: u32) -> u32 {
    x
}

#[reduction(op = Count)]
fn counted_pairs(x: f32) -> (bool, f32) {
    (x > 1.0, x)
}

#[reduction(op = BitAnd)]
fn bits_of_a_float(x: f32) -> f32 {
    x
}

#[reduction(op = BitAnd)]
fn bits_of_a_condition(x: f32) -> bool {
    x > 1.0
}

#[reduction(op = BitXor)]
fn bits_of_a_half(x: f16) -> f16 {
    x
}

#[reduction(op = Add)]
fn triple(x: f32) -> (f32, f32, f32) {
    (x, x, x)
}

fn main() {
    // What a fault leaves has the types that are right for its callers.
    let _: u64 = no_comparison::reduce(&Device::host(), &[1]).unwrap();
    let _: u64 = counted_pairs::reduce(&Device::host(), &[1.0]).unwrap();
}
