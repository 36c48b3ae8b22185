//! What `#[reduction]` makes of a function, and the calls it has.

use std::fmt;

use kernels_gen::grid::Grid;
use kernels_gen::kernel::Kernel;
use kernels_gen::strategy::Strategy;
use kernels_gen::tree::{Shape, Tile};

use crate::device::{Device, Engine};
use crate::element::{Elements, Uniforms};
use crate::error::{Error, Kind, Result};
use crate::explain::Explain;
use crate::host;
use crate::input::{Given, Inputs, Place};
use crate::operator::Operator;
use crate::output::{Destination, Output};
use crate::plan::Plan;

/// A reduction: what an operator makes of all elements, each mapped by the function.
///
/// `#[reduction]` implements it for the struct that it adds beside the function. A reduction with
/// `#[uniform]` parameters has only `CUDA` and `with(..)`, which binds them and returns a [`Bound`] with
/// the same calls.
pub trait Reduction: Sized + Send + Sync + 'static {
    /// One element of each input, as a tuple.
    type Elements: Elements;
    /// The values bound at launch, as a tuple.
    type Uniforms: Uniforms;
    /// What a thread keeps.
    type Accumulator: Copy + Send + Sync + 'static;
    /// What the reduction yields.
    type Output: Output;
    /// How two accumulators combine.
    type Operator: Operator<Self::Accumulator>;

    /// The parts of the kernel and the numbers of a launch.
    #[doc(hidden)]
    const KERNEL: Kernel;

    /// The whole kernel text, CUDA C for NVRTC.
    const CUDA: &'static str;

    /// The function as the kernel computes it, to the bit.
    #[doc(hidden)]
    fn map(elements: Self::Elements, index: u64, uniforms: &Self::Uniforms) -> Self::Accumulator;

    /// The accumulator as the result.
    #[doc(hidden)]
    fn finish(fold: Self::Accumulator) -> Self::Output;

    /// Reduces the input and waits for the value.
    ///
    /// Input: a slice, `Vec`, array, `CudaSlice` or `CudaView` by reference; a tuple of those of equal
    /// length for several inputs; a range `0..n` where there is only an `#[index]`. A host slice on a
    /// GPU is copied there first.
    ///
    /// # Errors
    /// Inputs of unequal length or on the wrong side; empty input where the operator has no identity;
    /// whatever the driver or NVRTC reports.
    fn reduce<I: Inputs<Self::Elements>>(device: &Device, input: I) -> Result<Self::Output>
    where
        Self: Unbound,
    {
        Bound::<Self>::new(()).reduce(device, input)
    }

    /// Reduces the input into `output`, asynchronously on the device's stream; the result stays there.
    /// On `Device::host()` it runs at once, into a host slice.
    ///
    /// Output: a mutable reference to room for one value, or a tuple of those where the value is one.
    ///
    /// # Errors
    /// As [`reduce`](Reduction::reduce); also an output without room or on the wrong side.
    fn reduce_into<I: Inputs<Self::Elements>, D: Destination<Self::Output>>(
        device: &Device,
        input: I,
        output: D,
    ) -> Result<()>
    where
        Self: Unbound,
    {
        Bound::<Self>::new(()).reduce_into(device, input, output)
    }

    /// A plan for inputs of `n` elements: compiled, with memory of its own, ready to be launched often.
    ///
    /// # Errors
    /// Where `n` is 0 and the operator has no identity; whatever the driver or NVRTC reports.
    fn plan(device: &Device, n: u64) -> Result<Plan<Self>>
    where
        Self: Unbound,
    {
        Bound::<Self>::new(()).plan(device, n)
    }

    /// What a reduction of `n` elements does on the device, for people.
    fn explain(device: &Device, n: u64) -> Explain
    where
        Self: Unbound,
    {
        Bound::<Self>::new(()).explain(device, n)
    }
}

/// A reduction without uniforms.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has `#[uniform]` parameters, which are bound first",
    label = "its uniforms are not bound",
    note = "bind them with `{Self}::with(..)`; the value it returns has `reduce`, `reduce_into`, `plan` and `explain`"
)]
pub trait Unbound: Reduction<Uniforms = ()> {}

/// A reduction with its uniforms bound; what `with(..)` returns.
pub struct Bound<R: Reduction> {
    pub(crate) uniforms: R::Uniforms,
    pub(crate) forced: Forced,
}

/// Choices forced by tests in place of a reduction's own.
#[doc(hidden)]
#[derive(Clone, Copy, Default, Debug)]
pub struct Forced {
    /// How a block folds.
    pub strategy: Option<&'static Strategy>,
    /// How blocks meet.
    pub grid: Option<&'static Grid>,
    /// Threads and rows of a tile; this changes the tree, here and on the host alike.
    pub tile: Option<Tile>,
    /// Blocks of the first launch.
    pub blocks: Option<u32>,
}

