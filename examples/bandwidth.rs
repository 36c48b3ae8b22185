//! How fast reductions run on this GPU, in the CSV of the peer programs:
//! `tool,case,dtype,n,median_us,GBps`.
//!
//! `cargo run --release --example bandwidth [-- FILTER]`. `timing/` says how times are taken.

#[path = "timing/mod.rs"]
mod timing;

use reduce_runtime::Bound;
use reduce_runtime::prelude::*;
use reduce_runtime::private::{Forced, Tile, grid};

use timing::{Fallible, Resident, Timer};

/// Bytes of input that the launches walk through.
const POOL: usize = 4 << 30;

#[reduction(op = Add)]
fn sum_f32(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = Sequential)]
fn sum_f32_sequential(x: f32) -> f32 {
    x
}

#[reduction(op = Add, grid = TwoPass)]
fn sum_f32_two_pass(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
fn sum_of_squares(x: f32) -> f32 {
    x * x
}

#[reduction(op = Min)]
fn min_f32(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
fn sum_f16(x: f16) -> f16 {
    x
}

#[reduction(op = Add)]
fn sum_f64(x: f64) -> f64 {
    x
}

#[reduction(op = Add)]
fn sum_i32(x: i32) -> i32 {
    x
}

/// A type whose pool can be filled with values of moderate size.
trait Value: Resident {
    fn at(i: u32) -> Self;
}

macro_rules! value {
    ($ty:ty, |$mixed:ident| $value:expr) => {
        impl Value for $ty {
            fn at(i: u32) -> $ty {
                let mut $mixed = i.wrapping_mul(2_654_435_761);
                $mixed ^= $mixed >> 16;
                $value
            }
        }
    };
}

value!(f32, |mixed| f32::from_bits(
    0x3f00_0000 | (mixed & 0x7f_ffff)
));
value!(f64, |mixed| f64::from(mixed % 1024) / 1024.0 + 0.5);
value!(f16, |mixed| f16::from_f32((mixed % 64) as f32 / 64.0 + 0.5));
value!(i32, |mixed| (mixed % 2048) as i32 - 1024);

fn main() -> Fallible<()> {
    let filter = std::env::args().nth(1).unwrap_or_default();
    let device = Device::gpu(0)?;
    eprintln!("{device}");
    let bench = Bench {
        timer: Timer::new(&device)?,
        filter,
    };
    let exponents = [10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
    bench.case::<f32, sum_f32>("sum", "f32", &exponents)?;
    bench.case::<f32, sum_f32_sequential>("sum_sequential", "f32", &[16, 20, 24, 28])?;
    bench.case::<f32, sum_f32_two_pass>("sum_two_pass", "f32", &[16, 20, 24, 28])?;
    bench.case::<f32, sum_of_squares>("sumsq", "f32", &[16, 20, 24, 28])?;
    bench.case::<f32, min_f32>("min", "f32", &[16, 20, 24, 28])?;
    bench.case::<f16, sum_f16>("sum", "f16", &[16, 20, 24, 28, 30])?;
    bench.case::<f64, sum_f64>("sum", "f64", &[16, 20, 24, 28])?;
    bench.case::<i32, sum_i32>("sum", "i32", &[16, 20, 24, 28])?;
    for (strategy, grid) in grid::pairs(sum_i32::KERNEL.features) {
        let forced = Bound::new(()).forced(Forced {
            strategy: Some(strategy),
            grid: Some(grid),
            ..Forced::default()
        });
        let case = format!("{}_{}", strategy.name, grid.name).to_lowercase();
        let exponents = [12, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 30];
        bench.run::<i32, sum_i32>(forced, &case, "i32", &exponents)?;
    }
    for &(threads, rows) in TILES {
        let tile = Some(Tile { threads, rows });
        let forced = Bound::new(()).forced(Forced {
            tile,
            ..Forced::default()
        });
        let case = format!("tile_{threads}x{rows}");
        bench.run::<f32, sum_f32>(forced, &case, "f32", &[14, 16, 18, 20, 22, 24, 26, 28])?;
    }
    Ok(())
}

/// Tiles among which the table chooses: the evidence for it.
const TILES: &[(u32, u32)] = &[(256, 4), (256, 8), (512, 4), (512, 8), (1024, 4)];

/// A reduction of one input of `T` to a value of `T`.
trait Case<T: Value>:
    Reduction<Elements = (T,), Output = T, Uniforms = ()> + reduce_runtime::private::Unbound
{
}

impl<T: Value, R> Case<T> for R where
    R: Reduction<Elements = (T,), Output = T, Uniforms = ()> + reduce_runtime::private::Unbound
{
}

struct Bench<'a> {
    timer: Timer<'a>,
    filter: String,
}

impl Bench<'_> {
    /// Prints a row for each size of one reduction, as it is.
    fn case<T: Value, R: Case<T>>(
        &self,
        case: &str,
        dtype: &str,
        exponents: &[u32],
    ) -> Fallible<()> {
        self.run::<T, R>(Bound::new(()), case, dtype, exponents)
    }

    fn run<T: Value, R: Case<T>>(
        &self,
        bound: Bound<R>,
        case: &str,
        dtype: &str,
        exponents: &[u32],
    ) -> Fallible<()> {
        if !case.contains(&self.filter) {
            return Ok(());
        }
        let block: Vec<T> = (0..1 << 24).map(T::at).collect();
        let pool = self.timer.pool(&block, POOL)?;
        for exponent in exponents {
            let n = 1usize << exponent;
            let us = self.timer.median_us(bound, &pool, n)?;
            let bytes = n * size_of::<T>();
            println!(
                "reductions,{case},{dtype},{n},{us:.3},{:.1}",
                bytes as f64 / us * 1e-3
            );
        }
        Ok(())
    }
}
