//! The passes of a reduction onto the stream. No device allocation, no wait, no question to the driver.

use std::ffi::c_void;
use std::ptr;

use cudarc::driver::{CudaStream, sys};

use super::driver::Doing;
use super::function::{Entries, Entry, Function};
use super::plan::{Levels, Scratch};
use super::queue::Queue;
use crate::error::Result;

/// What differs between launches of one kernel.
///
/// Whoever makes it vouches that the bytes are those of the kernel's `Elements`, that the addresses
/// in them can be read as far as n says, and that the outputs can be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Params<'a> {
    /// The bytes of the kernel's `Elements`, at least one.
    pub(crate) elements: &'a [u8],
    /// Where the results go, in device memory.
    pub(crate) outputs: &'a [u64],
    /// Streams whose work inputs and outputs wait for, and that then wait for us.
    pub(crate) after: &'a [&'a CudaStream],
}

/// A launch of all passes.
pub(super) struct Launch<'a> {
    pub(super) queue: &'a Queue,
    pub(super) levels: Levels,
    pub(super) scratch: &'a Scratch,
    pub(super) params: &'a Params<'a>,
}

impl Launch<'_> {
    pub(super) fn enqueue(&self, function: &Function) -> Result<()> {
        self.queue.bind()?;
        for stream in self.params.after {
            self.queue.wait_for(stream)?;
        }
        match &function.entries {
            Entries::Single(entry) => self.single(entry)?,
            Entries::Level { elements, partials } => self.by_level(elements, partials)?,
            Entries::Begun { begin, fold } => {
                let partials = self.scratch.partials();
                self.start(begin, 1, &mut [argument(&partials)])?;
                self.single(fold)?;
            }
        }
        for stream in self.params.after {
            self.queue.hold_back(stream)?;
        }
        Ok(())
    }

    fn single(&self, entry: &Entry) -> Result<()> {
        let (levels, params) = (self.levels, self.params);
        let (n, partials) = (levels.n, self.scratch.partials());
        let (arrivals, status) = (self.scratch.arrivals(), self.scratch.status());
        let mut arguments = [
            argument(params.elements),
            argument(&n),
            argument(&partials),
            argument(&arrivals),
            argument(&status),
            argument(params.outputs),
        ];
        self.start(entry, levels.tiles().next().unwrap_or(0), &mut arguments)
    }

    fn by_level(&self, elements: &Entry, partials: &Entry) -> Result<()> {
        let (levels, params) = (self.levels, self.params);
        let status = self.scratch.status();
        let (mut entry, mut source) = (elements, argument(params.elements));
        let (mut n, mut stored) = (levels.n, self.scratch.partials());
        let mut below;
        for tiles in levels.tiles() {
            let mut arguments = [
                source,
                argument(&n),
                argument(&stored),
                argument(&status),
                argument(params.outputs),
            ];
            self.start(entry, tiles, &mut arguments)?;
            (n, below) = (tiles, stored);
            stored += levels.level_bytes(tiles);
            (entry, source) = (partials, argument(&below));
        }
        Ok(())
    }

    fn start(&self, entry: &Entry, tiles: u64, arguments: &mut [*mut c_void]) -> Result<()> {
        let mut attributes = Attributes::new();
        if entry.follows {
            attributes.push(FOLLOW, |value| {
                value.programmaticStreamSerializationAllowed = 1
            });
        }
        let cluster = entry.cluster(tiles);
        if cluster > 1 {
            attributes.push(CLUSTER, |value| {
                value.clusterDim.x = cluster;
                value.clusterDim.y = 1;
                value.clusterDim.z = 1;
            });
        }
        let config = sys::CUlaunchConfig {
            gridDimX: self.levels.blocks(entry, tiles),
            gridDimY: 1,
            gridDimZ: 1,
            blockDimX: self.levels.tile.threads,
            blockDimY: 1,
            blockDimZ: 1,
            sharedMemBytes: entry.dynamic_shared,
            hStream: self.queue.raw(),
            attrs: attributes.list.as_mut_ptr(),
            numAttrs: attributes.count as u32,
        };
        let arguments = arguments.as_mut_ptr();
        // SAFETY: the entry is loaded, its parameters are of these types in this order, and all of
        // them live until the call has copied them. What they point at is vouched for by who made
        // `Params`.
        unsafe { sys::cuLaunchKernelEx(&config, entry.raw, arguments, ptr::null_mut()) }
            .result()
            .doing(format_args!("launching {}", entry.name))
    }
}

const FOLLOW: sys::CUlaunchAttributeID =
    sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
const CLUSTER: sys::CUlaunchAttributeID =
    sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;

/// What a launch says of itself beyond its sizes.
struct Attributes {
    list: [sys::CUlaunchAttribute; 2],
    count: usize,
}

impl Attributes {
    fn new() -> Attributes {
        let unused = sys::CUlaunchAttribute {
            id: sys::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_IGNORE,
            pad: [0; 4],
            value: sys::CUlaunchAttributeValue { pad: [0; 64] },
        };
        Attributes {
            list: [unused; 2],
            count: 0,
        }
    }

    fn push(
        &mut self,
        id: sys::CUlaunchAttributeID,
        set: impl FnOnce(&mut sys::CUlaunchAttributeValue),
    ) {
        let attribute = &mut self.list[self.count];
        attribute.id = id;
        set(&mut attribute.value);
        self.count += 1;
    }
}

/// The driver copies as many bytes from there as the kernel's parameter has: the value must be a
/// variable that outlives the launch.
fn argument<T: ?Sized>(value: &T) -> *mut c_void {
    ptr::from_ref(value).cast_mut().cast()
}
