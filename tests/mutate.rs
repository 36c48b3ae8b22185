//! Every synchronising or guarding piece of the stage files, removed or weakened one at a time: some
//! emulated call must tell. The mutants come from the texts by rules, so that a new barrier, mask or
//! guard is mutated without anyone naming it. The table is `mutations.md`.

#[allow(dead_code, unused_imports)]
mod emulator;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

use emulator::ptx::ORDERED;
use emulator::reference::fold;
use emulator::specs::{mix_u32, mixing_program, simple};
use emulator::values::{Data, Number, Random, bytes_of};
use emulator::{Call, Emulated, Input, Program, compile};
use kernels_gen::dtype;
use kernels_gen::grid::{ATOMIC, Grid, LAST_BLOCK, TWO_PASS};
use kernels_gen::op;
use kernels_gen::strategy::{
    BULK, CLUSTER, INTERLEAVED, REDUX, SEQUENTIAL, SHUFFLE, STRIDED, Strategy, VOTE, VOTE_COUNT,
};
use kernels_gen::tree::Tile;

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mutations.md");

/// A mutant that no emulated call tells from the original, and why that is right.
struct Explained {
    file: &'static str,
    /// What the table calls it.
    mutant: &'static str,
    why: &'static str,
}

const fn explained(file: &'static str, mutant: &'static str, why: &'static str) -> Explained {
    Explained { file, mutant, why }
}

const EXPLAINED: &[Explained] = &[
    explained(
        "atomic_exchange.cuh",
        "`neutral()` is `Acc()`",
        "the text asks for a guess, whatever it is",
    ),
    explained(
        "atomic_exchange.cuh",
        "`neutral()` is `Acc(7)`",
        "the text asks for a guess, whatever it is",
    ),
    explained(
        "block_interleaved.cuh",
        "`thread < present` is `true`",
        "slots from `present` on are not read",
    ),
    explained(
        "block_sequential.cuh",
        "`thread < present` is `true`",
        "slots from `present` on are not read",
    ),
    explained(
        "block_shuffle.cuh",
        "`thread < present` is `true`",
        "slots from `present` on are not read",
    ),
    explained(
        "block_strided.cuh",
        "`thread < present` is `true`",
        "slots from `present` on are not read",
    ),
    explained(
        "block_shuffle.cuh",
        "`w + s < WARPS` is `true`",
        "`present` is at most THREADS; it tells the compiler that no index is beyond the array",
    ),
    explained(
        "grid_cluster.cuh",
        "`tiles > 1` is `true`",
        "a shortcut: the fold of one value is that value",
    ),
    explained(
        "grid_cluster.cuh",
        "`[turn]` is `[0]` (2)",
        "few tiles take one round, whose turn is 0",
    ),
    explained(
        "grid_cluster.cuh",
        "`[turn]` is `[0]` (3)",
        "few tiles take one round, whose turn is 0",
    ),
    explained(
        "grid_cluster.cuh",
        "`cluster_wait()` is relaxed",
        "the first of the two: it waits for the start of others, who have stored nothing yet",
    ),
    explained(
        "grid_last_block.cuh",
        "`tiles == 1` is `false`",
        "a shortcut: the last to arrive finds nothing left to fold",
    ),
    explained(
        "intrinsics_bulk.cuh",
        "`mbarrier.arrive.expect_tx.shared::cta.b64` is `mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64`",
        "the thread that arrives has stored nothing that others read; the copies release their bytes themselves",
    ),
    explained(
        "staged.cuh",
        "`COUNT * sizeof(u32) % 16 == 0` is `true`",
        "a step of one input is 16 bytes; several inputs and an odd tile are in emulate.rs",
    ),
    explained(
        "tile_bulk.cuh",
        "`barrier_expect(arrived, STAGE_BYTES)` is relaxed",
        "the thread that arrives has stored nothing that others read; the copies release their bytes themselves",
    ),
    explained(
        "tile_bulk.cuh",
        "`Staged::takes(elements)` is `false`",
        "slower: whole tiles are loaded as the others are",
    ),
    explained(
        "tile_fold.cuh",
        "`count == tile_length<Source>() && source.aligned()` is `false`",
        "slower: whole tiles are loaded as the others are",
    ),
    explained(
        "tile_loop.cuh",
        "`rest < tile_length<Source>()` is `true`",
        "slower; and wrong from 2^31 positions on, which are too many to emulate",
    ),
];

