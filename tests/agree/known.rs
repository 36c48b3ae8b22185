//! Faults that users of reduction libraries met, as small probes with their right values, on every
//! strategy and grid. Each names the public report that it comes from.

use std::sync::Arc;

use reduce_runtime::Bound;
use reduce_runtime::cudarc::driver::sys::{CUgraphInstantiate_flags, CUstreamCaptureMode};
use reduce_runtime::cudarc::driver::{CudaSlice, DeviceRepr};
use reduce_runtime::prelude::*;
use reduce_runtime::private::{Forced, Tile, grid};

use crate::common::known::{self, Known};
use crate::common::{
    Sample, add_f32, add_f64, add_i32, add_u32, max_f32, min_f32, mul_f32, ordinary,
};
use crate::gpu::{Bits, Suite, in_all_ways, told};

/// The least and the greatest in one pass.
#[operator]
fn range(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0.min(b.0), a.1.max(b.1))
}

#[reduction(op = range)]
fn range_of(x: f64) -> (f64, f64) {
    (x, x)
}

/// The sum and the greatest in one pass.
#[operator]
fn sum_and_greatest(a: (i64, i32), b: (i64, i32)) -> (i64, i32) {
    (a.0 + b.0, a.1.max(b.1))
}

#[reduction(op = sum_and_greatest)]
fn sum_and_greatest_of(x: i32) -> (i64, i32) {
    (x as i64, x)
}

/// A block of so many threads, each with one row.
const fn block(threads: u32) -> Option<Tile> {
    Some(Tile { threads, rows: 1 })
}

impl Suite {
    pub fn known_faults(&self) {
        self.probe_all::<u32, add_u32>(known::sums_of_u32());
        self.probe_all::<f32, add_f32>(known::sums_of_f32());
        self.probe_all::<f32, max_f32>(known::maxima_of_f32());
        self.mixed_signs();
        self.in_any_order();
        self.many_launches();
        self.one_pass();
        self.a_plan_a_stream();
        self.a_plan_for_two_streams();
        self.replays();
        self.two_devices();
    }

    /// The right value of each probe, on every strategy and grid.
    fn probe_all<T, R>(&self, probes: Vec<Known<T>>)
    where
        T: Sample + DeviceRepr,
        R: Reduction<Elements = (T,), Uniforms = (), Output = T>,
    {
        for probe in probes {
            let Known {
                report,
                tile,
                blocks,
                data,
                right,
            } = probe;
            self.probe::<T, R>(report, tile, blocks, &data, right);
        }
    }

    fn probe<T, R>(
        &self,
        report: &str,
        tile: Option<Tile>,
        blocks: Option<u32>,
        data: &[T],
        right: R::Output,
    ) where
        T: Sample + DeviceRepr,
        R: Reduction<Elements = (T,), Uniforms = ()>,
        R::Output: Bits + Copy,
    {
        let device = self.upload(data);
        for forced in in_all_ways(grid::pairs(R::KERNEL.features)) {
            let forced = Forced {
                tile,
                blocks,
                ..forced
            };
            let gpu = Bound::<R>::new(())
                .forced(forced)
                .reduce(&self.gpu, &device);
            let case = format!("{report} n={} {}", data.len(), told(&forced));
            self.compare(&case, &Ok(right), &gpu);
        }
    }

    /// NVIDIA/libcudacxx#279: an atomic minimum or maximum compares floats as if they had no sign.
    fn mixed_signs(&self) {
        let x = [-1.0, 2.0, -3.0];
        self.probe::<f32, min_f32>("NVIDIA/libcudacxx#279", None, None, &x, -3.0);
        self.probe::<f32, max_f32>("NVIDIA/libcudacxx#279", None, None, &x, 2.0);
    }

    /// What may meet in any order, because `unordered` is written, on values whose every order gives the same.
    fn in_any_order(&self) {
        let exact = |n: i32| (0..n).map(|k| k % 7 - 3);
        for n in [1, 33, 1025, 100_003] {
            let sum: i32 = exact(n).sum();
            let x: Vec<f32> = exact(n).map(|k| k as f32).collect();
            self.unordered::<f32, add_f32>(&x, sum as f32);
            let x: Vec<f64> = exact(n).map(f64::from).collect();
            self.unordered::<f64, add_f64>(&x, f64::from(sum));
            let x: Vec<f32> = (0..n)
                .map(|k| if k % 3 == 0 { -1.0 } else { 1.0 })
                .collect();
            let product = x.iter().product();
            self.unordered::<f32, mul_f32>(&x, product);
        }
        // A sum of nothing but subnormal numbers, and of negative zeros.
        self.unordered::<f32, add_f32>(&[f32::from_bits(1); 1000], f32::from_bits(1000));
        self.unordered::<f32, add_f32>(&[-0.0; 1000], -0.0);
    }

