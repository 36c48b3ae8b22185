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
        return on_host(device, x);
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
    let first = resident.slice(..1);
    let measured = time(device, x.len(), &first, &resident)?;
    Ok(Measured { copy, ..measured })
}

#[cfg(not(feature = "cuda"))]
use on_host as measure;

/// Host slices are reduced where they lie.
fn on_host<T: Summarise + Element>(device: &Device, x: &[T]) -> Result<Measured, Fault> {
    time(device, x.len(), &x[..x.len().min(1)], x)
}

/// Sums up `all`, after its `first` element has had the kernels compiled and the threads started.
fn time<T, F, A>(device: &Device, n: usize, first: F, all: A) -> Result<Measured, Fault>
where
    T: Summarise + Element,
    F: Input<T> + Copy,
    A: Input<T> + Copy,
{
    T::summarise(device, n.min(1) as u64, first)?;
    let start = Instant::now();
    let summary = T::summarise(device, n as u64, all)?;
    Ok(Measured {
        element: T::NAME,
        summary,
        copy: None,
        time: start.elapsed(),
        passes: T::PASSES,
        bytes: n * size_of::<T>(),
    })
}
