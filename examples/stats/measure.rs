//! Sums up a column where the device works, and takes the time.

use std::time::{Duration, Instant};

use reduce_runtime::{Element, Input, prelude::*};

use crate::column::Values;
use crate::fault::Fault;
use crate::reductions::Summarise;
use crate::summary::Summary;

/// A column's statistics and what they cost.
#[derive(Debug)]
pub struct Measured {
    /// The name of the element type.
    pub element: &'static str,
    /// The statistics.
    pub summary: Summary,
    /// How long the data took to the device, where it is not used where it lies.
    pub copy: Option<Duration>,
    /// How long the reductions took.
    pub time: Duration,
    /// How often they went through the data.
    pub passes: u32,
    /// The size of the data.
    pub bytes: usize,
}

impl Measured {
    /// Sums up the elements on `device`.
    pub fn of(device: &Device, values: &Values) -> Result<Measured, Fault> {
        match values {
            Values::F16(x) => measure(device, x),
            Values::Bf16(x) => measure(device, x),
            Values::F32(x) => measure(device, x),
            Values::F64(x) => measure(device, x),
            Values::I32(x) => measure(device, x),
            Values::I64(x) => measure(device, x),
            Values::U32(x) => measure(device, x),
            Values::U64(x) => measure(device, x),
        }
    }
}

/// On a GPU the elements are copied there once and reduced from there.
#[cfg(feature = "cuda")]
fn measure<T>(device: &Device, x: &[T]) -> Result<Measured, Fault>
where
    T: Summarise + Element + reduce_runtime::cudarc::driver::DeviceRepr,
{
    let Some(stream) = device.stream().filter(|_| !x.is_empty()) else {
        return time(device, x.len(), x);
    };
    let bytes = size_of_val(x);
    let failed = |error| {
        Fault::new(format!(
            "{bytes} bytes could not be copied to the GPU: {error}; free memory there, or set REDUCE_DEVICE=host"
        ))
    };
    let start = Instant::now();
    let resident = stream.clone_htod(x).map_err(failed)?;
    stream.synchronize().map_err(failed)?;
    let copy = Some(start.elapsed());
    // The first round has the kernels compiled; the time is the second's.
    T::summarise(device, x.len() as u64, &resident)?;
    let measured = time(device, x.len(), &resident)?;
    Ok(Measured { copy, ..measured })
}

/// Without a GPU the elements are reduced where they lie.
#[cfg(not(feature = "cuda"))]
fn measure<T: Summarise + Element>(device: &Device, x: &[T]) -> Result<Measured, Fault> {
    time(device, x.len(), x)
}

/// Sums up the `n` elements `x`, wherever they are.
fn time<T, I>(device: &Device, n: usize, x: I) -> Result<Measured, Fault>
where
    T: Summarise + Element,
    I: Input<T> + Copy,
{
    let start = Instant::now();
    let summary = T::summarise(device, n as u64, x)?;
    Ok(Measured {
        element: T::NAME,
        summary,
        copy: None,
        time: start.elapsed(),
        passes: T::PASSES,
        bytes: n * size_of::<T>(),
    })
}
