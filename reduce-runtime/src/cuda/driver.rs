//! What every call of the driver needs: its errors as ours, and safety beside a capture.

use std::fmt::Display;

use cudarc::driver::{DriverError, sys};

use crate::error::{Error, Kind, Result};

/// Turns a driver's error into ours by saying what was being done.
pub(super) trait Doing<T> {
    fn doing(self, what: impl Display) -> Result<T>;
}

impl<T> Doing<T> for Result<T, DriverError> {
    fn doing(self, what: impl Display) -> Result<T> {
        self.map_err(|error| Error::new(Kind::Driver, message(&error, &what)))
    }
}

// Only the driver makes such an error, so it is loaded and can be asked for the name.
fn message(error: &DriverError, what: &dyn Display) -> String {
    let number = error.0 as u32;
    let name = error.error_name().map(|name| name.to_string_lossy());
    let name = name.as_deref().unwrap_or("unknown");
    match advice(number) {
        "" => format!("{what}: {name} (CUDA error {number})"),
        advice => format!("{what}: {name} (CUDA error {number}): {advice}"),
    }
}

fn advice(number: u32) -> &'static str {
    match number {
        2 => "the device's memory is full: free some, or reduce in parts",
        46 => "another process holds the device: see `nvidia-smi`",
        200 | 209 | 222 => {
            "the driver cannot load what this NVRTC made: update the driver, or point REDUCE_NVRTC \
             at an NVRTC as old as the driver"
        }
        700 | 710..=719 => {
            "a kernel failed and the context is lost: an address or a length given for device memory \
             is probably wrong; `compute-sanitizer` finds which"
        }
        900..=909 => {
            "a stream is being captured: only a plan can be launched in a capture, and its input and \
             output must be ordered by the captured stream itself"
        }
        _ => "",
    }
}

/// While it lives, this thread's calls are allowed although another thread captures a stream.
pub(super) struct Relaxed(Option<sys::CUstreamCaptureMode>);

impl Relaxed {
    pub(super) fn enter() -> Relaxed {
        Relaxed(exchange(
            sys::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
        ))
    }
}

impl Drop for Relaxed {
    fn drop(&mut self) {
        if let Some(before) = self.0 {
            exchange(before);
        }
    }
}

fn exchange(mut mode: sys::CUstreamCaptureMode) -> Option<sys::CUstreamCaptureMode> {
    // SAFETY: `mode` is a valid place; the call changes nothing but this thread's capture mode.
    let done = unsafe { sys::cuThreadExchangeStreamCaptureMode(&mut mode) };
    done.result().is_ok().then_some(mode)
}
