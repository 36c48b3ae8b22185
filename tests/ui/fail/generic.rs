use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn of_type<T>(x: T) -> T {
    x
}

#[reduction(op = Add)]
fn of_number<const N: usize>(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
fn of_lifetime<'a>(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
fn bounded(x: f32) -> f32
where
    f32: Copy,
{
    x
}

#[reduction(op = Add)]
fn of_trait(x: impl Into<f32>) -> f32 {
    x.into()
}

fn main() {}
