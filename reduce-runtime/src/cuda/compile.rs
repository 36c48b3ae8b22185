//! Text and architecture to an image that the driver can load, through NVRTC.
//!
//! Works without a GPU, so that every kernel can be compiled for every architecture anywhere.

use std::fmt::Write;

use kernels_gen::tree::Tile;

use super::nvrtc::{Nvrtc, Output};
use super::probe;
use crate::error::{Error, Kind, Result};

/// A compiled kernel: machine code, or PTX where NVRTC does not know the device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Image {
    /// What the driver loads.
    pub bytes: Vec<u8>,
    /// What the compiler said; empty for an image that was kept on disk.
    pub log: String,
}

/// What one entry point of a kernel takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Usage {
    /// The entry point.
    pub entry: String,
    /// Registers a thread.
    pub registers: u32,
    /// Bytes of local memory a thread: arrays that did not fit registers.
    pub stack_bytes: u32,
    /// Bytes of registers moved to local memory and back.
    pub spill_bytes: u32,
    /// Bytes of shared memory a block.
    pub shared_bytes: u32,
}

/// All that an image depends on, but for the text.
pub(super) struct Recipe {
    nvrtc: &'static Nvrtc,
    options: Vec<String>,
    output: Output,
}

/// The image of `text` for the architecture sm_`architecture` (90 is sm_90).
pub fn compile(text: &str, architecture: u32, tile: Tile) -> Result<Image> {
    Recipe::new(architecture, tile)?.compile(text)
}

/// What ptxas says about each entry point of `text`, compiled with these options, too.
pub fn usage(text: &str, architecture: u32, tile: Tile, options: &[String]) -> Result<Vec<Usage>> {
    let mut recipe = Recipe::new(architecture, tile)?;
    recipe.options.extend_from_slice(options);
    recipe.options.push("--ptxas-options=-v".to_owned());
    Ok(parse_usage(&recipe.compile(text)?.log))
}

/// The PTX of `text`.
pub fn ptx(text: &str, architecture: u32, tile: Tile) -> Result<String> {
    let mut recipe = Recipe::new(architecture, tile)?;
    recipe.output = Output::Ptx;
    let bytes = recipe.compile(text)?.bytes;
    Ok(String::from_utf8_lossy(&bytes)
        .trim_end_matches('\0')
        .to_owned())
}

/// NVRTC's version, major and minor.
pub fn version() -> Result<(i32, i32)> {
    Ok(probe::nvrtc()?.version)
}

/// The architecture whose instructions kernels for this one have: its own, if NVRTC knows it.
pub(super) fn target_for(architecture: u32) -> Result<u32> {
    target(probe::nvrtc()?, architecture).map(|(target, _)| target)
}

impl Recipe {
    pub(super) fn new(architecture: u32, tile: Tile) -> Result<Recipe> {
        let nvrtc = probe::nvrtc()?;
        let (architecture, output) = target(nvrtc, architecture)?;
        Ok(Recipe {
            nvrtc,
            options: options(architecture, output, tile),
            output,
        })
    }

    /// Selects one of a text's grids.
    pub(super) fn define(&mut self, name: &str) {
        self.options.push(format!("-D{name}"));
    }

    pub(super) fn options(&self) -> &[String] {
        &self.options
    }

    pub(super) fn version(&self) -> (i32, i32) {
        self.nvrtc.version
    }

    pub(super) fn compile(&self, text: &str) -> Result<Image> {
        let (compiled, log) = self.nvrtc.compile(text, &self.options, self.output);
        let refused = |why: &str| Error::new(Kind::Compile, self.refusal(why, &log, text));
        match compiled {
            Ok(bytes) if bytes.len() > 1 => Ok(Image { bytes, log }),
            Ok(_) => Err(refused("the image is empty")),
            Err(why) => Err(refused(&why)),
        }
    }

