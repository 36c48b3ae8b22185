//! A whole reduction by a compiled program: the launches that a plan makes, and what must hold
//! afterwards.

use std::sync::Arc;

use kernels_gen::grid::Passes;

use super::counters::Counters;
use super::memory::Guarded;
use super::object::{Launch, Object};
use super::program::Program;

/// A program that can run.
pub struct Emulated {
    pub program: Program,
    pub(super) object: Arc<Object>,
}

/// What a reduction is called with.
#[derive(Clone, Debug)]
pub struct Call<'a> {
    pub inputs: &'a [Input<'a>],
    /// The bytes of each uniform; before them, where there are no inputs, those of the range's start.
    pub scalars: &'a [Vec<u8>],
    pub n: u64,
    /// Of every launch.
    pub blocks: u32,
    pub seed: u64,
}

/// The elements of one input.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    pub bytes: &'a [u8],
    /// How far they start from an aligned address, in bytes.
    pub offset: usize,
}

/// The buffers of one call.
struct Buffers {
    inputs: Vec<Guarded>,
    /// Those that one launch stores and the next loads, or a single one.
    partials: Vec<Guarded>,
    arrivals: Guarded,
    status: Guarded,
    results: Vec<Guarded>,
}

impl Emulated {
    /// The bytes of each result, or what went wrong.
    pub fn run(&self, call: &Call<'_>) -> Result<Vec<Vec<u8>>, String> {
        self.run_counting(call, None)
    }

    /// The same, with what the launches did.
    pub fn count(&self, call: &Call<'_>) -> Result<(Vec<Vec<u8>>, Counters), String> {
        let mut counters = Counters::default();
        let results = self.run_counting(call, Some(&mut counters))?;
        Ok((results, counters))
    }

    fn run_counting(
        &self,
        call: &Call<'_>,
        counters: Option<&mut Counters>,
    ) -> Result<Vec<Vec<u8>>, String> {
        let program = &self.program;
        let levels = program.tile.levels(call.n, program.shape);
        let mut buffers = Buffers::new(program, call, &levels);
        match program.passes {
            Passes::Single | Passes::Chosen => {
                self.launch_once(call, levels[0], &mut buffers, counters)?
            }
            Passes::Begun => self.launch_begun(call, levels[0], &mut buffers, counters)?,
            Passes::Level => self.launch_levels(call, &levels, &mut buffers, counters)?,
        }
        buffers.check(call)?;
        Ok(buffers
            .results
            .iter()
            .map(|result| result.bytes().to_vec())
            .collect())
    }

    /// The value in which blocks meet is made first. Blocks are at most as many as tiles.
    fn launch_begun(
        &self,
        call: &Call<'_>,
        tiles: u64,
        buffers: &mut Buffers,
        mut counters: Option<&mut Counters>,
    ) -> Result<(), String> {
        let all = [pointer(&mut buffers.partials[0])];
        let first = Call {
            blocks: 1,
            ..call.clone()
        };
        self.launch("begin_fold", &all, &first, buffers, counters.as_deref_mut())?;
        let call = Call {
            blocks: call.blocks.min(tiles.max(1) as u32),
            ..call.clone()
        };
        self.launch_once(&call, tiles, buffers, counters)
    }

    fn launch_once(
        &self,
        call: &Call<'_>,
        tiles: u64,
        buffers: &mut Buffers,
        counters: Option<&mut Counters>,
    ) -> Result<(), String> {
        let arguments = [
            elements(buffers, call),
            call.n.to_le_bytes().to_vec(),
            pointer(&mut buffers.partials[0]),
            pointer(&mut buffers.arrivals),
            pointer(&mut buffers.status),
            outputs(buffers),
        ];
        self.launch_elements("fold_array", tiles, &arguments, call, buffers, counters)
    }

    /// The launch that folds elements, as the strategy wants it.
    fn launch_elements(
        &self,
        entry: &'static str,
        tiles: u64,
        arguments: &[Vec<u8>],
        call: &Call<'_>,
        buffers: &mut Buffers,
        counters: Option<&mut Counters>,
    ) -> Result<(), String> {
        let largest = u64::from(self.program.largest_cluster);
        let cluster = tiles.next_power_of_two().clamp(1, largest) as u32;
        let launch = Launch {
            blocks: call.blocks.next_multiple_of(cluster),
            cluster,
            dynamic_shared: self.program.dynamic_shared,
            ..self.plain(entry, arguments, call)
        };
        self.start(launch, buffers, counters)
    }

