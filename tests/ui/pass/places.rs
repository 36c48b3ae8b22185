//! In modules, in functions, and with an operator from somewhere else, another crate included.

use reduce_runtime::prelude::*;

mod operators {
    use reduce_runtime::prelude::*;

    #[operator(identity = i32::MIN)]
    pub fn larger(a: i32, b: i32) -> i32 {
        if a > b { a } else { b }
    }

    pub mod deep {
        use reduce_runtime::prelude::*;

        /// Keeps the first of the smallest values.
        #[operator]
        pub fn first_smallest(a: (u64, f32), b: (u64, f32)) -> (u64, f32) {
            if b.1 < a.1 || b.1 == a.1 && b.0 < a.0 { b } else { a }
        }
    }
}

mod reductions {
    use reduce_runtime::prelude::*;

    #[reduction(op = super::operators::larger)]
    pub(crate) fn peak(x: i32) -> i32 {
        x
    }
}

#[reduction(op = ui::larger)]
fn peak_by_another_crate(x: i32) -> i32 {
    x
}

#[reduction(op = ui::first_largest)]
fn highest(x: f32, #[index] i: u64) -> (f32, u64) {
    (x, i)
}

const LINE_BEFORE: u32 = line!();
#[reduction(op = operators::deep::first_smallest)]
pub fn lowest(x: f32, #[index] i: u64) -> (u64, f32) {
    (i, x)
}

fn main() {
    use operators::larger;

    #[reduction(op = larger)]
    fn peak_of_squares(x: i32) -> i32 {
        x * x
    }

    let host = Device::host();
    assert_eq!(reductions::peak::reduce(&host, &[1, 5, -7]).unwrap(), 5);
    assert_eq!(reductions::peak::reduce(&host, &[0i32; 0]).unwrap(), i32::MIN);
    assert_eq!(peak_of_squares::reduce(&host, &[1, 5, -7]).unwrap(), 49);
    assert_eq!(lowest::reduce(&host, &[3.0, -1.0, 2.0, -1.0]).unwrap(), (1, -1.0));
    assert_eq!(peak_by_another_crate::reduce(&host, &[1, 5, -7]).unwrap(), 5);
    assert_eq!(highest::reduce(&host, &[3.0, -1.0, 3.0, 2.0]).unwrap(), (3.0, 0));

    // The text of an operator comes along from its crate.
    let larger = <ui::larger as Operator<i32>>::TEXT;
    assert!(larger.contains("DEVICE i32 combine(i32 a, i32 b)"));
    assert!(peak_by_another_crate::CUDA.contains(larger));
    let first_largest = <ui::first_largest as Operator<(f32, u64)>>::TEXT;
    assert!(first_largest.contains("DEVICE tuple2<f32, u64> combine("));
    assert!(highest::CUDA.contains(first_largest));

    // Compilers of the kernel text name the function's line.
    let line = format!("#line {} \"{}\"", LINE_BEFORE + 2, file!());
    assert!(lowest::CUDA.contains(&line));

    if true {
        #[reduction(op = Add)]
        fn local(x: f32) -> f32 {
            x
        }
        assert_eq!(local::reduce(&host, &[1.0, 2.0]).unwrap(), 3.0);
    }
}
