//! Host slices onto the device: through two pinned buffers by turns, into one buffer that stays.

use std::sync::{Arc, MutexGuard};

use cudarc::driver::{CudaEvent, result, sys};

use super::driver::{Doing, Relaxed};
use super::memory::{Memory, Pinned};
use super::queue::Queue;
use crate::error::Result;

/// What goes through a pinned buffer at once.
const CHUNK_BYTES: usize = 4 << 20;

/// Where slices start on the device: multiples of this.
const ALIGNMENT: usize = 256;

/// The buffers of one device.
#[derive(Default)]
pub(super) struct Staging {
    device: Option<Memory>,
    chunks: Option<[Chunk; 2]>,
}

/// A pinned buffer, and the event after which it may be filled again.
struct Chunk {
    pinned: Pinned,
    is_copied: CudaEvent,
}

/// Slices that were copied to the device. The next upload waits until this is dropped, so it is to be
/// kept until the work that reads them is enqueued.
pub(crate) struct Upload<'a> {
    addresses: Vec<u64>,
    _staging: MutexGuard<'a, Staging>,
}

impl Upload<'_> {
    /// Where each slice is, in their order.
    pub(crate) fn addresses(&self) -> &[u64] {
        &self.addresses
    }
}

impl Chunk {
    fn new(queue: &Arc<Queue>) -> Result<Chunk> {
        let is_copied = queue.context().new_event(None).doing("creating an event")?;
        let pinned = Pinned::new(queue, CHUNK_BYTES)?;
        Ok(Chunk { pinned, is_copied })
    }

    /// Copies `bytes`, which may be changed as soon as this returns.
    fn copy(&mut self, queue: &Queue, bytes: &[u8], to: u64) -> Result<()> {
        let event = self.is_copied.cu_event();
        // SAFETY: the event is alive; one that was never recorded is complete.
        unsafe { result::event::synchronize(event) }.doing("waiting for a copy")?;
        assert!(bytes.len() <= self.pinned.bytes());
        // SAFETY: the buffer is long enough, ours alone, and the device has done with it.
        unsafe {
            self.pinned
                .host()
                .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len())
        };
        // SAFETY: both ends are as long, and stay until the stream has copied.
        unsafe {
            sys::cuMemcpyHtoDAsync_v2(to, self.pinned.host().cast(), bytes.len(), queue.raw())
                .result()
        }
        .doing("copying to the device")?;
        // SAFETY: event and stream are alive and of one context.
        unsafe { result::event::record(event, queue.raw()) }.doing("recording an event")
    }
}

/// Copies `slices` on the stream, into buffers that earlier work on it may still be reading: it comes
/// first. Under the lock, so that threads do not share them.
pub(super) fn upload<'a>(
    queue: &Arc<Queue>,
    mut staging: MutexGuard<'a, Staging>,
    slices: &[&[u8]],
) -> Result<Upload<'a>> {
    queue.refuse_capture("a copy of a host slice")?;
    let _relaxed = Relaxed::enter();
    let bytes: usize = slices
        .iter()
        .map(|slice| slice.len().next_multiple_of(ALIGNMENT))
        .sum();
    let start = staging.fit(queue, bytes)?;
    let chunks = match staging.chunks.take() {
        Some(chunks) => chunks,
        None => [Chunk::new(queue)?, Chunk::new(queue)?],
    };
    let chunks = staging.chunks.insert(chunks);

    let mut addresses = Vec::with_capacity(slices.len());
    let (mut address, mut turn) = (start, 0);
    for slice in slices {
        addresses.push(address);
        for (index, bytes) in slice.chunks(CHUNK_BYTES).enumerate() {
            let to = address + (index * CHUNK_BYTES) as u64;
            chunks[turn].copy(queue, bytes, to)?;
            turn ^= 1;
        }
        address += slice.len().next_multiple_of(ALIGNMENT) as u64;
    }
    Ok(Upload {
        addresses,
        _staging: staging,
    })
}

impl Staging {
    /// The address of a device buffer of at least so many bytes.
    fn fit(&mut self, queue: &Arc<Queue>, bytes: usize) -> Result<u64> {
        if self
            .device
            .as_ref()
            .is_none_or(|memory| memory.bytes() < bytes)
        {
            // First the old one goes: both may not fit.
            self.device = None;
            self.device = Some(Memory::new(queue, bytes.max(ALIGNMENT))?);
        }
        Ok(self.device.as_ref().map_or(0, Memory::address))
    }
}
