//! Every kernel on the CPU: the unchanged text under the emulator against the tree in plain Rust, bit
//! for bit, at the sizes where tails, warps, tiles and levels begin and end.

#[allow(dead_code, unused_imports)]
mod emulator;
#[path = "common/known.rs"]
mod known;

use emulator::reference::fold;
use emulator::specs::*;
use emulator::values::{DATA, Data, Number, Random, bytes_of};
use emulator::{Call, Emulated, Input, Program, compile};
use half::{bf16, f16};
use kernels_gen::dtype;
use kernels_gen::expr::{BinaryOp, Expr, ExprKind, Type};
use kernels_gen::grid::{self, Grid, LAST_BLOCK, TWO_PASS};
use kernels_gen::op::{self, OPS, Op};
use kernels_gen::spec::{Role, Spec};
use kernels_gen::stage::{STAGES, features};
use kernels_gen::strategy::{SEQUENTIAL, SHUFFLE, Strategy};
use kernels_gen::tree::Tile;
use known::Known;

/// Sizes at which vectors, warps and rows end.
const SIZES: &[u64] = &[1, 2, 3, 7, 31, 32, 33, 48, 255, 256, 257, 1023, 1024, 1025];

const fn tile(threads: u32, rows: u32) -> Tile {
    Tile { threads, rows }
}

/// One input of `n` elements, on `blocks` blocks, misaligned by `skip` elements.
fn run<N: Number>(
    emulated: &Emulated,
    elements: &[N],
    skip: usize,
    blocks: u32,
    seed: u64,
) -> Result<Vec<u8>, String> {
    let call = Call {
        inputs: &[Input {
            bytes: &bytes_of(elements),
            offset: skip * N::dtype().bytes as usize,
        }],
        scalars: &[],
        n: elements.len() as u64,
        blocks,
        seed,
    };
    emulated.run(&call).map(|results| results.concat())
}

#[track_caller]
fn assert_result(
    emulated: &Emulated,
    case: &str,
    result: Result<Vec<u8>, String>,
    expected: &[u8],
) {
    let name = &emulated.program.name;
    match result {
        Ok(bytes) => assert_eq!(bytes, expected, "{name}, {case}"),
        Err(fault) => panic!("{name}, {case}: {fault}"),
    }
}

/// How many blocks share the tiles: one, too few, and more than there are tiles.
fn blocks(n: u64) -> u32 {
    [1, 2, 3, 7][n as usize % 4]
}

fn samples<N: Number>(n: u64, data: Data) -> Vec<N> {
    let mut random = Random(n);
    (0..n).map(|_| N::sample(data, &mut random)).collect()
}

/// The sizes of [`SIZES`], and those at which a tile ends.
fn sizes(tile: Tile, vector: u32) -> Vec<u64> {
    let whole = tile.len(vector);
    let mut sizes = SIZES.to_vec();
    sizes.extend([whole - 1, whole, whole + 1, 3 * whole + 5]);
    sizes
}

fn check_built_in<N: Number>(emulated: &Emulated, op: &Op, is_squared: bool) {
    let Program { tile, shape, .. } = emulated.program;
    let empty = N::fold_all(op.name, &[], emulated.program.tree());
    assert_eq!(empty.is_some(), op.empty.is_some(), "{}", op.name);
    if let Some(empty) = empty {
        assert_result(emulated, "empty", run::<N>(emulated, &[], 0, 1, 0), &empty);
    }
    for (k, n) in sizes(tile, shape.vector).into_iter().enumerate() {
        for (d, &data) in DATA.iter().enumerate() {
            let elements: Vec<N> = samples(n, data);
            let mapped = elements
                .iter()
                .map(|x| if is_squared { x.square() } else { *x });
            let mapped: Vec<N> = mapped.collect();
            let expected =
                N::fold_all(op.name, &mapped, emulated.program.tree()).expect("there are elements");
            let skip = (k + d) % 4;
            let result = run(emulated, &elements, skip, blocks(n), n + d as u64);
            assert_result(
                emulated,
                &format!("{data:?}, n {n}, {skip} elements in"),
                result,
                &expected,
            );
        }
    }
}

