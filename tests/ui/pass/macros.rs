//! Under `macro_rules`, whose fragments come in invisible groups; `cfg` and other attributes.

use reduce_runtime::prelude::*;

macro_rules! reductions {
    ($($name:ident: $op:ident $ty:ty, $input:ident => $body:expr;)*) => {
        $(
            #[reduction(op = $op)]
            fn $name($input: $ty) -> $ty {
                let doubled = $body;
                doubled
            }
        )*
    };
}

reductions! {
    twice: Add f32, x => x * 2.0;
    product: Mul i64, y => y + 1;
    halves: Max f16, z => z;
}

macro_rules! operator {
    ($name:ident, $identity:expr, $path:path) => {
        #[operator(identity = $identity)]
        fn $name(a: u32, b: u32) -> u32 {
            a | b
        }

        #[reduction(op = $path)]
        fn all(x: u32) -> u32 {
            x
        }
    };
}

operator!(either, 0, either);

macro_rules! wrapped {
    ($item:item) => {
        #[reduction(op = Add)]
        $item
    };
}

wrapped! {
    fn whole_item(x: f32, #[index] i: u64) -> f32 {
        if i == 0 { x } else { -x }
    }
}

macro_rules! with_body {
    ($vis:vis $name:ident $body:block) => {
        #[reduction(op = Add)]
        $vis fn $name(_: f32) -> u64 $body
    };
}

with_body!(pub(crate) counted { 1 });

#[cfg(any())]
#[reduction(op = Missing)]
fn absent(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
#[cfg(any())]
fn absent_too(x: f32) -> f32 {
    x
}

#[must_use]
#[reduction(op = Add)]
#[inline]
#[cfg(all())]
fn present(#[allow(unused)] x: f32) -> f32 {
    #[allow(clippy::let_and_return)]
    let y = 1.0;
    y
}

fn main() {
    let host = Device::host();
    assert_eq!(twice::reduce(&host, &[1.0, 2.0]).unwrap(), 6.0);
    assert_eq!(product::reduce(&host, &[1, 2]).unwrap(), 6);
    assert_eq!(halves::reduce(&host, &[f16::from_f32(3.0)]).unwrap(), f16::from_f32(3.0));
    assert_eq!(all::reduce(&host, &[1, 4]).unwrap(), 5);
    assert_eq!(whole_item::reduce(&host, &[3.0, 1.0]).unwrap(), 2.0);
    assert_eq!(counted::reduce(&host, &[3.0, 1.0]).unwrap(), 2);
    assert_eq!(present::reduce(&host, &[5.0, 5.0]).unwrap(), 2.0);
}
