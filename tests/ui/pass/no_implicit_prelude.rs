//! Expansions name everything absolutely.
#![no_implicit_prelude]

mod shadows {
    #![allow(non_camel_case_types, dead_code)]

    // Nothing here may be mistaken for what an expansion means.
    struct Option;
    struct Some;
    struct Self_;
    struct Reduction;
    struct Operator;
    struct Kernel;
    trait Bound {}
    mod core {}
    mod std {}
    fn map() {}
    fn twin() {}

    #[::reduce_runtime::reduction(op = Min)]
    pub fn low(x: f32, #[uniform] floor: f32) -> f32 {
        if x < floor { floor } else { x }
    }

    #[::reduce_runtime::operator(identity = (0, 1.0))]
    pub fn both(a: (i64, f64), b: (i64, f64)) -> (i64, f64) {
        (a.0 + b.0, a.1 * b.1)
    }

    #[::reduce_runtime::reduction(op = both)]
    pub fn count_and_product(x: f64) -> (i64, f64) {
        (1, x)
    }
}

fn main() {
    let host = ::reduce_runtime::Device::host();
    let low = shadows::low::with(1.5).reduce(&host, &[1.0f32, 2.0]);
    ::std::assert!(::std::matches!(low, ::std::result::Result::Ok(1.5)));
    let both = <shadows::count_and_product as ::reduce_runtime::Reduction>::reduce(&host, &[2.0, 4.0]);
    ::std::assert!(::std::matches!(both, ::std::result::Result::Ok((2, 8.0))));
}
