//! The example `stats` as a program: its table for known data, and one line for whatever is wrong.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The example's executable, beside this test's: built by `cargo test`, or now.
fn executable() -> &'static Path {
    static EXECUTABLE: OnceLock<PathBuf> = OnceLock::new();
    EXECUTABLE.get_or_init(|| {
        let test = env::current_exe().expect("this test has a path");
        let profile = test.ancestors().nth(2).expect("target/PROFILE/deps/TEST");
        let name = format!("stats{}", env::consts::EXE_SUFFIX);
        let executable = profile.join("examples").join(name);
        if !executable.exists() {
            build(profile);
        }
        executable
    })
}

fn build(profile: &Path) {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--example", "stats", "--target-dir"]);
    cargo.arg(profile.parent().expect("target/PROFILE"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    if profile.ends_with("release") {
        cargo.arg("--release");
    }
    let status = cargo.status().expect("cargo runs");
    assert!(status.success(), "the example builds");
}

fn stats(arguments: &[&str], device: Option<&str>) -> Output {
    let mut command = Command::new(executable());
    command.args(arguments);
    match device {
        Some(device) => command.env("REDUCE_DEVICE", device),
        None => command.env_remove("REDUCE_DEVICE"),
    };
    command.output().expect("the example runs")
}

/// The table as names and values.
fn table(arguments: &[&str], device: Option<&str>) -> Vec<(String, String)> {
    let output = stats(arguments, device);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    let text = String::from_utf8(output.stdout).expect("a table");
    let rows = text.lines().map(|line| {
        let (name, value) = line.split_once("  ").expect("two columns");
        (name.trim().to_owned(), value.trim().to_owned())
    });
    rows.collect()
}

/// The names and values above the device, which are the same wherever they are computed: the table of
/// the host, after a look at that of [`Device::auto`](reduce_runtime::Device::auto).
fn statistics(arguments: &[&str]) -> Vec<(String, String)> {
    let above = |mut rows: Vec<(String, String)>| {
        let names: Vec<String> = rows.drain(9..).map(|(name, _)| name).collect();
        assert_eq!(names, ["device", "time", "GB/s"]);
        rows
    };
    let host = above(table(arguments, Some("host")));
    assert_eq!(host, above(table(arguments, None)), "{arguments:?}");
    host
}

/// The one line about what is wrong.
fn refusal(arguments: &[&str]) -> String {
    let output = stats(arguments, Some("host"));
    let line = String::from_utf8(output.stderr).expect("a line");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {line}");
    assert_eq!(line.lines().count(), 1, "{arguments:?}: {line}");
    assert!(
        line.starts_with("stats: ") && !line.contains("panicked"),
        "{line}"
    );
    assert!(output.stdout.is_empty(), "{arguments:?}");
    line
}

/// The folder of this test's files.
fn folder() -> &'static str {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/stats");
    fs::create_dir_all(folder).expect("a folder for files");
    folder
}

/// A file of this test's own.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = Path::new(folder()).join(name);
    fs::write(&path, bytes).expect("a file to write");
    path.into_os_string()
        .into_string()
        .expect("a path in UTF-8")
}

fn npy(descriptor: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data].concat()
}

fn safetensors(header: &str, data: &[u8]) -> Vec<u8> {
    let length = (header.len() as u64).to_le_bytes();
    [&length[..], header.as_bytes(), data].concat()
}

fn bytes<const N: usize, T>(values: &[T], of: impl Fn(&T) -> [u8; N]) -> Vec<u8> {
    values.iter().flat_map(of).collect()
}

fn value<'t>(rows: &'t [(String, String)], name: &str) -> &'t str {
    let row = rows.iter().find(|row| row.0 == name);
    &row.unwrap_or_else(|| panic!("a row {name}")).1
}

/// Whether the text is this number but for the rounding of sums, whose order is free.
fn is_near(text: &str, wanted: f64) -> bool {
    let found: f64 = text.parse().expect("a number");
    (found - wanted).abs() <= wanted.abs() * 1e-14
}

/// The numbers are those of exact rational arithmetic in Python, rounded once.
#[test]
fn sunspots() {
    let rows = statistics(&[]);
    assert_eq!(
        value(&rows, "data"),
        r#"column "SUNACTIVITY", f64 of sunspots.csv"#
    );
    assert_eq!(value(&rows, "count"), "309");
    assert_eq!(value(&rows, "NaN"), "0");
    assert!(is_near(value(&rows, "sum"), 15373.4));
    assert!(is_near(value(&rows, "mean"), 49.75210355987055));
    assert!(is_near(
        value(&rows, "standard deviation (population)"),
        40.387084638624245
    ));
    assert!(is_near(value(&rows, "root mean square"), 64.08110809153882));
    assert_eq!(value(&rows, "minimum"), "0 at 11", "also at 12 and 110");
    assert_eq!(value(&rows, "maximum"), "190.2 at 257");
}