/// A kernel in which mutants of these files are tried, in the order of the table.
struct Subject {
    files: &'static [&'static str],
    strategy: &'static Strategy,
    grid: &'static Grid,
    /// The built-in operator and its type; without one, `a * 31 + b` of u32, which tells the order.
    operator: Option<(&'static str, Kind)>,
    tile: Tile,
}

#[derive(Clone, Copy)]
enum Kind {
    U32,
    Bool,
}

const fn mixing(
    files: &'static [&'static str],
    strategy: &'static Strategy,
    grid: &'static Grid,
    threads: u32,
    rows: u32,
) -> Subject {
    Subject {
        files,
        strategy,
        grid,
        operator: None,
        tile: Tile { threads, rows },
    }
}

const fn built_in(
    files: &'static [&'static str],
    strategy: &'static Strategy,
    grid: &'static Grid,
    operator: (&'static str, Kind),
    threads: u32,
) -> Subject {
    Subject {
        files,
        strategy,
        grid,
        operator: Some(operator),
        tile: Tile { threads, rows: 1 },
    }
}

const SUBJECTS: &[Subject] = &[
    mixing(
        &[
            "block_shuffle.cuh",
            "elements.cuh",
            "grid_last_block.cuh",
            "intrinsics.cuh",
            "levels.cuh",
            "load.cuh",
            "thread_fold.cuh",
            "tile_fold.cuh",
            "tile_loop.cuh",
        ],
        &SHUFFLE,
        &LAST_BLOCK,
        64,
        1,
    ),
    mixing(&["grid_two_pass.cuh"], &SHUFFLE, &TWO_PASS, 64, 1),
    mixing(
        &["block_shuffle.cuh", "thread_fold.cuh", "tile_fold.cuh"],
        &SHUFFLE,
        &LAST_BLOCK,
        48,
        2,
    ),
    mixing(
        &[
            "block_shuffle.cuh",
            "grid_last_block.cuh",
            "levels.cuh",
            "load.cuh",
        ],
        &SHUFFLE,
        &LAST_BLOCK,
        16,
        1,
    ),
    mixing(&["block_interleaved.cuh"], &INTERLEAVED, &LAST_BLOCK, 64, 1),
    mixing(&["block_interleaved.cuh"], &INTERLEAVED, &TWO_PASS, 48, 1),
    mixing(&["block_strided.cuh"], &STRIDED, &LAST_BLOCK, 64, 1),
    mixing(&["block_strided.cuh"], &STRIDED, &TWO_PASS, 48, 1),
    mixing(&["block_sequential.cuh"], &SEQUENTIAL, &LAST_BLOCK, 64, 1),
    mixing(&["block_sequential.cuh"], &SEQUENTIAL, &TWO_PASS, 48, 1),
    // Its result is in shared memory, which the next level's fold would overwrite.
    mixing(&["levels.cuh"], &SEQUENTIAL, &LAST_BLOCK, 16, 1),
    mixing(
        &["grid_cluster.cuh", "intrinsics_cluster.cuh"],
        &CLUSTER,
        &LAST_BLOCK,
        64,
        1,
    ),
    mixing(&["grid_cluster.cuh"], &CLUSTER, &LAST_BLOCK, 16, 1),
    mixing(
        &["intrinsics_bulk.cuh", "staged.cuh", "tile_bulk.cuh"],
        &BULK,
        &LAST_BLOCK,
        64,
        1,
    ),
    mixing(&["tile_bulk.cuh"], &BULK, &LAST_BLOCK, 32, 1),
    built_in(
        &["block_instruction.cuh"],
        &REDUX,
        &LAST_BLOCK,
        ("Add", Kind::U32),
        64,
    ),
    built_in(
        &["block_instruction.cuh"],
        &VOTE,
        &LAST_BLOCK,
        ("Any", Kind::Bool),
        48,
    ),
    built_in(
        &["block_instruction.cuh", "warp_fold.cuh"],
        &VOTE,
        &LAST_BLOCK,
        ("All", Kind::Bool),
        16,
    ),
    built_in(
        &["thread_ballot.cuh"],
        &VOTE_COUNT,
        &LAST_BLOCK,
        ("Count", Kind::Bool),
        64,
    ),
    built_in(
        &["thread_ballot.cuh"],
        &VOTE_COUNT,
        &LAST_BLOCK,
        ("Count", Kind::Bool),
        48,
    ),
    built_in(
        &["atomic_exchange.cuh", "grid_atomic.cuh"],
        &SHUFFLE,
        &ATOMIC,
        ("Mul", Kind::U32),
        64,
    ),
    built_in(
        &["grid_atomic.cuh"],
        &SHUFFLE,
        &ATOMIC,
        ("Add", Kind::U32),
        64,
    ),
    // Those with an identity take no elements, too.
    built_in(
        &["grid_last_block.cuh"],
        &SHUFFLE,
        &LAST_BLOCK,
        ("Mul", Kind::U32),
        64,
    ),
    built_in(
        &["grid_two_pass.cuh"],
        &SHUFFLE,
        &TWO_PASS,
        ("Mul", Kind::U32),
        64,
    ),
    built_in(
        &["grid_cluster.cuh"],
        &CLUSTER,
        &LAST_BLOCK,
        ("Mul", Kind::U32),
        64,
    ),
];

