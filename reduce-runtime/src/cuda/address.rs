//! Where cudarc's slices lie in device memory.
//!
//! cudarc gives an address only together with its event tracking: where a context has that on, the
//! stream given is made to wait for the slice's last use, and a guard records the new one. That is
//! honoured, for it may be all that orders a use on a third stream; but not in a capture, which it
//! would break.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::result::DriverError;
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, CudaView, CudaViewMut};
use cudarc::driver::{DevicePtr, DevicePtrMut, DeviceSlice, SyncOnDrop, sys};

use super::driver::Doing;
use super::gpu::Gpu;
use super::queue::Queue;
use crate::error::{Error, Kind, Result};

/// A slice of device memory to be read.
#[derive(Clone, Copy)]
pub struct Span<'a> {
    pub(crate) len: usize,
    slice: &'a dyn Readable,
}

/// A slice of device memory to be written.
pub struct SpanMut<'a> {
    pub(crate) len: usize,
    slice: &'a mut dyn Writable,
}

/// An address, and what is to be kept until the work that uses it is enqueued.
pub(crate) type Address<'a> = (u64, Option<SyncOnDrop<'a>>);

/// A slice of any type.
pub(crate) trait Readable {
    fn stream(&self) -> &Arc<CudaStream>;
    fn address<'a>(&'a self, on: &'a CudaStream) -> (u64, SyncOnDrop<'a>);
}

/// A slice of any type that can be written.
pub(crate) trait Writable: Readable {
    fn address_mut<'a>(&'a mut self, on: &'a CudaStream) -> (u64, SyncOnDrop<'a>);
}

macro_rules! readable {
    ($($slice:ty),*) => {$(
        impl<T> Readable for $slice {
            fn stream(&self) -> &Arc<CudaStream> {
                DeviceSlice::stream(self)
            }
            fn address<'a>(&'a self, on: &'a CudaStream) -> (u64, SyncOnDrop<'a>) {
                self.device_ptr(on)
            }
        }
    )*};
}

macro_rules! writable {
    ($($slice:ty),*) => {$(
        impl<T> Writable for $slice {
            fn address_mut<'a>(&'a mut self, on: &'a CudaStream) -> (u64, SyncOnDrop<'a>) {
                self.device_ptr_mut(on)
            }
        }
    )*};
}

readable!(CudaSlice<T>, CudaView<'_, T>, CudaViewMut<'_, T>);
writable!(CudaSlice<T>, CudaViewMut<'_, T>);

impl<'a> Span<'a> {
    pub(crate) fn new(slice: &'a dyn Readable, len: usize) -> Span<'a> {
        Span { len, slice }
    }

    /// The stream that frees the memory, for `Params::after`.
    pub(crate) fn stream(&self) -> &'a CudaStream {
        self.slice.stream()
    }
}

impl<'a> SpanMut<'a> {
    pub(crate) fn new(slice: &'a mut dyn Writable, len: usize) -> SpanMut<'a> {
        SpanMut { len, slice }
    }

    /// The stream that frees the memory, for `Params::after`.
    pub(crate) fn stream(&self) -> Arc<CudaStream> {
        Arc::clone(self.slice.stream())
    }
}

impl fmt::Debug for Span<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Span({})", self.len)
    }
}

impl fmt::Debug for SpanMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SpanMut({})", self.len)
    }
}

impl Gpu {
    /// Where the memory is that the next launch reads.
    pub(crate) fn address<'a>(&'a self, span: Span<'a>) -> Result<Address<'a>> {
        if !self.must_not_track(span.slice.stream().context())? {
            let (address, guard) = span.slice.address(self.stream());
            return Ok((address, Some(guard)));
        }
        let decoy = self.decoy().lock();
        let (address, guard) = span.slice.address(&decoy);
        std::mem::forget(guard);
        Ok((address, None))
    }

    /// Where the memory is that the next launch writes.
    pub(crate) fn address_mut<'a>(&'a self, span: &'a mut SpanMut<'_>) -> Result<Address<'a>> {
        if !self.must_not_track(span.slice.stream().context())? {
            let (address, guard) = span.slice.address_mut(self.stream());
            return Ok((address, Some(guard)));
        }
        let decoy = self.decoy().lock();
        let (address, guard) = span.slice.address_mut(&decoy);
        std::mem::forget(guard);
        Ok((address, None))
    }

    fn must_not_track(&self, context: &CudaContext) -> Result<bool> {
        if context.cu_ctx() != self.queue().context().cu_ctx() {
            let message = "a slice of another CUDA context: allocate it on `device.stream()`, or make \
                           the device from the slice's context with `Device::from_context`";
            return Err(Error::new(Kind::Input, message));
        }
        Ok(context.is_managing_stream_synchronization() && self.queue().is_capturing()?)
    }
}

/// A stream to be given for an address alone: that of a context without a handle, in which every call
/// of cudarc fails before it comes to the driver.
pub(super) struct Decoy(Mutex<Arc<CudaStream>>);

impl Decoy {
    /// Leaves the current context as it is.
    pub(super) fn new(queue: &Queue) -> Result<Decoy> {
        let context = queue.context();
        // cudarc makes the new context current. Without a handle that takes the top off the thread's
        // stack of contexts, so one is put there for it.
        // SAFETY: the context is alive.
        let pushed = unsafe { sys::cuCtxPushCurrent_v2(context.cu_ctx()) };
        pushed.result().doing("making a context current")?;
        let (ordinal, device) = (context.ordinal(), context.cu_device());
        // SAFETY: cudarc neither uses nor destroys a null handle once an error is set; see `lock`.
        let decoy = unsafe { CudaContext::from_raw_context(ordinal, device, std::ptr::null_mut()) };
        let decoy = decoy.doing("making an empty context")?;
        // SAFETY: the null stream belongs to every context.
        let stream = unsafe { decoy.wrap_borrowed_stream(std::ptr::null_mut()) };
        Ok(Decoy(Mutex::new(stream)))
    }

    /// cudarc's calls begin with a look for an earlier error, which they take out, return and put
    /// back. Under a lock, so that no thread finds it taken out.
    fn lock(&self) -> MutexGuard<'_, Arc<CudaStream>> {
        let stream = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        set_error(&stream);
        stream
    }
}

impl Drop for Decoy {
    fn drop(&mut self) {
        set_error(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
    }
}

fn set_error(stream: &CudaStream) {
    let error = DriverError(sys::CUresult::CUDA_ERROR_NOT_PERMITTED);
    stream.context().record_err::<()>(Err(error));
}
