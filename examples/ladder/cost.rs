//! What a rung does, counted while its unchanged kernel runs on the CPU: one block of 256 threads folds
//! one tile.

use std::path::Path;
use std::process::{Command, Stdio};

use reduce_runtime::private::{Tile, sections};

use crate::emulator::{Call, Counters, Emulated, Input, Program, compile};
use crate::rung::Rung;

const TILE: Tile = Tile {
    threads: 256,
    rows: 1,
};

/// Why nothing can be emulated here, if so.
pub fn obstacle() -> Option<&'static str> {
    if !cfg!(target_os = "linux") {
        return Some("that needs Linux");
    }
    if !Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/emulator/device.h"
    ))
    .exists()
    {
        return Some("that needs the sources of this project where they were when it was built");
    }
    let mut compiler = Command::new("g++");
    let version = compiler
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let runs = version.status().is_ok_and(|status| status.success());
    (!runs).then_some("that needs g++")
}

/// Fills in the costs of these; returns what went wrong, a line each.
pub fn fill(rungs: &mut [&mut Rung]) -> Vec<String> {
    let programs = rungs.iter().map(|rung| program(rung)).collect();
    let emulated = compile(programs).unwrap_or_default();
    let mut faults = Vec::new();
    for (rung, emulated) in rungs.iter_mut().zip(&emulated) {
        match count(rung, emulated) {
            Ok(cost) => rung.cost = Some(cost),
            Err(fault) => faults.push(format!("{}: {fault}", emulated.program.name)),
        }
    }
    faults
}

fn program(rung: &Rung) -> Program {
    let Rung {
        subject,
        strategy,
        grid,
        ..
    } = rung;
    let kernel = &subject.kernel;
    Program {
        name: format!("{} {} {}", rung.subject_name(), strategy.name, grid.name),
        text: sections(&kernel.fragments, strategy, grid).concat(),
        tile: TILE,
        shape: kernel.shape,
        strategy: strategy.name,
        passes: grid.passes,
        meeting: strategy.meeting,
        largest_cluster: strategy.largest_cluster(),
        dynamic_shared: strategy.dynamic_shared(kernel.shape, TILE),
        accumulator_bytes: kernel.accumulator_bytes as usize,
        result_bytes: vec![subject.result_bytes],
    }
}

fn count(rung: &Rung, emulated: &Emulated) -> Result<Counters, String> {
    let n = TILE.len(rung.subject.kernel.shape.vector);
    // Ones and trues, but for what little-endian numbers have above their first byte.
    let width = rung.subject.element_bytes;
    let bytes: Vec<u8> = (0..n as usize * width)
        .map(|k| u8::from(k % width == 0))
        .collect();
    let call = Call {
        inputs: &[Input {
            bytes: &bytes,
            offset: 0,
        }],
        scalars: &[],
        n,
        blocks: 1,
        seed: 0,
    };
    let (_, counters) = emulated.count(&call)?;
    Ok(counters)
}