#[test]
fn columns_by_name() {
    let rows = statistics(&["--column", "YEAR"]);
    assert_eq!(
        value(&rows, "data"),
        r#"column "YEAR", i64 of sunspots.csv"#
    );
    assert_eq!(value(&rows, "sum"), "572886");
    assert_eq!(value(&rows, "mean"), "1854");
    assert_eq!(value(&rows, "minimum"), "1700 at 0");
    assert_eq!(value(&rows, "maximum"), "2008 at 308");
}

#[test]
fn missing_cells_are_counted() {
    let path = file(
        "missing.csv",
        b"name,level\na,\nb,NA\nc,3\nd,nan\ne,-4.5\nf,3\n",
    );
    let rows = statistics(&[&path]);
    assert_eq!(value(&rows, "count"), "3");
    assert_eq!(value(&rows, "NaN"), "3");
    assert_eq!(value(&rows, "sum"), "1.5");
    assert_eq!(value(&rows, "minimum"), "-4.5 at 4");
    assert_eq!(value(&rows, "maximum"), "3 at 2");
}

#[test]
fn every_npy_type() {
    let ramp = [-2.0_f64, 0.5, 7.0];
    let halves = [0xc000_u16, 0x3800, 0x4700];
    let files = [
        ("f2", bytes(&halves, |x| x.to_le_bytes())),
        ("f4", bytes(&ramp, |x| (*x as f32).to_le_bytes())),
        ("f8", bytes(&ramp, |x| x.to_le_bytes())),
        ("i4", bytes(&ramp, |x| (*x as i32).to_le_bytes())),
        ("i8", bytes(&ramp, |x| (*x as i64).to_le_bytes())),
        ("u4", bytes(&ramp, |x| (*x as u32).to_le_bytes())),
        ("u8", bytes(&ramp, |x| (*x as u64).to_le_bytes())),
    ];
    for (dtype, data) in files {
        let path = file(
            &format!("{dtype}.npy"),
            &npy(&format!("<{dtype}"), "(3, 1)", &data),
        );
        let rows = statistics(&[&path]);
        let (sum, minimum) = match &dtype[..1] {
            "f" => ("5.5", "-2 at 0"),
            "i" => ("5", "-2 at 0"),
            _ => ("7", "0 at 0"),
        };
        assert_eq!(value(&rows, "sum"), sum, "{dtype}");
        assert_eq!(value(&rows, "minimum"), minimum, "{dtype}");
        assert_eq!(value(&rows, "maximum"), "7 at 2", "{dtype}");
    }
}

#[test]
fn large_integers_stay_exact() {
    let values = [i64::MAX - 1, i64::MAX, i64::MAX, i64::MIN];
    let data = bytes(&values, |x| x.to_le_bytes());
    let rows = statistics(&[&file("large.npy", &npy("<i8", "(4,)", &data))]);
    assert_eq!(value(&rows, "sum"), "18446744073709551612");
    assert_eq!(value(&rows, "minimum"), "-9223372036854775808 at 3");
    assert_eq!(value(&rows, "maximum"), "9223372036854775807 at 1");
}

/// Enough elements for several tiles, with the extremes near the end.
#[test]
fn many_elements() {
    let n = 1_000_003_u64;
    let mut values: Vec<f32> = (0..n).map(|i| (i % 1000) as f32).collect();
    values[n as usize - 2] = -0.5;
    values[n as usize - 1] = f32::NAN;
    let data = bytes(&values, |x| x.to_le_bytes());
    let rows = statistics(&[&file("many.npy", &npy("<f4", &format!("({n},)"), &data))]);
    assert_eq!(value(&rows, "count"), "1000002");
    assert_eq!(value(&rows, "NaN"), "1");
    // A thousand runs of 0 to 999, then 0, -0.5 and NaN.
    assert_eq!(value(&rows, "sum"), "499499999.5");
    assert_eq!(value(&rows, "minimum"), "-0.5 at 1000001");
    assert_eq!(value(&rows, "maximum"), "999 at 999");
}