    fn refusal(&self, why: &str, log: &str, text: &str) -> String {
        let (major, minor) = self.nvrtc.version;
        let options = self.options.join(" ");
        let mut message = format!("NVRTC {major}.{minor} did not compile a kernel: {why}\n{log}\n");
        if let Some((file, line)) = first_error(log) {
            message += &excerpt(text, file, line);
        }
        message += &format!("options: {options}");
        message
    }
}

/// The exact architecture if NVRTC knows it, else the PTX of the highest below, which the driver
/// compiles for the device.
fn target(nvrtc: &Nvrtc, architecture: u32) -> Result<(u32, Output)> {
    let known = &nvrtc.architectures;
    match known.iter().rev().find(|known| **known <= architecture) {
        Some(known) if *known == architecture => Ok((*known, Output::Cubin)),
        Some(below) => Ok((*below, Output::Ptx)),
        None => {
            let (major, minor) = nvrtc.version;
            let lowest = known.first().copied().unwrap_or_default();
            let message = format!(
                "NVRTC {major}.{minor} compiles for sm_{lowest} and later, and this GPU is \
                 sm_{architecture}: an older one, such as `pip install nvidia-cuda-nvrtc-cu12`, may know it"
            );
            Err(Error::new(Kind::Unavailable, message))
        }
    }
}

// No contraction, no approximation: + - * / and sqrt are to agree with the host to the bit.
fn options(architecture: u32, output: Output, tile: Tile) -> Vec<String> {
    let prefix = match output {
        Output::Cubin => "sm",
        Output::Ptx => "compute",
    };
    vec![
        format!("--gpu-architecture={prefix}_{architecture}"),
        "--std=c++17".to_owned(),
        "--fmad=false".to_owned(),
        "--prec-div=true".to_owned(),
        "--prec-sqrt=true".to_owned(),
        "--ftz=false".to_owned(),
        format!("-DTHREADS={}", tile.threads),
        format!("-DROWS={}", tile.rows),
    ]
}

/// The place of a log's first error: `src/main.rs(12): error: ..` is ("src/main.rs", 12).
fn first_error(log: &str) -> Option<(&str, usize)> {
    log.lines().find_map(|line| {
        let (place, _) = line
            .split_once(": error")
            .or_else(|| line.split_once(": catastrophic error"))?;
        let (file, number) = place.strip_suffix(')')?.rsplit_once('(')?;
        Some((file, number.parse().ok()?))
    })
}

/// The lines of `text` around `line` of `file`, by the numbers that its `#line`s give.
fn excerpt(text: &str, file: &str, line: usize) -> String {
    let near = line.saturating_sub(3)..=line + 3;
    let mut out = String::new();
    let (mut current, mut number) = ("kernel.cu", 1);
    for source in text.lines() {
        if let Some((next, name)) = line_directive(source) {
            (current, number) = (name.unwrap_or(current), next);
            continue;
        }
        if current == file && near.contains(&number) {
            let mark = if number == line { '>' } else { ' ' };
            // Writing to a string cannot fail.
            let _ = writeln!(out, "{mark} {number:>5} | {source}");
        }
        number += 1;
    }
    out
}

/// `#line 12 "src/main.rs"` is (12, "src/main.rs").
fn line_directive(source: &str) -> Option<(usize, Option<&str>)> {
    let rest = source.strip_prefix("#line ")?.trim();
    let (number, name) = rest.split_once(' ').unwrap_or((rest, ""));
    let name = name
        .strip_prefix('"')
        .and_then(|name| name.strip_suffix('"'));
    Some((number.parse().ok()?, name))
}

fn parse_usage(log: &str) -> Vec<Usage> {
    let mut found: Vec<Usage> = Vec::new();
    for line in log.lines() {
        if let Some(entry) = between(line, "Compiling entry function '", "'") {
            found.push(Usage {
                entry: entry.to_owned(),
                registers: 0,
                stack_bytes: 0,
                spill_bytes: 0,
                shared_bytes: 0,
            });
        }
        let Some(usage) = found.last_mut() else {
            continue;
        };
        let before = |word| number_before(line, word).unwrap_or(0);
        usage.registers += before(" registers");
        usage.stack_bytes += before(" bytes stack frame");
        usage.spill_bytes += before(" bytes spill stores") + before(" bytes spill loads");
        usage.shared_bytes += before(" bytes smem");
    }
    found
}

