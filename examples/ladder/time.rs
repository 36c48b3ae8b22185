//! Times the rungs of one reduction on a GPU, and compares their results with the host's.

use reduce_runtime::cudarc::driver::CudaSlice;
use reduce_runtime::{Bound, Device, Reduction};

use crate::ceiling;
use crate::fault::Fault;
use crate::number::gbps;
use crate::rung::{Rung, Timed};
use crate::timing::{Fallible, Resident, Timer};

/// Bytes of input that launches walk through, where one input is not larger.
const POOL: usize = 1 << 30;

/// Elements that are copied to the GPU at once, at least.
const BLOCK: usize = 1 << 22;

/// Times each; `at(i, n)` is element i of n. A rung that this GPU refuses stays without a time.
pub fn rungs<T, O, R>(
    device: &Device,
    n: u64,
    at: fn(u64, u64) -> T,
    rungs: &mut [Rung],
) -> Result<(), Fault>
where
    T: Resident,
    O: Resident + PartialEq,
    R: Reduction<Elements = (T,), Output = O, Uniforms = ()>,
{
    let failed = |error: Box<dyn std::error::Error>| Fault::new(error.to_string());
    let data: Vec<T> = (0..n).map(|i| at(i, n)).collect();
    let block = data.repeat(BLOCK.div_ceil(data.len()));
    let timer = Timer::new(device).map_err(failed)?;
    let bytes = size_of_val(&data[..]).next_multiple_of(4096).max(POOL);
    let pool = timer.pool(&block, bytes).map_err(failed)?;
    let refused = |error| failed(error).within("the ceiling was not timed");
    let ceiling_us = ceiling::us(device, timer, &pool, data.len()).map_err(refused)?;
    for rung in rungs {
        let bound = Bound::<R>::new(()).forced(rung.forced());
        match time(device, timer, bound, &data, &pool) {
            Ok((us, is_equal)) => {
                rung.timed = Some(Timed {
                    us,
                    gbps: gbps(size_of_val(&data[..]), us),
                    ceiling_us,
                    is_equal,
                });
            }
            Err(error) => {
                let (strategy, grid) = (rung.strategy.name, rung.grid.name);
                eprintln!("ladder: {strategy} with {grid} was not timed: {error}");
            }
        }
    }
    Ok(())
}

/// Microseconds, and whether the bits are the host's.
fn time<T, O, R>(
    device: &Device,
    timer: Timer<'_>,
    bound: Bound<R>,
    data: &[T],
    pool: &CudaSlice<T>,
) -> Fallible<(f64, bool)>
where
    T: Resident,
    O: Resident + PartialEq,
    R: Reduction<Elements = (T,), Output = O, Uniforms = ()>,
{
    let wanted = bound.reduce(&Device::host(), data)?;
    let found = bound.reduce(device, pool.slice(..data.len()))?;
    let us = timer.median_us::<T, O, R>(bound, pool, data.len())?;
    Ok((us, found == wanted))
}
