//! The strategies, a row each: a named choice of stages, and what it asks for.

use crate::stage::{self, Stage, features};
use crate::tree::{Meeting, Shape, Tile};

/// A row of the strategy table.
#[derive(Debug)]
pub struct Strategy {
    /// The word in `#[reduction(strategy = ..)]`. Rows may share one: the first that fits is meant.
    pub name: &'static str,
    /// One line for tables and messages.
    pub summary: &'static str,
    /// What it folds, for messages.
    pub takes: &'static str,
    /// The [`features`] that a reduction must have.
    pub demands: u32,
    /// The first architecture that has its instructions; 90 is sm_90.
    pub architecture: u32,
    /// What only the hardware can do, besides what every kernel uses.
    pub intrinsics: Option<Stage>,
    /// How a thread folds its places of the elements, if not as the partials.
    pub thread: Option<Stage>,
    /// How a block folds its threads' values.
    pub block: Stage,
    /// How a block walks its tiles of the elements, if not as those of the partials.
    pub tiles: Option<Stage>,
    /// How blocks meet, where that is the strategy's own; only with the first grid.
    pub grid: Option<Stage>,
    /// In which order the threads of a tile meet.
    pub meeting: Meeting,
    /// Whether [`crate::auto`] chooses the strategy at each launch.
    pub is_auto: bool,
}

const ANYTHING: &str = "every operator and type";

/// Registers and shuffles.
pub const SHUFFLE: Strategy = Strategy {
    name: "Shuffle",
    summary: "warps meet in shared memory once, then one warp shuffles",
    takes: ANYTHING,
    demands: 0,
    architecture: 75,
    intrinsics: None,
    thread: None,
    block: stage::BLOCK_SHUFFLE,
    tiles: None,
    grid: None,
    meeting: Meeting::FarFirst,
    is_auto: false,
};

/// Whatever suits the launch: the default.
pub const AUTO: Strategy = Strategy {
    name: "Auto",
    summary: "Shuffle, or Cluster where one cluster holds all tiles",
    is_auto: true,
    ..SHUFFLE
};

/// Shared memory alone, to be seen: divergent.
pub const INTERLEAVED: Strategy = Strategy {
    name: "Interleaved",
    summary: "shared memory, `t % 2 s == 0` works: every warp diverges",
    block: stage::BLOCK_INTERLEAVED,
    meeting: Meeting::NearFirst,
    ..SHUFFLE
};

/// Shared memory alone, to be seen: bank conflicts.
pub const STRIDED: Strategy = Strategy {
    name: "Strided",
    summary: "shared memory, slot `2 s t` works: whole warps idle, banks conflict",
    block: stage::BLOCK_STRIDED,
    meeting: Meeting::NearFirst,
    ..SHUFFLE
};

/// Shared memory alone.
pub const SEQUENTIAL: Strategy = Strategy {
    name: "Sequential",
    summary: "shared memory halves again and again, a barrier a step",
    block: stage::BLOCK_SEQUENTIAL,
    ..SHUFFLE
};

/// The instruction that folds a warp.
pub const REDUX: Strategy = Strategy {
    name: "Redux",
    summary: "one instruction folds a warp's integers",
    takes: "i32 and u32 with Add, Min, Max, BitAnd, BitOr and BitXor",
    demands: features::REDUX,
    architecture: 80,
    intrinsics: Some(stage::INTRINSICS_REDUX),
    block: stage::BLOCK_INSTRUCTION,
    ..SHUFFLE
};

/// One vote folds a warp.
pub const VOTE: Strategy = Strategy {
    name: "Vote",
    summary: "one vote folds a warp's conditions",
    takes: "bool with All, Any and Count",
    demands: features::VOTE,
    intrinsics: Some(stage::INTRINSICS_VOTE),
    block: stage::BLOCK_INSTRUCTION,
    ..SHUFFLE
};

/// One ballot counts a warp.
pub const VOTE_COUNT: Strategy = Strategy {
    summary: "one ballot counts a warp's conditions",
    demands: features::COUNT,
    thread: Some(stage::THREAD_BALLOT),
    block: stage::BLOCK_SHUFFLE,
    ..VOTE
};

/// Blocks of a cluster meet in shared memory.
pub const CLUSTER: Strategy = Strategy {
    name: "Cluster",
    summary: "up to 8 blocks meet in the shared memory of the first",
    architecture: 90,
    intrinsics: Some(stage::INTRINSICS_CLUSTER),
    grid: Some(stage::GRID_CLUSTER),
    ..SHUFFLE
};

/// Tiles are copied to shared memory ahead of the fold.
pub const BULK: Strategy = Strategy {
    name: "Bulk",
    summary: "a copy engine fills shared memory some tiles ahead",
    takes: "reductions with at least one input",
    demands: features::INPUTS,
    architecture: 90,
    intrinsics: Some(stage::INTRINSICS_BULK),
    tiles: Some(stage::TILE_BULK),
    ..SHUFFLE
};

/// What a ring of stages takes at most, unless one stage takes more: with the slots of a block it fits
/// the 99 KiB that a block may have on every architecture with bulk copies.
const RING_BYTES: u32 = 90 * 1024;

/// The table; the first row is meant where none is named.
pub static STRATEGIES: &[Strategy] = &[
    AUTO,
    SHUFFLE,
    INTERLEAVED,
    STRIDED,
    SEQUENTIAL,
    REDUX,
    VOTE,
    VOTE_COUNT,
    CLUSTER,
    BULK,
];

/// The row called `name` that fits a reduction with these [`features`].
pub fn find(name: &str, features: u32) -> Option<&'static Strategy> {
    let mut rows = STRATEGIES.iter();
    rows.find(|strategy| strategy.name == name && strategy.fits(features))
}

impl Strategy {
    /// Whether a reduction has all that this asks for.
    pub const fn fits(&self, features: u32) -> bool {
        features & self.demands == self.demands
    }

    /// The most blocks of a cluster, as [`stage::GRID_CLUSTER`] has them; 1 without clusters.
    pub fn largest_cluster(&self) -> u32 {
        if self.grid.is_some() { 8 } else { 1 }
    }

    /// Bytes of shared memory that a launch asks for besides what its kernel declares: the ring of
    /// [`stage::TILE_BULK`], whose text says the same.
    pub fn dynamic_shared(&self, shape: Shape, tile: Tile) -> u32 {
        if self.tiles.is_none() {
            return 0;
        }
        let stage = tile.threads * tile.rows * shape.step_bytes;
        stage * (RING_BYTES / stage).clamp(1, 8)
    }
}