fn between<'a>(line: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(start)?;
    Some(rest.split_once(end)?.0)
}

fn number_before(line: &str, word: &str) -> Option<u32> {
    let (start, _) = line.split_once(word)?;
    start
        .rsplit(|letter: char| !letter.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TILE: Tile = Tile {
        threads: 128,
        rows: 2,
    };

    const TEXT: &str = "#line 1 \"types.cuh\"\ntypedef float f32;\n\n#line 40 \"src/main.rs\"\n\
        __device__ f32 map(f32 x) {\n    return x * y;\n}\n";

    /// Whether NVRTC is there; where it must be, its absence is a failure.
    fn nvrtc_is_there() -> bool {
        match probe::nvrtc() {
            Ok(_) => true,
            Err(error) => {
                assert!(std::env::var_os("CI").is_none(), "{error}");
                eprintln!("skipped: {error}");
                false
            }
        }
    }

    /// apache/tvm#20100: a binary asked of a virtual architecture is empty. NVIDIA/warp#1284: a directory of
    /// precompiled headers is read while another writes it.
    #[test]
    fn an_image_is_of_the_exact_architecture() {
        let given = options(90, Output::Cubin, TILE);
        assert_eq!(given[0], "--gpu-architecture=sm_90");
        assert!(!given.iter().any(|option| option.contains("pch")));
    }

    #[test]
    fn an_excerpt_counts_as_the_line_directives_say() {
        let shown = excerpt(TEXT, "src/main.rs", 41);
        assert!(shown.contains(">    41 |     return x * y;"), "{shown}");
        assert!(!shown.contains("typedef"), "{shown}");
        assert_eq!(
            first_error("a.rs(7): warning: x\na.rs(9): error: y"),
            Some(("a.rs", 9))
        );
    }

    #[test]
    fn usage_is_read_from_what_ptxas_says() {
        let log = "ptxas info    : Compiling entry function 'fold' for 'sm_90'\n\
            ptxas info    : Function properties for fold\n    \
            8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n\
            ptxas info    : Used 40 registers, used 1 barriers, 2064 bytes smem\n";
        let expected = Usage {
            entry: "fold".to_owned(),
            registers: 40,
            stack_bytes: 8,
            spill_bytes: 16,
            shared_bytes: 2064,
        };
        assert_eq!(parse_usage(log), [expected]);
    }

    #[test]
    fn a_kernel_compiles_to_a_cubin_and_to_ptx() {
        if !nvrtc_is_there() {
            return;
        }
        let text = "extern \"C\" __global__ void f(float* p) { p[threadIdx.x] = THREADS * ROWS; }";
        for architecture in [75, 90] {
            let image = compile(text, architecture, TILE).unwrap();
            assert!(image.bytes.starts_with(b"\x7fELF"));
            let usage = usage(text, architecture, TILE, &[]).unwrap();
            assert_eq!((usage.len(), usage[0].stack_bytes), (1, 0));
            assert!(usage[0].registers > 0, "{usage:?}");
        }
        assert!(ptx(text, 90, TILE).unwrap().contains(".target sm_90"));
        // A device of the future gets the newest PTX there is.
        assert!(compile(text, 9999, TILE).unwrap().bytes.ends_with(b"\0"));
        assert!(compile(text, 10, TILE).unwrap_err().is_unavailable());
    }

    #[test]
    fn a_refusal_shows_the_users_line() {
        if !nvrtc_is_there() {
            return;
        }
        let error = compile(TEXT, 90, TILE).unwrap_err();
        assert!(error.is_compile());
        let message = error.to_string();
        for part in [
            "src/main.rs(41): error",
            "\"y\" is undefined",
            ">    41 |     return x * y;",
            "sm_90",
        ] {
            assert!(message.contains(part), "{part} is not in: {message}");
        }
    }
}