    fn unordered<T, R>(&self, data: &[T], right: T)
    where
        T: Sample + DeviceRepr,
        R: Reduction<Elements = (T,), Uniforms = (), Output = T>,
    {
        let device = self.upload(data);
        for forced in in_all_ways(grid::unordered_pairs(R::KERNEL.features)) {
            let gpu = Bound::<R>::new(())
                .forced(forced)
                .reduce(&self.gpu, &device);
            let case = format!(
                "{} unordered n={} {}",
                R::KERNEL.name,
                data.len(),
                told(&forced)
            );
            self.compare(&case, &Ok(right), &gpu);
        }
    }

    /// Ten thousand launches of what goes wrong now and then.
    fn many_launches(&self) {
        const COUNT: usize = 10_000;
        // NVIDIA/cudf#13485: one block folds tile after tile without a barrier between.
        let tile = Tile {
            threads: 256,
            rows: 1,
        };
        let length = tile.len(add_i32::KERNEL.shape.vector) as usize;
        let tiles = |first| (first..first + 64).flat_map(|k| vec![k; length]).collect();
        let rounds = [tiles(0), tiles(1)];
        // numba/numba#2589: the last warp relies on lock-step.
        let one_tile = [61, 62].map(|seed| ordinary::<i32>(4096, seed));
        for forced in in_all_ways(grid::pairs(add_i32::KERNEL.features)) {
            self.launches::<i32, add_i32>("a last warp", forced, &one_tile, COUNT);
            let alone = Forced {
                tile: Some(tile),
                blocks: Some(1),
                ..forced
            };
            self.launches::<i32, add_i32>("rounds of one block", alone, &rounds, COUNT);
        }
    }

    /// Two folds in one pass share no scratch, and a heavy accumulator leaves a launch possible.
    fn one_pass(&self) {
        // NVIDIA/thrust#592, and JuliaGPU/CUDA.jl#2863 as far as a tuple of two goes: too many resources for a full block.
        let x: Vec<f64> = (0..961).map(|k| f64::from(k) - 480.0).collect();
        for tile in [None, block(1024)] {
            self.probe::<f64, range_of>("least and greatest", tile, None, &x, (-480.0, 480.0));
        }
        // csarofeen/pytorch#1014: two reductions in one kernel share a buffer.
        let x: Vec<i32> = (0..100_000).collect();
        let right = (4_999_950_000, 99_999);
        for _ in 0..100 {
            self.probe::<i32, sum_and_greatest_of>("sum and greatest", block(64), None, &x, right);
        }
    }

    /// ROCm/aiter#3288: counters shared by streams. Two plans of one reduction on two streams at once, whose
    /// partials differ.
    fn a_plan_a_stream(&self) {
        let n = 300_000;
        std::thread::scope(|scope| {
            for each in 1..=2u32 {
                scope.spawn(move || {
                    let device = Device::gpu(0).expect("the GPU, with a stream of its own");
                    let stream = device.stream().expect("a GPU has a stream");
                    let input = stream.clone_htod(&vec![each; n]).expect("1 MB");
                    let mut out: CudaSlice<u32> = stream.alloc_zeros(1).expect("4 bytes");
                    let plan = add_u32::plan(&device, n as u64).expect("a plan");
                    for _ in 0..1000 {
                        stream.memset_zeros(&mut out).expect("a fill");
                        let done = plan.launch(&input, &mut out);
                        let found = done.map(|()| stream.clone_dtoh(&out).expect("the result")[0]);
                        self.compare("one of two streams", &Ok(each * n as u32), &found);
                    }
                });
            }
        });
    }

