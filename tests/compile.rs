//! The NVRTC matrix: every operator, type, strategy and grid compiles for sm_90, and what an architecture changes
//! for every other; each keeps everything in registers, and contracts nothing. It needs NVRTC and no GPU.
#![cfg(feature = "cuda")]

#[macro_use]
mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::forms;
use kernels_gen::op;
use reduce_runtime::Reduction;
use reduce_runtime::private::grid::{self, GRIDS, Grid, LAST_BLOCK};
use reduce_runtime::private::strategy::{STRATEGIES, Strategy};
use reduce_runtime::private::{Kernel, Tile, compile, sections};

const ARCHITECTURES: &[u32] = &[75, 80, 90, 100, 120];

/// The architecture that has every strategy and was measured on.
const MAIN: u32 = 90;

/// Sizes that reach the ends of the tile table.
const SMALL: u64 = 1 << 10;
const LARGE: u64 = 1 << 28;

fn kernels() -> Vec<Kernel> {
    let mut kernels = Vec::new();
    macro_rules! push {
        ($name:ident, $op:ident, $ty:ident) => {
            assert_eq!(common::$name::KERNEL.operator, stringify!($op));
            kernels.push(common::$name::KERNEL);
        };
    }
    for_each_reduction!(push);
    assert_eq!(
        kernels.len(),
        kernels_gen::op::pairs().count(),
        "for_each_reduction has every operator with every type that it takes"
    );
    kernels.extend([
        forms::peak::KERNEL,
        forms::dip::KERNEL,
        forms::peak_at::KERNEL,
        forms::argmax::KERNEL,
        forms::argmin::KERNEL,
        forms::argmin_f64::KERNEL,
        forms::argmax_u32::KERNEL,
        forms::half_sum::KERNEL,
        forms::both::KERNEL,
        forms::dot::KERNEL,
        forms::mixed::KERNEL,
        forms::widest::KERNEL,
        forms::centred::KERNEL,
        forms::clipped::KERNEL,
        forms::ramp::KERNEL,
        forms::sum_of_indices::KERNEL,
        forms::over::KERNEL,
        forms::below::KERNEL,
        forms::masked::KERNEL,
        forms::first_hit::KERNEL,
        forms::extremes::KERNEL,
        forms::from_infinity::KERNEL,
        forms::from_below::KERNEL,
        forms::from_nan::KERNEL,
        forms::from_negative_zero::KERNEL,
        forms::from_least::KERNEL,
        forms::from_largest::KERNEL,
    ]);
    kernels
}

/// Runs the cases on all cores.
fn in_parallel<T: Sync>(cases: &[T], run: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    run(case);
                }
            });
        }
    });
}

/// Whether NVRTC is there; where it must be, its absence is a failure.
fn has_nvrtc() -> bool {
    match compile::version() {
        Ok(_) => true,
        Err(error) => {
            assert!(std::env::var_os("CI").is_none(), "{error}");
            println!("compile: no NVRTC: skipped ({error})");
            false
        }
    }
}

/// A text to be compiled.
struct Case {
    name: String,
    text: String,
    architecture: u32,
    tile: Tile,
    /// The grid that is selected in a text which leaves it open.
    define: Option<&'static str>,
    /// Whether the compiler is only to accept the text, and may leave its code as it comes.
    is_quick: bool,
}

impl Case {
    fn new(
        kernel: &Kernel,
        (strategy, grid): (&Strategy, &Grid),
        architecture: u32,
        n: u64,
        define: Option<&'static str>,
    ) -> Case {
        Case {
            name: format!("{} {} {}", kernel.name, strategy.name, grid.name),
            text: sections(&kernel.fragments, strategy, grid).concat(),
            architecture,
            tile: kernel.shape.tile(n),
            define,
            is_quick: false,
        }
    }

    fn fault(&self) -> Option<String> {
        let mut options: Vec<String> = self.define.iter().map(|name| format!("-D{name}")).collect();
        if self.is_quick {
            options.push("--Ofast-compile=mid".to_owned());
        }
        let entries = match compile::usage(&self.text, self.architecture, self.tile, &options) {
            Ok(entries) => entries,
            Err(error) => return Some(error.to_string()),
        };
        if entries.is_empty() {
            return Some("no entry points".to_owned());
        }
        let spills = |entry: &&compile::Usage| entry.stack_bytes + entry.spill_bytes > 0;
        let entry = entries.iter().find(spills).filter(|_| !self.is_quick)?;
        Some(format!("{entry:?}"))
    }
}

