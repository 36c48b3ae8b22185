//! Times of a reduction on a GPU: a graph holds 4 to 100 launches that walk through rotating input
//! buffers, so that inputs larger than the L2 cache are cold; it is replayed between two events, and the
//! median over the replays is taken.

use std::sync::Arc;

use reduce_runtime::cudarc::driver::sys::{
    CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode,
};
use reduce_runtime::cudarc::driver::{
    CudaGraph, CudaSlice, CudaStream, DeviceRepr, ValidAsZeroBits,
};
use reduce_runtime::{Bound, Device, Element, Reduction};

/// Replays that are timed, after `WARM_UP` that are not.
const REPLAYS: usize = 15;
const WARM_UP: usize = 4;

/// Whatever the driver or the library reports.
pub type Fallible<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// A type of elements or results in device memory.
pub trait Resident: Element + DeviceRepr + ValidAsZeroBits {}

impl<T: Element + DeviceRepr + ValidAsZeroBits> Resident for T {}

/// Times launches on one GPU.
#[derive(Clone, Copy, Debug)]
pub struct Timer<'a> {
    device: &'a Device,
    stream: &'a Arc<CudaStream>,
}

impl<'a> Timer<'a> {
    /// Of this device, which is a GPU.
    pub fn new(device: &'a Device) -> Fallible<Timer<'a>> {
        let stream = device.stream().ok_or("times need a GPU")?;
        Ok(Timer { device, stream })
    }

    /// Input for all launches: a block of values, repeated.
    pub fn pool<T: Resident>(&self, block: &[T], bytes: usize) -> Fallible<CudaSlice<T>> {
        let mut pool: CudaSlice<T> = self.stream.alloc_zeros(bytes / size_of::<T>())?;
        for start in (0..pool.len()).step_by(block.len()) {
            let end = pool.len().min(start + block.len());
            self.stream
                .memcpy_htod(&block[..end - start], &mut pool.slice_mut(start..end))?;
        }
        Ok(pool)
    }

    /// Of one launch over `n` elements.
    pub fn median_us<T, O, R>(
        &self,
        bound: Bound<R>,
        pool: &CudaSlice<T>,
        n: usize,
    ) -> Fallible<f64>
    where
        T: Resident,
        O: Resident,
        R: Reduction<Elements = (T,), Output = O, Uniforms = ()>,
    {
        let plan = bound.plan(self.device, n as u64)?;
        let mut out: CudaSlice<O> = self.stream.alloc_zeros(1)?;
        self.median_us_of(n * size_of::<T>(), pool.num_bytes(), |byte| {
            let start = byte / size_of::<T>();
            Ok(plan.launch(pool.slice(start..start + n), &mut out)?)
        })
    }

    /// Of one launch that reads `bytes` of a pool of so many: `launch` enqueues one from the byte on that
    /// it is given, a multiple of 4096.
    pub fn median_us_of(
        &self,
        bytes: usize,
        pool: usize,
        mut launch: impl FnMut(usize) -> Fallible<()>,
    ) -> Fallible<f64> {
        let launches = match bytes {
            0x400_0000.. => 4,
            0x40_0000.. => 20,
            _ => 100,
        };
        launch(0)?;
        self.stream.synchronize()?;
        let graph = self.graph(bytes, pool, launches, launch)?;
        self.median_of_replays(&graph, launches)
    }

    fn graph(
        &self,
        bytes: usize,
        pool: usize,
        launches: usize,
        mut launch: impl FnMut(usize) -> Fallible<()>,
    ) -> Fallible<CudaGraph> {
        // Buffers at multiples of 4 KiB, over at least 512 MiB where one alone is not larger.
        let span = bytes.next_multiple_of(4096);
        let spread = if bytes >= 256 << 20 {
            1
        } else {
            (512 << 20) / span + 1
        };
        let buffers = spread.min(pool / span).min(4096);

        self.stream
            .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)?;
        let launched = (0..launches)
            .try_for_each(|k| launch(k * (buffers / launches).max(1) % buffers * span));
        // A capture is ended also where a launch was refused: the stream is of use again.
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = self.stream.end_capture(flags);
        launched?;
        graph?.ok_or_else(|| "the capture is empty".into())
    }

    fn median_of_replays(&self, graph: &CudaGraph, launches: usize) -> Fallible<f64> {
        let event = || {
            self.stream
                .record_event(Some(CUevent_flags::CU_EVENT_DEFAULT))
        };
        let mut times = Vec::new();
        for replay in 0..WARM_UP + REPLAYS {
            let before = event()?;
            graph.launch()?;
            let after = event()?;
            self.stream.synchronize()?;
            if replay >= WARM_UP {
                times.push(f64::from(before.elapsed_ms(&after)?) * 1000.0 / launches as f64);
            }
        }
        times.sort_by(f64::total_cmp);
        Ok(times[times.len() / 2])
    }
}
