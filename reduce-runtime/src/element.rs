//! The types an element may have, and tuples of them.

use crate::fields::Fields;

mod sealed {
    pub trait Sealed {}
}

/// A type that a slice to be reduced may hold: a row of the type table.
///
/// Its bytes may be read as they are; bytes are a value of it only if its pattern is one, of `bool` 0 or 1.
pub trait Element:
    sealed::Sealed + bytemuck::NoUninit + bytemuck::CheckedBitPattern + std::fmt::Debug + Send + Sync
{
    /// The type's name in Rust and in the kernels.
    const NAME: &'static str;

    /// The value, or the one NaN that results have.
    #[doc(hidden)]
    fn canonical(self) -> Self;
}

macro_rules! implement {
    ($(($constant:ident, $name:ident, $kind:ident, $bytes:literal, $one:literal, $bits:ident, $accumulator:ident, $half:literal))*) => {
        $(implement!(@$kind $name);)*
    };
    (@Float $name:ident) => {
        implement!(@$name, |value| crate::twin::$name::canonical(value));
    };
    (@$other:ident $name:ident) => {
        implement!(@$name, |value| value);
    };
    (@$name:ident, |$value:ident| $canonical:expr) => {
        impl sealed::Sealed for types::$name {}
        impl Element for types::$name {
            const NAME: &'static str = stringify!($name);

            #[inline(always)]
            fn canonical(self) -> Self {
                let $value = self;
                $canonical
            }
        }
    };
}

/// The element types under the names of the type table.
mod types {
    #[allow(unused_imports)]
    pub use core::primitive::*;
    pub use half::{bf16, f16};
}

kernels_gen::for_each_dtype!(implement);

/// A tuple of element types: one element of each input of a reduction.
#[doc(hidden)]
pub trait Elements: Copy + Send + Sync + 'static {
    /// How many inputs there are.
    const COUNT: usize;

    /// The inputs as host slices.
    type Slices<'a>: Copy + std::fmt::Debug + Send + Sync;

    /// `len` elements of each slice, from `start` on.
    fn cut<'a>(slices: Self::Slices<'a>, start: usize, len: usize) -> Self::Slices<'a>;

    /// The elements at `i`.
    fn at(slices: Self::Slices<'_>, i: usize) -> Self;
}

/// A tuple of uniforms.
#[doc(hidden)]
pub trait Uniforms: Copy + std::fmt::Debug + Send + Sync + 'static {
    /// Appends them to the fields of a kernel's `Elements`.
    fn push(&self, fields: &mut Fields);
}

macro_rules! tuple {
    ($($name:ident $k:tt),*) => {
        #[allow(unused_variables, clippy::unused_unit)]
        impl<$($name: Element),*> Elements for ($($name,)*) {
            const COUNT: usize = <[&str]>::len(&[$(stringify!($name)),*]);

            type Slices<'a> = ($(&'a [$name],)*);

            #[inline(always)]
            fn cut<'a>(slices: Self::Slices<'a>, start: usize, len: usize) -> Self::Slices<'a> {
                ($(&slices.$k[start..][..len],)*)
            }

            #[inline(always)]
            fn at(slices: Self::Slices<'_>, i: usize) -> Self {
                ($(slices.$k[i],)*)
            }
        }
        uniforms!($($name $k),*);
    };
}

macro_rules! uniforms {
    ($($name:ident $k:tt),*) => {
        #[allow(unused_variables)]
        impl<$($name: Element),*> Uniforms for ($($name,)*) {
            fn push(&self, fields: &mut Fields) {
                $(fields.push(self.$k);)*
            }
        }
    };
}

tuple!();
tuple!(A 0);
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, D 3);
uniforms!(A 0, B 1, C 2, D 3, E 4);
uniforms!(A 0, B 1, C 2, D 3, E 4, F 5);
uniforms!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
uniforms!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
