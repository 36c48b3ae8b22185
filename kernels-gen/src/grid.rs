//! The grids, a row each: how the results of the blocks meet.

use crate::stage::{self, Stage, features};
use crate::strategy::Strategy;

/// A row of the grid table.
#[derive(Debug)]
pub struct Grid {
    /// The word in `#[reduction(grid = ..)]`.
    pub name: &'static str,
    /// One line for tables and messages.
    pub summary: &'static str,
    /// What it folds, for messages.
    pub takes: &'static str,
    /// The [`features`] that a reduction must have.
    pub demands: u32,
    /// What only the hardware can do, besides what every kernel uses.
    pub intrinsics: Option<Stage>,
    /// The entry points.
    pub stage: Stage,
    /// How a plan launches them.
    pub passes: Passes,
}

/// Which launches a grid takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    /// One: `fold_array`, which is given an arrival counter.
    Single,
    /// One a level of the tree: `fold_elements`, then `fold_partials` until one value is left.
    Level,
    /// Two: `begin_fold`, then `fold_array`, which is given an arrival counter.
    Begun,
}

/// A single launch; the last block to arrive folds the partials.
pub const LAST_BLOCK: Grid = Grid {
    name: "LastBlock",
    summary: "one launch; the last block to arrive folds the partials",
    takes: "every operator and type",
    demands: 0,
    intrinsics: None,
    stage: stage::GRID_LAST_BLOCK,
    passes: Passes::Single,
};

/// A launch a level.
pub const TWO_PASS: Grid = Grid {
    name: "TwoPass",
    summary: "a launch for each level of the tree: elements, then partials",
    stage: stage::GRID_TWO_PASS,
    passes: Passes::Level,
    ..LAST_BLOCK
};

/// Blocks meet in one value in memory.
pub const ATOMIC: Grid = Grid {
    name: "Atomic",
    summary: "each block folds into one value in memory by an atomic operation",
    takes: "built-in operators on accumulators of 4 and 8 bytes whose order of operands cannot be told from the bits",
    demands: features::ATOMIC | features::EXACT,
    intrinsics: Some(stage::INTRINSICS_ATOMIC),
    stage: stage::GRID_ATOMIC,
    passes: Passes::Begun,
};

/// The table.
pub static GRIDS: &[Grid] = &[LAST_BLOCK, TWO_PASS, ATOMIC];

/// The row of the grid called `name`.
pub fn find(name: &str) -> Option<&'static Grid> {
    GRIDS.iter().find(|grid| grid.name == name)
}

impl Grid {
    /// Whether a reduction has all that this asks for; one declared `unordered` need not be exact.
    pub const fn fits(&self, features: u32, is_unordered: bool) -> bool {
        let waived = if is_unordered { features::EXACT } else { 0 };
        (features | waived) & self.demands == self.demands
    }

    /// Whether a strategy can be launched so.
    pub fn goes_with(&self, strategy: &Strategy) -> bool {
        match self.passes {
            Passes::Single => true,
            Passes::Level => strategy.grid.is_none(),
            // It has a loop of its own over the tiles.
            Passes::Begun => strategy.grid.is_none() && strategy.tiles.is_none(),
        }
    }
}

/// Every strategy and grid that go together and fit a reduction with these [`features`].
pub fn pairs(features: u32) -> impl Iterator<Item = (&'static Strategy, &'static Grid)> {
    let strategies = crate::strategy::STRATEGIES
        .iter()
        .filter(move |strategy| strategy.fits(features));
    strategies.flat_map(move |strategy| {
        GRIDS
            .iter()
            .filter(move |grid| grid.fits(features, false) && grid.goes_with(strategy))
            .map(move |grid| (strategy, grid))
    })
}
