//! The NVRTC matrix: every operator, type, strategy and grid compiles for every architecture, keeps
//! everything in registers, and contracts nothing. It needs NVRTC and no GPU.
#![cfg(feature = "cuda")]

#[macro_use]
mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::forms;
use kernels_gen::op;
use kernels_gen::stage::features;
use reduce_runtime::Reduction;
use reduce_runtime::private::grid::{self, GRIDS, Grid, LAST_BLOCK};
use reduce_runtime::private::strategy::{SHUFFLE, STRATEGIES, Strategy};
use reduce_runtime::private::{Kernel, Tile, compile, sections};

const ARCHITECTURES: &[u32] = &[75, 80, 90, 100, 120];

/// The architecture for which every tile of the table is compiled, not the largest alone, and every
/// strategy with every grid, not one of them with the first of the other.
const MAIN: u32 = 90;

/// Sizes that reach each row of the tile table.
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
    define: Option<&'static str>,
}

/// For the main architecture every strategy with every grid; for the others every strategy with
/// LastBlock and every grid with Shuffle, by the built-in operators; and what Auto chooses among.
fn cases(kernel: &Kernel) -> Vec<Case> {
    let mut cases = Vec::new();
    let mut push = |strategy: &Strategy, grid: &Grid, architecture, n, define| {
        cases.push(Case {
            name: format!("{} {} {}", kernel.name, strategy.name, grid.name),
            text: sections(&kernel.fragments, strategy, grid).concat(),
            architecture,
            tile: kernel.shape.tile(n),
            define,
        });
    };
    let is_built_in = op::find(kernel.operator).is_some();
    for (strategy, grid) in grid::pairs(kernel.features) {
        let is_first = grid.name == LAST_BLOCK.name || strategy.name == SHUFFLE.name;
        for &architecture in ARCHITECTURES {
            let is_wanted = architecture == MAIN || (is_first && is_built_in);
            if is_wanted && architecture >= strategy.architecture {
                push(strategy, grid, architecture, LARGE, None);
            }
        }
        if grid.name == LAST_BLOCK.name {
            push(strategy, grid, MAIN, SMALL, None);
        }
    }
    for define in ["LAST_BLOCK", "TWO_PASS", "CLUSTER"] {
        push(&STRATEGIES[0], &GRIDS[0], MAIN, LARGE, Some(define));
    }
    // A strategy that leaves the grid open, as an attribute does that names none: sums and conditions
    // have all of them.
    let is_condition = kernel.features & (features::VOTE | features::COUNT) != 0;
    if kernel.operator != op::OPS[0].name && !is_condition {
        return cases;
    }
    for strategy in STRATEGIES.iter().filter(|row| row.fits(kernel.features)) {
        push(strategy, &GRIDS[0], MAIN, SMALL, Some(LAST_BLOCK.define));
    }
    cases
}

#[test]
fn every_kernel_compiles_into_registers() {
    if !has_nvrtc() {
        return;
    }
    let cases: Vec<Case> = kernels().iter().flat_map(cases).collect();
    let faults = Mutex::new(Vec::new());
    in_parallel(&cases, |case| {
        let Case {
            name,
            text,
            architecture,
            tile,
            define,
        } = case;
        let case = format!("{name} {define:?} for sm_{architecture}, {tile:?}");
        let found = match compile::usage(text, *architecture, *tile, *define) {
            Ok(entries) if entries.is_empty() => format!("{case}: no entry points"),
            Ok(entries) => match entries
                .iter()
                .find(|entry| entry.stack_bytes + entry.spill_bytes > 0)
            {
                Some(entry) => format!("{case}: {entry:?}"),
                None => return,
            },
            Err(error) => format!("{case}: {error}"),
        };
        faults.lock().expect("no case panics").push(found);
    });
    let faults = faults.into_inner().expect("no case panics");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    println!("{} kernels compiled", cases.len());
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
