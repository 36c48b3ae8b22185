//! The struct that a kernel takes its inputs and uniforms in, as bytes, laid out as C does.

/// The fields of a kernel's `Elements`: pointers of up to 4 inputs and up to 8 uniforms.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Fields {
    bytes: [u8; 96],
    len: usize,
}

impl Fields {
    #[cfg(feature = "cuda")]
    pub(crate) fn new() -> Fields {
        let bytes = [0; 96];
        Fields { bytes, len: 0 }
    }

    /// Appends a field at its own alignment, which for a scalar is its size.
    pub(crate) fn push<T: bytemuck::NoUninit>(&mut self, field: T) {
        let start = self.len.next_multiple_of(align_of::<T>());
        self.len = start + size_of::<T>();
        self.bytes[start..self.len].copy_from_slice(bytemuck::bytes_of(&field));
    }

    /// All of it; the driver reads as much as the kernel's struct is long.
    #[cfg(feature = "cuda")]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}