impl Subject {
    fn program(&self) -> Program {
        let Some((name, kind)) = self.operator else {
            return mixing_program(&dtype::U32, (self.strategy, self.grid), self.tile);
        };
        let op = op::find(name).expect("the operator has a row");
        let dtype = match kind {
            Kind::U32 => &dtype::U32,
            Kind::Bool => &dtype::BOOL,
        };
        let spec = simple(op, dtype, false);
        Program::built_in(&spec, self.strategy, self.grid, self.tile)
    }

    /// The first report over many calls, or `None` if all of them give the right bits.
    fn first_fault(&self, emulated: &Emulated) -> Option<String> {
        let seeds = 0..SEEDS;
        seeds
            .flat_map(|seed| self.sizes(emulated).into_iter().map(move |n| (n, seed)))
            .find_map(|(n, seed)| {
                WAYS.iter()
                    .find_map(|&way| self.fault(emulated, n, way, seed))
            })
    }

    fn fault(
        &self,
        emulated: &Emulated,
        n: u64,
        way: (u32, usize, Data),
        seed: u64,
    ) -> Option<String> {
        match self.operator {
            None => fault::<u32>(emulated, n, way, seed, |elements| {
                u32::result(fold(elements, emulated.program.tree(), &mix_u32))
            }),
            Some((name, Kind::U32)) => fault::<u32>(emulated, n, way, seed, |elements| {
                fold_built_in(name, elements, emulated)
            }),
            Some((name, Kind::Bool)) => fault::<bool>(emulated, n, way, seed, |elements| {
                fold_built_in(name, elements, emulated)
            }),
        }
    }

    /// Where vectors, warps, tiles and levels end; and several tiles for each block, so that slots,
    /// stages and phases come round.
    fn sizes(&self, emulated: &Emulated) -> Vec<u64> {
        let Program { tile, shape, .. } = emulated.program;
        let whole = tile.len(shape.vector);
        let mut sizes = vec![
            6 * whole + 51,
            20 * whole,
            whole + 1,
            1,
            3,
            u64::from(shape.vector) + 1,
            33,
            whole / 2 + 1,
            whole - 1,
            whole,
            3 * whole,
        ];
        if whole <= 64 {
            let level = whole * tile.len(shape.partial_vector);
            // An odd number of tiles in the second level too, and more than one thread's of the third.
            sizes.extend([6 * level + 51, level + 1]);
        }
        if self.operator.is_some() {
            sizes.insert(0, 0);
        }
        sizes
    }
}

const SEEDS: u64 = 10;
/// Blocks, elements from an aligned address, and data.
const WAYS: &[(u32, usize, Data)] = &[
    (2, 0, Data::Random),
    (1, 0, Data::Negative),
    (3, 1, Data::Random),
    (9, 0, Data::Nans),
];

fn fold_built_in<N: Number>(name: &str, elements: &[N], emulated: &Emulated) -> Vec<u8> {
    N::fold_all(name, elements, emulated.program.tree()).expect("the operator has an identity")
}

fn fault<N: Element>(
    emulated: &Emulated,
    n: u64,
    (blocks, skip, data): (u32, usize, Data),
    seed: u64,
    expected: impl Fn(&[N]) -> Vec<u8>,
) -> Option<String> {
    let mut random = Random(n + seed);
    let elements: Vec<N> = (0..n)
        .map(|_| N::sample(data, &mut random).made_odd())
        .collect();
    let bytes = bytes_of(&elements);
    let call = Call {
        inputs: &[Input {
            bytes: &bytes,
            offset: skip * N::dtype().bytes as usize,
        }],
        scalars: &[],
        n,
        // No elements take one block.
        blocks: if n == 0 { 1 } else { blocks },
        seed,
    };
    match emulated.run(&call) {
        Err(report) => Some(report),
        Ok(results) if results.concat() != expected(&elements) => Some("wrong bits".to_owned()),
        Ok(_) => None,
    }
}

