//! The emulator itself: small kernels that are right run clean and give what they should in every
//! order; with one mistake each, the mistake is reported in every order.

#[allow(dead_code, unused_imports)]
mod emulator;
#[path = "machine/kernels.rs"]
mod kernels;

use std::collections::BTreeSet;
use std::sync::Arc;

use emulator::memory::Guarded;
use emulator::object::{Launch, Object};
use emulator::{Counters, compile_text};
use kernels::*;

const TYPES: &str = include_str!("../kernels-gen/cuda/types.cuh");
const WORDS: u32 = 256;
const ORDERS: u64 = 40;

/// A kernel's body, and how it is launched.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    name: &'static str,
    body: &'static str,
    blocks: u32,
    threads: u32,
    cluster: u32,
    dynamic_shared: u32,
}

impl Kernel {
    /// Compiled with `from` as `to`; `None` where there is no compiler.
    fn compile(&self, from: &str, to: &str) -> Option<Arc<Object>> {
        let name = self.name;
        assert!(
            from.is_empty() || self.body.matches(from).count() == 1,
            "{name} has {from:?} once"
        );
        let body = if from.is_empty() {
            self.body.to_owned()
        } else {
            self.body.replace(from, to)
        };
        let head = "extern \"C\" __global__ void kernel(const u32* in, u32* out, u32* counter)";
        // The body starts with the end of a line, so its first line is 2.
        let text = format!("{TYPES}\n#line 1 \"{name}\"\n{head} {{{body}}}\n");
        compile_text(name, &text, &["kernel"])
    }

    /// What is in `out` afterwards.
    fn run(&self, object: &Object, seed: u64) -> Result<(Vec<u32>, Counters), String> {
        let bytes: Vec<u8> = (0..WORDS).flat_map(|k| input(k).to_le_bytes()).collect();
        let mut input = Guarded::holding(c"the input", &bytes, 0);
        let mut output = Guarded::holding(c"the output", &[0; WORDS as usize * 4], 0);
        let mut counter = Guarded::holding(c"the counter", &[0; 4], 0);
        let buffers = &mut [&mut input, &mut output, &mut counter];
        let addresses = buffers.iter_mut().map(|buffer| buffer.address() as u64);
        let arguments: Vec<Vec<u8>> = addresses.map(|each| each.to_le_bytes().to_vec()).collect();
        let launch = Launch {
            entry: "kernel",
            arguments: &arguments,
            blocks: self.blocks,
            threads: self.threads,
            cluster: self.cluster,
            dynamic_shared: self.dynamic_shared,
            seed,
            counts: true,
            overlaps: false,
        };
        let counters = object.run(&launch, buffers)?;
        let (words, _) = output.bytes().as_chunks();
        Ok((
            words.iter().map(|&word| u32::from_le_bytes(word)).collect(),
            counters,
        ))
    }
}

fn input(k: u32) -> u32 {
    k * 7 + 1
}

/// Runs the kernel clean in many orders; `expected` is how `out` begins.
#[track_caller]
fn check(kernel: &Kernel, expected: &[u32]) {
    let Some(object) = kernel.compile("", "") else {
        return;
    };
    for seed in 0..ORDERS {
        match kernel.run(&object, seed) {
            Ok((out, _)) => assert_eq!(
                &out[..expected.len()],
                expected,
                "{}, seed {seed}",
                kernel.name
            ),
            Err(report) => panic!("{}, seed {seed}: {report}", kernel.name),
        }
    }
}

/// With `from` as `to`, every order ends in a report that contains one of these.
#[track_caller]
fn check_mistake(kernel: &Kernel, from: &str, to: &str, reports: &[&str]) {
    let Some(object) = kernel.compile(from, to) else {
        return;
    };
    for seed in 0..ORDERS {
        let outcome = kernel.run(&object, seed).map(|_| ());
        let report = outcome.expect_err(&format!(
            "{}: {to:?} for {from:?}, seed {seed}",
            kernel.name
        ));
        let is_expected = reports.iter().any(|expected| report.contains(expected));
        assert!(
            is_expected,
            "{}, {to:?} for {from:?}, seed {seed}: {report}",
            kernel.name
        );
    }
}

fn inputs(range: impl Iterator<Item = u32>) -> Vec<u32> {
    range.map(input).collect()
}

