//! What a reduction's expansion carries to the runtime: the text that varies, and the numbers a
//! launch needs. The rest of the kernel is stage files, put in order in [`sections`].

use crate::auto::Choice;
use crate::grid::{Grid, Passes};
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
    /// The accumulator's type, its operator, the user's function and the source of elements.
    pub fragments: Fragments,
    /// The [`stage::features`] it has.
    pub features: u32,
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
    /// `warp_fold`, or nothing where no instruction folds a warp.
    pub warp_fold: &'static str,
    /// `neutral`, and `atomic_fold` where the hardware has one; or nothing.
    pub atomic_fold: &'static str,
    /// The user's function.
    pub map: &'static str,
    /// The source `Elements`, `Outputs` and `write_result`.
    pub source: &'static str,
    /// The source `Staged`, or nothing without inputs.
    pub staged: &'static str,
    /// The [`needs`] of all of them.
    pub needs: u32,
}

/// How many sections a text has.
pub const SECTIONS: usize = 33;

/// The whole text of a kernel, in order, to be joined. It holds only what this reduction can use.
pub const fn sections(
    fragments: &Fragments,
    strategy: &Strategy,
    grid: &Grid,
) -> [&'static str; SECTIONS] {
    let by_warp = strategy.demands & (stage::features::REDUX | stage::features::VOTE) != 0;
    let is_begun = matches!(grid.passes, Passes::Begun);
    let is_single = matches!(grid.passes, Passes::Single);
    let is_chosen = has_choice(strategy, grid);
    let is_auto = is_chosen && strategy.is_auto;
    [
        fragments.title,
        stage::TYPES.text,
        stage::INTRINSICS.text,
        fragments.where_needed(needs::INTEGER, &stage::RUST_INTEGER),
        fragments.where_needed(needs::FLOAT, &stage::RUST_FLOAT),
        fragments.where_needed(needs::HALF, &stage::RUST_HALF),
        stage::LOAD.text,
        text_of(&strategy.intrinsics),
        text_of(&grid.intrinsics),
        fragments.accumulator,
        fragments.operator,
        if by_warp { fragments.warp_fold } else { "" },
        if is_begun { fragments.atomic_fold } else { "" },
        fragments.map,
        fragments.source,
        if strategy.tiles.is_some() {
            fragments.staged
        } else {
            ""
        },
        stage::THREAD_FOLD.text,
        text_of(&strategy.thread),
        strategy.block.text,
        stage::TILE_FOLD.text,
        stage::TILE_LOOP.text,
        text_of(&strategy.tiles),
        if is_single || is_chosen || strategy.grid.is_some() {
            stage::LEVELS.text
        } else {
            ""
        },
        if is_begun && fragments.needs & needs::EXCHANGE != 0 {
            stage::ATOMIC_EXCHANGE.text
        } else {
            ""
        },
        match &strategy.grid {
            Some(own) => own.text,
            None if is_chosen => "",
            None => grid.stage.text,
        },
        // The grids of which a launch selects one.
        if is_chosen {
            "\n#if defined(LAST_BLOCK)\n"
        } else {
            ""
        },
        if is_chosen {
            stage::GRID_LAST_BLOCK.text
        } else {
            ""
        },
        if is_chosen {
            "\n#elif defined(TWO_PASS)\n"
        } else {
            ""
        },
        if is_chosen {
            stage::GRID_TWO_PASS.text
        } else {
            ""
        },
        if is_auto {
            "\n#elif defined(CLUSTER)\n"
        } else {
            ""
        },
        if is_auto {
            stage::INTRINSICS_CLUSTER.text
        } else {
            ""
        },
        if is_auto {
            stage::GRID_CLUSTER.text
        } else {
            ""
        },
        if is_chosen { "\n#endif\n" } else { "" },
    ]
}

/// Whether a text has several grids, of which a launch selects one by a macro.
const fn has_choice(strategy: &Strategy, grid: &Grid) -> bool {
    matches!(grid.passes, Passes::Chosen) && strategy.grid.is_none()
}

impl Kernel {
    /// The macro that selects a choice's grid in the kernel's own text; none, if that has only one.
    pub fn define(&self, choice: &Choice) -> Option<&'static str> {
        let define = match choice.strategy.grid {
            Some(_) => "CLUSTER",
            None => choice.grid.define,
        };
        has_choice(self.strategy, self.grid).then_some(define)
    }
}

const fn text_of(stage: &Option<Stage>) -> &'static str {
    match stage {
        Some(stage) => stage.text,
        None => "",
    }
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
