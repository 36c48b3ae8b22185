//! Runs unchanged kernel text on the CPU: what a GPU would do with values, barriers and shuffles, in
//! many orders, with every fault named by block, thread and line.
//!
//! The text is compiled as C++ after a stand-in for CUDA (`device.h`) and linked with a runner
//! (`runner.cpp`), in which a thread is a fiber. Every access to memory is seen (`races.h`), and must be
//! ordered with those of other threads to the same bytes. Memory is poisoned beforehand, and guard zones
//! around every buffer are looked at afterwards.

mod compiler;
mod counters;
mod launch;
mod lines;
pub mod memory;
pub mod object;
mod program;
pub mod ptx;
pub mod reference;
pub mod specs;
pub mod values;

pub use compiler::{compile, compile_text};
pub use counters::Counters;
pub use launch::{Call, Emulated, Input};
pub use program::Program;