#[test]
fn what_cpp_leaves_undefined() {
    check(&DEFINED, &[]);
    let mistakes = [
        ("large + 5", "large + 5000", "a sum that"),
        ("large + 5", "-large - 5000", "a difference that"),
        ("i32(word) * 3", "large * 3", "a product that"),
        (
            "-large;",
            "-(large - i32(word % 8) - 2147483000 + i32(1u << 31));",
            "a negated value",
        ),
        (
            "large / i32(word)",
            "large / i32(word - word)",
            "a division by zero",
        ),
        ("% 32)", "% 32 + 32)", "a shift by"),
        (
            "in + 2 * (threadIdx.x / 2)",
            "in + 2 * (threadIdx.x / 2) + 1",
            "not aligned to",
        ),
    ];
    for (from, to, report) in mistakes {
        check_mistake(&DEFINED, from, to, &[report]);
    }
}

const RACE: &str = "a race: ";
const UNWRITTEN: &str = "which nobody has written";

#[test]
fn shared_memory_needs_a_barrier() {
    check(&REVERSE, &inputs((0..64).rev()));
    check_mistake(&REVERSE, "block_barrier();", "", &[RACE, UNWRITTEN]);
    check_mistake(
        &REVERSE,
        "block_barrier();",
        "warp_barrier(0xffffffffu);",
        &[RACE, UNWRITTEN],
    );
    let threes = (0..64).rev().flat_map(|k| k..k + 3);
    check(&REVERSE_COPIES, &inputs(threes));
    check_mistake(&REVERSE_COPIES, "block_barrier();", "", &[RACE, UNWRITTEN]);
    check(&REVERSE_WARP, &inputs((0..32).rev()));
    check_mistake(
        &REVERSE_WARP,
        "warp_barrier(0xffffffffu);",
        "",
        &[RACE, UNWRITTEN],
    );
    // A vote brings the lanes together, but orders no memory.
    let vote = "ballot(0xffffffffu, true);";
    check_mistake(&REVERSE_WARP, "warp_barrier(0xffffffffu);", vote, &[RACE]);
}

#[test]
fn a_race_names_both_places() {
    let vote = "ballot(0xffffffffu, true);";
    let stored = "of block 0 stored it at reverse_warp:3, and nothing orders the two";
    let loaded = "reverse_warp:5: a race: byte ";
    for report in [
        stored,
        loaded,
        "of 128 of shared memory is loaded here; thread ",
    ] {
        check_mistake(&REVERSE_WARP, "warp_barrier(0xffffffffu);", vote, &[report]);
    }
}

#[test]
fn threads_may_share_a_word_but_no_byte() {
    check(&BYTES, &(0..64).map(|k| input(k) % 256).collect::<Vec<_>>());
    check_mistake(
        &BYTES,
        "slots[threadIdx.x] = ",
        "slots[threadIdx.x] = slots[threadIdx.x / 2 * 2] = ",
        &[RACE],
    );
}

#[test]
fn memory_is_written_before_it_is_read() {
    check_mistake(
        &REVERSE,
        "slots[63 - threadIdx.x]",
        "*(slots + (64 - threadIdx.x))",
        &[UNWRITTEN, "outside its object"],
    );
    check_mistake(
        &REVERSE,
        "slots[63 - threadIdx.x]",
        "slots[64 - threadIdx.x]",
        &[UNWRITTEN, "an index beyond its array"],
    );
    check_mistake(
        &REVERSE,
        "slots[threadIdx.x] =",
        "if (threadIdx.x > 0) slots[threadIdx.x] =",
        &[UNWRITTEN],
    );
    check_mistake(
        &REVERSE,
        "= in[threadIdx.x]",
        "= in[threadIdx.x + 256]",
        &["a load at byte 1"],
    );
    check_mistake(
        &REVERSE,
        "out[threadIdx.x] =",
        "out[threadIdx.x + 256] =",
        &["a store at byte 1"],
    );
}

#[test]
fn blocks_need_release_and_acquire() {
    let stored = inputs(0..4);
    let mut expected = [stored.clone(), vec![0; 60]].concat();
    expected.extend(stored);
    check(&LAST_BLOCK, &expected);
    // Released by the arriving thread, which does not know of the store.
    let from = "block_barrier();\n    if (threadIdx.x == 0) is_last";
    check_mistake(&LAST_BLOCK, from, "if (threadIdx.x == 0) is_last", &[RACE]);
    // Counted, but neither released nor acquired.
    let relaxed =
        "[&] { for (u32 k = 0;; ++k) if (compare_exchange(counter, k, k + 1) == k) return k; }()";
    check_mistake(
        &LAST_BLOCK,
        "arrive(counter, gridDim.x - 1)",
        relaxed,
        &["of the output is loaded here"],
    );
    // Every block reads, whoever was last.
    check_mistake(&LAST_BLOCK, "!is_last || ", "", &["of the output is "]);
}

