//! What a reduction does, for people.

use std::fmt;

use kernels_gen::tree::Tile;
#[cfg(feature = "cuda")]
use kernels_gen::{auto::Choice, grid::Passes, kernel::Kernel};

use crate::device::Device;
#[cfg(feature = "cuda")]
use crate::device::Engine;
use crate::reduction::{Bound, Reduction};

/// The plan of a reduction in words; print it.
#[derive(Clone, Debug)]
pub struct Explain {
    text: String,
}

impl Explain {
    pub(crate) fn new<R: Reduction>(bound: &Bound<R>, device: &Device, n: u64) -> Explain {
        let kernel = R::KERNEL;
        let tile = bound.tile(n);
        let levels = tile.levels(n, kernel.shape);
        let Tile { threads, rows } = tile;
        let vector = kernel.shape.vector;
        let lines = [
            format!(
                "{} of {n} elements with {} on {device}",
                kernel.name, kernel.operator
            ),
            format!(
                "tile      {threads} threads x {rows} rows x {vector} elements = {} elements",
                tile.len(vector)
            ),
            format!("levels    {levels:?} partials"),
            match kernel.grid.fits(kernel.features, false) {
                true => {
                    "order     fixed by n, types and operator alone: the same bits on every device"
                }
                false => {
                    "order     as blocks come on a GPU, for `unordered` is written: bits may differ"
                }
            }
            .to_owned(),
        ];
        // The host folds the same tree, but in no blocks, and launches nothing.
        #[cfg(feature = "cuda")]
        let lines = match &device.0 {
            Engine::Gpu(gpu) => {
                let [awaited, planned] = [true, false].map(|is| bound.choose(gpu, n, is));
                let mut all = [&lines[..], &on_gpu(&awaited, &kernel, tile, levels.len())].concat();
                if planned.grid.name != awaited.grid.name {
                    let (name, why) = (planned.grid.name, planned.why);
                    all.push(format!(
                        "planned   {name} in a plan and in `reduce_into` ({why})"
                    ));
                }
                all
            }
            Engine::Host => lines.to_vec(),
        };
        Explain {
            text: lines.join("\n  "),
        }
    }
}

/// How a GPU goes about it.
#[cfg(feature = "cuda")]
fn on_gpu(choice: &Choice, kernel: &Kernel, tile: Tile, levels: usize) -> [String; 5] {
    let Choice {
        strategy,
        grid,
        why,
    } = choice;
    let launches = match grid.passes {
        Passes::Single | Passes::Chosen => 1,
        Passes::Level => levels,
        Passes::Begun => 2,
    };
    let shared =
        2 * tile.threads * kernel.accumulator_bytes + strategy.dynamic_shared(kernel.shape, tile);
    [
        format!("strategy  {}: {}", strategy.name, strategy.summary),
        format!("grid      {}: {} ({why})", grid.name, grid.summary),
        format!("launches  {launches}"),
        format!("shared    {shared} bytes a block"),
        "input     a host slice is copied to the GPU first; folding it on the host may be faster"
            .to_owned(),
    ]
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
