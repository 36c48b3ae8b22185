//! How fast reductions run on this GPU, in the CSV of the peer programs:
//! `tool,case,dtype,n,median_us,GBps`.
//!
//! `cargo run --release --example bandwidth [-- FILTER]`. A graph holds 4 to 100 launches that walk
//! through rotating input buffers, so that inputs larger than the L2 cache are cold; it is replayed
//! between two events, and the median over the replays is printed.

use std::sync::Arc;

use reduce_runtime::Bound;
use reduce_runtime::cudarc::driver::sys::{CUevent_flags, CUstreamCaptureMode};
use reduce_runtime::cudarc::driver::{CudaSlice, CudaStream, DeviceRepr, ValidAsZeroBits};
use reduce_runtime::prelude::*;
use reduce_runtime::private::{Forced, Tile, grid};

/// Bytes of input that the launches walk through.
const POOL: usize = 4 << 30;

/// Replays that are timed, after `WARM_UP` that are not.
const REPLAYS: usize = 15;
const WARM_UP: usize = 4;

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
trait Value: reduce_runtime::Element + DeviceRepr + ValidAsZeroBits {
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
    let Some(stream) = device.stream() else {
        return Err("a GPU has a stream".into());
    };
    eprintln!("{device}");
    let bench = Bench {
        device: &device,
        stream,
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

type Fallible<T> = std::result::Result<T, Box<dyn std::error::Error>>;

struct Bench<'a> {
    device: &'a Device,
    stream: &'a Arc<CudaStream>,
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
        let pool = self.pool::<T>()?;
        for exponent in exponents {
            let n = 1usize << exponent;
            let us = self.median_us(bound, &pool, n)?;
            let bytes = n * size_of::<T>();
            println!(
                "reductions,{case},{dtype},{n},{us:.3},{:.1}",
                bytes as f64 / us * 1e-3
            );
        }
        Ok(())
    }

    /// Input for all launches: a block of values, repeated.
    fn pool<T: Value>(&self) -> Fallible<CudaSlice<T>> {
        let block: Vec<T> = (0..1 << 24).map(T::at).collect();
        let mut pool: CudaSlice<T> = self.stream.alloc_zeros(POOL / size_of::<T>())?;
        for start in (0..pool.len()).step_by(block.len()) {
            self.stream
                .memcpy_htod(&block, &mut pool.slice_mut(start..start + block.len()))?;
        }
        Ok(pool)
    }

    fn median_us<T: Value, R: Case<T>>(
        &self,
        bound: Bound<R>,
        pool: &CudaSlice<T>,
        n: usize,
    ) -> Fallible<f64> {
        let bytes = n * size_of::<T>();
        let launches = match bytes {
            0x400_0000.. => 4,
            0x40_0000.. => 20,
            _ => 100,
        };
        // Buffers at multiples of 4 KiB, over at least 512 MiB where one alone is not larger.
        let span = bytes.next_multiple_of(4096) / size_of::<T>();
        let spread = if bytes >= 256 << 20 {
            1
        } else {
            (512 << 20) / (span * size_of::<T>()) + 1
        };
        let buffers = spread.min(pool.len() / span).min(4096);

        let plan = bound.plan(self.device, n as u64)?;
        let mut out: CudaSlice<T> = self.stream.alloc_zeros(1)?;
        plan.launch(pool.slice(..n), &mut out)?;
        self.stream.synchronize()?;

        self.stream
            .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
        for k in 0..launches {
            let start = k * (buffers / launches).max(1) % buffers * span;
            plan.launch(pool.slice(start..start + n), &mut out)?;
        }
        let flags = reduce_runtime::cudarc::driver::sys::CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = self
            .stream
            .end_capture(flags)?
            .ok_or("the capture is empty")?;

        let mut times = Vec::new();
        for replay in 0..WARM_UP + REPLAYS {
            let before = self
                .stream
                .record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
            graph.launch()?;
            let after = self
                .stream
                .record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))?;
            self.stream.synchronize()?;
            if replay >= WARM_UP {
                times.push(f64::from(before.elapsed_ms(&after)?) * 1000.0 / launches as f64);
            }
        }
        times.sort_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    }
}
