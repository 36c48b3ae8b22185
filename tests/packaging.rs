//! Promises about the packages: the README's tables are the rows of the generator, and the library
//! stays light.

use std::collections::BTreeSet;
use std::process::Command;

use kernels_gen::dtype::DTYPES;
use kernels_gen::grid::GRIDS;
use kernels_gen::intrinsic::{INTRINSICS, Receiver};
use kernels_gen::op::{Fold, OPS, Takes, Word};
use kernels_gen::strategy::STRATEGIES;

const README: &str = include_str!("../README.md");

/// The table between `<!-- name -->` and `<!-- end -->`, without its two head lines.
fn table(name: &str) -> Vec<&'static str> {
    let (_, rest) = README
        .split_once(&format!("<!-- {name} -->\n"))
        .expect("the README has the table");
    let (table, _) = rest.split_once("<!-- end -->").expect("the table ends");
    table.lines().skip(2).collect()
}

#[test]
fn the_readme_has_the_rows() {
    let ops = OPS.iter().map(|op| {
        let is_condition = op.takes == Takes::Bools && matches!(op.fold, Fold::Own);
        let empty = match op.empty {
            Some(Word::Zero) if is_condition => "false",
            Some(Word::One) if is_condition => "true",
            Some(Word::Zero) => "zero",
            Some(Word::One) => "one",
            Some(Word::Ones) => "all bits set",
            Some(other) => panic!("the README has no word for {other:?}"),
            None => "an error",
        };
        let takes = op.takes.all();
        format!("| `{}` | {takes} | {} | {empty} |", op.name, op.summary)
    });
    check_table("ops", ops);
    let dtypes = DTYPES
        .iter()
        .map(|row| format!("| `{}` | {} | `{}` |", row.name, row.bytes, row.accumulator));
    check_table("dtypes", dtypes);
    let strategies = STRATEGIES
        .iter()
        .map(|row| format!("| `{}` | {} |", row.name, row.summary));
    check_table("strategies", strategies);
    let grids = GRIDS
        .iter()
        .map(|row| format!("| `{}` | {} |", row.name, row.summary));
    check_table("grids", grids);
    let receivers = [
        ("every number", Receiver::Number),
        ("every float", Receiver::AnyFloat),
        ("`f32`, `f64`", Receiver::Float),
        ("`f16`, `bf16`", Receiver::Half),
        ("signed integers", Receiver::Signed),
        ("integers", Receiver::Integer),
    ];
    let names = |receiver: Receiver, is_exact: bool| {
        let rows = INTRINSICS
            .iter()
            .filter(move |row| row.callable && row.receiver == receiver && row.exact == is_exact);
        rows.map(|row| row.name).collect::<Vec<_>>().join(", ")
    };
    let methods = receivers.into_iter().flat_map(|(title, receiver)| {
        let kinds = [("the same bits", true), ("within a few ulp", false)];
        kinds.map(|(bits, is_exact)| (title, bits, names(receiver, is_exact)))
    });
    let methods = methods
        .filter(|(.., names)| !names.is_empty())
        .map(|(title, bits, names)| format!("| {title} | {names} | {bits} |"));
    check_table("methods", methods);
}

/// The README's table has these lines, in this order.
fn check_table(name: &str, lines: impl Iterator<Item = String>) {
    let (found, wanted) = (table(name), lines.collect::<Vec<_>>());
    for line in &wanted {
        assert!(
            found.contains(&line.as_str()),
            "the README's table of {name} has no line\n{line}"
        );
    }
    assert_eq!(
        found, wanted,
        "the README's table of {name} has other lines, too, or another order"
    );
}

#[test]
fn a_gpu_runs_every_strategy() {
    let script = include_str!("gpu/run");
    let (_, rest) = script
        .split_once("\nstrategies=(")
        .expect("the script lists the strategies");
    let (listed, _) = rest.split_once(')').expect("the list ends");
    let listed: BTreeSet<&str> = listed.split_whitespace().collect();
    let rows = STRATEGIES.iter().map(|row| row.name);
    assert_eq!(listed, rows.filter(|name| *name != "Auto").collect());
}

#[test]
fn the_readme_shows_the_kernel_and_an_error_as_they_are() {
    let golden = include_str!("../kernels-gen/tests/golden/sum_sq_shuffle_lastblock.cu");
    let (_, rest) = README
        .split_once("```cuda\n")
        .expect("the README shows a kernel");
    let (kernel, _) = rest.split_once("```").expect("which ends");
    for line in kernel.lines().filter(|line| line.trim() != "..") {
        assert!(golden.contains(line), "{line}");
    }
    let (_, rest) = README
        .split_once("```text\n")
        .expect("the README shows an error");
    let (error, _) = rest.split_once('\n').expect("of one line");
    assert!(
        include_str!("ui/fail/unknown_method.stderr").contains(error),
        "{error}"
    );
}

#[test]
fn every_package_has_its_licence_texts() {
    for package in ["kernels-gen", "reduce-macros", "reduce-runtime"] {
        let output = Command::new(env!("CARGO"))
            .args([
                "package",
                "--list",
                "--allow-dirty",
                "--offline",
                "--package",
                package,
            ])
            .output()
            .expect("cargo runs");
        let text = String::from_utf8_lossy(&output.stdout);
        for file in ["LICENSE-MIT", "LICENSE-APACHE", "README.md"] {
            assert!(
                text.lines().any(|line| line == file),
                "{package} has no {file}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

#[test]
fn the_library_has_at_most_60_crates() {
    let output = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--package",
            "reduce-runtime",
            "--edges",
            "normal,build",
            "--prefix",
            "none",
            "--offline",
        ])
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let crates: BTreeSet<&str> = text
        .lines()
        .map(|line| line.trim_end_matches(" (*)"))
        .collect();
    assert!(
        crates.len() > 10 && crates.len() <= 60,
        "{} crates",
        crates.len()
    );
}

/// The tests of a GPU that DESIGN.md names are there.
#[test]
fn what_only_hardware_shows_is_tested() {
    let design = include_str!("../DESIGN.md");
    let (_, rest) = design
        .split_once("What only hardware can show")
        .expect("DESIGN.md says what only hardware can show");
    let lines = rest.lines().skip_while(|line| !line.starts_with("| "));
    let rows = lines.take_while(|line| line.starts_with("| ")).skip(2);
    let mut found = 0;
    for row in rows {
        let tests = row.trim_end_matches([' ', '|']).rsplit("| ").next();
        let mut text = String::new();
        for word in tests.unwrap_or_default().split('`').skip(1).step_by(2) {
            if word.ends_with(".rs") {
                let path = format!("{}/tests/agree/{word}", env!("CARGO_MANIFEST_DIR"));
                text = std::fs::read_to_string(&path).expect("the file is there");
                continue;
            }
            assert!(text.contains(&format!("fn {word}(")), "{word} of {row}");
            found += 1;
        }
    }
    assert!(found > 5, "{found} tests are named");
}
