//! What a reduction's expansion carries to the runtime: the text that varies, and the numbers a
//! launch needs. The rest of the kernel is stage files, appended in [`sections`].

use crate::grid::Grid;
use crate::stage::{self, Stage, needs};
use crate::strategy::Strategy;
use crate::tree::Shape;

/// A reduction as the runtime sees it.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The user's function.
    pub name: &'static str,
    /// The operator, as the attribute names it.
    pub operator: &'static str,
    /// The accumulator's type, its operator and the source of elements.
    pub fragments: Fragments,
    /// How a block folds.
    pub strategy: &'static Strategy,
    /// How blocks meet.
    pub grid: &'static Grid,
    /// What the tree depends on.
    pub shape: Shape,
    /// Size of an accumulator in a kernel, in bytes.
    pub accumulator_bytes: u32,
}

/// The parts of a kernel's text that vary.
#[derive(Clone, Copy, Debug)]
pub struct Fragments {
    /// The comment that opens the text.
    pub title: &'static str,
    /// The type `Acc`.
    pub accumulator: &'static str,
    /// `combine`, and `identity` if there is one.
    pub operator: &'static str,
    /// The user's function.
    pub map: &'static str,
    /// The source `Elements`, `Outputs` and `write_result`.
    pub source: &'static str,
    /// The [`needs`] of all of them.
    pub needs: u32,
}

/// How many sections a text has.
pub const SECTIONS: usize = 15;

/// The whole text of a kernel, in order, to be joined. It holds only what this reduction can use.
pub const fn sections(
    fragments: &Fragments,
    strategy: &Strategy,
    grid: &Grid,
) -> [&'static str; SECTIONS] {
    [
        fragments.title,
        stage::TYPES.text,
        stage::INTRINSICS.text,
        fragments.where_needed(needs::INTEGER, &stage::RUST_INTEGER),
        fragments.where_needed(needs::FLOAT, &stage::RUST_FLOAT),
        fragments.where_needed(needs::HALF, &stage::RUST_HALF),
        stage::LOAD.text,
        fragments.accumulator,
        fragments.operator,
        fragments.map,
        fragments.source,
        stage::THREAD_FOLD.text,
        strategy.block.text,
        stage::TILE_FOLD.text,
        grid.stage.text,
    ]
}

impl Fragments {
    const fn where_needed(&self, need: u32, stage: &Stage) -> &'static str {
        if self.needs & need != 0 {
            stage.text
        } else {
            ""
        }
    }
}
