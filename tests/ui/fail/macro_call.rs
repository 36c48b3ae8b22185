use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn checked(x: f32) -> f32 {
    assert!(x > 0.0);
    x + dbg!(x)
}

fn main() {
    let _: f32 = checked::reduce(&Device::host(), &[1.0]).unwrap();
}
