//! Device slices as inputs and outputs.

use cudarc::driver::{CudaSlice, CudaView, CudaViewMut};

use super::{Span, SpanMut};
use crate::element::Element;
use crate::error::Result;
use crate::input::{Input, View};
use crate::output::{Room, Spot, no_room};

macro_rules! input {
    ($($slice:ty),*) => {
        $(
            impl<T: Element> Input<T> for &$slice {
                fn view(&self) -> View<'_, T> {
                    View::Gpu(Span::new(*self, self.len()))
                }
            }
        )*
    };
}

// A view is made in the call, as `slice.slice(1..)`.
impl<T: Element> Input<T> for CudaView<'_, T> {
    fn view(&self) -> View<'_, T> {
        View::Gpu(Span::new(self, self.len()))
    }
}

macro_rules! room {
    ($($slice:ty),*) => {
        $(
            impl<T: Element> Room<T> for $slice {
                fn spot(&mut self) -> Result<Spot<'_, T>> {
                    match self.len() {
                        0 => Err(no_room()),
                        len => Ok(Spot::Gpu(SpanMut::new(self, len))),
                    }
                }
            }
        )*
    };
}

input!(CudaSlice<T>, CudaView<'_, T>, CudaViewMut<'_, T>);
room!(CudaSlice<T>, CudaViewMut<'_, T>);