/// Every operator that takes the type, every strategy and grid.
fn check_type<N: Number>() {
    let mut programs = Vec::new();
    let mut cases = Vec::new();
    let takes = |op: &&Op| op.takes.takes(N::dtype());
    for (o, op) in OPS.iter().filter(takes).enumerate() {
        let is_squared = op.name == "Add";
        let spec = simple(op, N::dtype(), is_squared);
        for (k, (strategy, grid)) in grid::pairs(spec.features()).enumerate() {
            // All pairs for one operator, each strategy and each grid for the others.
            let is_first = strategy.name == SHUFFLE.name || grid.name == LAST_BLOCK.name;
            if o > 0 && !is_first {
                continue;
            }
            let tile = [tile(256, 4), tile(64, 2)][(k + k / 2 + o) % 2];
            programs.push(Program::built_in(&spec, strategy, grid, tile));
            cases.push((op, is_squared));
        }
    }
    for (emulated, (op, is_squared)) in compile(programs).into_iter().flatten().zip(cases) {
        check_built_in::<N>(&emulated, op, is_squared);
    }
}

macro_rules! one_test_a_type {
    ($(($constant:ident, $name:ident, $($rest:tt)*))*) => {
        mod built_in {
            use super::*;

            $(#[test]
            fn $name() {
                check_type::<$name>();
            })*
        }
    };
}

kernels_gen::for_each_dtype!(one_test_a_type);

/// What may meet in any order, because `unordered` is written, on values whose every order gives the same.
fn check_unordered<N: Number>() {
    let takes = |op: &&'static Op| op.takes.takes(N::dtype());
    let programs = OPS.iter().filter(takes).flat_map(|op| {
        let spec = simple(op, N::dtype(), false);
        let pairs = grid::unordered_pairs(spec.features());
        let programs = pairs.map(|(strategy, grid)| {
            let program = Program::built_in(&spec, strategy, grid, tile(64, 1));
            (program, op)
        });
        programs.collect::<Vec<_>>()
    });
    let (programs, ops): (Vec<_>, Vec<_>) = programs.unzip();
    assert!(!ops.is_empty(), "floats have some");
    for (emulated, op) in compile(programs).into_iter().flatten().zip(ops) {
        let mut sizes = sizes(emulated.program.tile, emulated.program.shape.vector);
        sizes.push(0);
        for n in sizes {
            for data in [Data::Exact, Data::Zeros] {
                let elements: Vec<N> = samples(n, data);
                let expected = N::fold_all(op.name, &elements, emulated.program.tree());
                let result = run(&emulated, &elements, 0, blocks(n), n);
                let expected = expected.expect("sums and products have a value of nothing");
                assert_result(&emulated, &format!("{data:?}, n {n}"), result, &expected);
            }
        }
    }
}

#[test]
fn folds_in_any_order() {
    check_unordered::<f16>();
    check_unordered::<bf16>();
    check_unordered::<f32>();
    check_unordered::<f64>();
}

/// The strategies and grids for a user's operator on inputs.
fn pairs() -> impl Iterator<Item = (&'static Strategy, &'static Grid)> {
    grid::pairs(features::INPUTS)
}

/// The pairs of strategy and grid by turns.
fn turn(k: usize) -> (&'static Strategy, &'static Grid) {
    pairs().nth(k % pairs().count()).expect("there are pairs")
}

/// Where a level of the tree ends and the next begins.
fn edges(tile: Tile, vector: u32, partial_vector: u32, levels: u32) -> Vec<u64> {
    let whole = tile.len(vector) * tile.len(partial_vector).pow(levels - 1);
    vec![whole - 1, whole, whole + 1]
}

/// Folds random elements, which the map leaves as they are, with a user's operator.
fn check_operator<N: Number<Accumulator = N>>(
    emulated: &Emulated,
    sizes: &[u64],
    combine: &impl Fn(N, N) -> N,
) {
    for &n in sizes {
        let elements: Vec<N> = samples(n, Data::Random);
        let expected = N::result(fold(&elements, emulated.program.tree(), combine));
        let skip = (n % 3) as usize;
        let result = run(emulated, &elements, skip, blocks(n), n);
        assert_result(
            emulated,
            &format!("n {n}, {skip} elements in"),
            result,
            &expected,
        );
    }
}

