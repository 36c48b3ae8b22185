use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn taken_apart((x, y): (f32, f32)) -> f32 {
    x + y
}

#[reduction(op = Add)]
fn absent_at_times(x: f32, #[cfg(all())] y: f32) -> f32 {
    x
}

fn main() {}
