//! What is compiled: a kernel's text, its tile, and what a launch of it has to know.

use kernels_gen::expr::{Expr, Function};
use kernels_gen::grid::{Grid, Passes};
use kernels_gen::kernel::{self, Fragments};
use kernels_gen::render::cuda;
use kernels_gen::spec::{self, Spec};
use kernels_gen::strategy::Strategy;
use kernels_gen::tree::{Meeting, Shape, Tile};

/// A kernel and how it is launched.
#[derive(Clone, Debug)]
pub struct Program {
    /// For messages.
    pub name: String,
    pub text: String,
    pub tile: Tile,
    pub shape: Shape,
    pub strategy: &'static str,
    pub passes: Passes,
    pub meeting: Meeting,
    /// The most blocks of a cluster; 1 is none.
    pub largest_cluster: u32,
    /// Bytes that a launch asks for.
    pub dynamic_shared: u32,
    pub accumulator_bytes: usize,
    /// Of each output.
    pub result_bytes: Vec<usize>,
}

impl Program {
    /// The kernel of a reduction by a built-in operator.
    pub fn built_in(spec: &Spec, strategy: &Strategy, grid: &Grid, tile: Tile) -> Program {
        let operator = spec.texts().operator;
        let operator = operator.expect("the spec has a built-in operator");
        Program::new(spec, operator, 0, strategy, grid, tile)
    }

    /// The kernel of a reduction by a user's operator.
    pub fn with_operator(
        spec: &Spec,
        (combine, identity): (&Function, Option<&Expr>),
        strategy: &Strategy,
        grid: &Grid,
        tile: Tile,
    ) -> Program {
        let operator = spec::operator_text(combine, identity);
        Program::new(
            spec,
            operator,
            cuda::needs_of(combine),
            strategy,
            grid,
            tile,
        )
    }

    fn new(
        spec: &Spec,
        operator: String,
        needs: u32,
        strategy: &Strategy,
        grid: &Grid,
        tile: Tile,
    ) -> Program {
        let texts = spec.texts();
        let fragments = Fragments {
            title: texts.title.leak(),
            accumulator: texts.accumulator.leak(),
            operator: operator.leak(),
            warp_fold: texts.warp_fold.leak(),
            atomic_fold: texts.atomic_fold.leak(),
            map: texts.map.leak(),
            source: texts.source.leak(),
            staged: texts.staged.leak(),
            needs: texts.needs | needs,
        };
        let Tile { threads, rows } = tile;
        Program {
            name: format!(
                "{} {} {} {threads}x{rows}",
                spec.name, strategy.name, grid.name
            ),
            text: kernel::sections(&fragments, strategy, grid).concat(),
            tile,
            shape: spec.shape(),
            strategy: strategy.name,
            passes: grid.passes,
            meeting: strategy.meeting,
            largest_cluster: strategy.largest_cluster(),
            dynamic_shared: strategy.dynamic_shared(spec.shape(), tile),
            accumulator_bytes: spec.accumulator().bytes() as usize,
            result_bytes: result_bytes(spec),
        }
    }

    /// The same with a fault: `from`, which the text must have exactly once, becomes `to`.
    pub fn mutated(mut self, from: &str, to: &str) -> Program {
        assert_eq!(self.text.matches(from).count(), 1, "{from:?} in the text");
        self.text = self.text.replace(from, to);
        self.name += &format!(" with {to:?} for {from:?}");
        self
    }

    /// What the order of the fold depends on.
    pub fn tree(&self) -> (Tile, Shape, Meeting) {
        (self.tile, self.shape, self.meeting)
    }

    /// The names of the entry points.
    pub fn entries(&self) -> &'static [&'static str] {
        match self.passes {
            Passes::Single | Passes::Chosen => &["fold_array"],
            Passes::Level => &["fold_elements", "fold_partials"],
            Passes::Begun => &["begin_fold", "fold_array"],
        }
    }
}

fn result_bytes(spec: &Spec) -> Vec<usize> {
    let leaves = spec.result().leaves().into_iter();
    leaves.map(|leaf| leaf.bytes as usize).collect()
}