#[test]
fn tiles_of_any_shape() {
    let tiles = [
        (1, 1),
        (2, 3),
        (16, 2),
        (31, 1),
        (33, 1),
        (48, 2),
        (96, 1),
        (512, 4),
        (512, 8),
        (1024, 1),
    ];
    let programs = tiles
        .iter()
        .enumerate()
        .map(|(k, &(threads, rows))| mixing_program(&dtype::U32, turn(k), tile(threads, rows)));
    for emulated in compile(programs.collect()).into_iter().flatten() {
        let sizes = sizes(emulated.program.tile, emulated.program.shape.vector);
        let sizes: Vec<u64> = sizes.into_iter().filter(|&n| n > 0).collect();
        check_operator(&emulated, &sizes, &mix_u32);
    }
}

#[test]
fn edges_of_two_levels() {
    let tile = tile(32, 1);
    let programs = pairs().map(|pair| mixing_program(&dtype::U32, pair, tile));
    for emulated in compile(programs.collect()).into_iter().flatten() {
        check_operator(&emulated, &edges(tile, 4, 4, 2), &mix_u32);
    }
    let programs = pairs().map(|pair| mixing_program(&dtype::U64, pair, tile));
    for emulated in compile(programs.collect()).into_iter().flatten() {
        check_operator(&emulated, &edges(tile, 2, 2, 2), &mix_u64);
    }
}

/// The strategies and grids that a user's operator does not have, at the end of a level.
#[test]
fn edges_of_built_in_operators() {
    fn check<N: Number>(op: &str) {
        let op = op::find(op).expect("a built-in operator");
        let spec = simple(op, N::dtype(), false);
        for emulated in compile(built_in_in_all_ways(&spec, tile(32, 1)))
            .into_iter()
            .flatten()
        {
            let shape = emulated.program.shape;
            for n in edges(tile(32, 1), shape.vector, shape.partial_vector, 2) {
                let elements: Vec<N> = samples(n, Data::Random);
                let expected = N::fold_all(op.name, &elements, emulated.program.tree());
                let result = run(&emulated, &elements, 0, blocks(n), n);
                assert_result(
                    &emulated,
                    &format!("n {n}"),
                    result,
                    &expected.expect("elements"),
                );
            }
        }
    }
    check::<u32>("Add");
    check::<bool>("Any");
    check::<bool>("Count");
}

#[test]
fn edges_of_three_levels() {
    let tile = tile(16, 1);
    let programs = pairs().map(|pair| mixing_program(&dtype::U32, pair, tile));
    for emulated in compile(programs.collect()).into_iter().flatten() {
        check_operator(&emulated, &edges(tile, 4, 4, 3), &mix_u32);
    }
}

/// Runs programs whose arguments `prepare` gives: the inputs, the scalars and the accumulators.
fn check_calls<A: Copy>(
    programs: Vec<Program>,
    sizes: impl Fn(&Program) -> Vec<u64>,
    prepare: impl Fn(u64) -> (Vec<(Vec<u8>, usize)>, Vec<Vec<u8>>, Vec<A>),
    combine: impl Fn(A, A) -> A,
    results: impl Fn(A) -> Vec<u8>,
) {
    for emulated in compile(programs).into_iter().flatten() {
        for n in sizes(&emulated.program) {
            let (inputs, scalars, accumulators) = prepare(n);
            let inputs = inputs.iter().map(|(bytes, offset)| Input {
                bytes,
                offset: *offset,
            });
            let call = Call {
                inputs: &inputs.collect::<Vec<_>>(),
                scalars: &scalars,
                n,
                blocks: blocks(n),
                seed: n,
            };
            let expected = results(fold(&accumulators, emulated.program.tree(), &combine));
            let result = emulated.run(&call).map(|results| results.concat());
            assert_result(&emulated, &format!("n {n}"), result, &expected);
        }
    }
}

fn usual_sizes(program: &Program) -> Vec<u64> {
    sizes(program.tile, program.shape.vector)
}

fn built_in_in_all_ways(spec: &Spec, tile: Tile) -> Vec<Program> {
    grid::pairs(spec.features())
        .map(|(strategy, grid)| Program::built_in(spec, strategy, grid, tile))
        .collect()
}