#[test]
fn masks_name_the_lanes_that_come() {
    check(&HALF_WARP, &inputs(1..16));
    check(&BRANCH, &inputs(1..16));
    check_mistake(
        &HALF_WARP,
        "0x0000ffffu",
        "0xffffffffu",
        &["which has exited"],
    );
    check_mistake(
        &HALF_WARP,
        "0x0000ffffu",
        "0x0000fffeu",
        &["does not name the lane itself"],
    );
    check_mistake(
        &BRANCH,
        "0x0000ffffu",
        "0xffffffffu",
        &["which waits at the barrier of branch:4"],
    );
    check_mistake(&COLLECTIVES, "0xffffu", "0x1ffffu", &["which has exited"]);
}

#[test]
fn collectives_give_their_values() {
    let sum = 31 * 16;
    let expected = [
        0xaaaaaaaa,
        1,
        0,
        sum,
        5,
        31,
        -7i32 as u32,
        sum.wrapping_neg(),
        32,
        31,
        0,
        15 * 8,
        16,
    ];
    check(&COLLECTIVES, &expected);
}

#[test]
fn atomics_do_not_race_with_each_other() {
    let half = 96f64.to_bits();
    let words = [half as u32, (half >> 32) as u32, u32::MAX, u32::MAX];
    let expected = [&[192, 63, -63i32 as u32, 0], &words[..], &[7]].concat();
    check(&ATOMICS, &expected);
    check_mistake(&ATOMICS, "atomic_add(out, 1u)", "out[0] += 1", &[RACE]);
    check_mistake(
        &ATOMICS,
        "atomic_add(out, 1u)",
        "if (threadIdx.x) atomic_add(out, 1u); else out[0] = 0",
        &[RACE],
    );
    check_mistake(
        &ATOMICS,
        "out + 1, threadIdx.x",
        "out + 256, threadIdx.x",
        &["out of bounds"],
    );
    check_mistake(
        &ATOMICS,
        "f64*>(out + 4)",
        "f64*>(out + 5)",
        &["is not aligned"],
    );
}

#[test]
fn clusters_meet_before_and_after_remote_stores() {
    check(&EXCHANGE, &[6, 5, 8, 7]);
    let started = "cluster_arrive_relaxed();\n    cluster_wait();";
    check_mistake(&EXCHANGE, started, "", &["which may not have started"]);
    check_mistake(
        &EXCHANGE,
        "cluster_arrive();",
        "cluster_arrive_relaxed();",
        &[RACE],
    );
    let stored = "cluster_arrive();\n    cluster_wait();";
    check_mistake(
        &EXCHANGE,
        stored,
        "",
        &[RACE, UNWRITTEN, "which has exited", "may end before"],
    );
    let partly = "if (threadIdx.x != 3) { cluster_arrive(); cluster_wait(); }";
    check_mistake(&EXCHANGE, stored, partly, &["127 of 128", "126 of 128"]);
    check_mistake(
        &EXCHANGE,
        "1 - cluster_rank()",
        "2",
        &["but the cluster has 2"],
    );
}

#[test]
fn bulk_copies_are_waited_for() {
    let sums = (0..64).map(|t| (0..4).map(|tile| input(64 * tile + 63 - t)).sum());
    check(&PIPELINE, &sums.collect::<Vec<u32>>());
    check_mistake(
        &PIPELINE,
        "barrier_wait(&full[tile % 2], tile / 2);",
        "",
        &[RACE, UNWRITTEN],
    );
    check_mistake(&PIPELINE, "tile / 2)", "1)", &[RACE, UNWRITTEN]);
    // The next copy into a stage that slow threads still read.
    check_mistake(
        &PIPELINE,
        "- threadIdx.x];\n        block_barrier();",
        "- threadIdx.x];",
        &[RACE],
    );
    check_mistake(
        &PIPELINE,
        "        barrier_init_fence();\n",
        "",
        &["no fence"],
    );
    check_mistake(
        &PIPELINE,
        "    }\n    block_barrier();",
        "    }",
        &[RACE, UNWRITTEN, "not initialised"],
    );
    check_mistake(
        &PIPELINE,
        "in + 64 * step",
        "in + 64 * step + 1",
        &["the source is not aligned"],
    );
    check_mistake(
        &PIPELINE,
        "stages + 64 * s,",
        "stages + 63 * s,",
        &["the destination is not aligned"],
    );
    check_mistake(
        &PIPELINE,
        "in + 64 * step, 256",
        "in + 64 * step, 252",
        &["not a multiple"],
    );
    check_mistake(
        &PIPELINE,
        "in + 64 * step",
        "in + 68 * step",
        &["out of bounds"],
    );
    check_mistake(
        &PIPELINE,
        "(&full[s], 256)",
        "(&full[s], 272)",
        &["no thread can go on"],
    );
    check_mistake(
        &PIPELINE,
        "stages + 64 * s,",
        "stages + 68 * s,",
        &["not in shared memory"],
    );
    check_mistake(
        &PIPELINE,
        "step < 5",
        "step < 4",
        &["may end before this copy"],
    );
}

