use reduce_runtime::prelude::*;

#[reduction(op = "Add")]
fn text(x: f32) -> f32 {
    x
}

#[reduction(op)]
fn no_value(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = 3)]
fn number(x: f32) -> f32 {
    x
}

#[reduction(op = Add strategy = Shuffle)]
fn no_comma(x: f32) -> f32 {
    x
}

#[reduction(op = (Add, Min))]
fn several(x: f32) -> f32 {
    x
}

fn main() {}