    fn launch_levels(
        &self,
        call: &Call<'_>,
        levels: &[u64],
        buffers: &mut Buffers,
        mut counters: Option<&mut Counters>,
    ) -> Result<(), String> {
        let arguments = [
            elements(buffers, call),
            call.n.to_le_bytes().to_vec(),
            pointer(&mut buffers.partials[0]),
            pointer(&mut buffers.status),
            outputs(buffers),
        ];
        self.launch_elements(
            "fold_elements",
            levels[0],
            &arguments,
            call,
            buffers,
            counters.as_deref_mut(),
        )?;
        for level in 1..levels.len() {
            let arguments = [
                pointer(&mut buffers.partials[level - 1]),
                levels[level - 1].to_le_bytes().to_vec(),
                pointer(&mut buffers.partials[level]),
                pointer(&mut buffers.status),
                outputs(buffers),
            ];
            self.launch(
                "fold_partials",
                &arguments,
                call,
                buffers,
                counters.as_deref_mut(),
            )?;
        }
        Ok(())
    }

    fn launch(
        &self,
        entry: &'static str,
        arguments: &[Vec<u8>],
        call: &Call<'_>,
        buffers: &mut Buffers,
        counters: Option<&mut Counters>,
    ) -> Result<(), String> {
        self.start(self.plain(entry, arguments, call), buffers, counters)
    }

    fn plain<'a>(
        &self,
        entry: &'static str,
        arguments: &'a [Vec<u8>],
        call: &Call<'_>,
    ) -> Launch<'a> {
        Launch {
            entry,
            arguments,
            blocks: call.blocks,
            threads: self.program.tile.threads,
            cluster: 1,
            dynamic_shared: 0,
            seed: call.seed,
            counts: false,
            overlaps: true,
        }
    }

    fn start(
        &self,
        launch: Launch<'_>,
        buffers: &mut Buffers,
        counters: Option<&mut Counters>,
    ) -> Result<(), String> {
        let counts = counters.is_some();
        let counted = self
            .object
            .run(&Launch { counts, ..launch }, &mut buffers.all())?;
        if let Some(counters) = counters {
            *counters += counted;
        }
        Ok(())
    }
}

impl Buffers {
    fn new(program: &Program, call: &Call<'_>, levels: &[u64]) -> Buffers {
        let inputs = call.inputs.iter();
        let results = program.result_bytes.iter();
        let partials = partial_counts(program, levels).into_iter();
        Buffers {
            inputs: inputs
                .map(|input| Guarded::holding(c"an input", input.bytes, input.offset))
                .collect(),
            partials: partials
                .map(|count| {
                    Guarded::poisoned(c"the partials", count as usize * program.accumulator_bytes)
                })
                .collect(),
            arrivals: Guarded::holding(c"the arrivals", &[0; 4], 0),
            status: Guarded::holding(c"the status", &[0; 4], 0),
            results: results
                .map(|&bytes| Guarded::poisoned(c"a result", bytes))
                .collect(),
        }
    }

    fn all(&mut self) -> Vec<&mut Guarded> {
        let lists = self
            .inputs
            .iter_mut()
            .chain(&mut self.partials)
            .chain(&mut self.results);
        lists
            .chain([&mut self.arrivals, &mut self.status])
            .collect()
    }

    fn check(&mut self, call: &Call<'_>) -> Result<(), String> {
        self.all()
            .into_iter()
            .try_for_each(|buffer| buffer.check())?;
        for (buffer, input) in self.inputs.iter().zip(call.inputs) {
            if buffer.bytes() != input.bytes {
                return Err("an input was stored to".to_owned());
            }
        }
        if self.arrivals.bytes() != [0; 4] {
            return Err("the arrivals are not zero again".to_owned());
        }
        if self.status.bytes() != [0; 4] {
            return Err("the status was stored to".to_owned());
        }
        Ok(())
    }
}

/// How many partials each buffer holds: those of all levels but the last, which is the result.
fn partial_counts(program: &Program, levels: &[u64]) -> Vec<u64> {
    let (_, stored) = levels.split_last().expect("there is a level");
    match program.passes {
        Passes::Level => stored.iter().copied().chain([0]).collect(),
        Passes::Begun => vec![1],
        Passes::Single | Passes::Chosen => {
            // One after the other, each aligned.
            let vector = u64::from(program.shape.partial_vector);
            vec![
                stored
                    .iter()
                    .fold(0u64, |end, count| end.next_multiple_of(vector) + count),
            ]
        }
    }
}

/// A `struct Elements`: the inputs' addresses, then the scalars.
fn elements(buffers: &mut Buffers, call: &Call<'_>) -> Vec<u8> {
    let mut bytes: Vec<u8> = buffers.inputs.iter_mut().flat_map(pointer).collect();
    for scalar in call.scalars {
        bytes.resize(bytes.len().next_multiple_of(scalar.len()), 0);
        bytes.extend(scalar);
    }
    // An address or a start is the widest of the members.
    bytes.resize(bytes.len().next_multiple_of(size_of::<u64>()), 0);
    bytes
}

/// A `struct Outputs`.
fn outputs(buffers: &mut Buffers) -> Vec<u8> {
    buffers.results.iter_mut().flat_map(pointer).collect()
}

fn pointer(buffer: &mut Guarded) -> Vec<u8> {
    (buffer.address() as u64).to_le_bytes().to_vec()
}
