//! Where cudarc's slices lie in device memory.
//!
//! cudarc gives an address only together with its event tracking: where a context has that on, the
//! stream given is made to wait for the slice's last use, and a guard records the new one. That is
//! honoured, for it may be all that orders a use on a third stream; but not in a capture, which it
//! would break.

use std::fmt;
use std::sync::Arc;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, CudaView, CudaViewMut};
use cudarc::driver::{DevicePtr, DevicePtrMut, DeviceSlice, SyncOnDrop};

use super::gpu::Gpu;
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
pub(crate) type Address<'a> = (u64, SyncOnDrop<'a>);

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
        self.check_usable(span.slice.stream().context())?;
        Ok(span.slice.address(self.stream()))
    }

    /// Where the memory is that the next launch writes.
    pub(crate) fn address_mut<'a>(&'a self, span: &'a mut SpanMut<'_>) -> Result<Address<'a>> {
        self.check_usable(span.slice.stream().context())?;
        Ok(span.slice.address_mut(self.stream()))
    }

    /// Refuses memory of another context, and memory whose address cudarc gives only with a wait that
    /// a capture does not allow.
    fn check_usable(&self, context: &CudaContext) -> Result<()> {
        let message = if context.cu_ctx() != self.queue().context().cu_ctx() {
            "a slice of this device's CUDA context was wanted, but it is of another: allocate it on \
             `device.stream()`, or make the device from the slice's context with `Device::from_context`"
        } else if context.is_managing_stream_synchronization() && self.queue().is_capturing()? {
            "a capture was wanted while cudarc tracks the use of slices by events, which a capture does \
             not allow: call `context.disable_event_tracking()` before the slices are allocated, or \
             use the stream of `Device::gpu` alone"
        } else {
            return Ok(());
        };
        Err(Error::new(Kind::Input, message))
    }
}