/// The reductions whose code is looked at in every way for every architecture: between them they use every strategy and
/// grid. What an architecture changes in operators is in the usual ways; of the others it is enough that they compile.
const IN_ALL_WAYS: &[&str] = &["add_u32", "add_f32", "all_bool", "any_bool", "count_bool"];

/// Built-in operators in every way for every architecture, in the large tile for the main one; other forms with
/// LastBlock for the main architecture.
fn cases(kernel: &Kernel) -> Vec<Case> {
    let is_built_in = op::find(kernel.operator).is_some();
    let is_in_all_ways = IN_ALL_WAYS.contains(&kernel.name);
    let mut cases = Vec::new();
    let pairs = grid::pairs(kernel.features).chain(grid::unordered_pairs(kernel.features));
    for pair @ (strategy, grid) in pairs {
        if is_built_in || grid.name == LAST_BLOCK.name {
            cases.push(Case::new(kernel, pair, MAIN, LARGE, None));
        }
        let is_usual = match grid.name {
            "LastBlock" => ["Shuffle", "Sequential", "Redux"].contains(&strategy.name),
            "TwoPass" => ["Shuffle", "Sequential"].contains(&strategy.name),
            _ => strategy.name == "Shuffle",
        };
        let others = ARCHITECTURES.iter().filter(|&&architecture| {
            is_built_in && architecture != MAIN && architecture >= strategy.architecture
        });
        cases.extend(others.map(|&architecture| Case {
            is_quick: !is_in_all_ways && !is_usual,
            ..Case::new(kernel, pair, architecture, SMALL, None)
        }));
    }
    if is_in_all_ways {
        cases.extend(open(kernel));
    }
    cases
}

/// Texts that leave the strategy or the grid open, with what a launch may choose.
fn open(kernel: &Kernel) -> impl Iterator<Item = Case> {
    let auto = (&STRATEGIES[0], &GRIDS[0]);
    let choices = ["LAST_BLOCK", "TWO_PASS", "CLUSTER"].map(|define| (auto, LARGE, define));
    let strategies = STRATEGIES.iter().filter(|row| row.fits(kernel.features));
    let with_open_grid = strategies.map(|row| ((row, &GRIDS[0]), SMALL, LAST_BLOCK.define));
    choices
        .into_iter()
        .chain(with_open_grid)
        .map(|(pair, n, define)| Case::new(kernel, pair, MAIN, n, Some(define)))
}

#[test]
fn every_kernel_compiles_into_registers() {
    if !has_nvrtc() {
        return;
    }
    let kernels = kernels();
    let is_in_all_ways = |kernel: &&Kernel| IN_ALL_WAYS.contains(&kernel.name);
    assert_eq!(
        kernels.iter().filter(is_in_all_ways).count(),
        IN_ALL_WAYS.len()
    );
    let cases: Vec<Case> = kernels.iter().flat_map(cases).collect();
    println!("{} kernels", cases.len());
    let faults = Mutex::new(Vec::new());
    in_parallel(&cases, |case| {
        if let Some(fault) = case.fault() {
            let Case {
                name,
                architecture,
                tile,
                define,
                ..
            } = case;
            let fault = format!("{name} {define:?} for sm_{architecture}, {tile:?}: {fault}");
            faults.lock().expect("no case panics").push(fault);
        }
    });
    let faults = faults.into_inner().expect("no case panics");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn nothing_is_contracted() {
    if !has_nvrtc() {
        return;
    }
    in_parallel(&kernels(), |kernel| {
        let text = sections(&kernel.fragments, kernel.strategy, kernel.grid).concat();
        let ptx =
            compile::ptx(&text, MAIN, kernel.shape.tile(1)).expect("the kernel compiles to PTX");
        assert!(
            !ptx.contains("fma.rn.f"),
            "{} has a fused multiply-add",
            kernel.name
        );
    });
}

#[test]
fn a_fault_names_the_place_in_the_text() {
    if !has_nvrtc() {
        return;
    }
    let kernel = common::add_f32::KERNEL;
    let text = sections(&kernel.fragments, kernel.strategy, kernel.grid).concat();
    let broken = text.replace("return x;", "return y;");
    assert_ne!(text, broken);
    let error =
        compile::compile(&broken, MAIN, kernel.shape.tile(1)).expect_err("y is not declared");
    assert!(error.is_compile());
    let message = error.to_string();
    assert!(message.contains("\"y\" is undefined"), "{message}");
    assert!(message.contains("tests/common/mod.rs"), "{message}");
}
