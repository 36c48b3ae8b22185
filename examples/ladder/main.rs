//! The reduction patterns that people teach, rung by rung: what each costs and how fast it is.
//!
//! ```text
//! cargo run --release --example ladder
//! cargo run --release --example ladder -- --explain Redux
//! ```
//!
//! A rung is a strategy with a grid. Times need a GPU; what explains them (barriers, bank conflicts,
//! divergence) is counted while the unchanged kernel text runs on the CPU, which needs g++. Whatever
//! cannot be done is one line on standard error and the exit code 2.

mod arguments;
#[cfg(feature = "cuda")]
mod ceiling;
mod column;
mod cost;
mod explain;
#[allow(dead_code)]
#[path = "../stats/fault.rs"]
mod fault;
mod ladder;
mod number;
mod picture;
mod record;
mod rung;
mod subject;
mod table;
#[cfg(feature = "cuda")]
mod time;

#[allow(dead_code, unused_imports)]
#[path = "../../tests/emulator/mod.rs"]
mod emulator;
#[allow(dead_code)]
#[path = "../../kernels-gen/src/syntax/nearest.rs"]
mod nearest;
#[cfg(feature = "cuda")]
#[path = "../timing/mod.rs"]
mod timing;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use arguments::{Arguments, Request};
use fault::Fault;
use ladder::Ladder;
use table::Table;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("ladder: {fault}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Fault> {
    match Arguments::parse(env::args_os().skip(1))? {
        Arguments::Help => print(arguments::HELP),
        Arguments::Explain { strategy, grid, n } => {
            print(&explain::text(&strategy, grid.as_deref(), n)?)
        }
        Arguments::Climb(request) => climb(&request),
    }
}

fn climb(request: &Request) -> Result<(), Fault> {
    let mut ladder = match &request.from {
        Some(file) => record::read(file)?,
        None => Ladder::timed(request.n)?,
    };
    ladder.emulate();
    print(&Table(&ladder).to_string())?;
    if let Some(file) = &request.csv {
        record::write(&ladder, file)?;
    }
    picture::draw(&ladder, &request.svg)?;
    print(&format!("picture: {}\n", request.svg.display()))
}

/// Prints without the panic that `println!` has for a closed pipe: who reads no further, as `head`, has enough.
fn print(text: &str) -> Result<(), Fault> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        printed => {
            printed.map_err(|error| Fault::new(format!("cannot print to standard output: {error}")))
        }
    }
}