trait Element: Number {
    /// So that a product of thousands is not zero.
    fn made_odd(self) -> Self;
}

impl Element for u32 {
    fn made_odd(self) -> u32 {
        self | 1
    }
}

impl Element for bool {
    fn made_odd(self) -> bool {
        self
    }
}

/// A change of a file's text.
#[derive(Clone, Debug)]
struct Edit {
    range: Range<usize>,
    to: String,
    label: String,
}

/// What is replaced wherever it stands; by nothing, it is a statement.
const WORDS: &[(&str, &str)] = &[
    ("block_barrier();", ";"),
    ("cluster_arrive();", ";"),
    ("cluster_arrive_relaxed();", ";"),
    ("cluster_wait();", ";"),
    ("wait_for_predecessor();", ";"),
    ("release_dependents();", ";"),
    (
        "wait_for_predecessor();\n    release_dependents();",
        "release_dependents(); wait_for_predecessor();",
    ),
    ("barrier_init_fence();", ";"),
    ("turn = 1;", "turn = 0;"),
    ("turn ^= 1", "turn ^= 0"),
    ("phase ^= 1", "phase ^= 0"),
    ("[turn]", "[0]"),
    ("neutral()", "Acc()"),
    ("neutral()", "Acc(7)"),
    ("identity()", "Acc(7)"),
    ("#if HAS_IDENTITY", "#if 0"),
];

/// Calls that are statements, and are removed.
const STATEMENTS: &[&str] = &[
    "barrier_wait",
    "barrier_init",
    "barrier_expect",
    "warp_barrier",
    "bulk_load",
];

/// Calls whose first argument names lanes.
const MASKED: &[&str] = &[
    "shuffle_down",
    "shuffle_word_down",
    "warp_fold",
    "ballot",
    "all_lanes",
    "any_lane",
    "warp_barrier",
    "redux_add",
    "redux_min",
    "redux_max",
    "redux_and",
    "redux_or",
    "redux_xor",
];

/// Calls, an argument of them, and what becomes of it, where `_` is what it was.
const ARGUMENTS: &[(&str, usize, &str)] = &[
    ("arrive", 1, "_ + 1"),
    ("barrier_init", 1, "_ + 1"),
    ("barrier_expect", 1, "0"),
    ("barrier_expect", 1, "_ / 2"),
];

/// All changes of a text by the rules.
fn edits(text: &str) -> Vec<Edit> {
    let code = &code_of(text);
    let mut edits = Edits {
        code,
        found: Vec::new(),
    };
    for (from, to) in WORDS {
        for start in occurrences(code, from) {
            edits.replace(start..start + from.len(), to);
        }
    }
    edits.whole_cluster_barriers();
    for name in STATEMENTS {
        for (call, _) in calls(code, name) {
            edits.replace(call, "(void)0");
        }
    }
    for name in MASKED {
        for (_, arguments) in calls(code, name) {
            let mask = arguments[0].clone();
            if !code[mask.clone()].starts_with("u32 ") {
                edits.replace(mask.clone(), "0xffffffffu");
                edits.replace_in(mask, "(_) >> 1");
            }
        }
    }
    for &(name, place, to) in ARGUMENTS {
        for (_, arguments) in calls(code, name) {
            edits.replace_in(arguments[place].clone(), to);
        }
    }
    edits.orders();
    edits.instructions(text);
    edits.first_to_arrive();
    edits.branches();
    edits.loops();
    edits.choices();
    edits.conditions();
    edits.found.sort_by_key(|edit| edit.range.start);
    // Which of several alike, from the second on.
    let mut counts = BTreeMap::new();
    for edit in &mut edits.found {
        let count = counts.entry(edit.label.clone()).or_insert(0);
        *count += 1;
        if *count > 1 {
            let _ = write!(edit.label, " ({count})");
        }
    }
    edits.found
}

/// The text with blanks for comments, and for what only the device compiles.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    let mut depth = 0;
    for line in text.split_inclusive('\n') {
        let trimmed = line.trim_start();
        if trimmed.starts_with("#if") && (depth > 0 || trimmed.starts_with("#ifdef __CUDACC__")) {
            depth += 1;
        }
        let end = if depth > 0 {
            0
        } else {
            line.find("//").unwrap_or(line.len())
        };
        if trimmed.starts_with("#endif") && depth > 0 {
            depth -= 1;
        }
        code += &line[..end];
        code.extend(line[end..].chars().map(|c| if c == '\n' { c } else { ' ' }));
    }
    code
}

