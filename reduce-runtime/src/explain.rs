//! What a reduction does, for people.

use std::fmt;

use kernels_gen::grid::Passes;
use kernels_gen::tree::Tile;

use crate::device::Device;
use crate::reduction::{Bound, Reduction};

/// The plan of a reduction in words; print it.
#[derive(Clone, Debug)]
pub struct Explain {
    text: String,
}

impl Explain {
    pub(crate) fn new<R: Reduction>(bound: &Bound<R>, device: &Device, n: u64) -> Explain {
        let kernel = R::KERNEL;
        let (strategy, grid) = (bound.strategy(), bound.grid());
        let tile = bound.tile(n);
        let levels = tile.levels(n, kernel.shape);
        let Tile { threads, rows } = tile;
        let vector = kernel.shape.vector;
        let launches = match grid.passes {
            Passes::Single => 1,
            Passes::Level => levels.len(),
            Passes::Begun => 2,
        };
        let shared =
            2 * threads * kernel.accumulator_bytes + strategy.dynamic_shared(kernel.shape, tile);
        let mut lines = vec![
            format!(
                "{} of {n} elements with {} on {device}",
                kernel.name, kernel.operator
            ),
            format!(
                "tile      {threads} threads x {rows} rows x {vector} elements = {} elements",
                tile.len(vector)
            ),
            format!("levels    {levels:?} partials"),
            "order     fixed by n, types and operator alone: the same bits on every device"
                .to_owned(),
        ];
        // The host folds the same tree, but in no blocks, and launches nothing.
        if device.is_gpu() {
            lines.extend([
                format!("strategy  {}: {}", strategy.name, strategy.summary),
                format!("grid      {}: {}", grid.name, grid.summary),
                format!("launches  {launches}"),
                format!("shared    {shared} bytes a block"),
                "input     a host slice is copied to the GPU first; folding it on the host may be faster"
                    .to_owned(),
            ]);
        }
        Explain {
            text: lines.join("\n  "),
        }
    }
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
