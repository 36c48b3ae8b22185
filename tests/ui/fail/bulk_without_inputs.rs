use reduce_runtime::prelude::*;

#[reduction(op = Add, strategy = Bulk)]
fn sum(#[index] i: u64) -> u64 {
    i
}

fn main() {}