fn is_name(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

/// Where `wanted` starts, as words of its own.
fn occurrences(code: &str, wanted: &str) -> Vec<usize> {
    let starts = code.match_indices(wanted).map(|(start, _)| start);
    let is_word = |&start: &usize| {
        start == 0 || !is_name(wanted.as_bytes()[0]) || !is_name(code.as_bytes()[start - 1])
    };
    // Not where it is defined.
    starts
        .filter(is_word)
        .filter(|&start| !code[..start].ends_with("Acc "))
        .collect()
}

/// The place of what closes the bracket at `open`.
fn closing(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (place, c) in code.bytes().enumerate().skip(open) {
        match c {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place;
        }
    }
    panic!("no bracket closes that at {open}");
}

/// The parts of a range between separators that no bracket encloses, without blanks around.
fn parts(code: &str, range: Range<usize>, separator: &str) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let (mut start, mut place) = (range.start, range.start);
    while place < range.end {
        match code.as_bytes()[place] {
            b'(' | b'{' | b'[' => place = closing(code, place),
            _ if code[place..range.end].starts_with(separator) => {
                parts.push(trimmed(code, start..place));
                place += separator.len() - 1;
                start = place + 1;
            }
            _ => {}
        }
        place += 1;
    }
    parts.push(trimmed(code, start..range.end));
    parts
}

fn trimmed(code: &str, range: Range<usize>) -> Range<usize> {
    let text = &code[range.clone()];
    let start = range.start + text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// The calls of a function, and the arguments of each; its declarations too.
fn calls(code: &str, name: &str) -> Vec<(Range<usize>, Vec<Range<usize>>)> {
    let starts = occurrences(code, &format!("{name}(")).into_iter();
    let calls = starts.map(|start| {
        let open = start + name.len();
        let close = closing(code, open);
        (start..close + 1, parts(code, open + 1..close, ","))
    });
    calls.collect()
}

/// Whether the compiler knows the value: names in capitals, and numbers.
fn is_constant(expression: &str) -> bool {
    let mut words = expression.split(|c: char| !is_name(c as u8));
    words.all(|word| word.starts_with(|c: char| c.is_ascii_digit()) || word.to_uppercase() == word)
}

fn in_words(order: &str) -> &'static str {
    match order {
        "emulator::Order::Acquire" => "acquires only",
        "emulator::Order::Release" => "releases only",
        "emulator::Order::Relaxed" => "is relaxed",
        other => panic!("{other} is no weaker order"),
    }
}

struct Edits<'a> {
    code: &'a str,
    found: Vec<Edit>,
}

