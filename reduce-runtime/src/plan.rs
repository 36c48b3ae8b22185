//! A reduction prepared for inputs of one length.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;

use crate::device::{self, Device};
use crate::error::{Error, Kind, Result};
use crate::input::Inputs;
use crate::output::Destination;
use crate::reduction::{Bound, Reduction};

/// A reduction of `n` elements on one device: compiled, with scratch memory and counters of its own.
///
/// Launches neither allocate nor wait, so a plan is what a capturing stream accepts. Launches of one
/// plan follow each other on the device's stream, and come from one thread at a time: a plan is `Send`, not `Sync`. A graph that captured launches uses the plan's memory:
/// keep the plan, the inputs and the outputs as long as the graph may run.
pub struct Plan<R: Reduction> {
    bound: Bound<R>,
    n: u64,
    engine: Engine,
    /// Launches from two threads at once would mix their passes: not `Sync`.
    _one_thread: PhantomData<Cell<()>>,
}

impl<R: Reduction> fmt::Debug for Plan<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Plan({:?}, n: {}, {:?})",
            self.bound, self.n, self.engine
        )
    }
}

/// What runs the plan.
#[derive(Debug)]
enum Engine {
    Host,
    #[cfg(feature = "cuda")]
    Gpu(crate::cuda::Plan),
}

impl<R: Reduction> Plan<R> {
    pub(crate) fn new(device: &Device, bound: Bound<R>, n: u64) -> Result<Plan<R>> {
        let engine = match &device.0 {
            device::Engine::Host => Engine::Host,
            #[cfg(feature = "cuda")]
            device::Engine::Gpu(gpu) => Engine::Gpu(bound.plan_on_gpu(gpu, n)?),
        };
        Ok(Plan {
            bound,
            n,
            engine,
            _one_thread: PhantomData,
        })
    }

    /// Elements that each input must have.
    pub fn n(&self) -> u64 {
        self.n
    }

    /// Reduces the input into `output`, asynchronously on the device's stream.
    ///
    /// # Errors
    /// Inputs of another length than the plan's, or in host memory where the plan is a GPU's; as
    /// [`Reduction::reduce_into`] otherwise.
    pub fn launch<I: Inputs<R::Elements>, D: Destination<R::Output>>(
        &self,
        input: I,
        mut output: D,
    ) -> Result<()> {
        let given = input.given()?;
        if given.n != self.n {
            return Err(Error::new(
                Kind::Input,
                format!(
                    "an input of {} elements was wanted, for which the plan is, but it has {}; make a plan for that length",
                    self.n, given.n
                ),
            ));
        }
        match &self.engine {
            Engine::Host => output.put(self.bound.fold_on_host(&given)?),
            #[cfg(feature = "cuda")]
            Engine::Gpu(plan) => self.bound.launch_on_gpu(plan, &given, output.spans()?),
        }
    }

    /// Waits for the launches so far and reports what only the device could see of them.
    ///
    /// # Errors
    /// Whatever the driver reports. No kernel of today's operators has errors of its own.
    pub fn status(&self) -> Result<()> {
        match &self.engine {
            Engine::Host => Ok(()),
            #[cfg(feature = "cuda")]
            Engine::Gpu(plan) => plan.status(),
        }
    }
}
