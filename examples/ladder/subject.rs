//! What is reduced, a row each.

use reduce_runtime::private::{Forced, Kernel};
use reduce_runtime::{Bound, Device, Explain, prelude::*};

#[cfg(feature = "cuda")]
use crate::{fault::Fault, rung::Rung, time};

#[reduction(op = Add)]
fn sum(x: i32) -> i32 {
    x
}

#[reduction(op = Any)]
fn any(x: bool) -> bool {
    x
}

#[reduction(op = All)]
fn all(x: bool) -> bool {
    x
}

#[reduction(op = Count)]
fn count(x: bool) -> bool {
    x
}

/// A reduction, with its types left behind.
#[derive(Debug)]
pub struct Subject {
    /// The operator's name.
    pub operator: &'static str,
    /// The type of the elements.
    pub element: &'static str,
    /// Bytes of an element, and of a result.
    pub element_bytes: usize,
    pub result_bytes: usize,
    /// The one strategy that is of interest; `None` is all.
    pub only: Option<&'static str>,
    pub kernel: Kernel,
    pub explain: fn(Forced, &Device, u64) -> Explain,
    /// Times these rungs of it, on a GPU.
    #[cfg(feature = "cuda")]
    pub time: fn(&Device, u64, &mut [Rung]) -> Result<(), Fault>,
}

macro_rules! subject {
    ($reduction:ident, $operator:literal, $element:ident -> $result:ident, $only:expr, $at:expr) => {
        Subject {
            operator: $operator,
            element: stringify!($element),
            element_bytes: size_of::<$element>(),
            result_bytes: size_of::<$result>(),
            only: $only,
            kernel: $reduction::KERNEL,
            explain: |forced, device, n| {
                Bound::<$reduction>::new(())
                    .forced(forced)
                    .explain(device, n)
            },
            #[cfg(feature = "cuda")]
            time: |device, n, rungs| {
                time::rungs::<$element, $result, $reduction>(device, n, $at, rungs)
            },
        }
    };
}

/// The table. The elements of All and Any are such that the last one decides.
pub static SUBJECTS: &[Subject] = &[
    subject!(sum, "Add", i32 -> i32, None, |i, _| (mixed(i) % 2048) as i32 - 1024),
    subject!(any, "Any", bool -> bool, None, |i, n| i + 1 == n),
    subject!(all, "All", bool -> bool, Some("Vote"), |i, n| i + 1 < n),
    subject!(count, "Count", bool -> u64, Some("Vote"), |i, _| mixed(i).is_multiple_of(2)),
];

#[cfg(feature = "cuda")]
fn mixed(i: u64) -> u32 {
    let mixed = (i as u32).wrapping_mul(2_654_435_761);
    mixed ^ mixed >> 16
}

/// The row with this operator.
pub fn find(operator: &str) -> Option<&'static Subject> {
    SUBJECTS.iter().find(|subject| subject.operator == operator)
}
