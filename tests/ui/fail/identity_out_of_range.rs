use reduce_runtime::prelude::*;

#[operator(identity = 3000000000)]
fn larger(a: i32, b: i32) -> i32 {
    if a > b { a } else { b }
}

fn main() {}
