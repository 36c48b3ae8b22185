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

#[test]
fn times_of_another_machine_are_drawn() {
    let (svg, csv) = (file("times.svg"), file("times.csv"));
    let text = "operator,strategy,grid,n,device,us,GBps,equal,divergent,bank_conflict,barriers,collectives,shared_accesses,shared_transactions,shared_bytes
Add,Sequential,TwoPass,1024,a GPU,2.000,2.0,true,1,1,9,0,0,52,2048
Add,Shuffle,LastBlock,1024,a GPU,1.000,4.0,true,1,1,1,5,0,16,2048
";
    fs::write(&csv, text).expect("a file to write");
    let table = shown(&["--from", &csv, "--svg", &svg]);
    assert!(
        table.contains("50.0%") && table.contains("100.0%"),
        "{table}"
    );
    let picture = fs::read_to_string(&svg).expect("a picture");
    assert!(picture.contains("best 4 GB/s"), "{picture}");
    fs::write(&csv, text.replace("Shuffle", "Vote")).expect("a file to write");
    let refusal = refusal(&["--from", &csv]);
    assert!(
        refusal.contains(r#"row 2: "Vote" is no value"#),
        "{refusal}"
    );
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
