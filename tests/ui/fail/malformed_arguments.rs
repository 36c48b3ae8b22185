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

#[reduction(Add)]
fn no_key(x: f32) -> f32 {
    x
}

#[reduction("Add")]
fn quoted(x: f32) -> f32 {
    x
}

#[reduction(op == Add)]
fn compared(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = "sequential")]
fn quoted_strategy(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = Strategy::Strided)]
fn path_of_a_strategy(x: f32) -> f32 {
    x
}

#[reduction(op = Add, TwoPass)]
fn grid_without_key(x: f32) -> f32 {
    x
}

#[reduction(op = Add, grid = Atomic, unorderd)]
fn misspelt_flag(x: f32) -> f32 {
    x
}

#[operator(0.0)]
fn identity_without_key(a: f32, b: f32) -> f32 {
    a + b
}

#[operator(commutative)]
fn no_flag(a: f32, b: f32) -> f32 {
    a + b
}

fn main() {}
