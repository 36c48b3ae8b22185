use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn centred(x: f32, #[uniform] mean: f32) -> f32 {
    x - mean
}

fn main() {
    let _ = centred::reduce(&Device::host(), &[1.0]);
}
