//! NVIDIA GPUs: everything that the CUDA driver and NVRTC do for the rest of the crate.
//!
//! All unsafe code of the crate lives here, but for the text join in `text.rs`. The rest hands in what is not generic: a kernel's text, a number of
//! elements, the bytes of a parameter, device addresses.
//!
//! ```text
//! probe     is there a driver, is there an NVRTC
//! nvrtc     NVRTC's functions        driver    the driver's errors as ours
//! compile   text -> Image            queue     the stream, and its order among others
//! cache     Image, once              memory    on the device, and pinned on the host
//! function  Image -> Function, once a device
//! address   where cudarc's slices lie
//! plan      Function, n -> passes and their scratch
//! launch    passes -> the stream
//! readback  results into host memory upload    host slices onto the device
//! gpu       the device, which owns all of these
//! calls     a reduction's calls, as bytes and addresses
//! slices    cudarc's slices as inputs and outputs
//! ```

mod address;
mod cache;
mod calls;
pub mod compile;
mod driver;
mod function;
mod gpu;
mod launch;
mod memory;
mod nvrtc;
mod plan;
mod probe;
mod queue;
mod readback;
mod slices;
mod upload;

pub use address::{Span, SpanMut};

pub(crate) use gpu::Gpu;
use launch::Params;
pub(crate) use plan::Plan;
use plan::Variant;
use readback::RESULT_STRIDE;
use upload::Upload;
