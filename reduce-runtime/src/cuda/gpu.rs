//! A GPU as the rest of the crate sees it: where kernels run, with all that is kept for them.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::{CudaContext, CudaStream, result, sys};

use super::compile;
use super::driver::{Doing, Relaxed};
use super::function::{Function, Functions, Limits};
use super::launch::{Launch, Params};
use super::plan::{Levels, Plan, Scratch, Variant};
use super::probe;
use super::queue::Queue;
use super::readback::{RESULT_BYTES, RESULT_STRIDE, Slots};
use super::upload::{self, Staging, Upload};
use crate::error::{Error, Kind, Result};

/// The first architecture on which a kernel can wait itself for the launch before.
const FIRST_TO_OVERLAP: u32 = 90;

/// Whether the driver takes launches that overlap in a graph, too: from CUDA 12.3 on.
fn driver_captures_overlap() -> bool {
    let mut version = 0;
    // SAFETY: the version goes to a variable of ours.
    let known = unsafe { sys::cuDriverGetVersion(&mut version) };
    known.result().is_ok() && version >= 12_030
}

/// A device and a stream on it. Copies of one share what is kept.
#[derive(Clone)]
pub(crate) struct Gpu(Arc<Inner>);

struct Inner {
    queue: Arc<Queue>,
    name: String,
    limits: Limits,
    functions: Functions,
    /// For reductions without a plan, which follow each other on the stream.
    scratch: Mutex<Option<Scratch>>,
    staging: Mutex<Staging>,
    slots: Slots,
}

