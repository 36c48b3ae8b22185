//! The example `ladder` as a program: its table and picture on the host, a kernel explained, and one line
//! for whatever is wrong.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use kernels_gen::strategy::STRATEGIES;

/// The example's executable, beside this test's: built by `cargo test`, or now.
fn executable() -> &'static Path {
    static EXECUTABLE: OnceLock<PathBuf> = OnceLock::new();
    EXECUTABLE.get_or_init(|| {
        let test = env::current_exe().expect("this test has a path");
        let profile = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
        let name = format!("ladder{}", env::consts::EXE_SUFFIX);
        let executable = profile.join("examples").join(name);
        if !executable.exists() {
            build(profile);
        }
        executable
    })
}

fn build(profile: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--example", "ladder", "--target-dir"]);
    cargo.arg(profile.parent().expect("target/PROFILE"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the example builds");
}

fn ladder(arguments: &[&str]) -> Output {
    let mut command = Command::new(executable());
    command.args(arguments).env("REDUCE_DEVICE", "host");
    command.output().expect("the example runs")
}

/// What it prints.
fn shown(arguments: &[&str]) -> String {
    let output = ladder(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// The one line about what is wrong.
fn refusal(arguments: &[&str]) -> String {
    let output = ladder(arguments);
    let line = String::from_utf8(output.stderr).expect("a line");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {line}");
    assert_eq!(line.lines().count(), 1, "{arguments:?}: {line}");
    assert!(
        line.starts_with("ladder: ") && output.stdout.is_empty(),
        "{line}"
    );
    line
}

/// A file in this test's folder.
fn file(name: &str) -> String {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/ladder");
    fs::create_dir_all(folder).expect("a folder for files");
    format!("{folder}/{name}")
}

#[test]
fn every_strategy_is_a_rung() {
    let (svg, csv) = (file("rungs.svg"), file("rungs.csv"));
    let table = shown(&["--n", "1000", "--svg", &svg, "--csv", &csv]);
    assert!(table.contains("times need a GPU"), "{table}");
    let picture = fs::read_to_string(&svg).expect("a picture");
    for strategy in STRATEGIES.iter().filter(|row| !row.is_auto) {
        assert!(table.contains(strategy.name), "{table}");
        assert!(picture.contains(strategy.name), "{}", strategy.name);
    }
    let again = shown(&["--from", &csv, "--svg", &file("again.svg")]);
    let rows = |text: &str| text.lines().filter(|line| line.contains("Block")).count();
    assert!(rows(&table) > 0 && rows(&again) == rows(&table), "{again}");
}

/// Rows that a GPU timed.
const TIMED: &str = "operator,strategy,grid,n,device,us,GBps,ceiling_us,equal,divergent,bank_conflict,barriers,collectives,shared_accesses,shared_transactions,shared_bytes
Add,Sequential,TwoPass,1024,a GPU,2.000,2.0,0.800,true,3,1,9,0,0,52,2048
Add,Shuffle,LastBlock,1024,a GPU,1.000,4.1,0.800,false,5,1,1,6,0,16,4096
";

/// What a picture says, a text each.
fn texts(picture: &str) -> Vec<&str> {
    picture
        .lines()
        .filter(|line| !line.starts_with('<'))
        .collect()
}

#[track_caller]
fn all_are_in(wanted: &[&str], texts: &[&str]) {
    for text in wanted {
        assert!(texts.contains(text), "no {text:?} in {texts:?}");
    }
}

/// The lines of each column's title.
const ON_A_GPU: [&str; 5] = ["us", "GB/s", "of the", "ceiling", "bits"];
const EMULATED: [&str; 10] = [
    "divergent",
    "warp steps",
    "bank",
    "conflict",
    "barriers",
    "shuffles",
    "and votes",
    "shared",
    "transactions",
    "bytes",
];

#[test]
fn times_of_another_machine_are_drawn() {
    let (svg, csv, copy) = (file("times.svg"), file("times.csv"), file("copy.csv"));
    fs::write(&csv, TIMED).expect("a file to write");
    let table = shown(&["--from", &csv, "--svg", &svg, "--csv", &copy]);
    let ceiling = "ceiling: reading alone takes 0.80 us, 5 GB/s";
    assert_eq!(table.matches(ceiling).count(), 1, "{table}");
    let row = |name| table.lines().find(|line| line.starts_with(name));
    let cells = |name| -> Vec<&str> { row(name).expect("a row").split_whitespace().collect() };
    let slower = "Sequential TwoPass 2.00 2 40.0% equal 3 1 9 0 52 2048";
    assert_eq!(cells("Sequential").join(" "), slower, "{table}");
    let faster = "Shuffle LastBlock 1.00 4 80.0% DIFFER 5 1 1 6 16 4096";
    assert_eq!(cells("Shuffle").join(" "), faster, "{table}");
    assert_eq!(fs::read_to_string(&copy).expect("a CSV"), TIMED);

    let picture = fs::read_to_string(&svg).expect("a picture");
    let texts = texts(&picture);
    all_are_in(&ON_A_GPU, &texts);
    all_are_in(&EMULATED, &texts);
    all_are_in(
        &["Add of i32", ceiling, "a GPU", "80.0%", "DIFFER", "4096"],
        &texts,
    );
}

#[test]
fn without_a_gpu_the_emulated_columns_are_drawn() {
    let (svg, csv) = (file("emulated.svg"), file("emulated.csv"));
    let untimed = TIMED
        .replace("2.000,2.0,0.800,true", ",,,")
        .replace("1.000,4.1,0.800,false", ",,,");
    fs::write(&csv, untimed).expect("a file to write");
    let table = shown(&["--from", &csv, "--svg", &svg]);
    assert!(!table.contains("reading alone"), "{table}");
    let picture = fs::read_to_string(&svg).expect("a picture");
    let texts = texts(&picture);
    all_are_in(&EMULATED, &texts);
    for title in ON_A_GPU {
        assert!(!texts.contains(&title), "{title}: {texts:?}");
    }
}

#[test]
fn csv_that_is_refused() {
    let csv = file("refused.csv");
    let refusal = |text: String| {
        fs::write(&csv, text).expect("a file to write");
        refusal(&["--from", &csv])
    };
    let old = TIMED.replace("ceiling_us,", "").replace("0.800,", "");
    let line = refusal(old);
    assert!(
        line.contains("has no column ceiling_us") && line.contains("write one anew with --csv"),
        "{line}"
    );
    assert!(refusal(TIMED.replace("n,device", "device,n")).contains("has other columns"));
    assert!(refusal(TIMED.replace("Shuffle", "Vote")).contains(r#"row 2: "Vote" is no value"#));
    for value in ["", "0", "NaN", "soon"] {
        let line = refusal(TIMED.replacen("0.800", value, 1));
        let wanted = format!("row 1: {value:?} is no value of the column ceiling_us");
        assert!(line.contains(&wanted), "{line}");
    }
}

#[test]
fn kernels_are_explained() {
    let redux = shown(&["--explain", "Redux", "--n", "1000"]);
    assert!(redux.contains("__reduce_add_sync(mask, value)"), "{redux}");
    let stages = [
        "block_instruction.cuh",
        "tile_fold.cuh",
        "grid_last_block.cuh",
    ];
    for stage in stages {
        assert!(redux.contains(&format!("// ==== {stage}\n// takes part: all")));
    }
    for strategy in STRATEGIES {
        let text = shown(&["--explain", strategy.name, "--n", "1000"]);
        assert!(text.contains("// valid in: thread 0"), "{text}");
    }
    let pass = shown(&["--explain", "Shuffle", "--grid", "TwoPass"]);
    assert!(pass.contains("// ==== grid_two_pass.cuh"), "{pass}");
}

#[test]
fn words_that_are_refused() {
    assert!(refusal(&["--explain", "Redox"]).contains("did you mean `Redux`?"));
    assert!(refusal(&["--explain", "Redux", "--grid", "Atom"]).contains("goes with Redux; "));
    assert!(refusal(&["--explian", "Redux"]).contains("did you mean `--explain`?"));
    assert!(refusal(&["--n", "many"]).contains("write one from 1"));
    assert!(refusal(&["--from", "no such.csv"]).contains("no such.csv: cannot be read"));
}
