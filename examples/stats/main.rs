//! Statistics of a column of numbers, by reductions on a GPU or on the host:
//!
//! ```text
//! cargo run --release --example stats -- FILE [--column NAME]
//! ```
//!
//! `reductions.rs` holds what is computed, `measure.rs` where it runs and how long it takes; the rest
//! reads files and writes the table. Whatever cannot be done is one line on standard error and the exit code 2.

mod arguments;
mod column;
mod csv;
mod fault;
mod file;
mod measure;
mod npy;
mod reductions;
mod report;
mod safetensors;
mod summary;

use std::env;
use std::io::{self, Write};
use std::process::ExitCode;

use reduce_runtime::Device;

use arguments::Arguments;
use fault::Fault;
use file::File;
use measure::Measured;
use report::Report;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("stats: {fault}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Fault> {
    let (path, name) = match Arguments::parse(env::args_os().skip(1))? {
        Arguments::Help => return print(arguments::HELP),
        Arguments::Stats { file, column } => (file, column),
    };
    let file = match path {
        Some(path) => File::open(&path)?,
        None => File::built_in(),
    };
    let column = file.column(name.as_deref())?;
    let device = Device::auto();
    let measured = Measured::of(&device, &column.values)?;
    let report = Report::new(&device, file.name(), &column.title, &measured);
    print(&report.to_string())
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