    /// The same report: one plan, for inputs of two streams by turns.
    fn a_plan_for_two_streams(&self) {
        let n = 300_000;
        let theirs = Device::gpu(0).expect("the GPU, with a stream of its own");
        let theirs = theirs.stream().expect("a GPU has a stream");
        let (ones, twos) = (vec![1u32; n], vec![2u32; n]);
        let inputs = [self.upload(&ones), theirs.clone_htod(&twos).expect("1 MB")];
        let plan = add_u32::plan(&self.gpu, n as u64).expect("a plan");
        let mut out: CudaSlice<u32> = self.stream.alloc_zeros(2).expect("8 bytes");
        for _ in 0..500 {
            self.stream.memset_zeros(&mut out).expect("a fill");
            let launched =
                (0..2).try_for_each(|k| plan.launch(&inputs[k], out.slice_mut(k..k + 1)));
            let sums = self.stream.clone_dtoh(&out).expect("the results");
            for (each, sum) in (1..=2).zip(sums) {
                let found = launched.as_ref().map(|()| sum).map_err(Clone::clone);
                self.compare("a plan for two streams", &Ok(each * n as u32), &found);
            }
        }
    }

    /// ROCm/aiter#4494, tracel-ai/cubecl#1469: a replay counts anew, and holds no memory of others. Captured
    /// once, other buffers freed, and replayed three times with new data.
    fn replays(&self) {
        let gpu = Device::gpu(0).expect("the GPU again, with a stream of its own");
        let stream = Arc::clone(gpu.stream().expect("a GPU has a stream"));
        let n = 40_000;
        for forced in in_all_ways(grid::pairs(add_f32::KERNEL.features)) {
            let bound = Bound::<add_f32>::new(()).forced(forced);
            let others: Vec<CudaSlice<f32>> = [7, 8]
                .map(|seed| {
                    stream
                        .clone_htod(&ordinary::<f32>(n, seed))
                        .expect("160 kB")
                })
                .into();
            let mut input: CudaSlice<f32> = stream.alloc_zeros(n).expect("160 kB");
            let mut out: CudaSlice<f32> = stream.alloc_zeros(1).expect("4 bytes");
            let plan = match bound.plan(&gpu, n as u64) {
                Ok(plan) => plan,
                Err(error) => {
                    self.compare(&told(&forced), &Ok(0.0f32), &Err(error));
                    continue;
                }
            };
            stream.synchronize().expect("the work so far");
            let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
            stream.begin_capture(mode).expect("a capture");
            let launched = plan.launch(&input, &mut out);
            let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
            let graph = stream.end_capture(flags).expect("the end of the capture");
            let graph = graph.expect("the capture holds the launch");
            drop(others);
            let _garbage = stream.clone_htod(&vec![f32::NAN; 4 * n]).expect("640 kB");
            for seed in 0..3 {
                let x = ordinary::<f32>(n, 70 + seed);
                stream.memcpy_htod(&x, &mut input).expect("new data");
                graph.launch().expect("a replay");
                let found = stream.clone_dtoh(&out).expect("the result")[0];
                let found = launched.as_ref().map(|()| found).map_err(Clone::clone);
                let case = format!("replay {seed} {}", told(&forced));
                self.compare(&case, &bound.reduce(&self.host, &x), &found);
            }
        }
    }

    /// ratt-ru/montblanc#145, cupy/cupy#5913: scratch or kernels of another device's context.
    fn two_devices(&self) {
        let second = match Device::gpu(1) {
            Ok(second) => second,
            Err(error) => {
                println!("two devices: skipped ({error})");
                return;
            }
        };
        let x = ordinary::<f32>(300_000, 62);
        let host = add_f32::reduce(&self.host, &x);
        for round in 0..10 {
            // Whichever device is current.
            let first = add_f32::reduce(&self.gpu, &self.upload(&x));
            self.compare(&format!("the first device in round {round}"), &host, &first);
            let stream = second.stream().expect("a GPU has a stream");
            let theirs = stream.clone_htod(&x).expect("1 MB");
            self.stream
                .context()
                .bind_to_thread()
                .expect("the first device is current");
            let found = add_f32::reduce(&second, &theirs);
            self.compare(
                &format!("the second device in round {round}"),
                &host,
                &found,
            );
        }
        let wrong = add_f32::reduce(&second, &self.upload(&x));
        let is_told = wrong.is_err_and(|error| error.is_bad_input());
        self.compare(
            "a slice of the first device on the second",
            &Ok(1),
            &Ok(u64::from(is_told)),
        );
    }
}
