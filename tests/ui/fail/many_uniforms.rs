use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn nine(
    x: f32,
    #[uniform] a: f32,
    #[uniform] b: f32,
    #[uniform] c: f32,
    #[uniform] d: f32,
    #[uniform] e: f32,
    #[uniform] f: f32,
    #[uniform] g: f32,
    #[uniform] h: f32,
    #[uniform] i: f32,
) -> f32 {
    x * (a + b + c + d + e + f + g + h + i)
}

fn main() {}