impl Edits<'_> {
    fn replace(&mut self, range: Range<usize>, to: &str) {
        let from = self.code[range.clone()]
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let label = match to {
            ";" | "(void)0" => format!("without `{}`", from.trim_end_matches(';')),
            _ => format!("`{from}` is `{to}`"),
        };
        let to = to.to_owned();
        self.found.push(Edit { range, to, label });
    }

    fn replace_in(&mut self, range: Range<usize>, to: &str) {
        let to = to.replace('_', &self.code[range.clone()]);
        self.replace(range, &to);
    }

    /// Both halves at once: one without the other is seen at once.
    fn whole_cluster_barriers(&mut self) {
        let code = self.code;
        for arrive in ["cluster_arrive();", "cluster_arrive_relaxed();"] {
            for start in occurrences(code, arrive) {
                let wait = "cluster_wait();";
                let between = start + arrive.len();
                let Some(length) = code[between..].find(wait) else {
                    continue;
                };
                self.found.push(Edit {
                    range: start..between + length + wait.len(),
                    to: format!(";{};", &code[between..between + length]),
                    label: format!(
                        "without `{}` and `cluster_wait()`",
                        arrive.trim_end_matches(';')
                    ),
                });
            }
        }
    }

    /// Each call that orders memory has any weaker order.
    fn orders(&mut self) {
        for ordered in ORDERED {
            for (call, arguments) in calls(self.code, ordered.function) {
                let text = &self.code[call.start..call.end - 1];
                let comma = if arguments[0].is_empty() { "" } else { ", " };
                for order in ordered.weaker_constants() {
                    self.found.push(Edit {
                        range: call.clone(),
                        to: format!("{text}{comma}{order})"),
                        label: format!("`{text})` {}", in_words(order)),
                    });
                }
            }
        }
    }

    /// So has each instruction, in the PTX that the device compiles: the emulator reads its order there.
    fn instructions(&mut self, text: &str) {
        let instructions = ORDERED.iter().filter_map(|each| each.instruction(text));
        for instruction in instructions {
            let whole = instruction.range.clone();
            let word = text[whole.clone()].trim_end_matches(';');
            for (range, to) in instruction.weakenings() {
                let before = &text[whole.start..range.start];
                let after = &text[range.end..whole.start + word.len()];
                self.found.push(Edit {
                    label: format!("`{word}` is `{before}{to}{after}`"),
                    range,
                    to,
                });
            }
        }
    }

    /// Who comes first takes itself for the last.
    fn first_to_arrive(&mut self) {
        for (call, _) in calls(self.code, "arrive") {
            let Some(rest) = self.code[call.end..].strip_prefix(" == ") else {
                continue;
            };
            let start = call.end + " == ".len();
            let end = rest.find([';', ')']).expect("the comparison ends");
            self.replace(start..start + end, "0");
        }
    }

    /// A guard is dropped, and a way out taken always or never.
    fn branches(&mut self) {
        for name in ["if", "while"] {
            let opening = format!("{name} (");
            for start in occurrences(self.code, &opening) {
                let open = start + opening.len() - 1;
                let close = closing(self.code, open);
                let condition = open + 1..close;
                if is_constant(&self.code[condition.clone()]) {
                    continue;
                }
                self.conjuncts(condition.clone());
                let body = self.code[close + 1..].trim_start();
                let end = if body.starts_with('{') {
                    closing(body, 0)
                } else {
                    body.find(';').expect("a statement ends")
                };
                let leaves = ["return", "continue", "break"];
                if leaves.iter().any(|word| body[..end].contains(word)) {
                    self.replace(condition.clone(), "false");
                }
            }
        }
    }

    /// Each of several conditions is taken to hold.
    fn conjuncts(&mut self, condition: Range<usize>) {
        let alternatives = parts(self.code, condition.clone(), "||");
        if alternatives.len() > 1 {
            self.replace(condition, "true");
            for each in alternatives {
                if !is_constant(&self.code[each.clone()]) {
                    self.replace(each, "false");
                }
            }
            return;
        }
        for each in parts(self.code, condition, "&&") {
            if !is_constant(&self.code[each.clone()]) {
                self.replace(each, "true");
            }
        }
    }

    /// The ends of loops that are not the compiler's.
    fn loops(&mut self) {
        for start in occurrences(self.code, "for (") {
            let open = start + "for ".len();
            let close = closing(self.code, open);
            let before = self.code[..start].trim_end();
            let before = before.rsplit('\n').next().unwrap_or_default();
            let condition = parts(self.code, open + 1..close, ";")[1].clone();
            let text = &self.code[condition.clone()];
            let (_, bound) = text.rsplit_once(" < ").unwrap_or_default();
            if before.starts_with("#pragma unroll") || text.contains("sizeof") || is_constant(bound)
            {
                continue;
            }
            self.conjuncts(condition);
        }
    }

    /// `condition ? a : b`, always and never.
    fn choices(&mut self) {
        for (mark, _) in self.code.match_indices(" ? ") {
            let bytes = self.code.as_bytes();
            let mut start = mark;
            let mut depth = 0;
            while start > 0 {
                let c = bytes[start - 1];
                let is_assignment = c == b'='
                    && start > 1
                    && !matches!(bytes[start - 2], b'=' | b'!' | b'<' | b'>')
                    && bytes[start] != b'=';
                let is_scope = c == b':' && (bytes[start] == b':' || bytes[start - 2] == b':');
                match c {
                    b')' | b']' => depth += 1,
                    b'(' | b'[' if depth == 0 => break,
                    b'(' | b'[' => depth -= 1,
                    b',' | b';' | b'?' | b'{' | b'}' if depth == 0 => break,
                    b':' if depth == 0 && !is_scope => break,
                    b'=' if depth == 0 && is_assignment => break,
                    _ => {}
                }
                start -= 1;
            }
            let mut condition = trimmed(self.code, start..mark);
            if self.code[condition.clone()].starts_with("return ") {
                condition.start += "return ".len();
            }
            let is_load = self.code[mark..].starts_with(" ? source.load");
            if is_constant(&self.code[condition.clone()]) && !is_load {
                continue;
            }
            self.replace(condition.clone(), "true");
            if !is_load {
                self.replace(condition, "false");
            }
        }
    }

    /// Conditions that have a name, or that functions give.
    fn conditions(&mut self) {
        for (start, _) in self.code.match_indices("bool ") {
            let rest = &self.code[start..];
            let end = rest.find([';', ')']).unwrap_or(rest.len());
            let value = if let Some((name, _)) = rest[..end].split_once(" = ") {
                start + name.len() + " = ".len()
            } else if let (Some(open), Some(place)) = (rest.find('{'), rest.find("return ")) {
                let is_body = rest[open + 1..].trim_start().starts_with("return ");
                if !is_body || rest.find(';').is_some_and(|end| end < place) {
                    continue;
                }
                start + place + "return ".len()
            } else {
                continue;
            };
            let length = self.code[value..].find(';').expect("a statement ends");
            let text = &self.code[value..value + length];
            // A name alone is somebody's parameter.
            if !text.bytes().all(is_name) {
                self.conjuncts(value..value + length);
            }
        }
    }
}

