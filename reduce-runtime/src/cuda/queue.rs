//! The stream that a device's work goes to, and its order among other streams.
//!
//! Order is made by an event of our own, never by cudarc's event tracking, which is a switch of the
//! whole context.

use std::sync::{Arc, Mutex, PoisonError};

use cudarc::driver::result::{self, stream::StreamKind};
use cudarc::driver::{CudaContext, CudaEvent, CudaStream, sys};

use super::driver::{Doing, Relaxed};
use crate::error::{Error, Kind, Result};

/// A stream of one context, with what it takes to order it.
pub(super) struct Queue {
    context: Arc<CudaContext>,
    /// Always there; taken out to be destroyed.
    stream: Option<Arc<CudaStream>>,
    /// Whether the stream is ours to destroy.
    is_own: bool,
    /// For allocations, which then are no part of a capture of the stream.
    side: sys::CUstream,
    /// Recorded and waited for under the lock, so that a wait is for one's own record.
    link: Mutex<CudaEvent>,
    has_pools: bool,
}

// SAFETY: the raw stream may be used from any thread, as all of the driver may.
unsafe impl Send for Queue {}
// SAFETY: as above.
unsafe impl Sync for Queue {}

impl Queue {
    /// A new stream of the context.
    ///
    /// It is made without cudarc's knowledge: cudarc would switch its tracking on for the whole
    /// context. It is of the kind that waits for the default stream, and that for it, since cudarc
    /// takes a context without further streams to be ordered by itself.
    pub(super) fn with_own_stream(context: Arc<CudaContext>) -> Result<Queue> {
        let _relaxed = Relaxed::enter();
        bind(&context)?;
        let raw = result::stream::create(StreamKind::Default).doing("creating a stream")?;
        // SAFETY: the stream was made in this context, and is destroyed only when nobody else has it.
        let stream = unsafe { context.wrap_borrowed_stream(raw) };
        Queue::assemble(stream, true)
    }

    /// The user's stream.
    pub(super) fn with_stream(stream: Arc<CudaStream>) -> Result<Queue> {
        if stream.cu_stream() == PER_THREAD {
            let message = "the per-thread default stream is another stream in every thread, so work \
                           on it has no order: give a stream made by `CudaContext::new_stream`";
            return Err(Error::new(Kind::Input, message));
        }
        Queue::assemble(stream, false)
    }

    fn assemble(stream: Arc<CudaStream>, is_own: bool) -> Result<Queue> {
        let _relaxed = Relaxed::enter();
        let context = stream.context().clone();
        bind(&context)?;
        let link = context.new_event(None).doing("creating an event")?;
        let side = result::stream::create(StreamKind::NonBlocking).doing("creating a stream")?;
        Ok(Queue {
            has_pools: context.has_async_alloc(),
            context,
            stream: Some(stream),
            is_own,
            side,
            link: Mutex::new(link),
        })
    }

    /// Makes the context current in this thread.
    pub(super) fn bind(&self) -> Result<()> {
        bind(&self.context)
    }

    pub(super) fn context(&self) -> &Arc<CudaContext> {
        &self.context
    }

    pub(super) fn stream(&self) -> &Arc<CudaStream> {
        self.stream.as_ref().expect("taken out by drop alone")
    }

    pub(super) fn raw(&self) -> sys::CUstream {
        self.stream().cu_stream()
    }

    pub(super) fn side(&self) -> sys::CUstream {
        self.side
    }

    /// Whether memory can be allocated and freed in stream order.
    pub(super) fn has_pools(&self) -> bool {
        self.has_pools
    }

    /// Whether the stream is being captured into a graph.
    pub(super) fn is_capturing(&self) -> Result<bool> {
        self.bind()?;
        is_capturing(self.raw())
    }

    /// An error if the stream is being captured: `what` is not possible then.
    pub(super) fn refuse_capture(&self, what: &str) -> Result<()> {
        if !self.is_capturing()? {
            return Ok(());
        }
        let message = format!(
            "{what} is not possible while the device's stream is being captured: make a plan before \
             the capture, and launch that with slices on the device"
        );
        Err(Error::new(Kind::Input, message))
    }

