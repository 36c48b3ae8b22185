//! The grids, a row each: how the results of the blocks meet.

use crate::stage::{self, Stage};

/// A row of the grid table.
#[derive(Debug)]
pub struct Grid {
    /// The word in `#[reduction(grid = ..)]`.
    pub name: &'static str,
    /// One line for tables and messages.
    pub summary: &'static str,
    /// The entry points.
    pub stage: Stage,
    /// How a plan launches them.
    pub passes: Passes,
}

/// How many launches a grid takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passes {
    /// One: `fold_array`, which is given an arrival counter.
    Single,
    /// One a level of the tree: `fold_elements`, then `fold_partials` until one value is left.
    Level,
}

/// A single launch; the last block to arrive folds the partials.
pub const LAST_BLOCK: Grid = Grid {
    name: "LastBlock",
    summary: "one launch; the last block to arrive folds the partials",
    stage: stage::GRID_LAST_BLOCK,
    passes: Passes::Single,
};

/// A launch a level.
pub const TWO_PASS: Grid = Grid {
    name: "TwoPass",
    summary: "a launch for each level of the tree: elements, then partials",
    stage: stage::GRID_TWO_PASS,
    passes: Passes::Level,
};

/// The table.
pub static GRIDS: &[Grid] = &[LAST_BLOCK, TWO_PASS];

/// The row of the grid called `name`.
pub fn find(name: &str) -> Option<&'static Grid> {
    GRIDS.iter().find(|grid| grid.name == name)
}
