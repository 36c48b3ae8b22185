//! What only hardware can show: blocks that really race to arrive, launches that really overlap.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use reduce_runtime::cudarc::driver::sys::{self, CUgraphInstantiate_flags, CUstreamCaptureMode};
use reduce_runtime::cudarc::driver::{
    CudaSlice, CudaStream, DevicePtrMut, DeviceRepr, ValidAsZeroBits,
};
use reduce_runtime::private::{Forced, Tile, compile, grid};
use reduce_runtime::{Bound, Device, Plan, Reduction};

use crate::common::{Sample, add_f32, add_u32, ordinary};
use crate::gpu::{Suite, in_all_ways, told};

/// One block folds 128 elements: many blocks for few elements.
const NARROW: Tile = Tile {
    threads: 32,
    rows: 1,
};

impl Suite {
    pub fn stress(&self) {
        self.repeats();
        self.arrivals();
        self.predecessors();
    }

    /// A hundred runs give one bit pattern, whatever order blocks come in.
    fn repeats(&self) {
        let x = ordinary::<f32>((1 << 20) + 3, 51);
        let dx = self.upload(&x);
        for forced in in_all_ways(grid::pairs(add_f32::KERNEL.features)) {
            let bound = Bound::<add_f32>::new(()).forced(forced);
            let host = bound.reduce(&self.host, &x);
            for run in 0..100 {
                let gpu = bound.reduce(&self.gpu, &dx);
                self.compare(
                    &format!("run {run} of add_f32 {}", told(&forced)),
                    &host,
                    &gpu,
                );
            }
        }
    }

    /// A hundred thousand launches, each of thousands of blocks that arrive at one counter (NVIDIA/Fuser#2391:
    /// no fence before the count, so that the last block reads partials of the launch before).
    fn arrivals(&self) {
        let inputs = [52, 53].map(|seed| ordinary::<u32>(1_000_000, seed));
        let pairs = grid::pairs(add_u32::KERNEL.features);
        // Those whose blocks count themselves or meet in one value, but for the slow ones.
        let counting = pairs.filter(|(strategy, grid)| {
            let is_taught = ["Interleaved", "Strided", "Sequential"].contains(&strategy.name);
            grid.name != "TwoPass" && !is_taught
        });
        for forced in in_all_ways(counting) {
            let tile = Some(NARROW);
            let forced = Forced { tile, ..forced };
            self.launches::<u32, add_u32>("arrivals", forced, &inputs, 100_000);
        }
    }

    /// Launches one plan so many times, on two inputs by turns, so that what is left of the launch before is wrong.
    pub fn launches<T, R>(&self, case: &str, forced: Forced, inputs: &[Vec<T>; 2], count: usize)
    where
        T: Sample + DeviceRepr + ValidAsZeroBits,
        R: Reduction<Elements = (T,), Uniforms = (), Output = T>,
    {
        const BATCH: usize = 1000;
        let case = format!("{case} of {} {}", R::KERNEL.name, told(&forced));
        let bound = Bound::<R>::new(()).forced(forced);
        let right = |x: &Vec<T>| bound.reduce(&self.host, x).expect("there are elements");
        let rights = [right(&inputs[0]), right(&inputs[1])];
        assert_ne!(rights[0].bits(), rights[1].bits(), "{case}");
        let plan = match bound.plan(&self.gpu, inputs[0].len() as u64) {
            Ok(plan) => plan,
            Err(error) => return self.compare(&case, &Ok(rights[0]), &Err(error)),
        };
        let inputs = [self.upload(&inputs[0]), self.upload(&inputs[1])];
        let mut out: CudaSlice<T> = self.stream.alloc_zeros(BATCH).expect("a few kB");
        for _ in 0..count / BATCH {
            self.stream.memset_zeros(&mut out).expect("a fill");
            let launched =
                (0..BATCH).try_for_each(|k| plan.launch(&inputs[k % 2], out.slice_mut(k..k + 1)));
            let results = self.stream.clone_dtoh(&out).expect("the results");
            let is_wrong = |&k: &usize| results[k].bits() != rights[k % 2].bits();
            let shown = (0..BATCH).find(is_wrong).unwrap_or(0);
            self.compare(
                &case,
                &Ok(rights[shown % 2]),
                &launched.map(|()| results[shown]),
            );
        }
    }

