//! A column of numbers as a file holds it, of one of the eight element types.

use std::borrow::Cow;

use bytemuck::Pod;
use half::{bf16, f16};

/// A column and what it is called.
#[derive(Debug)]
pub struct Column<'f> {
    /// Its name or shape, for the table.
    pub title: String,
    /// Its elements.
    pub values: Values<'f>,
}

/// Elements of one type: in the mapped file, or copied where they could not be used there.
#[derive(Debug)]
pub enum Values<'f> {
    F16(Cow<'f, [f16]>),
    Bf16(Cow<'f, [bf16]>),
    F32(Cow<'f, [f32]>),
    F64(Cow<'f, [f64]>),
    I32(Cow<'f, [i32]>),
    I64(Cow<'f, [i64]>),
    U32(Cow<'f, [u32]>),
    U64(Cow<'f, [u64]>),
}

#[cfg(target_endian = "big")]
compile_error!("the files hold little-endian numbers, which are used as they lie");

/// Bytes as elements; `None` if they are no whole number of them.
pub fn elements<T: Pod>(bytes: &[u8]) -> Option<Cow<'_, [T]>> {
    if !bytes.len().is_multiple_of(size_of::<T>()) {
        return None;
    }
    match bytemuck::try_cast_slice(bytes) {
        Ok(slice) => Some(Cow::Borrowed(slice)),
        // Not aligned, which not every format promises.
        Err(_) => Some(
            bytes
                .chunks_exact(size_of::<T>())
                .map(bytemuck::pod_read_unaligned)
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aligned_or_not() {
        let words = [0x3ff0_0000_0000_0000_u64; 3];
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        assert!(matches!(
            elements::<f64>(bytes),
            Some(Cow::Borrowed([1.0, 1.0, 1.0]))
        ));
        assert!(elements::<f64>(&bytes[1..]).is_none());

        let mut shifted = [0; 8 * 4];
        for shift in 0..8 {
            shifted[shift..][..24].copy_from_slice(bytes);
            assert_eq!(
                elements::<f64>(&shifted[shift..][..24]).as_deref(),
                Some(&[1.0; 3][..])
            );
        }
    }
}
