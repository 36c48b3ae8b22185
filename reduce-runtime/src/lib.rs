//! GPU reductions from an attribute on a Rust function; the same bits on the host.
//!
//! ```
//! use reduce_runtime::prelude::*;
//!
//! #[reduction(op = Add)]
//! fn sum_sq(x: f32) -> f32 {
//!     x * x
//! }
//!
//! # fn main() -> Result<()> {
//! let device = Device::auto(); // the first usable GPU, else the host
//! let total: f32 = sum_sq::reduce(&device, &[3.0, 4.0])?;
//! assert_eq!(total, 25.0);
//! # Ok(())
//! # }
//! ```
//!
//! [`reduction`] leaves the function as it was and adds a struct of its name, which implements
//! [`Reduction`]: its methods are the calls. [`operator`] does the same for a user's own operator.
//!
//! # What runs where
//!
//! [`Device::auto`] may fall back to the host, and its `Display` says why; [`Device::gpu`] reports.
//! The driver and NVRTC are found at run time, so one binary runs on machines with and without them.
//! The result is a function of the data, the number of elements, the operator and the types alone:
//! the host and every GPU give the same bits.
//!
//! # Features
//!
//! - `cuda` (default): NVIDIA GPUs. Without it the crate is the host engine.

#[cfg(feature = "cuda")]
mod cuda;
mod device;
mod element;
mod error;
mod explain;
mod faulty;
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
    pub use crate::faulty::Faulty;
    pub use crate::operator::{BuiltIn, HasBuiltIn};
    pub use crate::reduction::{Forced, Unbound};
    pub use crate::{text, twin};
    pub use half;
    pub use kernels_gen::kernel::{Fragments, Kernel, SECTIONS, sections};
    pub use kernels_gen::tree::{Meeting, Shape, Tile};
    pub use kernels_gen::{grid, strategy};
}

/// The README's examples, compiled and run with the documentation's.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