#[test]
fn several_inputs() {
    let (x, y) = (input("x", &dtype::F16), input("y", &dtype::F64));
    let product = Expr::binary(BinaryOp::Mul, cast(local(&x), &dtype::F64), local(&y));
    let spec = spec("dot", op::find("Add"), vec![x, y], product);
    let prepare = |n| {
        let (x, y): (Vec<f16>, Vec<f64>) = (samples(n, Data::Random), samples(n + 1, Data::Random));
        let products = x.iter().zip(&y).map(|(x, y)| x.to_f64() * y).collect();
        // Neither, either and both are aligned for whole vectors.
        let (skip_x, skip_y) = (n as usize / 2 % 2, n as usize % 2);
        let inputs = vec![
            (bytes_of(&x), skip_x * 2),
            (bytes_of(&y[..n as usize]), skip_y * 8),
        ];
        (inputs, Vec::new(), products)
    };
    // Of the second, a whole tile of `x` is no multiple of 16 bytes.
    let tiles = [tile(64, 2), tile(33, 1)];
    let programs = tiles.map(|tile| built_in_in_all_ways(&spec, tile));
    check_calls(
        programs.concat(),
        usual_sizes,
        prepare,
        |a, b| a + b,
        f64::result,
    );
}

#[test]
fn index_and_uniforms() {
    let (x, i) = (input("x", &dtype::F32), index());
    let mean = parameter("mean", &dtype::F32, Role::Uniform);
    let scale = parameter("scale", &dtype::F64, Role::Uniform);
    let centred = Expr::binary(BinaryOp::Sub, local(&x), local(&mean));
    let weight = Expr::binary(BinaryOp::Mul, cast(local(&i), &dtype::F64), local(&scale));
    let value = Expr::binary(BinaryOp::Mul, cast(centred, &dtype::F64), weight);
    let spec = spec("ramp", op::find("Add"), vec![x, i, mean, scale], value);
    let (mean, scale) = (0.125f32, 0.7f64);
    let prepare = |n| {
        let x: Vec<f32> = samples(n, Data::Random);
        let values = (0u64..)
            .zip(&x)
            .map(|(i, x)| f64::from(x - mean) * (i as f64 * scale))
            .collect();
        (
            vec![(bytes_of(&x), n as usize % 4 * 4)],
            vec![mean.bytes(), scale.bytes()],
            values,
        )
    };
    check_calls(
        built_in_in_all_ways(&spec, tile(64, 2)),
        usual_sizes,
        prepare,
        |a, b| a + b,
        f64::result,
    );
}

#[test]
fn index_alone() {
    let i = index();
    let square = Expr::binary(BinaryOp::Mul, local(&i), local(&i));
    let spec = spec("squares", op::find("Add"), vec![i], square);
    let start = 1u64 << 40;
    let prepare = |n: u64| {
        let squares = (start..start + n).map(|i| i.wrapping_mul(i));
        (Vec::new(), vec![start.bytes()], squares.collect())
    };
    check_calls(
        built_in_in_all_ways(&spec, tile(48, 2)),
        usual_sizes,
        prepare,
        u64::wrapping_add,
        u64::result,
    );
}

/// Eight to a load, each with an accumulator of eight bytes: the widest that a thread keeps.
#[test]
fn wide_vectors() {
    let x = input("x", &dtype::F16);
    let tenth = Expr::literal(0.1f64.to_bits(), scalar(&dtype::F64));
    let value = Expr::binary(BinaryOp::Mul, cast(local(&x), &dtype::F64), tenth);
    let spec = spec("tenths", op::find("Add"), vec![x], value);
    let prepare = |n| {
        let x: Vec<f16> = samples(n, Data::Random);
        let values = x.iter().map(|x| x.to_f64() * 0.1).collect();
        (vec![(bytes_of(&x), n as usize % 8 * 2)], Vec::new(), values)
    };
    check_calls(
        built_in_in_all_ways(&spec, tile(32, 2)),
        usual_sizes,
        prepare,
        |a, b| a + b,
        f64::result,
    );
}

