//! Results on the host: kernels write them straight into pinned memory that the device sees.

use std::sync::{Arc, Mutex, PoisonError};

use super::memory::Pinned;
use super::queue::Queue;
use crate::error::Result;

/// Bytes that the results of one reduction may take.
pub(crate) const RESULT_BYTES: usize = 64;

/// Where each result starts: a multiple of this.
pub(crate) const RESULT_STRIDE: usize = 16;

const PAGE_BYTES: usize = 4096;

/// Places for results, none used by two reductions at once.
#[derive(Default)]
pub(super) struct Slots {
    free: Mutex<Vec<Slot>>,
}

/// A place for the results of one reduction.
pub(super) struct Slot {
    page: Arc<Pinned>,
    offset: usize,
}

impl Slots {
    pub(super) fn take(&self, queue: &Arc<Queue>) -> Result<Slot> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        if free.is_empty() {
            let page = Arc::new(Pinned::new(queue, PAGE_BYTES)?);
            free.extend((0..PAGE_BYTES).step_by(RESULT_BYTES).map(|offset| Slot {
                page: Arc::clone(&page),
                offset,
            }));
        }
        Ok(free.pop().expect("a page holds slots"))
    }

    /// Gives a slot back, which nothing on the device writes any more.
    pub(super) fn give(&self, slot: Slot) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(slot);
    }
}

impl Slot {
    /// Where the device writes result `index`.
    pub(super) fn device(&self, index: usize) -> u64 {
        self.page.device() + (self.offset + RESULT_STRIDE * index) as u64
    }

    /// What it holds; the work that wrote it is done.
    pub(super) fn read(&self) -> [u8; RESULT_BYTES] {
        // SAFETY: the slot lies in its page and is ours alone. Volatile, for the device wrote it.
        unsafe {
            self.page
                .host()
                .add(self.offset)
                .cast::<[u8; RESULT_BYTES]>()
                .read_volatile()
        }
    }
}
