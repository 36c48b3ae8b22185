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
    /// The macro that selects it in a text with several.
    pub define: &'static str,
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
    /// Those of the grid that [`crate::auto`] chooses at each launch.
    Chosen,
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
    define: "LAST_BLOCK",
};

/// Whatever suits the launch.
pub const AUTO: Grid = Grid {
    name: "Auto",
    summary: "LastBlock where the host waits or launches cannot overlap, else TwoPass",
    passes: Passes::Chosen,
    ..LAST_BLOCK
};

/// A launch a level.
pub const TWO_PASS: Grid = Grid {
    name: "TwoPass",
    summary: "a launch for each level of the tree: elements, then partials",
    stage: stage::GRID_TWO_PASS,
    passes: Passes::Level,
    define: "TWO_PASS",
    ..LAST_BLOCK
};

/// Blocks meet in one value in memory.
pub const ATOMIC: Grid = Grid {
    name: "Atomic",
    summary: "each block folds into one value in memory by an atomic operation",
    takes: "built-in operators on accumulators of 4 and 8 bytes",
    demands: features::ATOMIC | features::EXACT,
    intrinsics: Some(stage::INTRINSICS_ATOMIC),
    stage: stage::GRID_ATOMIC,
    passes: Passes::Begun,
    define: "ATOMIC",
};

/// The table; the first row is meant where none is named.
pub static GRIDS: &[Grid] = &[AUTO, LAST_BLOCK, TWO_PASS, ATOMIC];

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
            Passes::Single | Passes::Chosen => true,
            Passes::Level => strategy.grid.is_none(),
            // It has a loop of its own over the tiles.
            Passes::Begun => strategy.grid.is_none() && strategy.tiles.is_none(),
        }
    }
}

/// Every strategy and grid, but for Auto, that go together and fit a reduction with these [`features`].
pub fn pairs(features: u32) -> impl Iterator<Item = (&'static Strategy, &'static Grid)> {
    pairs_with(features, move |grid| grid.fits(features, false))
}

/// Those that fit it only if it is declared `unordered`.
pub fn unordered_pairs(features: u32) -> impl Iterator<Item = (&'static Strategy, &'static Grid)> {
    pairs_with(features, move |grid| {
        grid.fits(features, true) && !grid.fits(features, false)
    })
}

fn pairs_with(
    features: u32,
    fits: impl Fn(&Grid) -> bool + Copy,
) -> impl Iterator<Item = (&'static Strategy, &'static Grid)> {
    let strategies = crate::strategy::STRATEGIES
        .iter()
        .filter(move |strategy| !strategy.is_auto && strategy.fits(features));
    strategies.flat_map(move |strategy| {
        GRIDS
            .iter()
            .filter(|grid| grid.passes != Passes::Chosen)
            .filter(move |grid| fits(grid) && grid.goes_with(strategy))
            .map(move |grid| (strategy, grid))
    })
}