#[test]
fn tuples() {
    let (x, i) = (input("x", &dtype::F32), index());
    let kind = ExprKind::Tuple(vec![local(&x), local(&i)]);
    let ty = Type::Tuple(vec![scalar(&dtype::F32), scalar(&dtype::U64)]);
    let spec = spec("peak", None, vec![x, i], Expr { kind, ty });
    let programs = pairs().map(|(strategy, grid)| {
        Program::with_operator(&spec, (&larger(), None), strategy, grid, tile(32, 1))
    });
    let prepare = |n| {
        // Few values, all below zero, so that the first of equals is asked for.
        let mut random = Random(n);
        let x: Vec<f32> = (0..n)
            .map(|_| -((random.next() % 50) as f32) - 1.0)
            .collect();
        let values = x.iter().copied().zip(0u64..).collect();
        (vec![(bytes_of(&x), n as usize % 4 * 4)], Vec::new(), values)
    };
    let larger = |a: (f32, u64), b: (f32, u64)| {
        if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) {
            b
        } else {
            a
        }
    };
    let results = |(value, position): (f32, u64)| [value.bytes(), position.bytes()].concat();
    let sizes = |program: &Program| [usual_sizes(program), edges(program.tile, 4, 1, 2)].concat();
    check_calls(programs.collect(), sizes, prepare, larger, results);
}

/// Each probe in a few of the strategies and grids, by turns.
fn check_known<N: Number + PartialEq>(op: &str, probes: Vec<Known<N>>) {
    let op = op::find(op).expect("a built-in operator");
    let spec = simple(op, N::dtype(), false);
    let mut tiles: Vec<Tile> = probes.iter().filter_map(|probe| probe.tile).collect();
    tiles.sort_by_key(|tile| tile.threads);
    tiles.dedup();
    let programs = tiles.iter().enumerate().flat_map(|(t, &tile)| {
        let pairs = grid::pairs(spec.features()).enumerate();
        let few = pairs.filter(move |(k, _)| (k + t) % 5 == 0);
        few.map(|(_, (strategy, grid))| Program::built_in(&spec, strategy, grid, tile))
            .collect::<Vec<_>>()
    });
    for emulated in compile(programs.collect()).into_iter().flatten() {
        let of_tile = |probe: &&Known<N>| probe.tile == Some(emulated.program.tile);
        for probe in probes.iter().filter(of_tile) {
            let n = probe.data.len() as u64;
            let blocks = probe.blocks.unwrap_or_else(|| blocks(n));
            let result = run(&emulated, &probe.data, 0, blocks, n);
            assert_result(&emulated, probe.report, result, &probe.right.bytes());
        }
    }
}

#[test]
fn faults_that_users_met() {
    check_known("Add", known::sums_of_u32());
    check_known("Add", known::sums_of_f32());
    check_known("Max", known::maxima_of_f32());
}

/// JuliaGPU/CUDA.jl#2863, NVIDIA/thrust#592: the least and the greatest in one pass take too much for a full block.
#[test]
fn two_folds_in_one_pass() {
    let x = input("x", &dtype::F64);
    let kind = ExprKind::Tuple(vec![local(&x), local(&x)]);
    let ty = Type::Tuple(vec![scalar(&dtype::F64), scalar(&dtype::F64)]);
    let spec = spec("range", None, vec![x], Expr { kind, ty });
    let programs = pairs().map(|(strategy, grid)| {
        Program::with_operator(&spec, (&range(), None), strategy, grid, tile(256, 1))
    });
    let prepare = |n| {
        let x: Vec<f64> = (0..n).map(|k| (k * 7 % n) as f64 - 480.0).collect();
        (vec![(bytes_of(&x), 0)], Vec::new(), vec![(-480.0, 480.0)])
    };
    let results = |(least, greatest): (f64, f64)| [least.bytes(), greatest.bytes()].concat();
    check_calls(
        programs.collect(),
        |_| vec![961],
        prepare,
        |a, _| a,
        results,
    );
}

/// numba/numba#2589: the last warp relied on running in step, in shared memory that is volatile.
#[test]
fn no_fold_goes_through_volatile_memory() {
    let folds = |file: &str| file.starts_with("block_") || file.starts_with("thread_");
    assert!(STAGES.iter().any(|stage| folds(stage.file)));
    for stage in STAGES {
        let is_fold = folds(stage.file);
        assert!(
            !(is_fold && stage.text.contains("volatile")),
            "{}",
            stage.file
        );
    }
}

