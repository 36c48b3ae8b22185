//! Memory that we own: on the device, freed after the work that uses it, and pinned on the host.

use std::sync::Arc;

use cudarc::driver::{result, sys};

use super::driver::{Doing, Relaxed};
use super::queue::Queue;
use crate::error::Result;

/// Device memory for the work of one queue.
pub(super) struct Memory {
    queue: Arc<Queue>,
    address: u64,
    bytes: usize,
}

impl Memory {
    /// Memory of any content. Safe while a stream is being captured, also our own.
    pub(super) fn new(queue: &Arc<Queue>, bytes: usize) -> Result<Memory> {
        Memory::allocate(queue, bytes, false)
    }

    /// Memory that is zero for whatever uses it, on any stream.
    pub(super) fn zeroed(queue: &Arc<Queue>, bytes: usize) -> Result<Memory> {
        Memory::allocate(queue, bytes, true)
    }

    fn allocate(queue: &Arc<Queue>, bytes: usize, is_zeroed: bool) -> Result<Memory> {
        let _relaxed = Relaxed::enter();
        queue.bind()?;
        let what = format_args!("allocating {bytes} bytes on the device");
        // SAFETY: memory of any content is asked for; it is freed by drop.
        let address = unsafe {
            if queue.has_pools() {
                result::malloc_async(queue.side(), bytes).doing(what)?
            } else {
                result::malloc_sync(bytes).doing(what)?
            }
        };
        let queue = Arc::clone(queue);
        let memory = Memory {
            queue,
            address,
            bytes,
        };
        let side = memory.queue.side();
        if is_zeroed {
            // SAFETY: the memory was allocated just now, on the same stream.
            unsafe { result::memset_d8_async(address, 0, bytes, side) }.doing("zeroing memory")?;
        }
        // From here on it is there for every stream.
        // SAFETY: the stream is alive.
        unsafe { result::stream::synchronize(side) }.doing(what)?;
        Ok(memory)
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let _relaxed = Relaxed::enter();
        // In a capture the free would become part of the graph, whose kernels may use the memory:
        // it is left to the process, as after a failure.
        if self.queue.has_pools() {
            if matches!(self.queue.is_capturing(), Ok(false)) {
                // SAFETY: allocated from a pool; all our work that uses it is on this stream.
                let _ = unsafe { result::free_async(self.address, self.queue.raw()) };
            }
        } else if self.queue.is_done() {
            // SAFETY: allocated without a pool, and our work is done.
            let _ = unsafe { result::free_sync(self.address) };
        }
    }
}

/// Host memory that the device reads and writes where it lies.
pub(super) struct Pinned {
    queue: Arc<Queue>,
    host: *mut u8,
    device: u64,
    bytes: usize,
}

// SAFETY: an allocation like any other; those who access it see to it that they do not meet.
unsafe impl Send for Pinned {}
// SAFETY: as above.
unsafe impl Sync for Pinned {}

impl Pinned {
    pub(super) fn new(queue: &Arc<Queue>, bytes: usize) -> Result<Pinned> {
        let _relaxed = Relaxed::enter();
        queue.bind()?;
        let what = format_args!("allocating {bytes} bytes of pinned host memory");
        // SAFETY: memory of any content is asked for; it is freed by drop.
        let host = unsafe { result::malloc_host(bytes, sys::CU_MEMHOSTALLOC_DEVICEMAP) };
        let host = host.doing(what)?;
        let mut pinned = Pinned {
            queue: Arc::clone(queue),
            host: host.cast(),
            device: 0,
            bytes,
        };
        // SAFETY: the memory was allocated as mapped; the place is valid.
        let mapped = unsafe { sys::cuMemHostGetDevicePointer_v2(&mut pinned.device, host, 0) };
        mapped.result().doing(what)?;
        Ok(pinned)
    }

    /// Where the host sees it.
    pub(super) fn host(&self) -> *mut u8 {
        self.host
    }

    /// Where the device sees it.
    pub(super) fn device(&self) -> u64 {
        self.device
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if self.queue.is_done() {
            let _relaxed = Relaxed::enter();
            // SAFETY: allocated by `malloc_host`, and our work is done.
            let _ = unsafe { result::free_host(self.host.cast()) };
        }
    }
}
