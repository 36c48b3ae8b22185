//! From a reduction's description to the text of its kernel.
pub mod dtype;
pub mod expr;
pub mod grid;
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