/// A tile of 1024 elements: Sequential stores and loads at each of its steps, with a barrier after each;
/// Shuffle goes through shared memory once.
#[test]
fn what_strategies_cost() {
    let tile = tile(256, 1);
    let elements: Vec<u32> = samples(1024, Data::Random);
    let programs = pairs()
        .filter(|(_, grid)| grid.name == LAST_BLOCK.name)
        .map(|pair| mixing_program(&dtype::U32, pair, tile));
    for emulated in compile(programs.collect()).into_iter().flatten() {
        let input = Input {
            bytes: &bytes_of(&elements),
            offset: 0,
        };
        let call = Call {
            inputs: &[input],
            scalars: &[],
            n: 1024,
            blocks: 1,
            seed: 0,
        };
        let (_, counters) = emulated.count(&call).expect("the kernel is right");
        let steps = 8;
        // Barriers of a block, collectives of a warp, the worst bank conflict.
        let expected = match emulated.program.strategy {
            "Shuffle" | "Cluster" => (1, 5, 1),
            "Bulk" => (2, 5, 1),
            "Interleaved" | "Sequential" => (1 + steps, 0, 1),
            "Strided" => (1 + steps, 0, 8),
            other => panic!("what {other} costs is not known here"),
        };
        let counted = (
            counters.block_barriers,
            counters.collectives,
            counters.bank_conflict,
        );
        assert_eq!(counted, expected, "{}: {counters:?}", emulated.program.name);
    }
}

/// A mistake in the text that no rule of `mutate.rs` makes, and what the emulator says of it; nothing, where the bits are wrong.
struct Mutant {
    strategy: &'static Strategy,
    grid: &'static Grid,
    tile: Tile,
    from: &'static str,
    to: &'static str,
    report: &'static str,
}

const fn mutant(
    strategy: &'static Strategy,
    grid: &'static Grid,
    threads: u32,
    from: &'static str,
    to: &'static str,
    report: &'static str,
) -> Mutant {
    let tile = tile(threads, 1);
    Mutant {
        strategy,
        grid,
        tile,
        from,
        to,
        report,
    }
}

const MUTANTS: &[Mutant] = &[
    mutant(
        &SEQUENTIAL,
        &TWO_PASS,
        64,
        "        block_barrier();\n    }\n    return slots[0];",
        "        if (thread < s) block_barrier();\n    }\n    return slots[0];",
        "a race",
    ),
    mutant(
        &SHUFFLE,
        &TWO_PASS,
        64,
        "else partials[tile] = fold;",
        "else partials[tile + 1] = fold;",
        "a store at byte",
    ),
    mutant(
        &SHUFFLE,
        &TWO_PASS,
        64,
        "if (thread >= 32) return value;",
        "if (thread >= 16) return value;",
        "names lane",
    ),
];

/// The first outcome, over many orders, that is not the right one.
fn first_fault(emulated: &Emulated) -> Option<Result<Vec<u8>, String>> {
    let Program { tile, shape, .. } = emulated.program;
    let whole = tile.len(shape.vector);
    // Several tiles on each block, the last of them short; where tiles are small, three levels.
    let tiles = if whole <= 64 { 6 * whole } else { 8 };
    let elements: Vec<u32> = samples(tiles * whole + 51, Data::Random);
    let expected = u32::result(fold(&elements, emulated.program.tree(), &mix_u32));
    let mut results = (0..200).map(|seed| run(emulated, &elements, 0, 2, seed));
    results.find(|result| result.as_ref() != Ok(&expected))
}

#[test]
fn mistakes_are_seen() {
    let programs = MUTANTS.iter().map(|mutant| {
        let pair = (mutant.strategy, mutant.grid);
        mixing_program(&dtype::U32, pair, mutant.tile).mutated(mutant.from, mutant.to)
    });
    let mut survivors = Vec::new();
    for (emulated, mutant) in compile(programs.collect())
        .into_iter()
        .flatten()
        .zip(MUTANTS)
    {
        match first_fault(&emulated) {
            Some(Ok(_)) if mutant.report.is_empty() => {}
            Some(Err(report)) if report.contains(mutant.report) => {}
            outcome => survivors.push(format!("{}: {outcome:?}", emulated.program.name)),
        }
    }
    assert!(survivors.is_empty(), "{}", survivors.join("\n"));
}