/// The parts of a program's text, each from a `#line` that names it.
fn sections(text: &str) -> Vec<(&str, Range<usize>)> {
    let mark = "#line 1 \"";
    let starts: Vec<usize> = text.match_indices(mark).map(|(start, _)| start).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let sections = starts.iter().zip(ends).map(|(&start, end)| {
        let name = &text[start + mark.len()..];
        let (name, _) = name.split_once('"').expect("a name has an end");
        let line = text[start..].find('\n').expect("a line has an end");
        (name, start + line + 1..end)
    });
    sections.collect()
}

fn section(text: &str, file: &str) -> Range<usize> {
    let mut sections = sections(text).into_iter();
    let found = sections.find(|(name, _)| *name == file);
    found
        .unwrap_or_else(|| panic!("{file} is not in this text"))
        .1
}

struct Mutant {
    file: &'static str,
    line: usize,
    edit: Edit,
    /// The subjects in which it is tried, by turns.
    subjects: Vec<usize>,
    report: Option<String>,
}

fn mutants(programs: &[Program]) -> Vec<Mutant> {
    let files = SUBJECTS.iter().flat_map(|subject| subject.files);
    let files: BTreeSet<&'static str> = files.copied().collect();
    let mutants = files.into_iter().flat_map(|file| {
        let subjects = (0..SUBJECTS.len()).filter(|&k| SUBJECTS[k].files.contains(&file));
        let subjects: Vec<usize> = subjects.collect();
        let text = &programs[subjects[0]].text;
        let text = &text[section(text, file)];
        for &subject in &subjects {
            let other = &programs[subject].text;
            assert_eq!(text, &other[section(other, file)], "{file}");
        }
        let lines = |edit: &Edit| text[..edit.range.start].matches('\n').count() + 1;
        let edits = edits(text).into_iter();
        edits
            .map(|edit| Mutant {
                file,
                line: lines(&edit),
                edit,
                subjects: subjects.clone(),
                report: None,
            })
            .collect::<Vec<_>>()
    });
    mutants.collect()
}

impl Mutant {
    fn program(&self, program: &Program) -> Program {
        let mut program = program.clone();
        let start = section(&program.text, self.file).start;
        let Range { start: from, end } = self.edit.range;
        program
            .text
            .replace_range(start + from..start + end, &self.edit.to);
        program.name += &format!(", {}:{} {}", self.file, self.line, self.edit.label);
        program
    }

    fn explanation(&self) -> Option<&'static Explained> {
        EXPLAINED
            .iter()
            .find(|each| each.file == self.file && each.mutant == self.edit.label)
    }

    /// A row of the table but for the last column.
    fn row(&self) -> String {
        let label = self.edit.label.replace('|', "\\|");
        format!("| {} | {} | {label} |", self.file, self.line)
    }
}

