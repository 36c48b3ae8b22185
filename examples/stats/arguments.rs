//! What the command line asks for.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::fault::Fault;

/// What `--help` prints.
pub const HELP: &str = "\
Statistics of a column of numbers, by GPU reductions; on the host where there is no GPU.

Usage: stats [FILE] [--column NAME]

  FILE            a .npy array (f2, f4, f8, i4, i8, u4, u8), a .csv table with a header, or a
                  .safetensors file; without FILE the yearly sunspot numbers, 1700 to 2008
  --column NAME   the column of a .csv (left out: the first one of numbers), or the tensor of a
                  .safetensors (left out: the only one)
  -h, --help      this text

In a .csv an empty cell, NA and NaN are NaN. NaN are counted, and skipped in all that follows; count
is of the numbers. Positions are of the first such number, count from 0, include NaN, and run through
arrays of several dimensions with the last index fastest.

The environment variable REDUCE_DEVICE chooses what runs: `host`, or the number of a GPU.
";

/// The command line.
#[derive(Debug, PartialEq, Eq)]
pub enum Arguments {
    /// `--help`.
    Help,
    /// Statistics of a column.
    Stats {
        /// The file; the built-in one where left out.
        file: Option<PathBuf>,
        /// The column's name.
        column: Option<String>,
    },
}

impl Arguments {
    /// Reads the words after the program's name.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, Fault> {
        let (mut file, mut column) = (None, None);
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let text = word.to_string_lossy();
            if text == "-h" || text == "--help" {
                return Ok(Arguments::Help);
            } else if text == "--column" {
                let name = words
                    .next()
                    .ok_or_else(|| Fault::new("--column was given no name; write --column NAME"))?;
                once(&mut column, "--column", name.to_string_lossy().into_owned())?;
            } else if let Some(name) = text.strip_prefix("--column=") {
                once(&mut column, "--column", name.to_owned())?;
            } else if text.starts_with('-') {
                return Err(Fault::new(format!(
                    "{text:?} is no option; there are --column NAME and --help"
                )));
            } else {
                once(&mut file, "FILE", PathBuf::from(word))?;
            }
        }
        Ok(Arguments::Stats { file, column })
    }
}

/// Fills `room`, which a word may do once.
fn once<T>(room: &mut Option<T>, what: &str, value: T) -> Result<(), Fault> {
    match room.replace(value) {
        None => Ok(()),
        Some(_) => Err(Fault::new(format!("{what} was given twice; give it once"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        let words = line.split_whitespace().map(OsString::from);
        Arguments::parse(words).map_err(|fault| fault.to_string())
    }

    fn stats(file: Option<&str>, column: Option<&str>) -> Result<Arguments, String> {
        Ok(Arguments::Stats {
            file: file.map(PathBuf::from),
            column: column.map(str::to_owned),
        })
    }

    #[test]
    fn words_in_any_order() {
        assert_eq!(parse(""), stats(None, None));
        assert_eq!(parse("a.npy"), stats(Some("a.npy"), None));
        assert_eq!(parse("--column x a.csv"), stats(Some("a.csv"), Some("x")));
        assert_eq!(
            parse("a.csv --column=x=y"),
            stats(Some("a.csv"), Some("x=y"))
        );
        assert_eq!(parse("--column --odd"), stats(None, Some("--odd")));
        assert_eq!(parse("a.csv --help --wrong"), Ok(Arguments::Help));
    }

    #[test]
    fn refusals_say_what_to_write() {
        let refusal = |line| parse(line).expect_err(line);
        assert!(refusal("--colum x").contains(r#""--colum" is no option"#));
        assert!(refusal("a.csv --column").contains("--column NAME"));
        assert!(refusal("a.csv b.csv").contains("FILE was given twice"));
        assert!(refusal("--column a --column=b").contains("--column was given twice"));
    }
}
