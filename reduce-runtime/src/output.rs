//! What a reduction yields, and where it can be put.

use crate::element::Element;
use crate::error::{Error, Kind, Result};

/// The value of a reduction: an element type, or a tuple of two.
///
/// Each scalar of it goes to memory by itself: Rust fixes no layout for tuples.
#[doc(hidden)]
pub trait Output: Copy + Send + Sync + 'static {
    /// How many scalars it is.
    const SCALARS: usize;

    /// The value whose scalars are at the start of each slot.
    fn from_slots(slots: &[[u8; SLOT]]) -> Self;

    /// The value with the one NaN that results have.
    fn canonical(self) -> Self;
}

/// Bytes set aside for a scalar of a result.
#[doc(hidden)]
pub const SLOT: usize = 16;

impl<T: Element> Output for T {
    const SCALARS: usize = 1;

    fn from_slots(slots: &[[u8; SLOT]]) -> T {
        // The kernels store a `bool` as 0 or 1; anything else must not become one.
        bytemuck::checked::pod_read_unaligned(&slots[0][..size_of::<T>()])
    }

    fn canonical(self) -> T {
        Element::canonical(self)
    }
}

impl<A: Element, B: Element> Output for (A, B) {
    const SCALARS: usize = 2;

    fn from_slots(slots: &[[u8; SLOT]]) -> (A, B) {
        (A::from_slots(&slots[..1]), B::from_slots(&slots[1..]))
    }

    fn canonical(self) -> (A, B) {
        (Element::canonical(self.0), Element::canonical(self.1))
    }
}

/// Where one scalar of a result can be put: a slice with room for it, on the host or on a GPU.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take a result of type `{T}`",
    label = "expected room for `{T}`",
    note = "an output is a mutable reference to `[{T}]`, `Vec<{T}>`, `[{T}; N]`, `CudaSlice<{T}>` or `CudaViewMut<{T}>`; its first element takes the result"
)]
pub trait Room<T> {
    /// The room, which is at least one element.
    #[doc(hidden)]
    fn spot(&mut self) -> Result<Spot<'_, T>>;
}

/// Room for one scalar.
#[doc(hidden)]
#[derive(Debug)]
pub enum Spot<'a, T> {
    /// In host memory.
    Host(&'a mut T),
    /// In the memory of a GPU.
    #[cfg(feature = "cuda")]
    Gpu(crate::cuda::SpanMut<'a>),
}

/// An output without room.
pub(crate) fn no_room() -> Error {
    Error::new(
        Kind::Input,
        "room for one result was wanted, but the output has length 0; pass a slice of at least one element",
    )
}

impl<T, R: Room<T> + ?Sized> Room<T> for &mut R {
    fn spot(&mut self) -> Result<Spot<'_, T>> {
        (**self).spot()
    }
}

impl<T: Element> Room<T> for [T] {
    fn spot(&mut self) -> Result<Spot<'_, T>> {
        self.first_mut().map(Spot::Host).ok_or_else(no_room)
    }
}

impl<T: Element, const N: usize> Room<T> for [T; N] {
    fn spot(&mut self) -> Result<Spot<'_, T>> {
        self.as_mut_slice().spot()
    }
}

impl<T: Element> Room<T> for Vec<T> {
    fn spot(&mut self) -> Result<Spot<'_, T>> {
        self.as_mut_slice().spot()
    }
}

/// Where a result of type `O` can be put: room for it, or a tuple of rooms if it is a tuple.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot take a result of type `{O}`",
    label = "expected room for `{O}`",
    note = "an output is a mutable reference to a slice, `Vec`, array, `CudaSlice` or `CudaViewMut`; a result that is a tuple takes a tuple of outputs"
)]
pub trait Destination<O: Output> {
    /// Puts a value there, if it is on the host.
    #[doc(hidden)]
    fn put(&mut self, value: O) -> Result<()>;

    /// The device memory of each scalar, if it is on a GPU.
    #[cfg(feature = "cuda")]
    #[doc(hidden)]
    fn spans(&mut self) -> Result<[Option<crate::cuda::SpanMut<'_>>; MAX_SCALARS]>;
}

/// The most scalars a result has.
#[cfg(feature = "cuda")]
#[doc(hidden)]
pub const MAX_SCALARS: usize = 2;

/// An output on the wrong side.
#[cfg(feature = "cuda")]
fn wrong_side(wanted: &str, found: &str) -> Error {
    Error::new(
        Kind::Input,
        format!(
            "an output {wanted} was wanted, but it is {found}; pass one on the side of the device, or use `reduce`, which returns the value"
        ),
    )
}

/// How a tuple's outputs are told apart.
const FIRST: &str = "the first output";
const SECOND: &str = "the second output";

fn host_of<T: Element>(room: &mut impl Room<T>) -> Result<&mut T> {
    match room.spot()? {
        Spot::Host(room) => Ok(room),
        #[cfg(feature = "cuda")]
        Spot::Gpu(_) => Err(wrong_side("in host memory", "a device slice")),
    }
}

#[cfg(feature = "cuda")]
fn span_of<T: Element>(room: &mut impl Room<T>) -> Result<Option<crate::cuda::SpanMut<'_>>> {
    match room.spot()? {
        Spot::Host(_) => Err(wrong_side("on the GPU", "a host slice")),
        Spot::Gpu(span) => Ok(Some(span)),
    }
}

impl<T: Element, R: Room<T>> Destination<T> for R {
    fn put(&mut self, value: T) -> Result<()> {
        *host_of(self)? = value;
        Ok(())
    }

    #[cfg(feature = "cuda")]
    fn spans(&mut self) -> Result<[Option<crate::cuda::SpanMut<'_>>; MAX_SCALARS]> {
        Ok([span_of(self)?, None])
    }
}

impl<A: Element, B: Element, R: Room<A>, S: Room<B>> Destination<(A, B)> for (R, S) {
    fn put(&mut self, value: (A, B)) -> Result<()> {
        // Both or none.
        let first = host_of(&mut self.0).map_err(|error| error.of(FIRST))?;
        let second = host_of(&mut self.1).map_err(|error| error.of(SECOND))?;
        (*first, *second) = value;
        Ok(())
    }

    #[cfg(feature = "cuda")]
    fn spans(&mut self) -> Result<[Option<crate::cuda::SpanMut<'_>>; MAX_SCALARS]> {
        Ok([
            span_of(&mut self.0).map_err(|error| error.of(FIRST))?,
            span_of(&mut self.1).map_err(|error| error.of(SECOND))?,
        ])
    }
}
