//! Where reductions run.

use std::fmt;

use crate::error::Result;

/// A GPU, or the host.
///
/// Cheap to clone, and shared freely between threads. `Display` says which it is and why.
#[derive(Clone, Debug)]
pub struct Device(pub(crate) Engine, Reason);

/// Why this device and no other.
type Reason = std::sync::Arc<str>;

/// What runs.
#[derive(Clone, Debug)]
pub(crate) enum Engine {
    Host,
    #[cfg(feature = "cuda")]
    Gpu(crate::cuda::Gpu),
}

/// The reason of a device that a program names.
const ASKED_FOR: &str = "it was asked for";

impl Device {
    /// The first usable GPU, else the host; never fails. The environment variable `REDUCE_DEVICE`
    /// chooses: `host`, or the number of a GPU.
    pub fn auto() -> Device {
        let wish = std::env::var_os("REDUCE_DEVICE").unwrap_or_default();
        match wish.to_string_lossy().trim() {
            "" => Device::first().unwrap_or_else(|error| Device::host_because(&error.to_string())),
            "host" => Device::host_because("REDUCE_DEVICE is `host`"),
            number => match number.parse() {
                Ok(ordinal) => match Device::gpu(ordinal) {
                    Ok(Device(engine, _)) => {
                        Device(engine, format!("REDUCE_DEVICE is `{number}`").into())
                    }
                    Err(error) => {
                        Device::host_because(&format!("REDUCE_DEVICE is `{number}`, but {error}"))
                    }
                },
                Err(_) => Device::host_because(&format!(
                    "REDUCE_DEVICE is `{number}`; `host` or the number of a GPU was wanted"
                )),
            },
        }
    }

    /// The host.
    pub fn host() -> Device {
        Device::host_because(ASKED_FOR)
    }

    fn host_because(reason: &str) -> Device {
        Device(Engine::Host, reason.into())
    }

    #[cfg(feature = "cuda")]
    fn first() -> Result<Device> {
        crate::cuda::Gpu::first().map(|gpu| Device(Engine::Gpu(gpu), "the first usable GPU".into()))
    }

    #[cfg(not(feature = "cuda"))]
    fn first() -> Result<Device> {
        Device::gpu(0)
    }

    /// The GPU of this number, with a stream of its own.
    ///
    /// # Errors
    /// The driver or NVRTC is missing, there is no such GPU, or it cannot be opened.
    #[cfg(feature = "cuda")]
    pub fn gpu(ordinal: usize) -> Result<Device> {
        crate::cuda::Gpu::open(ordinal).map(|gpu| Device(Engine::Gpu(gpu), ASKED_FOR.into()))
    }

    /// The GPU of this number; this build has no GPU support.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(feature = "cuda"))]
    pub fn gpu(ordinal: usize) -> Result<Device> {
        Err(crate::error::Error::new(
            crate::error::Kind::Unavailable,
            format!(
                "GPU {ordinal} was wanted, but reduce-runtime was built without the feature `cuda`; build it with default features"
            ),
        ))
    }

    /// The GPU of a context, with a stream of its own.
    ///
    /// # Errors
    /// NVRTC is missing, or the context cannot be used.
    #[cfg(feature = "cuda")]
    pub fn from_context(context: std::sync::Arc<cudarc::driver::CudaContext>) -> Result<Device> {
        crate::cuda::Gpu::from_context(context)
            .map(|gpu| Device(Engine::Gpu(gpu), "of a given context".into()))
    }

    /// The GPU of a stream; reductions run on that stream.
    ///
    /// # Errors
    /// NVRTC is missing, or the context cannot be used.
    #[cfg(feature = "cuda")]
    pub fn from_stream(stream: std::sync::Arc<cudarc::driver::CudaStream>) -> Result<Device> {
        crate::cuda::Gpu::from_stream(stream)
            .map(|gpu| Device(Engine::Gpu(gpu), "of a given stream".into()))
    }

    /// The stream that reductions run on; `None` on the host.
    #[cfg(feature = "cuda")]
    pub fn stream(&self) -> Option<&std::sync::Arc<cudarc::driver::CudaStream>> {
        match &self.0 {
            Engine::Host => None,
            Engine::Gpu(gpu) => Some(gpu.stream()),
        }
    }

    /// Waits for the reductions without a plan so far, and reports what only the device could see of
    /// them. On the host there is nothing to wait for.
    ///
    /// # Errors
    /// Whatever the driver reports. No kernel of today's operators has errors of its own.
    pub fn status(&self) -> Result<()> {
        match &self.0 {
            Engine::Host => Ok(()),
            #[cfg(feature = "cuda")]
            Engine::Gpu(gpu) => gpu.status(),
        }
    }

    /// Whether this is a GPU.
    pub fn is_gpu(&self) -> bool {
        !matches!(self.0, Engine::Host)
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Engine::Host => write!(f, "host ({})", self.1),
            #[cfg(feature = "cuda")]
            Engine::Gpu(gpu) => write!(f, "{gpu} ({})", self.1),
        }
    }
}
