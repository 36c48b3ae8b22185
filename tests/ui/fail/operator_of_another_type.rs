use reduce_runtime::prelude::*;

#[operator(identity = i32::MIN)]
fn larger(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

#[reduction(op = larger)]
fn peak(x: f32) -> f32 {
    x
}

fn main() {
    let _: f32 = peak::reduce(&Device::host(), &[1.0]).unwrap();
}
