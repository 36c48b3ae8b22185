//! What may be reduced: host slices, device slices, tuples of them, or a range of indices.

use std::ops::Range;

use crate::element::{Element, Elements};
use crate::error::{Error, Kind, Result};

/// One input: a slice of elements, on the host or on a GPU.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice of `{T}`",
    label = "expected a slice of `{T}`",
    note = "an input is a reference to `[{T}]`, `Vec<{T}>`, `[{T}; N]`, `CudaSlice<{T}>` or `CudaView<{T}>`; several inputs are a tuple of those"
)]
pub trait Input<T> {
    /// Where the elements are.
    #[doc(hidden)]
    fn view(&self) -> View<'_, T>;
}

/// Where the elements of one input are.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum View<'a, T> {
    /// In host memory.
    Host(&'a [T]),
    /// In the memory of a GPU.
    #[cfg(feature = "cuda")]
    Gpu(crate::cuda::Span<'a>),
}

impl<T> View<'_, T> {
    fn len(&self) -> usize {
        match self {
            View::Host(slice) => slice.len(),
            #[cfg(feature = "cuda")]
            View::Gpu(span) => span.len,
        }
    }
}

// References, not the owners: else lints would take the `&` of a call for needless.

impl<'a, T, I: ?Sized> Input<T> for &'a &'a I
where
    &'a I: Input<T>,
{
    fn view(&self) -> View<'_, T> {
        <&'a I as Input<T>>::view(self)
    }
}

impl<T: Element> Input<T> for &[T] {
    fn view(&self) -> View<'_, T> {
        View::Host(self)
    }
}

impl<T: Element, const N: usize> Input<T> for &[T; N] {
    fn view(&self) -> View<'_, T> {
        View::Host(self.as_slice())
    }
}

impl<T: Element> Input<T> for &Vec<T> {
    fn view(&self) -> View<'_, T> {
        View::Host(self)
    }
}

/// The inputs of a reduction whose elements are `E`: one slice, a tuple of slices of equal length, or
/// a range where the reduction has only an index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give elements `{E}`",
    label = "expected input for elements `{E}`",
    note = "one input is a reference to a slice, `Vec`, array, `CudaSlice` or `CudaView`; several are a tuple of those, in the order of the function's parameters; a function of `#[index]` alone takes a range such as `0..n`"
)]
pub trait Inputs<E: Elements> {
    /// The inputs, checked against each other.
    #[doc(hidden)]
    fn given(&self) -> Result<Given<'_, E>>;
}

/// The inputs of one call.
#[doc(hidden)]
#[derive(Debug)]
pub struct Given<'a, E: Elements> {
    /// The index of the first element.
    pub(crate) first: u64,
    /// How many elements each input has.
    pub(crate) n: u64,
    /// Where they are.
    pub(crate) place: Place<'a, E>,
}

/// Where the inputs of one call are.
#[derive(Debug)]
pub(crate) enum Place<'a, E: Elements> {
    Host {
        slices: E::Slices<'a>,
        /// The same as bytes, for a copy to a GPU.
        #[cfg_attr(not(feature = "cuda"), expect(dead_code))]
        bytes: [&'a [u8]; MAX_INPUTS],
    },
    #[cfg(feature = "cuda")]
    Gpu([Option<crate::cuda::Span<'a>>; MAX_INPUTS]),
}

/// The most inputs a reduction has.
pub(crate) const MAX_INPUTS: usize = 4;

/// An input of another length than the first.
fn unequal(k: usize, len: usize, first: usize) -> Error {
    Error::new(
        Kind::Input,
        format!(
            "inputs of equal length were wanted, but input 0 has {first} elements and input {k} has {len}; pass slices of the same length"
        ),
    )
}

/// Inputs of which some are on the host and some on a GPU.
#[cfg(feature = "cuda")]
fn mixed() -> Error {
    Error::new(
        Kind::Input,
        "all inputs were wanted in one place, but some are host slices and some are device slices; copy them to one side (`stream.clone_htod(&slice)` or `stream.clone_dtoh(&slice)`)",
    )
}

macro_rules! inputs {
    ($this:ident, $self_type:ty, $($element:ident $input:ident $k:tt $view:expr),*) => {
        #[allow(non_snake_case)]
        impl<$($element: Element, $input: Input<$element>),*> Inputs<($($element,)*)> for $self_type {
            fn given(&self) -> Result<Given<'_, ($($element,)*)>> {
                let $this = self;
                let views = ($($view,)*);
                let n = views.0.len();
                $(if views.$k.len() != n {
                    return Err(unequal($k, views.$k.len(), n));
                })*
                let place = match views {
                    ($(View::Host($element),)*) => {
                        let mut bytes: [&[u8]; MAX_INPUTS] = [&[]; MAX_INPUTS];
                        $(bytes[$k] = bytemuck::cast_slice($element);)*
                        let slices = ($($element,)*);
                        Place::Host { slices, bytes }
                    }
                    #[cfg(feature = "cuda")]
                    ($(View::Gpu($element),)*) => {
                        let mut spans = [None; MAX_INPUTS];
                        $(spans[$k] = Some($element);)*
                        Place::Gpu(spans)
                    }
                    #[cfg(feature = "cuda")]
                    #[allow(unreachable_patterns)]
                    _ => return Err(mixed()),
                };
                Ok(Given { first: 0, n: n as u64, place })
            }
        }
    };
}

inputs!(this, I, A I 0 this.view());
inputs!(this, (I, J), A I 0 this.0.view(), B J 1 this.1.view());
inputs!(this, (I, J, K), A I 0 this.0.view(), B J 1 this.1.view(), C K 2 this.2.view());
inputs!(this, (I, J, K, L), A I 0 this.0.view(), B J 1 this.1.view(), C K 2 this.2.view(), D L 3 this.3.view());

impl Inputs<()> for Range<u64> {
    fn given(&self) -> Result<Given<'_, ()>> {
        Ok(Given {
            first: self.start,
            n: self.end.saturating_sub(self.start),
            place: Place::Host {
                slices: (),
                bytes: [&[]; MAX_INPUTS],
            },
        })
    }
}
