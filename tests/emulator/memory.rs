//! Buffers that a launch may touch, and the guard zones that tell when it went beyond them.

use std::ffi::CStr;

/// What nobody wrote.
const POISON: u8 = 0xa5;
/// What guard zones hold.
const CANARY: u8 = 0xc7;
const GUARD_BYTES: usize = 4096;
/// As device allocations are aligned.
const ALIGN: usize = 256;

/// A buffer between two guard zones.
pub struct Guarded {
    pub name: &'static CStr,
    memory: Vec<u8>,
    start: usize,
    len: usize,
}

impl Guarded {
    /// A copy of `bytes` that starts `offset` bytes after an aligned address.
    pub fn holding(name: &'static CStr, bytes: &[u8], offset: usize) -> Guarded {
        let memory = vec![CANARY; bytes.len() + offset + ALIGN + 2 * GUARD_BYTES];
        let start = memory.as_ptr().align_offset(ALIGN) + GUARD_BYTES + offset;
        let len = bytes.len();
        let mut guarded = Guarded {
            name,
            memory,
            start,
            len,
        };
        guarded.memory[start..start + len].copy_from_slice(bytes);
        guarded
    }

    /// A buffer that nobody has written to.
    pub fn poisoned(name: &'static CStr, len: usize) -> Guarded {
        Guarded::holding(name, &vec![POISON; len], 0)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Where the buffer starts, for a launch to read and write.
    pub fn address(&mut self) -> *mut u8 {
        self.memory[self.start..].as_mut_ptr()
    }

    pub fn bytes(&self) -> &[u8] {
        &self.memory[self.start..self.start + self.len]
    }

    /// Whether the guard zones are as they were.
    pub fn check(&self) -> Result<(), String> {
        let end = self.start + self.len;
        let is_stored = |&k: &usize| self.memory[k] != CANARY;
        let stored = (0..self.start)
            .chain(end..self.memory.len())
            .find(is_stored);
        let Some(k) = stored else { return Ok(()) };
        let (offset, len, name) = (k as i64 - self.start as i64, self.len, self.name);
        Err(format!(
            "a store at byte {offset} of {len} of {name:?} is out of bounds"
        ))
    }
}
