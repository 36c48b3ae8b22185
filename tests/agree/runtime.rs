//! What the runtime does around a kernel: inputs from the host, several outputs, devices made from a
//! context or stream, plans in a graph, and errors for what is on the wrong side.

use std::sync::Arc;

use crate::common::{add_f32, forms, min_i32, ordinary};
use crate::gpu::Suite;
use reduce_runtime::cudarc::driver::CudaSlice;
use reduce_runtime::cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use reduce_runtime::prelude::*;

impl Suite {
    pub fn runtime(&self) {
        self.host_inputs();
        self.several_outputs();
        self.devices();
        self.graphs();
        self.wrong_sides();
        self.explain();
    }

    /// Host slices are copied, larger than a staging buffer and several at once.
    fn host_inputs(&self) {
        let x = ordinary::<f32>((3 << 20) + 17, 41);
        let y = ordinary::<f32>(x.len(), 42);
        for n in [1, 1000, x.len()] {
            let (x, y) = (&x[..n], &y[..n]);
            let host = forms::dot::reduce(&self.host, (x, y));
            self.compare(
                "dot of host slices",
                &host,
                &forms::dot::reduce(&self.gpu, (x, y)),
            );
        }
        let least = [5, 3, 9];
        self.compare("a host array", &Ok(3), &min_i32::reduce(&self.gpu, &least));
    }

    /// A tuple goes to two places on the device; a plan keeps nothing of its last input.
    fn several_outputs(&self) {
        let x = ordinary::<f32>(100_003, 43);
        let dx = self.upload(&x);
        let mut high: CudaSlice<f32> = self.stream.alloc_zeros(1).expect("4 bytes");
        let mut place: CudaSlice<u64> = self.stream.alloc_zeros(1).expect("8 bytes");
        let done = forms::peak_at::reduce_into(&self.gpu, &dx, (&mut high, &mut place));
        let gpu = done.map(|()| (self.read(&high), self.read(&place)));
        self.compare(
            "peak_at in two places",
            &forms::peak_at::reduce(&self.host, &x),
            &gpu,
        );

        let plan = min_i32::plan(&self.gpu, 2).expect("a plan");
        let mut least: CudaSlice<i32> = self.stream.alloc_zeros(1).expect("4 bytes");
        for data in [[5, 3], [9, 8]] {
            let done = plan.launch(&self.upload(&data), &mut least);
            let gpu = done.map(|()| self.read(&least));
            self.compare("a plan used again", &Ok(data[1]), &gpu);
        }
    }

    /// Devices made from what the user has give the same, and each says why it is the one.
    fn devices(&self) {
        let x = ordinary::<f32>(1 << 18, 44);
        let host = add_f32::reduce(&self.host, &x);
        let context = self.stream.context();
        let says = |device: &Device, why: &str| {
            let is_said = device.to_string().ends_with(&format!(" ({why})"));
            self.compare(&format!("{device}"), &Ok(1), &Ok(u64::from(is_said)));
        };
        says(&self.gpu, "it was asked for");
        let ours = Device::from_context(Arc::clone(context)).expect("a device of the context");
        says(&ours, "of a given context");
        self.compare(
            "from_context",
            &host,
            &add_f32::reduce(&ours, &self.upload(&x)),
        );
        let stream = context.new_stream().expect("a stream");
        let ours = Device::from_stream(Arc::clone(&stream)).expect("a device of the stream");
        says(&ours, "of a given stream");
        let theirs = stream.clone_htod(&x).expect("data on the stream");
        self.compare("from_stream", &host, &add_f32::reduce(&ours, &theirs));
        let default = Device::from_stream(context.default_stream()).expect("the default stream");
        self.compare(
            "from the default stream",
            &host,
            &add_f32::reduce(&default, &self.upload(&x)),
        );
    }

    /// A captured plan is right at each replay, with new data.
    fn graphs(&self) {
        let gpu = Device::gpu(0).expect("the GPU again, with a stream of its own");
        let stream = gpu.stream().expect("a GPU has a stream");
        let n = 300_000;
        let mut input: CudaSlice<f32> = stream.alloc_zeros(n).expect("memory");
        let mut out: CudaSlice<f32> = stream.alloc_zeros(1).expect("4 bytes");
        let plan = add_f32::plan(&gpu, n as u64).expect("a plan");
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        stream.begin_capture(mode).expect("a capture");
        let launched = plan.launch(&input, &mut out);
        let refused = add_f32::reduce(&gpu, &input);
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = stream.end_capture(flags).expect("the end of the capture");
        let is_told = refused.is_err_and(|error| error.to_string().contains("plan"));
        self.compare(
            "a capture takes only a plan",
            &Ok(1),
            &Ok(u64::from(is_told)),
        );
        let graph = graph.expect("the capture holds the launch");
        self.compare("a captured launch", &Ok(0.0f32), &launched.map(|()| 0.0));
        for seed in 0..3 {
            let x = ordinary::<f32>(n, 50 + seed);
            stream.memcpy_htod(&x, &mut input).expect("new data");
            graph.launch().expect("a replay");
            let gpu = stream.clone_dtoh(&out).expect("the result")[0];
            self.compare("a replay", &add_f32::reduce(&self.host, &x), &Ok(gpu));
        }
    }

    /// What is on the wrong side is an error with advice.
    fn wrong_sides(&self) {
        let x = [1.0f32, 2.0];
        let dx = self.upload(&x);
        let mut out: CudaSlice<f32> = self.stream.alloc_zeros(1).expect("4 bytes");
        let errors = [
            add_f32::reduce(&self.host, &dx).map(drop),
            forms::dot::reduce(&self.gpu, (&dx, &x)).map(drop),
            add_f32::reduce_into(&self.gpu, &dx, &mut [0.0f32]),
            add_f32::reduce_into(&self.host, &x, &mut out),
            add_f32::plan(&self.gpu, 3).and_then(|plan| plan.launch(&dx, &mut out)),
        ];
        for (k, error) in errors.into_iter().enumerate() {
            let is_told = error
                .is_err_and(|error| error.is_bad_input() && error.to_string().contains("wanted"));
            self.compare(&format!("wrong side {k}"), &Ok(1), &Ok(u64::from(is_told)));
        }
    }

    /// A GPU's words are of launches too.
    fn explain(&self) {
        let text = add_f32::explain(&self.gpu, 1 << 24).to_string();
        let parts = [
            "strategy  Shuffle",
            "grid      LastBlock",
            "launches  1",
            "shared    2048 bytes",
        ];
        let is_said = parts.iter().all(|part| text.contains(part));
        self.compare(&text, &Ok(1), &Ok(u64::from(is_said)));
    }

    fn read<T: reduce_runtime::cudarc::driver::DeviceRepr + Copy>(
        &self,
        slice: &CudaSlice<T>,
    ) -> T {
        self.stream.clone_dtoh(slice).expect("the result")[0]
    }
}