#[test]
fn dependent_launches_wait_first() {
    check(&DEPENDENT, &inputs(0..64));
    let wait = "wait_for_predecessor();";
    check_mistake(
        &DEPENDENT,
        "threadIdx.x;",
        "threadIdx.x + (in[0] > 9);",
        &["accessed before the wait"],
    );
    check_mistake(
        &DEPENDENT,
        wait,
        "if (thread != 3) wait_for_predecessor();",
        &["without a wait"],
    );
    check_mistake(
        &DEPENDENT,
        "release_",
        "if (thread != 3) release_",
        &["without a release"],
    );
    let early = "release_dependents();\n    wait_for_predecessor();";
    check_mistake(&DEPENDENT, wait, early, &["were released before"]);
}

#[track_caller]
fn count(kernel: &Kernel, from: &str, to: &str) -> Option<Counters> {
    let object = kernel.compile(from, to)?;
    let counted: BTreeSet<_> = (0..ORDERS)
        .map(|seed| {
            let (_, counters) = kernel.run(&object, seed).expect("the kernel is right");
            format!("{counters:?}")
        })
        .collect();
    assert_eq!(counted.len(), 1, "the same in every order: {counted:?}");
    kernel.run(&object, 0).ok().map(|(_, counters)| counters)
}

#[test]
fn bank_conflicts_are_counted() {
    for stride in [1, 2, 3, 4, 31, 32] {
        let to = format!("STRIDE = {stride}");
        let Some(counters) = count(&STRIDES, "STRIDE = 1", &to) else {
            return;
        };
        let degree = [1, 2, 4, 8, 16, 32]
            .into_iter()
            .rfind(|degree| stride % degree == 0);
        let degree = degree.expect("every stride is a multiple of 1");
        // 32 stores without a conflict, and the load.
        let expected = Counters {
            block_barriers: 1,
            collectives: 0,
            shared_accesses: 33,
            shared_transactions: 32 + degree,
            bank_conflict: degree,
            divergent: 0,
            shared_bytes: 4096,
        };
        assert_eq!(counters, expected, "stride {stride}");
    }
}

#[test]
fn divergence_is_counted() {
    let Some(counters) = count(&REVERSE, "", "") else {
        return;
    };
    assert_eq!(
        (
            counters.divergent,
            counters.collectives,
            counters.block_barriers
        ),
        (0, 0, 1)
    );
    // Both warps load and store, in part: a load, a store to shared memory.
    let some = "if (threadIdx.x % 2) out[threadIdx.x] =";
    let Some(counters) = count(&REVERSE, "out[threadIdx.x] =", some) else {
        return;
    };
    assert_eq!(counters.divergent, 4);
    let Some(counters) = count(&COLLECTIVES, "", "") else {
        return;
    };
    assert_eq!(counters.collectives, 12);
}

/// The sum of the values that stay.
fn staying() -> impl Iterator<Item = u32> {
    (0..32).map(input).filter(|value| value % 3 != 0)
}

/// Lanes leave, and the rest folds: three ways to say which lanes those are.
#[test]
fn which_lanes_are_left() {
    check(&FOLD_BY_BALLOT, &[staying().sum()]);
    check(&COUNT_BY_CHANCE, &[staying().count() as u32]);

    let Some(object) = FOLD_BY_CHANCE.compile("", "") else {
        return;
    };
    let results = (0..ORDERS).map(|seed| FOLD_BY_CHANCE.run(&object, seed).expect("no fault").0[0]);
    let results: BTreeSet<u32> = results.collect();
    assert!(results.len() > 1, "the order decides: {results:?}");
    assert!(
        results.contains(&staying().sum()),
        "it may well be right: {results:?}"
    );
}