    /// What was enqueued before a reduction has written the input before it is read, whatever the strategy
    /// and grid: kernels that let their dependents start at once and write late, fills, copies, another
    /// stream's work, and all of that in a graph.
    fn predecessors(&self) {
        // Streams of their own: a capture is for all that use it, and takes no slices of a context in which
        // cudarc has made a second stream.
        let [gpu, captured] =
            [0, 0].map(|k| Device::gpu(k).expect("the GPU again, with a stream of its own"));
        let late = match LateWriter::new(gpu.stream().expect("a GPU has a stream")) {
            Ok(late) => late,
            Err(why) => {
                println!("dependent launches: skipped ({why})");
                return;
            }
        };
        let n = 1 << 18;
        for forced in in_all_ways(grid::pairs(add_u32::KERNEL.features)) {
            let bound = Bound::<add_u32>::new(()).forced(forced);
            let plan = |device| bound.plan(device, n as u64);
            match (plan(&gpu), plan(&captured)) {
                (Ok(plan), Ok(of_graph)) => {
                    self.predecessors_of(&gpu, &plan, n, &late, &told(&forced));
                    self.predecessors_in_a_graph(&captured, &of_graph, n, &late, &told(&forced));
                }
                (Err(error), _) | (_, Err(error)) => {
                    self.compare(&told(&forced), &Ok(n as u32), &Err(error));
                }
            }
        }
    }

    fn predecessors_of(
        &self,
        gpu: &Device,
        plan: &Plan<add_u32>,
        n: usize,
        late: &LateWriter,
        case: &str,
    ) {
        let stream = gpu.stream().expect("a GPU has a stream");
        let other = stream.context().new_stream().expect("a second stream");
        let source = stream.clone_htod(&vec![1u32; n]).expect("1 MiB");
        let mut x: CudaSlice<u32> = stream.alloc_zeros(n).expect("1 MiB");
        let mut out: CudaSlice<u32> = stream.alloc_zeros(1).expect("4 bytes");
        for round in 0..10 {
            type Write<'a> = &'a mut dyn FnMut(&mut CudaSlice<u32>);
            let writes: [(&str, u32, Write<'_>); 4] = [
                ("a late kernel", n as u32, &mut |x| late.write(stream, x)),
                ("a copy", n as u32, &mut |x| {
                    stream.memcpy_dtod(&source, x).expect("a copy");
                }),
                ("another stream", n as u32, &mut |x| {
                    other.join(stream).expect("an event");
                    late.write(&other, x);
                    stream.join(&other).expect("an event");
                }),
                // The fill itself, before which the reduction before must have read its input.
                ("a fill", 0, &mut |_| {}),
            ];
            for (name, wanted, write) in writes {
                stream.memset_zeros(&mut x).expect("a fill");
                write(&mut x);
                let done = plan.launch(&x, &mut out);
                let found = done.map(|()| stream.clone_dtoh(&out).expect("the result")[0]);
                let case = format!("round {round} after {name} {case}");
                self.compare(&case, &Ok(wanted), &found);
                // ROCm/rocBLAS#1369: a value for the host is read before the stream has ended.
                stream.memset_zeros(&mut x).expect("a fill");
                write(&mut x);
                self.compare(&case, &Ok(wanted), &add_u32::reduce(gpu, &x));
            }
        }
    }

    /// A replay counts arrivals anew, and waits for what the graph has before.
    fn predecessors_in_a_graph(
        &self,
        gpu: &Device,
        plan: &Plan<add_u32>,
        n: usize,
        late: &LateWriter,
        case: &str,
    ) {
        let stream = gpu.stream().expect("a GPU has a stream");
        let mut x: CudaSlice<u32> = stream.alloc_zeros(n).expect("1 MiB");
        let mut out: CudaSlice<u32> = stream.alloc_zeros(1).expect("4 bytes");
        // By address: the library of the slices orders them by events, which a capture does not take.
        let address = x.device_ptr_mut(stream).0;
        stream.synchronize().expect("the work so far");
        stream
            .begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL)
            .expect("a capture");
        // SAFETY: the address is of n words, which nobody else touches meanwhile.
        let filled = unsafe { sys::cuMemsetD32Async(address, 0, n, stream.cu_stream()).result() };
        late.write_at(stream, address, n as u32);
        let captured = plan.launch(&x, &mut out);
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = stream.end_capture(flags).expect("a graph");
        filled.expect("a fill");
        let graph = graph.expect("it has nodes");
        for round in 0..10 {
            graph.launch().expect("the graph runs");
            let found = stream.clone_dtoh(&out).expect("the result")[0];
            let found = captured.as_ref().map(|()| found).map_err(Clone::clone);
            self.compare(
                &format!("round {round} in a graph {case}"),
                &Ok(n as u32),
                &found,
            );
        }
    }
}

