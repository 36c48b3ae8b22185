use reduce_runtime::prelude::*;

const LIMIT: f32 = 3.0;

fn helper(x: f32) -> f32 {
    x
}

mod constants {
    pub const HALF: f32 = 0.5;
}

#[reduction(op = Add)]
fn outside(value: f32) -> f32 {
    helper(value) + LIMIT + constants::HALF + std::cmp::max(1, 2) as f32
}

#[reduction(op = Add)]
fn misspelt(value: f32) -> f64 {
    f32::MAXX as f64 + std::f64::consts::PIE + f64::CONST
}

fn main() {}