#[test]
fn tensors_by_name() {
    let header = r#"{"bias":{"dtype":"BF16","shape":[3],"data_offsets":[0,6]},"scale":{"dtype":"U32","shape":[1],"data_offsets":[6,10]}}"#;
    let data = [0x80, 0x3f, 0xc0, 0xbf, 0xc0, 0x7f, 0xff, 0xff, 0xff, 0xff];
    let path = file("two.safetensors", &safetensors(header, &data));
    let bias = statistics(&[&path, "--column", "bias"]);
    assert_eq!((value(&bias, "count"), value(&bias, "NaN")), ("2", "1"));
    assert_eq!(value(&bias, "minimum"), "-1.5 at 1");
    let scale = statistics(&[&path, "--column", "scale"]);
    assert_eq!(value(&scale, "sum"), "4294967295");
    assert!(refusal(&[&path]).contains(r#"choose one with --column: "bias", "scale""#));
    assert!(
        refusal(&[&path, "--column", "b"]).contains(r#"no tensor "b"; there are "bias", "scale""#)
    );
}

#[test]
fn nothing_but_nan() {
    let nan = bytes(&[f64::NAN; 2], |x| x.to_le_bytes());
    for (name, shape, data, nans) in [("nan", "(2,)", &nan[..], "2"), ("none", "(0,)", &[], "0")] {
        let path = file(&format!("{name}.npy"), &npy("<f8", shape, data));
        let rows = statistics(&[&path]);
        assert_eq!((value(&rows, "count"), value(&rows, "NaN")), ("0", nans));
        assert_eq!((value(&rows, "sum"), value(&rows, "mean")), ("0", "none"));
        assert_eq!(
            (value(&rows, "minimum"), value(&rows, "maximum")),
            ("none", "none")
        );
    }
}

#[test]
fn help_is_no_fault() {
    let output = stats(&["--help"], None);
    assert!(output.status.success() && output.stderr.is_empty());
    assert!(
        String::from_utf8_lossy(&output.stdout).contains("Usage: stats [FILE] [--column NAME]")
    );
}

#[test]
fn files_that_cannot_be_read() {
    assert!(refusal(&["no such.npy"]).contains("no such.npy: cannot be read"));
    assert!(refusal(&[folder()]).contains("is a directory"));
    for extension in ["npy", "csv", "safetensors"] {
        let path = file(&format!("empty.{extension}"), &[]);
        assert!(refusal(&[&path]).contains("is empty"));
        let noise = file(
            &format!("noise.{extension}"),
            &[0xff, 0x00, 0x0a, 0xfe].repeat(100),
        );
        refusal(&[&noise]);
    }
    assert!(refusal(&[&file("notes.txt", b"x\n1\n")]).contains(".npy, .csv or .safetensors"));
}

#[test]
fn arrays_that_are_refused() {
    let whole = npy("<f8", "(4,)", &[0; 32]);
    for length in [3, 9, 60, whole.len() - 32, whole.len() - 1] {
        refusal(&[&file(&format!("cut {length}.npy"), &whole[..length])]);
    }
    let cut = refusal(&[&file("cut.npy", &whole[..whole.len() - 8])]);
    assert!(
        cut.contains("wants 32 bytes of data, but 24 follow the header"),
        "{cut}"
    );
    let big = refusal(&[&file("big.npy", &npy(">f4", "(1,)", &[0; 4]))]);
    assert!(big.contains("'>f4', which is big-endian"), "{big}");
    let complex = refusal(&[&file("complex.npy", &npy("<c8", "(1,)", &[0; 8]))]);
    assert!(
        complex.contains("dtype '<c8'") && complex.contains("astype"),
        "{complex}"
    );
    let whole = file("whole.npy", &whole);
    assert!(refusal(&[&whole, "--column", "x"]).contains("no columns"));
}

#[test]
fn columns_that_are_refused() {
    let wrong = refusal(&["--column", "SUNSPOTS"]);
    assert!(
        wrong.contains(r#"no column "SUNSPOTS"; there are "YEAR", "SUNACTIVITY""#),
        "{wrong}"
    );
    let path = file("words.csv", b"name,kind\na,b\nc,d\n");
    assert!(refusal(&[&path]).contains("has no column of numbers"));
    assert!(refusal(&[&path, "--column", "kind"]).contains(r#"holds "b" at position 0"#));
    assert!(refusal(&[&file("bare.csv", b"1,2\n3,4\n")]).contains("put a header above"));
    assert!(refusal(&[&file("ragged.csv", b"a,b\n1,2\n3\n")]).contains("as many cells"));
}

#[test]
fn words_that_are_refused() {
    assert!(refusal(&["--colum", "x"]).contains(r#""--colum" is no option"#));
    assert!(refusal(&["--column"]).contains("--column was given no name"));
    assert!(refusal(&["a.csv", "b.csv"]).contains("FILE was given twice"));
}
