//! The strategies, a row each: how a block folds the values of its threads.

use crate::stage::{self, Stage};

/// A row of the strategy table.
#[derive(Debug)]
pub struct Strategy {
    /// The word in `#[reduction(strategy = ..)]`.
    pub name: &'static str,
    /// One line for tables and messages.
    pub summary: &'static str,
    /// How a block folds its threads' values.
    pub block: Stage,
}

/// Registers and shuffles: the default.
pub const SHUFFLE: Strategy = Strategy {
    name: "Shuffle",
    summary: "warps meet in shared memory once, then one warp shuffles",
    block: stage::BLOCK_SHUFFLE,
};

/// Shared memory alone.
pub const SEQUENTIAL: Strategy = Strategy {
    name: "Sequential",
    summary: "shared memory halves again and again, a barrier a step",
    block: stage::BLOCK_SEQUENTIAL,
};

/// The table.
pub static STRATEGIES: &[Strategy] = &[SHUFFLE, SEQUENTIAL];

/// The row of the strategy called `name`.
pub fn find(name: &str) -> Option<&'static Strategy> {
    STRATEGIES.iter().find(|strategy| strategy.name == name)
}
