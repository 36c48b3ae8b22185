//! From a reduction to the text of its kernel.
//!
//! Tables say what there is, a row each: [`dtype`], [`op`], [`strategy`], [`grid`] (and [`auto`], which chooses
//! among them), [`stage`],
//! [`intrinsic`]. A [`spec::Spec`] is a reduction as it was asked for, its function in the IR of
//! [`expr`]; [`render`] writes that IR as CUDA C and as Rust, and [`kernel::sections`] puts the text
//! together from what varies and the stage files. [`tree`] says which elements meet in which order,
//! for kernels and host alike.
//!
//! The feature `syntax` adds the attributes as an ordinary library: parse, lower, expand.

pub mod auto;
pub mod dtype;
pub mod expr;
pub mod grid;
mod hardware;
pub mod intrinsic;
pub mod kernel;
pub mod op;
pub mod render;
pub mod spec;
pub mod stage;
pub mod strategy;
#[cfg(feature = "syntax")]
pub mod syntax;
pub mod tree;
