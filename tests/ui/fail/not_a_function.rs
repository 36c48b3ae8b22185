use reduce_runtime::prelude::*;

#[reduction(op = Add)]
struct Sum;

#[operator]
const ADD: i32 = 3;

fn main() {
    let _ = Sum;
}
