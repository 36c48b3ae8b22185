//! A file's bytes, mapped into memory, and which reader they are for.

use std::fs;
use std::path::Path;

use memmap2::{Mmap, MmapOptions};

use crate::column::Column;
use crate::fault::Fault;
use crate::{csv, npy, safetensors};

/// An open file.
#[derive(Debug)]
pub struct File {
    name: String,
    format: Format,
    bytes: Bytes,
    /// The column to take where none is named.
    column: Option<&'static str>,
}

/// How a file is laid out.
#[derive(Clone, Copy, Debug)]
enum Format {
    Npy,
    Csv,
    Safetensors,
}

/// Where the bytes are.
#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    BuiltIn(&'static [u8]),
}

impl File {
    /// The data set that comes with the program.
    pub fn built_in() -> File {
        File {
            name: "sunspots.csv".to_owned(),
            format: Format::Csv,
            bytes: Bytes::BuiltIn(include_bytes!("../data/sunspots.csv")),
            column: Some("SUNACTIVITY"),
        }
    }

    /// Maps the file at `path`.
    pub fn open(path: &Path) -> Result<File, Fault> {
        let name = path.display().to_string();
        match (map(path), format(path)) {
            (Ok(mapped), Ok(format)) => Ok(File {
                name,
                format,
                bytes: Bytes::Mapped(mapped),
                column: None,
            }),
            (Err(fault), _) | (_, Err(fault)) => Err(fault.within(name)),
        }
    }

    /// What the file is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The column called `name`, or the one that is taken where none is named.
    pub fn column(&self, name: Option<&str>) -> Result<Column<'_>, Fault> {
        let bytes = match &self.bytes {
            Bytes::Mapped(mapped) => mapped,
            Bytes::BuiltIn(bytes) => *bytes,
        };
        let name = name.or(self.column);
        let column = match self.format {
            Format::Npy => npy::column(bytes, name),
            Format::Csv => csv::column(bytes, name),
            Format::Safetensors => safetensors::column(bytes, name),
        };
        column.map_err(|fault| fault.within(&self.name))
    }
}

fn map(path: &Path) -> Result<Mmap, Fault> {
    let refused = |error| {
        Fault::new(format!(
            "cannot be read: {error}; check the path and its rights"
        ))
    };
    let facts = fs::metadata(path).map_err(refused)?;
    if facts.is_dir() {
        return Err(Fault::new("is a directory; name a file in it"));
    }
    if !facts.is_file() {
        return Err(Fault::new("is no regular file; save its data to one first"));
    }
    if facts.len() == 0 {
        return Err(Fault::new("is empty, without even a header; write it anew"));
    }
    let file = fs::File::open(path).map_err(refused)?;
    // Populated now, so that the times are those of memory, not of the disk.
    // SAFETY: the map is private to this program and only read. Should another program shorten the
    // file meanwhile, this one ends with a bus error; should it write, the statistics are of a mixture.
    unsafe { MmapOptions::new().populate().map(&file) }.map_err(refused)
}

fn format(path: &Path) -> Result<Format, Fault> {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    match extension.to_ascii_lowercase().as_str() {
        "npy" => Ok(Format::Npy),
        "csv" => Ok(Format::Csv),
        "safetensors" => Ok(Format::Safetensors),
        _ => Err(Fault::new(format!(
            "the name should end in .npy, .csv or .safetensors, not in {extension:?}; convert the file, or rename it if it is one"
        ))),
    }
}
