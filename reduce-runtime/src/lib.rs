//! stub docs

#[cfg(feature = "cuda")]
mod cuda;
mod device;
mod element;
mod error;
mod explain;
mod fields;
mod host;
mod input;
mod operator;
mod output;
mod plan;
mod reduction;
#[doc(hidden)]
pub mod text;
#[doc(hidden)]
pub mod twin;

pub use device::Device;
pub use element::Element;
pub use error::{Error, Result};
pub use explain::Explain;
pub use input::{Input, Inputs};
pub use operator::Operator;
pub use output::{Destination, Room};
pub use plan::Plan;
pub use reduce_macros::{operator, reduction};
pub use reduction::{Bound, Reduction};

#[cfg(feature = "cuda")]
pub use cudarc;

/// What a program that reduces needs: `use reduce_runtime::prelude::*;`.
pub mod prelude {
    pub use crate::{Device, Error, Operator, Plan, Reduction, Result, operator, reduction};
    pub use half::{bf16, f16};
}

/// What expansions and this project's own tests name; no part of the public interface.
#[doc(hidden)]
pub mod private {
    #[cfg(feature = "cuda")]
    pub use crate::cuda::compile;
    pub use crate::reduction::{Forced, Unbound};
    pub use crate::{text, twin};
    pub use half;
    pub use kernels_gen::kernel::{Fragments, Kernel, SECTIONS, sections};
    pub use kernels_gen::tree::{Shape, Tile};
    pub use kernels_gen::{grid, strategy};
}
