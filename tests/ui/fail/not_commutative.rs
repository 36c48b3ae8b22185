use reduce_runtime::prelude::*;

#[operator(identity = (1.0, 0.0), commutative = false)]
fn compose(f: (f64, f64), g: (f64, f64)) -> (f64, f64) {
    (f.0 * g.0, f.1 * g.0 + g.1)
}

#[operator(commutative = maybe)]
fn add(a: f32, b: f32) -> f32 {
    a + b
}

fn main() {}
