//! What `Auto` stands for, in one place: the strategy and grid of a reduction that named none.
//!
//! Every choice folds the same tree, so it changes the time and never the bits. The figures are
//! microseconds of an i32 sum on an H200, a stream of launches that follow each other
//! (`tests/gpu/results/2026-12-01-h200-timings.csv`, where CUB's f32 sums are, too):
//!
//! | n = | 2^12 | 2^14 | 2^15 | 2^16 | 2^20 | 2^24 | 2^28 |
//! | --- | --- | --- | --- | --- | --- | --- | --- |
//! | Shuffle, LastBlock | 0.96 | 2.41 | 2.37 | 2.55 | 3.91 | 18.3 | 241.6 |
//! | Shuffle, TwoPass | 0.97 | 1.99 | 2.01 | 2.15 | 3.49 | 18.2 | 239.7 |
//! | Cluster | 1.13 | 1.67 | 1.81 | 3.12 | 4.55 | 37.3 | 360.1 |
//! | Redux, TwoPass | 0.97 | 2.03 | 2.06 | 2.19 | 3.47 | 18.1 | 239.5 |
//! | Bulk, TwoPass | 1.20 | 2.23 | 2.24 | 2.38 | 3.75 | 19.2 | 241.2 |
//!
//! A caller who waits for the value (f32, from call to value): LastBlock 10.3, 10.4, 11.0 and 24.8 at n = 2^14,
//! 2^16, 2^20 and 2^24; TwoPass 10.5, 11.3, 11.7 and 25.5; Cluster 9.8 at 2^14.

use crate::grid::{Grid, LAST_BLOCK, Passes, TWO_PASS};
use crate::strategy::{CLUSTER, SHUFFLE, Strategy};

/// What a choice depends on.
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// Tiles of the elements.
    pub tiles: u64,
    /// That of the kernel's instructions; 90 is sm_90.
    pub architecture: u32,
    /// Whether launches may overlap.
    pub overlaps: bool,
    /// Whether the host waits for the result, so that its time to launch counts.
    pub is_awaited: bool,
}

/// A strategy and a grid that a launch can have, and why these.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// How a block folds.
    pub strategy: &'static Strategy,
    /// How blocks meet.
    pub grid: &'static Grid,
    /// In a few words.
    pub why: &'static str,
}

/// What a reduction with this strategy and grid launches.
pub fn choose(strategy: &'static Strategy, grid: &'static Grid, launch: Launch) -> Choice {
    let is_open = grid.passes == Passes::Chosen;
    let fits_cluster = (2..=u64::from(CLUSTER.largest_cluster())).contains(&launch.tiles);
    if strategy.is_auto && is_open && fits_cluster && launch.architecture >= CLUSTER.architecture {
        return Choice {
            strategy: &CLUSTER,
            grid: &LAST_BLOCK,
            why: "the tiles fit one cluster, whose blocks meet without a way through memory",
        };
    }
    let strategy = if strategy.is_auto { &SHUFFLE } else { strategy };
    let (grid, why) = if !is_open {
        (grid, "as asked")
    } else if strategy.grid.is_some() {
        (&LAST_BLOCK, "the strategy's own")
    } else if launch.tiles < 2 {
        (&LAST_BLOCK, "one tile takes one launch")
    } else if launch.is_awaited {
        (
            &LAST_BLOCK,
            "the host waits, and one launch is sooner made than two",
        )
    } else if launch.overlaps {
        (
            &TWO_PASS,
            "launches overlap, and many blocks fold the partials",
        )
    } else {
        (
            &LAST_BLOCK,
            "launches do not overlap here, so that one is enough",
        )
    };
    Choice {
        strategy,
        grid,
        why,
    }
}
