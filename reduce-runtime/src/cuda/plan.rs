//! What a reduction of n elements takes on a device: its levels, its launches and their scratch.

use std::fmt;
use std::iter;
use std::sync::Arc;

use kernels_gen::auto::Choice;
use kernels_gen::kernel::Kernel;
use kernels_gen::tree::{Shape, Tile};

use super::function::{Entry, Function};
use super::gpu::Gpu;
use super::launch::Params;
use super::memory::Memory;
use super::queue::Queue;
use crate::error::Result;
use crate::reduction::check_tile;

/// A kernel and how it is to be launched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Variant {
    /// The reduction.
    pub(crate) kernel: &'static Kernel,
    /// Its own text, whose place names the reduction.
    pub(crate) text: &'static str,
    /// How a block folds, and how blocks meet.
    pub(crate) choice: Choice,
    /// Whether a test forced that, so that it may not be in the kernel's own text.
    pub(crate) is_forced: bool,
    /// The tile.
    pub(crate) tile: Tile,
    /// How many blocks a launch has, where a test wants to say; never more than tiles.
    pub(crate) blocks: Option<u32>,
}

/// The levels of the tree over `n` elements.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    pub(super) n: u64,
    pub(super) tile: Tile,
    shape: Shape,
    accumulator_bytes: u32,
    blocks: Option<u32>,
}

impl Levels {
    pub(super) fn new(variant: &Variant, n: u64) -> Result<Levels> {
        let Kernel {
            shape,
            accumulator_bytes,
            ..
        } = *variant.kernel;
        let tile = variant.tile;
        // The partials of a cluster are one tile.
        let least = variant.choice.strategy.largest_cluster();
        check_tile(tile, shape, u64::from(least))?;
        Ok(Levels {
            n,
            tile,
            shape,
            accumulator_bytes,
            blocks: variant.blocks,
        })
    }

    /// How many tiles each level has, the elements' first, until one is left; none for no elements.
    pub(super) fn tiles(self) -> impl Iterator<Item = u64> {
        let next = move |&tiles: &u64| {
            (tiles > 1).then(|| self.tile.count(tiles, self.shape.partial_vector))
        };
        iter::successors(Some(self.tile.count(self.n, self.shape.vector)), next)
    }

    /// Bytes that the partials of a level take, so that the next level's start aligned.
    pub(super) fn level_bytes(self, tiles: u64) -> u64 {
        let places = tiles.next_multiple_of(u64::from(self.shape.partial_vector));
        places.saturating_mul(u64::from(self.accumulator_bytes))
    }

    /// Bytes of all partials. The last level's value is the result and is not stored; there is room for
    /// one value at least, in which the blocks of a grid may meet.
    fn partial_bytes(self) -> u64 {
        let stored = self.tiles().filter(|&tiles| tiles > 1);
        let bytes: u64 = stored.map(|tiles| self.level_bytes(tiles)).sum();
        bytes.max(u64::from(self.accumulator_bytes))
    }

    /// Blocks for so many tiles, whole clusters: each takes several where the device does not hold one
    /// a tile.
    pub(super) fn blocks(self, entry: &Entry, tiles: u64) -> u32 {
        let cluster = entry.cluster(tiles);
        let most = self.blocks.unwrap_or(entry.resident).max(1);
        let blocks = u32::try_from(tiles).map_or(most, |tiles| tiles.clamp(1, most));
        blocks.next_multiple_of(cluster)
    }
}

/// Memory that launches of one stream share: they follow each other.
pub(super) struct Scratch {
    control: Memory,
    partials: Option<Memory>,
}

/// Arrival counter and status word, each with a cache line of its own.
const CONTROL_BYTES: usize = 256;
const STATUS: u64 = 128;

impl Scratch {
    pub(super) fn new(queue: &Arc<Queue>) -> Result<Scratch> {
        Ok(Scratch {
            control: Memory::zeroed(queue, CONTROL_BYTES)?,
            partials: None,
        })
    }

    /// Makes room for the partials of `levels`. What was there before is freed after its use.
    pub(super) fn fit(
        &mut self,
        queue: &Arc<Queue>,
        levels: Levels,
        spare: fn(usize) -> usize,
    ) -> Result<()> {
        let bytes = usize::try_from(levels.partial_bytes()).unwrap_or(usize::MAX);
        if bytes > self.partials.as_ref().map_or(0, Memory::bytes) {
            self.partials = None;
            self.partials = Some(Memory::new(queue, spare(bytes))?);
        }
        Ok(())
    }

    pub(super) fn arrivals(&self) -> u64 {
        self.control.address()
    }

    pub(super) fn status(&self) -> u64 {
        self.control.address() + STATUS
    }

    pub(super) fn partials(&self) -> u64 {
        self.partials.as_ref().map_or(0, Memory::address)
    }
}

/// A reduction of n elements that is ready to be launched, with scratch of its own.
pub(crate) struct Plan {
    gpu: Gpu,
    function: Arc<Function>,
    levels: Levels,
    scratch: Scratch,
}

impl Plan {
    pub(super) fn new(gpu: &Gpu, variant: &Variant, n: u64) -> Result<Plan> {
        let levels = Levels::new(variant, n)?;
        let function = gpu.function(variant)?;
        let mut scratch = Scratch::new(gpu.queue())?;
        scratch.fit(gpu.queue(), levels, |bytes| bytes)?;
        Ok(Plan {
            gpu: gpu.clone(),
            function,
            levels,
            scratch,
        })
    }

    /// Enqueues the reduction on the device's stream; the only form that a capture accepts.
    pub(crate) fn launch(&self, params: &Params<'_>) -> Result<()> {
        self.gpu
            .launch(&self.function, self.levels, &self.scratch, params)
    }

    /// Waits, and reports what a launch found wrong that only the device could see.
    pub(crate) fn status(&self) -> Result<()> {
        self.gpu.check_status(&self.scratch)
    }

    /// The device it is for.
    pub(crate) fn gpu(&self) -> &Gpu {
        &self.gpu
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} elements on {}", self.levels.n, self.gpu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPE: Shape = Shape {
        vector: 4,
        partial_vector: 4,
        step_bytes: 16,
    };

    fn levels(n: u64, tile: Tile) -> Levels {
        Levels {
            n,
            tile,
            shape: SHAPE,
            accumulator_bytes: 4,
            blocks: None,
        }
    }

    #[test]
    fn levels_are_those_of_the_tree() {
        let tile = Tile {
            threads: 32,
            rows: 1,
        };
        for n in [0, 1, 128, 129, 128 * 128, 128 * 128 + 1, 1 << 30] {
            let tiles: Vec<_> = levels(n, tile).tiles().collect();
            assert_eq!(tiles, tile.levels(n, SHAPE), "n = {n}");
        }
    }

    #[test]
    fn partials_take_the_bytes_of_all_levels_but_the_last() {
        let tile = Tile {
            threads: 32,
            rows: 1,
        };
        let bytes = |n| levels(n, tile).partial_bytes();
        // One value at least.
        assert_eq!((bytes(0), bytes(1), bytes(128)), (4, 4, 4));
        // 2 tiles take a vector of 4; 129 of them 132 places, and their 2 tiles another 4.
        assert_eq!((bytes(129), bytes(128 * 129)), (4 * 4, (132 + 4) * 4));
    }
}
