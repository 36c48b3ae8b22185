pub mod reductions {
    use reduce_runtime::prelude::*;

    #[operator]
    fn larger(a: i32, b: i32) -> i32 {
        if a > b { a } else { b }
    }

    #[reduction(op = larger)]
    pub fn peak(x: i32) -> i32 {
        x
    }
}

fn main() {}