/// A kernel that lets the launch after it start at once, waits, and only then writes ones.
struct LateWriter {
    function: sys::CUfunction,
}

impl LateWriter {
    const TEXT: &str = r#"
extern "C" __global__ void write_late(unsigned* x, unsigned n) {
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
    for (int k = 0; k < 20; ++k) __nanosleep(1000);
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] = 1;
}
"#;

    fn new(stream: &Arc<CudaStream>) -> std::result::Result<LateWriter, String> {
        use sys::CUdevice_attribute::{
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as MAJOR,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as MINOR,
        };
        let attribute = |which| {
            stream
                .context()
                .attribute(which)
                .map_err(|error| error.to_string())
        };
        let architecture = (10 * attribute(MAJOR)? + attribute(MINOR)?) as u32;
        if architecture < 90 {
            return Err(format!("sm_{architecture} has none"));
        }
        let image = compile::compile(LateWriter::TEXT, architecture, NARROW)
            .map_err(|error| error.to_string())?;
        stream
            .context()
            .bind_to_thread()
            .map_err(|error| error.to_string())?;
        let (mut module, mut function) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the context is current, the image is what NVRTC made, the name ends with a zero; the
        // module stays loaded.
        unsafe {
            sys::cuModuleLoadData(&mut module, image.bytes.as_ptr().cast())
                .result()
                .and_then(|()| {
                    sys::cuModuleGetFunction(&mut function, module, c"write_late".as_ptr()).result()
                })
                .map_err(|error| error.to_string())?;
        }
        Ok(LateWriter { function })
    }

    fn write(&self, stream: &Arc<CudaStream>, x: &mut CudaSlice<u32>) {
        let n = x.len() as u32;
        let (address, _guard) = x.device_ptr_mut(stream);
        self.write_at(stream, address, n);
    }

    fn write_at(&self, stream: &Arc<CudaStream>, mut address: sys::CUdeviceptr, n: u32) {
        let mut arguments: [*mut c_void; 2] = [
            ptr::from_mut(&mut address).cast(),
            ptr::from_ref(&n).cast_mut().cast(),
        ];
        // SAFETY: the arguments are those of the kernel, which stays within n elements.
        let launched = unsafe {
            sys::cuLaunchKernel(
                self.function,
                32,
                1,
                1,
                256,
                1,
                1,
                0,
                stream.cu_stream(),
                arguments.as_mut_ptr(),
                ptr::null_mut(),
            )
        };
        launched.result().expect("the kernel is launched");
    }
}
