//! A reduction's calls on a GPU: its inputs and uniforms become the bytes that the kernel takes, its
//! outputs addresses.

use cudarc::driver::CudaStream;
use kernels_gen::auto::{self, Choice, Launch};

use super::address::Address;
use super::{Gpu, Params, Plan, RESULT_STRIDE, Span, SpanMut, Upload, Variant};
use crate::element::{Elements, Uniforms};
use crate::error::Result;
use crate::fields::Fields;
use crate::input::{Given, MAX_INPUTS, Place};
use crate::output::{MAX_SCALARS, Output, SLOT};
use crate::reduction::{Bound, Reduction};

const _: () = assert!(
    SLOT == RESULT_STRIDE,
    "results are read where they are written"
);

/// The kernel's `Elements`, and what is to be kept until the launch is enqueued.
struct Arguments<'a> {
    fields: Fields,
    /// Streams other than ours that own an input.
    streams: Streams<'a>,
    _addresses: [Option<Address<'a>>; MAX_INPUTS],
    _upload: Option<Upload<'a>>,
}

/// Streams, as many as inputs and outputs have owners: without an allocation.
#[derive(Clone, Copy)]
struct Streams<'a> {
    all: [&'a CudaStream; MAX_INPUTS + MAX_SCALARS],
    count: usize,
}

impl<'a> Streams<'a> {
    /// None yet; `ours` fills the places.
    fn none(ours: &'a CudaStream) -> Streams<'a> {
        Streams {
            all: [ours; MAX_INPUTS + MAX_SCALARS],
            count: 0,
        }
    }

    /// Adds a stream, unless it is the device's own.
    fn push(&mut self, gpu: &Gpu, stream: &'a CudaStream) {
        if stream.cu_stream() != gpu.stream().cu_stream() {
            self.all[self.count] = stream;
            self.count += 1;
        }
    }

    fn as_slice(&self) -> &[&'a CudaStream] {
        &self.all[..self.count]
    }
}

impl<R: Reduction> Bound<R> {
    pub(crate) fn reduce_on_gpu(
        &self,
        gpu: &Gpu,
        given: &Given<'_, R::Elements>,
    ) -> Result<R::Output> {
        let arguments = self.arguments(gpu, given)?;
        let elements = arguments.fields.bytes();
        let bytes = gpu.reduce_value(
            &self.variant(gpu, given.n, true),
            given.n,
            elements,
            arguments.streams.as_slice(),
            R::Output::SCALARS,
        )?;
        let (slots, _) = bytes.as_chunks::<SLOT>();
        Ok(R::Output::from_slots(slots))
    }

    pub(crate) fn reduce_into_on_gpu(
        &self,
        gpu: &Gpu,
        given: &Given<'_, R::Elements>,
        outputs: [Option<SpanMut<'_>>; MAX_SCALARS],
    ) -> Result<()> {
        let arguments = self.arguments(gpu, given)?;
        with_outputs(gpu, &arguments, outputs, |params| {
            gpu.reduce_into(&self.variant(gpu, given.n, false), given.n, params)
        })
    }

    pub(crate) fn plan_on_gpu(&self, gpu: &Gpu, n: u64) -> Result<Plan> {
        gpu.plan(&self.variant(gpu, n, false), n)
    }

    pub(crate) fn launch_on_gpu(
        &self,
        plan: &Plan,
        given: &Given<'_, R::Elements>,
        outputs: [Option<SpanMut<'_>>; MAX_SCALARS],
    ) -> Result<()> {
        let arguments = self.arguments(plan.gpu(), given)?;
        with_outputs(plan.gpu(), &arguments, outputs, |params| {
            plan.launch(params)
        })
    }

    fn variant(&self, gpu: &Gpu, n: u64, is_awaited: bool) -> Variant {
        Variant {
            kernel: const { &R::KERNEL },
            text: R::CUDA,
            choice: self.choose(gpu, n, is_awaited),
            is_forced: self.forced.strategy.is_some() || self.forced.grid.is_some(),
            tile: self.tile(n),
            blocks: self.forced.blocks,
        }
    }

    /// What `Auto` stands for in a launch.
    pub(crate) fn choose(&self, gpu: &Gpu, n: u64, is_awaited: bool) -> Choice {
        let launch = Launch {
            tiles: self.tile(n).count(n, R::KERNEL.shape.vector),
            architecture: gpu.target(),
            overlaps: gpu.launches_overlap(),
            is_awaited,
        };
        auto::choose(self.strategy(), self.grid(), launch)
    }

    /// The fields of `Elements` in order: a pointer an input, or the range's start; then the uniforms.
    fn arguments<'a>(
        &self,
        gpu: &'a Gpu,
        given: &'a Given<'_, R::Elements>,
    ) -> Result<Arguments<'a>> {
        let mut arguments = Arguments {
            fields: Fields::new(),
            streams: Streams::none(gpu.stream()),
            _addresses: [const { None }; MAX_INPUTS],
            _upload: None,
        };
        match &given.place {
            Place::Host { .. } if R::Elements::COUNT == 0 => arguments.fields.push(given.first),
            Place::Host { bytes, .. } => arguments.upload(gpu, &bytes[..R::Elements::COUNT])?,
            Place::Gpu(spans) => arguments.refer(gpu, spans)?,
        }
        self.uniforms.push(&mut arguments.fields);
        Ok(arguments)
    }
}

impl<'a> Arguments<'a> {
    /// Host slices are copied to the device.
    fn upload(&mut self, gpu: &'a Gpu, slices: &[&[u8]]) -> Result<()> {
        let upload = gpu.upload(slices)?;
        for &address in upload.addresses() {
            self.fields.push(address);
        }
        self._upload = Some(upload);
        Ok(())
    }

    /// Device slices are read where they are.
    fn refer(&mut self, gpu: &'a Gpu, spans: &[Option<Span<'a>>; MAX_INPUTS]) -> Result<()> {
        for (span, kept) in spans.iter().flatten().zip(&mut self._addresses) {
            let address = gpu.address(*span)?;
            self.fields.push(address.0);
            *kept = Some(address);
            self.streams.push(gpu, span.stream());
        }
        Ok(())
    }
}

/// Calls `run` with the parameters of a launch that writes to `outputs`.
fn with_outputs(
    gpu: &Gpu,
    arguments: &Arguments<'_>,
    mut outputs: [Option<SpanMut<'_>>; MAX_SCALARS],
    run: impl FnOnce(&Params<'_>) -> Result<()>,
) -> Result<()> {
    let owners = outputs
        .each_ref()
        .map(|span| span.as_ref().map(SpanMut::stream));
    let mut streams = arguments.streams;
    for stream in owners.iter().flatten() {
        streams.push(gpu, stream);
    }

    let mut addresses = [0; MAX_SCALARS];
    let mut guards = [const { None }; MAX_SCALARS];
    let places = addresses.iter_mut().zip(&mut guards);
    for (span, (place, kept)) in outputs.iter_mut().flatten().zip(places) {
        let (address, guard) = gpu.address_mut(span)?;
        *place = address;
        *kept = Some(guard);
    }
    run(&Params {
        elements: arguments.fields.bytes(),
        outputs: &addresses,
        after: streams.as_slice(),
    })
}
