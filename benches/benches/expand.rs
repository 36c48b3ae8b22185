//! What an attribute costs at compile time: parsing, lowering and emitting one reduction.

use criterion::{Criterion, criterion_group, criterion_main};
use kernels_gen::syntax;

const SIMPLE: (&str, &str) = ("op = Add", "fn sum_sq(x: f32) -> f32 { x * x }");

const LARGE: (&str, &str) = (
    "op = Max, strategy = Sequential, grid = TwoPass",
    "fn large(a: u32, b: u64, c: i64, #[index] i: u64, #[uniform] scale: f64) -> f64 {
        let high = (a & 0xff00_ff00) as u64 | b << 5;
        let (low, twice) = (c.rem_euclid(7), 2.0);
        let mixed = if high > i { (high ^ b).rotate_left(9) as f64 * twice } else { low as f64 / scale };
        let inside = mixed.clamp(-1e9, 1e9).abs().sqrt().max(0.5);
        inside + (a as f64).mul_add(scale, twice) - (c.signum() as f64).floor()
    }",
);

fn expand(c: &mut Criterion) {
    for (name, (arguments, function)) in [("simple", SIMPLE), ("large", LARGE)] {
        let arguments: proc_macro2::TokenStream = arguments.parse().expect("tokens");
        let function: proc_macro2::TokenStream = function.parse().expect("tokens");
        c.bench_function(&format!("expand {name}"), |b| {
            b.iter(|| syntax::reduction(arguments.clone(), function.clone()))
        });
    }
}

criterion_group!(benches, expand);
criterion_main!(benches);