    /// Our next work waits for what `other` holds now.
    pub(super) fn wait_for(&self, other: &CudaStream) -> Result<()> {
        if self.must_link(other)? {
            self.link(other.cu_stream(), self.raw())?;
        }
        Ok(())
    }

    /// The next work of `other` waits for what we hold now.
    pub(super) fn hold_back(&self, other: &CudaStream) -> Result<()> {
        if self.must_link(other)? {
            self.link(self.raw(), other.cu_stream())?;
        }
        Ok(())
    }

    /// In a capture, a stream outside of it is left alone: the graph's user orders the graph.
    fn must_link(&self, other: &CudaStream) -> Result<bool> {
        if other.cu_stream() == self.raw() {
            return Ok(false);
        }
        if other.context().cu_ctx() != self.context.cu_ctx() {
            let message = "memory of another CUDA context: allocate it on a stream of this device";
            return Err(Error::new(Kind::Input, message));
        }
        match (self.is_capturing()?, is_capturing(other.cu_stream())?) {
            (false, true) => Err(Error::new(
                Kind::Input,
                "the memory's own stream is being captured and the device's is not: make the device \
                 from the captured stream, with `Device::from_stream`",
            )),
            (is_captured, is_other_captured) => Ok(is_captured == is_other_captured),
        }
    }

    fn link(&self, earlier: sys::CUstream, later: sys::CUstream) -> Result<()> {
        let link = self.link.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: event and streams are of this context and alive.
        unsafe { result::event::record(link.cu_event(), earlier) }.doing("recording an event")?;
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: as above.
        unsafe { result::stream::wait_event(later, link.cu_event(), flags) }
            .doing("letting a stream wait for another")
    }

    /// Waits until all our work is done.
    pub(super) fn synchronize(&self, what: &str) -> Result<()> {
        let _relaxed = Relaxed::enter();
        // SAFETY: the stream is alive.
        unsafe { result::stream::synchronize(self.raw()) }.doing(what)
    }

    /// For what is dropped: waits until our work does not use it. False if that cannot be had, in a
    /// capture or after a failure; then it is better leaked.
    pub(super) fn is_done(&self) -> bool {
        matches!(self.is_capturing(), Ok(false)) && self.synchronize("waiting for a stream").is_ok()
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        let _relaxed = Relaxed::enter();
        if self.bind().is_err() {
            return;
        }
        // A stream that is destroyed finishes its work; a failure leaves nothing to do.
        // SAFETY: only we have this stream.
        let _ = unsafe { result::stream::destroy(self.side) };
        // Slices that were allocated on it may have it still: it is then left to the process.
        let last = self.stream.take().and_then(Arc::into_inner);
        if let Some(stream) = last.filter(|_| self.is_own) {
            // SAFETY: nobody else has it, and cudarc does not destroy a stream that it only borrows.
            let _ = unsafe { result::stream::destroy(stream.cu_stream()) };
        }
    }
}

/// The handle that stands for another stream in every thread.
const PER_THREAD: sys::CUstream = 2 as sys::CUstream;

/// The handles of the default stream, which cannot be captured.
const DEFAULT: [sys::CUstream; 2] = [std::ptr::null_mut(), 1 as sys::CUstream];

fn is_capturing(stream: sys::CUstream) -> Result<bool> {
    if DEFAULT.contains(&stream) {
        return Ok(false);
    }
    // SAFETY: the stream is alive.
    let status = unsafe { result::stream::is_capturing(stream) };
    let status = status.doing("asking whether a stream is being captured")?;
    Ok(status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
}

// Not cudarc's `bind_to_thread`, which reports errors that the user's own drops left behind.
fn bind(context: &CudaContext) -> Result<()> {
    let wanted = context.cu_ctx();
    if result::ctx::get_current().doing("asking for the current context")? != Some(wanted) {
        // SAFETY: the context is alive.
        unsafe { result::ctx::set_current(wanted) }.doing("making a context current")?;
    }
    Ok(())
}