/// A report's first words: without the place, and without numbers.
fn first_words(report: &str) -> String {
    let words = match report.split_once(": ") {
        Some((place, words)) if place.starts_with("block ") => words,
        _ => report,
    };
    let end = words.find([':', ';', ',']).unwrap_or(words.len());
    let words = words[..end].split(' ').map(|word| {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            "#"
        } else {
            word
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// What `work` makes of every item, on all cores.
fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(1, |count| count.get());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((k, item)) = {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    items.get(k).map(|item| (k, item))
                } {
                    let result = work(item);
                    let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                    done.push((k, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(k, _)| *k);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Tries each mutant in each of its subjects until one tells.
fn try_all(mutants: &mut [Mutant], programs: &[Program]) -> bool {
    let rounds = mutants.iter().map(|mutant| mutant.subjects.len()).max();
    for round in 0..rounds.unwrap_or(0) {
        let alive = |mutant: &&mut Mutant| mutant.report.is_none() && round < mutant.subjects.len();
        let mut alive: Vec<&mut Mutant> = mutants.iter_mut().filter(alive).collect();
        let texts = alive
            .iter()
            .map(|mutant| mutant.program(&programs[mutant.subjects[round]]));
        let Some(compiled) = compile(texts.collect()) else {
            return false;
        };
        let subjects = alive.iter().map(|mutant| mutant.subjects[round]);
        let tries: Vec<(usize, Emulated)> = subjects.zip(compiled).collect();
        let reports = in_parallel(&tries, |(subject, emulated)| {
            SUBJECTS[*subject].first_fault(emulated)
        });
        for (mutant, report) in alive.iter_mut().zip(reports) {
            mutant.report = report.map(|report| first_words(&report));
        }
    }
    true
}

fn table(mutants: &[Mutant]) -> String {
    let mut text = String::from(
        "# What removing a piece of a kernel looks like\n\n\
         `mutate.rs` makes each of these changes alone, and the emulator says what it finds first. This file\n\
         is written by it: `MUTATIONS=write cargo test --test mutate`.\n\n\
         The orders of `barrier.cluster.wait` and `fence.mbarrier_init` are the only ones that PTX has for them:\n\
         their mutants, which ptxas refuses, show what the word is for.\n\n\
         | file | line | change | seen as |\n| --- | --- | --- | --- |\n",
    );
    for mutant in mutants {
        let seen = match (&mutant.report, mutant.explanation()) {
            (Some(report), _) => report.clone(),
            (None, Some(explained)) => format!("not: {}", explained.why),
            (None, None) => "NOT".to_owned(),
        };
        let _ = writeln!(text, "{} {seen} |", mutant.row());
    }
    text
}

/// Arithmetic of one thread, which `bodies.rs` compares with Rust's, and of the compiler.
const ARITHMETIC: &[&str] = &[
    "rust_float.cuh",
    "rust_half.cuh",
    "rust_integer.cuh",
    "types.cuh",
];

#[test]
fn every_stage_with_mutants_has_a_subject() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/kernels-gen/cuda");
    for file in fs::read_dir(folder).expect("the folder is there") {
        let path = file.expect("the folder is readable").path();
        let name = path.file_name().expect("it has a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("the file is text");
        let is_known = ARITHMETIC.contains(&&*name)
            || SUBJECTS
                .iter()
                .any(|subject| subject.files.contains(&&*name));
        assert!(
            is_known || edits(&text).is_empty(),
            "{name} is in no subject: {:?}",
            edits(&text)
        );
    }
}

#[test]
fn every_mutant_is_seen() {
    let programs: Vec<Program> = SUBJECTS.iter().map(Subject::program).collect();
    let Some(originals) = compile(programs.clone()) else {
        return;
    };
    let originals: Vec<(&Subject, Emulated)> = SUBJECTS.iter().zip(originals).collect();
    for ((_, emulated), fault) in originals
        .iter()
        .zip(in_parallel(&originals, |(subject, emulated)| {
            subject.first_fault(emulated)
        }))
    {
        assert_eq!(fault, None, "{}", emulated.program.name);
    }

    let mut mutants = mutants(&programs);
    try_all(&mut mutants, &programs);
    let table = table(&mutants);
    println!("{table}");
    if env::var_os("MUTATIONS").is_some_and(|value| value == "write") {
        fs::write(TABLE, &table).expect("the table is writable");
    }
    let survivors = mutants.iter().filter(|mutant| mutant.report.is_none());
    let survivors: Vec<String> = survivors
        .filter(|mutant| mutant.explanation().is_none())
        .map(Mutant::row)
        .collect();
    assert!(survivors.is_empty(), "not seen:\n{}", survivors.join("\n"));
    for each in EXPLAINED {
        let is_needed = mutants.iter().any(|mutant| {
            mutant.report.is_none()
                && (mutant.file, &*mutant.edit.label) == (each.file, each.mutant)
        });
        assert!(
            is_needed,
            "{}, {}: it is seen, or not there",
            each.file, each.mutant
        );
    }
    let committed = fs::read_to_string(TABLE).unwrap_or_default();
    for mutant in &mutants {
        let row = mutant.row();
        assert!(
            committed.lines().any(|line| line.starts_with(&row)),
            "mutations.md lacks {row}; MUTATIONS=write cargo test --test mutate"
        );
    }
    let rows = committed.lines().filter(|line| line.contains(".cuh |"));
    assert_eq!(rows.count(), mutants.len(), "mutations.md has rows of old");
}
