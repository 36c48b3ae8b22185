//! The agreement suite: on a machine with a GPU, every reduction gives the host's bits, for every
//! operator, type, strategy, grid, forced tile and boundary size. Without a GPU it says so and passes.
//!
//! `AGREE=sweeps` and `AGREE=hardware` run a part each; `AGREE=small` keeps to few sizes and types, for runs under
//! compute-sanitizer. `AGREE_STRATEGY=Bulk` sweeps that strategy alone.

#[cfg(not(feature = "cuda"))]
fn main() {
    println!("agree: built without the feature `cuda`: skipped");
}

#[cfg(feature = "cuda")]
fn main() {
    gpu::main();
}

#[cfg(feature = "cuda")]
#[macro_use]
#[path = "../common/mod.rs"]
mod common;
#[cfg(feature = "cuda")]
mod inexact;
#[cfg(feature = "cuda")]
mod known;
#[cfg(feature = "cuda")]
mod runtime;
#[cfg(feature = "cuda")]
mod stress;

#[cfg(feature = "cuda")]
mod gpu {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex};

    use reduce_runtime::cudarc::driver::{CudaSlice, CudaStream, DeviceRepr};
    use reduce_runtime::prelude::*;
    use reduce_runtime::private::grid::{self, Grid};
    use reduce_runtime::private::strategy::{STRATEGIES, Strategy};
    use reduce_runtime::private::{Forced, Meeting, Tile};
    use reduce_runtime::{Bound, Element};

    use crate::common::{
        self, Sample, bodies, boundary_sizes, drawn, forms, one_sided, ordinary, spiced,
        two_level_sizes,
    };

    /// The tiles that are forced, besides the tree's own: narrow, not a power of two, wide.
    const TILES: &[(u32, u32)] = &[
        (32, 1),
        (48, 1),
        (16, 2),
        (64, 1),
        (96, 1),
        (256, 4),
        (512, 8),
        (1024, 2),
    ];

    /// Both devices, and what was seen so far.
    pub struct Suite {
        pub gpu: Device,
        pub host: Device,
        pub stream: Arc<CudaStream>,
        small: bool,
        /// The strategy whose kernels are swept; all, if none is named.
        only: Option<String>,
        compared: AtomicUsize,
        unavailable: AtomicUsize,
        failures: Mutex<Vec<String>>,
    }

    pub fn main() {
        let gpu = match Device::gpu(0) {
            Ok(gpu) => gpu,
            Err(error) => {
                println!("agree: no GPU: skipped ({error})");
                return;
            }
        };
        let part = Part::named(&std::env::var("AGREE").unwrap_or_default());
        let only = std::env::var("AGREE_STRATEGY").ok();
        let is_known = |only| STRATEGIES.iter().any(|row| row.name == only);
        assert!(
            only.as_deref().is_none_or(is_known),
            "AGREE_STRATEGY is a strategy, but not {only:?}"
        );
        let stream = Arc::clone(gpu.stream().expect("a GPU has a stream"));
        let suite = Suite {
            gpu,
            host: Device::host(),
            stream,
            small: part == Part::Small,
            only,
            compared: AtomicUsize::new(0),
            unavailable: AtomicUsize::new(0),
            failures: Mutex::new(Vec::new()),
        };
        println!("agree: {}", suite.gpu);
        suite.run_all(part);
        let failures = suite.failures.into_inner().expect("no check panics");
        for failure in &failures {
            println!("DIFFERS {failure}");
        }
        println!(
            "agree: {} results compared, {} differ; {} not for this GPU",
            suite.compared.into_inner(),
            failures.len(),
            suite.unavailable.into_inner(),
        );
        assert!(failures.is_empty(), "device and host differ");
    }

    /// Reduces the first so many elements on the host (false) or the GPU (true).
    type Reduce<'a, R> = dyn Fn(bool, &Bound<R>, usize) -> Result<<R as Reduction>::Output> + 'a;

    /// A group of cases.
    type Group = fn(&Suite);

    /// What of the suite is run.
    #[derive(Clone, Copy, PartialEq)]
    enum Part {
        All,
        /// Every reduction at every boundary size.
        Sweeps,
        /// What only hardware shows, and what the runtime does around a kernel.
        Hardware,
        /// Sweeps of few types and sizes.
        Small,
    }

    impl Part {
        /// The part that the variable `AGREE` names.
        fn named(name: &str) -> Part {
            match name {
                "" => Part::All,
                "sweeps" => Part::Sweeps,
                "hardware" => Part::Hardware,
                "small" => Part::Small,
                other => panic!("AGREE is sweeps, hardware, small or not set, but not {other}"),
            }
        }
    }

    fn groups(part: Part) -> Vec<Group> {
        let mut groups: Vec<Group> = Vec::new();
        // The longest come first.
        if part != Part::Hardware {
            groups.extend([
                Suite::uniforms as Group,
                Suite::several_inputs,
                Suite::positions,
                Suite::bodies,
                Suite::identities,
            ]);
            macro_rules! own {
                ($($name:ident, $ty:ident;)*) => {
                    $(groups.push(|suite| {
                        suite.one_input::<$ty, forms::$name>(stringify!($name))
                    });)*
                };
            }
            own! {
                argmax, f32;
                argmin, f32;
                argmin_f64, f64;
                argmax_u32, u32;
                peak_at, f32;
                both, f32;
                extremes, bool;
                first_hit, bool;
                peak, i32;
                dip, f64;
                half_sum, f16;
                ramp, f32;
                sequential_sum, f32;
                over, f32;
            }
        }
        macro_rules! built_in {
            ($name:ident, $op:ident, $ty:ident) => {
                groups.push(|suite| suite.one_input::<$ty, common::$name>(stringify!($name)));
            };
        }
        if part == Part::Small {
            built_in!(add_f32, Add, f32);
            built_in!(max_f16, Max, f16);
            built_in!(mul_u64, Mul, u64);
            built_in!(add_u32, Add, u32);
            built_in!(all_bool, All, bool);
            built_in!(any_bool, Any, bool);
            built_in!(count_bool, Count, bool);
        } else if part != Part::Hardware {
            let before = groups.len();
            for_each_reduction!(built_in);
            assert_eq!(groups.len() - before, kernels_gen::op::pairs().count());
        }
        if matches!(part, Part::All | Part::Hardware) {
            groups.extend([
                Suite::large as Group,
                Suite::streams,
                Suite::threads,
                Suite::inexact,
                Suite::runtime,
                Suite::stress,
                Suite::known_faults,
            ]);
        }
        groups
    }

    impl Suite {
        /// Runs the groups, several at a time: they share the device and its stream.
        fn run_all(&self, part: Part) {
            let groups = groups(part);
            let next = AtomicUsize::new(0);
            // Compiling is most of the work; under a sanitizer launches are, and of one strategy they are to
            // come one by one.
            let threads = match (part, &self.only) {
                (Part::Small, Some(_)) => 1,
                (Part::Small, None) => 4,
                _ => std::thread::available_parallelism().map_or(4, |cores| cores.get().min(16)),
            };
            std::thread::scope(|scope| {
                for _ in 0..threads {
                    scope.spawn(|| {
                        while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                            group(self);
                        }
                    });
                }
            });
        }

        pub fn upload<T: Element + DeviceRepr>(&self, data: &[T]) -> CudaSlice<T> {
            self.stream
                .clone_htod(data)
                .expect("test data fits the GPU")
        }

        /// Compares two results to the bit.
        pub fn compare<O: Bits>(&self, case: &str, host: &Result<O>, gpu: &Result<O>) {
            if let Err(error) = gpu
                && error.is_unavailable()
            {
                // The strategy is not for this GPU.
                self.unavailable.fetch_add(1, Ordering::Relaxed);
                return;
            }
            self.compared.fetch_add(1, Ordering::Relaxed);
            let equal = match (host, gpu) {
                (Ok(host), Ok(gpu)) => host.bits() == gpu.bits(),
                (Err(host), Err(gpu)) => host.is_empty_input() && gpu.is_empty_input(),
                _ => false,
            };
            if !equal {
                let failure = format!("{case}: host {host:?}, GPU {gpu:?}");
                self.failures.lock().expect("no check panics").push(failure);
            }
        }

        /// Every tile, strategy, grid and boundary size of a reduction. `on` reduces the first `n`
        /// elements on the host (false) or the GPU (true).
        fn sweep<R: Reduction>(&self, name: &str, uniforms: R::Uniforms, on: &Reduce<'_, R>)
        where
            R::Output: Bits,
        {
            let shape = R::KERNEL.shape;
            let tiles = TILES
                .iter()
                .map(|&(threads, rows)| Some(Tile { threads, rows }));
            // Under a sanitizer each kernel costs: few forced tiles, one of them narrower than a warp.
            let tiles: Vec<_> = match self.small {
                true => tiles.take(3).collect(),
                false => tiles.collect(),
            };
            for tile in std::iter::once(None).chain(tiles) {
                let of = tile.unwrap_or_else(|| shape.tile(1));
                let (length, partials) = (of.len(shape.vector), of.len(shape.partial_vector));
                let sizes = match self.small {
                    true => few_sizes(length, partials),
                    false => boundary_sizes(length, partials),
                };
                for n in std::iter::once(0).chain(sizes) {
                    let bound = Bound::<R>::new(uniforms);
                    let mut hosts: Vec<(Meeting, Result<R::Output>)> = Vec::new();
                    let pairs = grid::pairs(R::KERNEL.features);
                    let is_wanted =
                        |strategy| self.only.as_deref().is_none_or(|only| only == strategy);
                    for (strategy, grid) in pairs.filter(|(strategy, _)| is_wanted(strategy.name)) {
                        let forced = Forced {
                            strategy: Some(strategy),
                            grid: Some(grid),
                            tile,
                            blocks: [None, Some(1), Some(3)][(n % 3) as usize],
                        };
                        // The host's bits depend on the order of meeting alone.
                        let known = hosts.iter().position(|host| host.0 == strategy.meeting);
                        let host = known.unwrap_or_else(|| {
                            let value = on(false, &bound.forced(forced), n as usize);
                            hosts.push((strategy.meeting, value));
                            hosts.len() - 1
                        });
                        let gpu = on(true, &bound.forced(forced), n as usize);
                        self.compare(
                            &format!("{name} n={n} {}", told(&forced)),
                            &hosts[host].1,
                            &gpu,
                        );
                    }
                }
            }
        }

        /// A reduction of one input, on ordinary, special, one-sided and zero data, aligned and not.
        fn one_input<T: Sample + DeviceRepr, R>(&self, name: &str)
        where
            R: Reduction<Elements = (T,), Uniforms = ()>,
            R::Output: Bits,
        {
            let length = if self.small { 1 << 15 } else { 1 << 21 };
            let kinds = [
                ("ordinary", ordinary::<T>(length, 1)),
                ("special", spiced(length, 2)),
                ("one-sided", one_sided(length, 4)),
                ("zeros", drawn(&T::zeros(), length, 3)),
            ];
            // Under a sanitizer: data that shows a value read by mistake, and one misaligned start.
            let is_wanted = |kind: &str| !self.small || kind == "one-sided";
            let starts = if self.small { &[1][..] } else { &[0, 1, 3] };
            for (kind, data) in kinds.into_iter().filter(|(kind, _)| is_wanted(kind)) {
                let device = self.upload(&data);
                for &start in starts {
                    let most = length - start;
                    self.sweep::<R>(
                        &format!("{name} {kind} from {start}"),
                        (),
                        &|on_gpu, bound, n| {
                            let n = n.min(most);
                            if on_gpu {
                                bound.reduce(&self.gpu, device.slice(start..start + n))
                            } else {
                                bound.reduce(&self.host, &data[start..start + n])
                            }
                        },
                    );
                }
            }
        }

        fn several_inputs(&self) {
            let length = if self.small { 1 << 15 } else { 1 << 20 };
            let (x, y) = (ordinary::<f32>(length, 3), ordinary::<f32>(length, 4));
            let (dx, dy) = (self.upload(&x), self.upload(&y));
            self.sweep::<forms::dot>("dot, the second misaligned", (), &|on_gpu, bound, n| {
                let n = n.min(length - 1);
                if on_gpu {
                    bound.reduce(&self.gpu, (dx.slice(..n), dy.slice(1..n + 1)))
                } else {
                    bound.reduce(&self.host, (&x[..n], &y[1..n + 1]))
                }
            });
            let (a, b, c) = (
                ordinary::<f16>(length, 5),
                ordinary::<f64>(length, 6),
                ordinary::<i32>(length, 7),
            );
            let (da, db, dc) = (self.upload(&a), self.upload(&b), self.upload(&c));
            self.sweep::<forms::mixed>("mixed", (), &|on_gpu, bound, n| {
                let n = n.min(length);
                if on_gpu {
                    bound.reduce(&self.gpu, (da.slice(..n), db.slice(..n), dc.slice(..n)))
                } else {
                    bound.reduce(&self.host, (&a[..n], &b[..n], &c[..n]))
                }
            });
            let (p, q) = (spiced::<u32>(length, 8), spiced::<u64>(length, 9));
            let (r, s) = (spiced::<i64>(length, 10), spiced::<u32>(length, 11));
            let (dp, dq, dr, ds) = (
                self.upload(&p),
                self.upload(&q),
                self.upload(&r),
                self.upload(&s),
            );
            self.sweep::<forms::widest>("widest", (), &|on_gpu, bound, n| {
                let n = n.min(length);
                if on_gpu {
                    bound.reduce(
                        &self.gpu,
                        (dp.slice(..n), dq.slice(..n), dr.slice(..n), ds.slice(..n)),
                    )
                } else {
                    bound.reduce(&self.host, (&p[..n], &q[..n], &r[..n], &s[..n]))
                }
            });
        }

        fn positions(&self) {
            self.sweep::<forms::sum_of_indices>("sum_of_indices", (), &|on_gpu, bound, n| {
                let device = if on_gpu { &self.gpu } else { &self.host };
                bound.reduce(device, 5..5 + n as u64)
            });
        }

        fn uniforms(&self) {
            let length = 1 << 20;
            let x = ordinary::<f32>(length, 12);
            let dx = self.upload(&x);
            self.sweep::<forms::centred>("centred", (0.25,), &|on_gpu, bound, n| {
                let n = n.min(length);
                if on_gpu {
                    bound.reduce(&self.gpu, dx.slice(..n))
                } else {
                    bound.reduce(&self.host, &x[..n])
                }
            });
            let (z, keep) = (ordinary::<f64>(length, 17), ordinary::<bool>(length, 18));
            let (dz, dkeep) = (self.upload(&z), self.upload(&keep));
            self.sweep::<forms::masked>("masked", (true,), &|on_gpu, bound, n| {
                let n = n.min(length);
                if on_gpu {
                    bound.reduce(&self.gpu, (dz.slice(..n), dkeep.slice(..n)))
                } else {
                    bound.reduce(&self.host, (&z[..n], &keep[..n]))
                }
            });
            self.sweep::<forms::below>("below", (2.0, false), &|on_gpu, bound, n| {
                let n = n.min(length);
                if on_gpu {
                    bound.reduce(&self.gpu, dz.slice(..n))
                } else {
                    bound.reduce(&self.host, &z[..n])
                }
            });
            let y = ordinary::<i32>(length, 13);
            let dy = self.upload(&y);
            self.sweep::<forms::clipped>("clipped", (-1000, 1 << 20, 0.75), &|on_gpu, bound, n| {
                let n = n.min(length);
                if on_gpu {
                    bound.reduce(&self.gpu, dy.slice(..n))
                } else {
                    bound.reduce(&self.host, &y[..n])
                }
            });
        }

        /// The tree's own tiles above 2^20, and counts past 2^31 and 2^32.
        fn large(&self) {
            let sizes = [
                (1 << 20) + 1,
                1 << 22,
                (1 << 23) - 1,
                (1 << 23) + 1,
                (1 << 24) + 777,
                (1 << 26) + 3,
            ];
            self.two_levels::<f32, common::add_f32>("add_f32", &sizes);
            self.two_levels::<f64, common::add_f64>("add_f64", &[]);
            self.two_levels::<f16, common::add_f16>("add_f16", &[]);
            self.two_levels::<u32, common::add_u32>("add_u32", &sizes);
            self.two_levels::<bool, common::all_bool>("all_bool", &[]);
            self.two_levels::<bool, common::any_bool>("any_bool", &[]);
            self.two_levels::<bool, common::count_bool>("count_bool", &sizes);
            for n in [(1 << 31) + 5, (1 << 32) - 1, (1 << 32) + 3] {
                let gpu = forms::sum_of_indices::reduce(&self.gpu, 0..n);
                let right: u64 = ((u128::from(n) * u128::from(n - 1)) / 2) as u64;
                self.compare(&format!("sum_of_indices n={n}"), &Ok(right), &gpu);
            }
            self.past_2_to_32();
        }

        /// These sizes, and those at which the tree's own tiles fill two levels.
        fn two_levels<T: Sample + DeviceRepr, R>(&self, name: &str, others: &[u64])
        where
            R: Reduction<Elements = (T,), Uniforms = ()>,
            R::Output: Bits,
        {
            let mut sizes = two_level_sizes(R::KERNEL.shape).to_vec();
            sizes.extend(others);
            let most = sizes.iter().copied().max().unwrap_or_default();
            let x = ordinary::<T>(most as usize, 14);
            let dx = self.upload(&x);
            for n in sizes {
                let n = n as usize;
                for forced in in_all_ways(grid::pairs(R::KERNEL.features)) {
                    let bound = Bound::<R>::new(()).forced(forced);
                    let host = bound.reduce(&self.host, &x[..n]);
                    let gpu = bound.reduce(&self.gpu, dx.slice(..n));
                    self.compare(&format!("{name} n={n} {}", told(&forced)), &host, &gpu);
                }
            }
        }

        /// One value far past 2^32 bytes and 2^31 elements is found, and nothing else.
        fn past_2_to_32(&self) {
            let n = (1usize << 31) + 5;
            let mut zeros: CudaSlice<f16> = self.stream.alloc_zeros(n).expect("4 GiB fit the GPU");
            let mut last = zeros.slice_mut(n - 1..);
            self.stream
                .memcpy_htod(&[f16::ONE], &mut last)
                .expect("a copy of 2 bytes");
            let gpu = common::add_f16::reduce(&self.gpu, &zeros);
            self.compare("add_f16 one at 2^31 + 4", &Ok(f16::ONE), &gpu);
            drop(zeros);

            let n = (1usize << 32) + 1;
            let mut zeros: CudaSlice<f16> = self.stream.alloc_zeros(n).expect("8 GiB fit the GPU");
            let mut last = zeros.slice_mut(n - 1..);
            let nine = f16::from_f32(9.0);
            self.stream
                .memcpy_htod(&[nine], &mut last)
                .expect("a copy of 2 bytes");
            let gpu = common::max_f16::reduce(&self.gpu, &zeros);
            self.compare("max_f16 nine at 2^32", &Ok(nine), &gpu);
            drop(zeros);

            let (first, n) = ((1usize << 29) + 1, (1usize << 29) + 1000);
            let mut zeros: CudaSlice<f64> = self.stream.alloc_zeros(n).expect("4 GiB fit the GPU");
            let mut last = zeros.slice_mut(n - 1..);
            self.stream
                .memcpy_htod(&[7.0], &mut last)
                .expect("a copy of 8 bytes");
            let gpu = common::add_f64::reduce(&self.gpu, zeros.slice(first..));
            self.compare("add_f64 from element 2^29 + 1", &Ok(7.0), &gpu);
            drop(zeros);

            // NVIDIA/cub#129, inducer/pycuda#375 and tensorflow/tensorflow#22123, in every way.
            let n = (1usize << 31) + 5;
            let mut zeros: CudaSlice<bool> = self.stream.alloc_zeros(n).expect("2 GiB fit the GPU");
            let mut last = zeros.slice_mut(n - 1..);
            self.stream
                .memcpy_htod(&[true], &mut last)
                .expect("a copy of a byte");
            self.whole::<bool, common::count_bool>("count_bool one at 2^31 + 4", &zeros, 1);
            self.whole::<bool, common::any_bool>("any_bool one at 2^31 + 4", &zeros, true);
            drop(zeros);
            let n = (1usize << 32) - 1;
            let zeros: CudaSlice<bool> = self.stream.alloc_zeros(n).expect("4 GiB fit the GPU");
            self.whole::<bool, forms::absent>("absent n=2^32 - 1", &zeros, n as u64);
            drop(zeros);
            let n = (1usize << 28) + 1;
            let zeros: CudaSlice<f32> = self.stream.alloc_zeros(n).expect("1 GiB fits the GPU");
            self.whole::<f32, forms::one_more>("one_more n=2^28 + 1", &zeros, n as f64);
        }

        /// The whole slice in every way, where its value is known.
        fn whole<T: Element + DeviceRepr, R>(
            &self,
            name: &str,
            data: &CudaSlice<T>,
            right: R::Output,
        ) where
            R: Reduction<Elements = (T,), Uniforms = ()>,
            R::Output: Bits + Copy,
        {
            for forced in in_all_ways(grid::pairs(R::KERNEL.features)) {
                let gpu = Bound::<R>::new(()).forced(forced).reduce(&self.gpu, data);
                self.compare(&format!("{name} {}", told(&forced)), &Ok(right), &gpu);
            }
        }

        /// Every exact form of the device language, on special values in all pairs.
        fn bodies(&self) {
            macro_rules! check {
                ($body:ident, $ty:ident) => {{
                    let mut values = <$ty as Sample>::special();
                    values.extend(ordinary::<$ty>(6, 21));
                    let (x, y): (Vec<$ty>, Vec<$ty>) = values
                        .iter()
                        .flat_map(|&x| values.iter().map(move |&y| (x, y)))
                        .unzip();
                    let (dx, dy) = (self.upload(&x), self.upload(&y));
                    for k in (0..x.len()).step_by(if self.small { 9 } else { 1 }) {
                        let at = k..k + 1;
                        let host =
                            bodies::$body::reduce(&self.host, (&x[at.clone()], &y[at.clone()]));
                        let gpu =
                            bodies::$body::reduce(&self.gpu, (dx.slice(at.clone()), dy.slice(at)));
                        let case = format!("{} of {:?}, {:?}", stringify!($body), x[k], y[k]);
                        self.compare(&case, &host, &gpu);
                    }
                }};
            }
            for_each_body!(check);
        }

        /// Identities of every kind come back with their bits.
        fn identities(&self) {
            macro_rules! check {
                ($($name:ident)*) => {
                    $(self.compare(
                        stringify!($name),
                        &forms::$name::reduce(&self.host, &[]),
                        &forms::$name::reduce(&self.gpu, &[]),
                    );)*
                };
            }
            check!(over extremes from_infinity from_below from_nan from_negative_zero from_least from_largest);
        }

        /// A slice of another stream is read after that stream's work, and results stay on the device.
        fn streams(&self) {
            let other = self.stream.context().new_stream().expect("a second stream");
            let n = 1 << 20;
            let x = ordinary::<f32>(n, 15);
            let host = common::add_f32::reduce(&self.host, &x);
            let plan = common::add_f32::plan(&self.gpu, n as u64).expect("a plan");
            for round in 0..50 {
                let theirs = other.clone_htod(&x).expect("data on another stream");
                let mut out: CudaSlice<f32> = self.stream.alloc_zeros(1).expect("4 bytes");
                let done = if round % 2 == 0 {
                    common::add_f32::reduce_into(&self.gpu, &theirs, &mut out)
                } else {
                    plan.launch(&theirs, &mut out)
                };
                drop(theirs);
                let gpu = done.map(|()| self.stream.clone_dtoh(&out).expect("the result")[0]);
                self.compare("add_f32 of another stream", &host, &gpu);
            }
            self.compare("status", &Ok(0.0f32), &plan.status().map(|()| 0.0));
        }

        /// Threads share a device: none of them gets another's result.
        fn threads(&self) {
            let x = ordinary::<f64>(1 << 18, 16);
            let dx = self.upload(&x);
            self.stream.synchronize().expect("the upload");
            std::thread::scope(|scope| {
                for thread in 0..4 {
                    let (x, dx) = (&x, &dx);
                    scope.spawn(move || {
                        for round in 0..200 {
                            let n = (1 << 14) + 997 * thread + 31 * round;
                            let host = common::add_f64::reduce(&self.host, &x[..n]);
                            let gpu = common::add_f64::reduce(&self.gpu, dx.slice(..n));
                            self.compare(&format!("add_f64 in thread {thread} n={n}"), &host, &gpu);
                        }
                    });
                }
            });
        }
    }

    /// One warp, one tile, several, and one more than two levels hold: for runs under a sanitizer.
    fn few_sizes(tile: u64, partials_of_a_tile: u64) -> Vec<u64> {
        let mut sizes = vec![
            1,
            32,
            tile - 1,
            tile,
            2 * tile + 5,
            tile * partials_of_a_tile + 1,
        ];
        sizes.retain(|&n| n > 0 && n < 1 << 15);
        sizes.dedup();
        sizes
    }

    /// These pairs, forced.
    pub fn in_all_ways(
        pairs: impl Iterator<Item = (&'static Strategy, &'static Grid)>,
    ) -> impl Iterator<Item = Forced> {
        pairs.map(|(strategy, grid)| Forced {
            strategy: Some(strategy),
            grid: Some(grid),
            ..Forced::default()
        })
    }

    /// Forced choices in words.
    pub fn told(forced: &Forced) -> String {
        let strategy = forced.strategy.map_or("", |strategy| strategy.name);
        let grid = forced.grid.map_or("", |grid| grid.name);
        let (tile, blocks) = (forced.tile, forced.blocks);
        format!("{strategy} {grid} tile={tile:?} blocks={blocks:?}")
    }

    /// The bits of a result.
    pub trait Bits: std::fmt::Debug {
        fn bits(&self) -> Vec<u64>;
    }

    impl<T: Sample> Bits for T {
        fn bits(&self) -> Vec<u64> {
            vec![Sample::bits(*self)]
        }
    }

    impl<A: Sample, B: Sample> Bits for (A, B) {
        fn bits(&self) -> Vec<u64> {
            vec![Sample::bits(self.0), Sample::bits(self.1)]
        }
    }
}