impl Gpu {
    /// How many devices the driver sees.
    pub(crate) fn count() -> Result<usize> {
        probe::driver()?;
        let count = result::device::get_count().doing("counting the devices")?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// The first device that can be used, or why there is none.
    pub(crate) fn first() -> Result<Gpu> {
        let mut reason = Error::new(Kind::Unavailable, "the CUDA driver sees no device");
        for ordinal in 0..Gpu::count()? {
            match Gpu::open(ordinal) {
                Ok(gpu) => return Ok(gpu),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    /// The device of this number, with a stream of its own.
    pub(crate) fn open(ordinal: usize) -> Result<Gpu> {
        let count = Gpu::count()?;
        if ordinal >= count {
            let message =
                format!("there is no GPU {ordinal}: the CUDA driver sees {count}, counted from 0");
            return Err(Error::new(Kind::Unavailable, message));
        }
        let _relaxed = Relaxed::enter();
        let context = CudaContext::new(ordinal).doing(format_args!("opening GPU {ordinal}"))?;
        Gpu::from_context(context)
    }

    /// The device of a context, with a stream of its own.
    pub(crate) fn from_context(context: Arc<CudaContext>) -> Result<Gpu> {
        probe::driver()?;
        Gpu::new(Queue::with_own_stream(context)?)
    }

    /// The device of a stream, and all work on that stream.
    pub(crate) fn from_stream(stream: Arc<CudaStream>) -> Result<Gpu> {
        probe::driver()?;
        Gpu::new(Queue::with_stream(stream)?)
    }

    fn new(queue: Queue) -> Result<Gpu> {
        use sys::CUdevice_attribute as Attribute;
        let device = queue.context().cu_device();
        let attribute = |attribute| {
            // SAFETY: the context is alive, and so its device exists.
            let value = unsafe { result::device::get_attribute(device, attribute) };
            value
                .doing("asking a device for its limits")
                .map(|value| value as u32)
        };
        let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let architecture = 10 * major + minor;
        // A device whose kernels cannot be compiled is none.
        let target = compile::target_for(architecture)?;
        let is_wanted = std::env::var("REDUCE_DEPENDENT_LAUNCH").as_deref() != Ok("0");
        let limits = Limits {
            architecture,
            target,
            launches_overlap: is_wanted && target >= FIRST_TO_OVERLAP && driver_captures_overlap(),
            multiprocessors: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        };
        Ok(Gpu(Arc::new(Inner {
            name: result::device::get_name(device).doing("asking a device for its name")?,
            limits,
            functions: Functions::default(),
            scratch: Mutex::default(),
            staging: Mutex::default(),
            slots: Slots::default(),
            queue: Arc::new(queue),
        })))
    }

    /// The stream that all work goes to.
    pub(crate) fn stream(&self) -> &Arc<CudaStream> {
        self.0.queue.stream()
    }

    /// That of the instructions in its kernels; 90 is sm_90.
    pub(crate) fn target(&self) -> u32 {
        self.0.limits.target
    }

    /// Whether a launch may start before the one before has ended.
    pub(crate) fn launches_overlap(&self) -> bool {
        self.0.limits.launches_overlap
    }

    /// Makes a reduction of n elements ready.
    pub(crate) fn plan(&self, variant: &Variant, n: u64) -> Result<Plan> {
        Plan::new(self, variant, n)
    }

    /// Enqueues a reduction without a plan, with scratch of the device.
    pub(crate) fn reduce_into(&self, variant: &Variant, n: u64, params: &Params<'_>) -> Result<()> {
        let (levels, function) = self.unplanned(variant, n)?;
        self.enqueue(levels, &function, params)
    }

    /// Reduces, waits, and returns the results: number i starts at byte `RESULT_STRIDE * i`.
    ///
    /// `results` is how many there are; each takes at most `RESULT_STRIDE` bytes.
    pub(crate) fn reduce_value(
        &self,
        variant: &Variant,
        n: u64,
        elements: &[u8],
        after: &[&CudaStream],
        results: usize,
    ) -> Result<[u8; RESULT_BYTES]> {
        assert!(results * RESULT_STRIDE <= RESULT_BYTES);
        let (levels, function) = self.unplanned(variant, n)?;
        let slot = self.0.slots.take(self.queue())?;
        let outputs: [u64; RESULT_BYTES / RESULT_STRIDE] = std::array::from_fn(|i| slot.device(i));
        let params = Params {
            elements,
            outputs: &outputs[..results],
            after,
        };
        // After a failure the slot may still be written, and is not used again.
        self.enqueue(levels, &function, &params)?;
        self.queue().synchronize("waiting for a reduction")?;
        let bytes = slot.read();
        self.0.slots.give(slot);
        Ok(bytes)
    }

    fn unplanned(&self, variant: &Variant, n: u64) -> Result<(Levels, Arc<Function>)> {
        let levels = Levels::new(variant, n)?;
        self.queue().refuse_capture("a reduction without a plan")?;
        Ok((levels, self.function(variant)?))
    }

    fn enqueue(&self, levels: Levels, function: &Function, params: &Params<'_>) -> Result<()> {
        // Held until all passes are enqueued: they and those of another thread must not mix.
        let mut scratch = lock(&self.0.scratch);
        let scratch = match &mut *scratch {
            Some(scratch) => scratch,
            empty => empty.insert(Scratch::new(self.queue())?),
        };
        let spare = |bytes: usize| bytes.checked_next_power_of_two().unwrap_or(bytes);
        scratch.fit(self.queue(), levels, spare)?;
        self.launch(function, levels, scratch, params)
    }

    /// Waits, and reports what reductions without a plan found wrong that only the device could see.
    pub(crate) fn status(&self) -> Result<()> {
        match &*lock(&self.0.scratch) {
            Some(scratch) => self.check_status(scratch),
            None => Ok(()),
        }
    }

    /// Copies host slices to the device, in stream order.
    pub(crate) fn upload(&self, slices: &[&[u8]]) -> Result<Upload<'_>> {
        upload::upload(self.queue(), lock(&self.0.staging), slices)
    }

    pub(super) fn launch(
        &self,
        function: &Function,
        levels: Levels,
        scratch: &Scratch,
        params: &Params<'_>,
    ) -> Result<()> {
        let queue = self.queue();
        Launch {
            queue,
            levels,
            scratch,
            params,
        }
        .enqueue(function)
    }

    pub(super) fn queue(&self) -> &Arc<Queue> {
        &self.0.queue
    }

    pub(super) fn function(&self, variant: &Variant) -> Result<Arc<Function>> {
        self.0.functions.get(self.queue(), self.0.limits, variant)
    }

    /// Waits, reads the status word, and clears it if it says something.
    pub(super) fn check_status(&self, scratch: &Scratch) -> Result<()> {
        let queue = self.queue();
        queue.refuse_capture("reading the status")?;
        let slot = self.0.slots.take(queue)?;
        // SAFETY: both ends are four bytes of ours, and stay until the stream has copied.
        unsafe {
            sys::cuMemcpyDtoDAsync_v2(slot.device(0), scratch.status(), 4, queue.raw()).result()
        }
        .doing("reading the status")?;
        queue.synchronize("reading the status")?;
        let [a, b, c, d, ..] = slot.read();
        self.0.slots.give(slot);
        let status = u32::from_ne_bytes([a, b, c, d]);
        if status == 0 {
            return Ok(());
        }
        // SAFETY: four bytes of ours.
        unsafe { result::memset_d8_async(scratch.status(), 0, 4, queue.raw()) }
            .doing("clearing the status")?;
        Err(Error::new(
            Kind::Input,
            format!("the device reports status {status}"),
        ))
    }
}

impl fmt::Display for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits {
            architecture,
            multiprocessors,
            ..
        } = self.0.limits;
        write!(
            f,
            "GPU {}: {}, sm_{architecture}, {multiprocessors} multiprocessors",
            self.0.queue.context().ordinal(),
            self.0.name
        )
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_cross_threads_and_plans_move_between_them() {
        fn is_shared<T: Send + Sync>() {}
        fn is_sent<T: Send>() {}
        is_shared::<Gpu>();
        is_sent::<Plan>();
    }

    #[test]
    fn a_device_that_is_not_there_is_unavailable() {
        let error = Gpu::open(1 << 20).unwrap_err();
        assert!(error.is_unavailable(), "{error}");
    }
}
