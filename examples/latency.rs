//! How long a caller waits for a value: from the call to the result on the host, input on the GPU, in the
//! CSV of the peer programs: `tool,case,dtype,n,median_us,GBps`.
//!
//! `cargo run --release --example latency`.

use std::time::Instant;

use reduce_runtime::Bound;
use reduce_runtime::cudarc::driver::CudaSlice;
use reduce_runtime::prelude::*;
use reduce_runtime::private::{Forced, grid};

/// Calls that are timed, after `WARM_UP` that are not.
const CALLS: usize = 400;
const WARM_UP: usize = 50;

#[reduction(op = Add)]
fn sum(x: f32) -> f32 {
    x
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let device = Device::gpu(0)?;
    let Some(stream) = device.stream() else {
        return Err("a GPU has a stream".into());
    };
    eprintln!("{device}");
    let x: CudaSlice<f32> = stream.alloc_zeros(1 << 24)?;
    for exponent in [10, 12, 14, 16, 18, 20, 22, 24] {
        let n = 1 << exponent;
        let auto = Bound::<sum>::new(());
        print("auto", n, median_us(|| auto.reduce(&device, x.slice(..n)))?);
        for (strategy, grid) in grid::pairs(sum::KERNEL.features) {
            let is_of_auto = ["Shuffle", "Cluster"].contains(&strategy.name);
            if !is_of_auto || (strategy.name == "Cluster" && exponent > 16) {
                continue;
            }
            let bound = auto.forced(Forced {
                strategy: Some(strategy),
                grid: Some(grid),
                ..Forced::default()
            });
            let case = format!("{}_{}", strategy.name, grid.name).to_lowercase();
            print(&case, n, median_us(|| bound.reduce(&device, x.slice(..n)))?);
        }
    }
    Ok(())
}

fn print(case: &str, n: usize, us: f64) {
    let gb_per_s = (n * size_of::<f32>()) as f64 / us * 1e-3;
    println!("reductions,latency_{case},f32,{n},{us:.3},{gb_per_s:.1}");
}

fn median_us(call: impl Fn() -> Result<f32>) -> Result<f64> {
    let mut times = Vec::with_capacity(CALLS);
    for round in 0..WARM_UP + CALLS {
        let before = Instant::now();
        call()?;
        if round >= WARM_UP {
            times.push(before.elapsed().as_secs_f64() * 1e6);
        }
    }
    times.sort_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}