/// Refuses a forced tile that folds too little: one of a single partial would leave as many as it is given,
/// for ever.
pub(crate) fn check_tile(tile: Tile, shape: Shape, least: u64) -> Result<()> {
    let (elements, partials) = (tile.len(shape.vector), tile.len(shape.partial_vector));
    let least = least.max(2);
    if elements >= 2 && partials >= least {
        return Ok(());
    }
    let Tile { threads, rows } = tile;
    let message = format!(
        "a tile of {threads} threads and {rows} rows takes {elements} elements and {partials} partials, and at least 2 and \
         {least} are needed: force more threads or rows"
    );
    Err(Error::new(Kind::Input, message))
}

impl<R: Reduction> Clone for Bound<R> {
    fn clone(&self) -> Bound<R> {
        *self
    }
}

impl<R: Reduction> Copy for Bound<R> {}

impl<R: Reduction> fmt::Debug for Bound<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple(R::KERNEL.name).field(&self.uniforms).finish()
    }
}

impl<R: Reduction> Bound<R> {
    /// Binds the uniforms; expansions call it.
    #[doc(hidden)]
    pub fn new(uniforms: R::Uniforms) -> Bound<R> {
        let forced = Forced::default();
        Bound { uniforms, forced }
    }

    /// The same with choices forced, for tests.
    #[doc(hidden)]
    pub fn forced(self, forced: Forced) -> Bound<R> {
        Bound { forced, ..self }
    }

    /// How a block folds.
    pub(crate) fn strategy(&self) -> &'static Strategy {
        self.forced.strategy.unwrap_or(R::KERNEL.strategy)
    }

    /// How blocks meet.
    #[cfg(feature = "cuda")]
    pub(crate) fn grid(&self) -> &'static Grid {
        self.forced.grid.unwrap_or(R::KERNEL.grid)
    }

    /// The tile for `n` elements.
    pub(crate) fn tile(&self, n: u64) -> Tile {
        self.forced.tile.unwrap_or_else(|| R::KERNEL.shape.tile(n))
    }

    /// See [`Reduction::reduce`].
    ///
    /// # Errors
    /// As there.
    pub fn reduce<I: Inputs<R::Elements>>(&self, device: &Device, input: I) -> Result<R::Output> {
        let given = input.given()?;
        self.check_empty(given.n)?;
        match &device.0 {
            Engine::Host => self.fold_on_host(&given),
            #[cfg(feature = "cuda")]
            Engine::Gpu(gpu) => self.reduce_on_gpu(gpu, &given),
        }
    }

    /// See [`Reduction::reduce_into`].
    ///
    /// # Errors
    /// As there.
    pub fn reduce_into<I: Inputs<R::Elements>, D: Destination<R::Output>>(
        &self,
        device: &Device,
        input: I,
        mut output: D,
    ) -> Result<()> {
        let given = input.given()?;
        self.check_empty(given.n)?;
        match &device.0 {
            Engine::Host => output.put(self.fold_on_host(&given)?),
            #[cfg(feature = "cuda")]
            Engine::Gpu(gpu) => self.reduce_into_on_gpu(gpu, &given, output.spans()?),
        }
    }

    /// See [`Reduction::plan`].
    ///
    /// # Errors
    /// As there.
    pub fn plan(&self, device: &Device, n: u64) -> Result<Plan<R>> {
        self.check_empty(n)?;
        Plan::new(device, *self, n)
    }

    /// See [`Reduction::explain`].
    pub fn explain(&self, device: &Device, n: u64) -> Explain {
        Explain::new(self, device, n)
    }

    fn check_empty(&self, n: u64) -> Result<()> {
        if n > 0 || R::Operator::IDENTITY.is_some() {
            return Ok(());
        }
        let Kernel { name, operator, .. } = R::KERNEL;
        Err(Error::new(
            Kind::Empty,
            format!(
                "`{name}` was given empty input, but {operator} has no identity to return for it; pass at least one element, or use an operator with `identity = ..`"
            ),
        ))
    }

    /// The fold of inputs in host memory; empty only where there is an identity.
    pub(crate) fn fold_on_host(&self, given: &Given<'_, R::Elements>) -> Result<R::Output> {
        let slices = match &given.place {
            Place::Host { slices, .. } => *slices,
            #[cfg(feature = "cuda")]
            Place::Gpu(_) => {
                return Err(Error::new(
                    Kind::Input,
                    "host slices were wanted on the host device, but the input is a device slice; pass the device that it is on, or copy it with `stream.clone_dtoh(&slice)`",
                ));
            }
        };
        check_tile(self.tile(given.n), R::KERNEL.shape, 2)?;
        let fold = match R::Operator::IDENTITY {
            Some(identity) if given.n == 0 => identity,
            _ => host::fold::<R>(
                slices,
                given.first,
                given.n,
                self.uniforms,
                self.tile(given.n),
                self.strategy().meeting,
            ),
        };
        Ok(R::finish(fold).canonical())
    }
}
