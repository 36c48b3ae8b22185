//! What the command line asks for.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::fault::Fault;
use crate::nearest;

/// What `--help` prints.
pub const HELP: &str = "\
The reduction patterns that people teach, rung by rung: how fast each is, and why.

Usage: ladder [--n N] [--svg FILE] [--csv FILE] [--from FILE]
       ladder --explain STRATEGY [--grid GRID] [--n N]

  --n N                how many elements (left out: 67108864, which is 2^26)
  --svg FILE           where the picture goes (left out: target/ladder.svg)
  --csv FILE           where the rows go as well
  --from FILE          shows the rows of such a CSV; times nothing
  --explain STRATEGY   the plan of one rung, and its kernel with who takes part in each stage
  --grid GRID          how that rung's blocks meet (left out: the first grid that it goes with)
  -h, --help           this text

Times need a GPU. The rest is counted by emulating the kernel on this CPU, which needs Linux, g++ and
the sources of this project. The environment variable REDUCE_DEVICE chooses what runs: `host`, or the
number of a GPU.
";

const OPTIONS: [&str; 7] = [
    "--n",
    "--svg",
    "--csv",
    "--from",
    "--explain",
    "--grid",
    "--help",
];

/// Elements, unless the command line says how many; and the most.
const ELEMENTS: u64 = 1 << 26;
const MOST: u64 = 1 << 30;

/// The command line.
#[derive(Debug, PartialEq, Eq)]
pub enum Arguments {
    /// `--help`.
    Help,
    /// `--explain`.
    Explain {
        /// The strategy's name.
        strategy: String,
        /// The grid's name.
        grid: Option<String>,
        /// Elements.
        n: u64,
    },
    /// The table and the picture.
    Climb(Request),
}

/// What to show, and where.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    /// Elements.
    pub n: u64,
    /// The picture.
    pub svg: PathBuf,
    /// The rows.
    pub csv: Option<PathBuf>,
    /// The rows of an earlier run.
    pub from: Option<PathBuf>,
}

impl Arguments {
    /// Reads the words after the program's name.
    pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, Fault> {
        let Some(mut given) = Given::read(words)? else {
            return Ok(Arguments::Help);
        };
        let n = given.take("--n");
        let (from, explain) = (given.take("--from"), given.take("--explain"));
        if from.is_some() && n.is_some() {
            return Err(Fault::new("--from shows what was timed; leave --n out"));
        }
        let n = n.map_or(Ok(ELEMENTS), |word| count(&word))?;
        if let Some(strategy) = explain {
            let (strategy, grid) = (text(&strategy), given.take("--grid"));
            given.none_is_left("--explain draws nothing", from.is_some())?;
            let grid = grid.as_ref().map(text);
            return Ok(Arguments::Explain { strategy, grid, n });
        }
        let svg = given.take("--svg");
        let csv = given.take("--csv").map(PathBuf::from);
        given.none_is_left("a grid is of --explain STRATEGY", false)?;
        Ok(Arguments::Climb(Request {
            n,
            svg: svg.map_or_else(|| PathBuf::from("target/ladder.svg"), PathBuf::from),
            csv,
            from: from.map(PathBuf::from),
        }))
    }
}

/// Options with their values.
struct Given(Vec<(&'static str, OsString)>);

impl Given {
    /// `None` is `--help`.
    fn read(words: impl IntoIterator<Item = OsString>) -> Result<Option<Given>, Fault> {
        let mut given = Given(Vec::new());
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let word = text(&word);
            if word == "-h" || word == "--help" {
                return Ok(None);
            }
            let (name, joined) = match word.split_once('=') {
                Some((name, value)) => (name, Some(OsString::from(value))),
                None => (&word[..], None),
            };
            let name = option(name)?;
            let value = joined.or_else(|| words.next());
            let value = value.filter(|value| !value.is_empty());
            let value = value.ok_or_else(|| Fault::new(format!("{name} was given no value")))?;
            if given.take(name).is_some() {
                return Err(Fault::new(format!("{name} was given twice; give it once")));
            }
            given.0.push((name, value));
        }
        Ok(Some(given))
    }

    fn take(&mut self, name: &str) -> Option<OsString> {
        let place = self.0.iter().position(|(given, _)| *given == name)?;
        Some(self.0.swap_remove(place).1)
    }

    fn none_is_left(&self, why: &str, is_from: bool) -> Result<(), Fault> {
        let left = self.0.first().map(|(name, _)| *name);
        match left.or(is_from.then_some("--from")) {
            Some(name) => Err(Fault::new(format!("{why}; leave {name} out"))),
            None => Ok(()),
        }
    }
}

fn text(word: &OsString) -> String {
    word.to_string_lossy().into_owned()
}

fn option(word: &str) -> Result<&'static str, Fault> {
    let found = OPTIONS.into_iter().find(|option| *option == word);
    found.ok_or_else(|| {
        let advice = nearest::advice(word, OPTIONS);
        Fault::new(format!("{word:?} is no option; {advice}"))
    })
}

fn count(word: &OsString) -> Result<u64, Fault> {
    let n = text(word).parse().ok();
    n.filter(|n| (1..=MOST).contains(n)).ok_or_else(|| {
        let word = text(word);
        Fault::new(format!(
            "--n {word:?} is not a number of elements; write one from 1 to {MOST}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Arguments, String> {
        let words = line.split_whitespace().map(OsString::from);
        Arguments::parse(words).map_err(|fault| fault.to_string())
    }

    #[test]
    fn words_in_any_order() {
        let request = Request {
            n: 5,
            svg: "a.svg".into(),
            csv: Some("a=b.csv".into()),
            from: None,
        };
        let climb = Ok(Arguments::Climb(request));
        assert_eq!(parse("--csv=a=b.csv --n 5 --svg a.svg"), climb);
        assert_eq!(parse("--n 5 --help --wrong"), Ok(Arguments::Help));
        let explain = Arguments::Explain {
            strategy: "Redux".to_owned(),
            grid: Some("Atomic".to_owned()),
            n: ELEMENTS,
        };
        assert_eq!(parse("--grid Atomic --explain Redux"), Ok(explain));
    }

    #[test]
    fn refusals_say_what_to_write() {
        let refusal = |line| parse(line).expect_err(line);
        assert!(refusal("--sgv x").contains("did you mean `--svg`?"));
        assert!(refusal("--n").contains("--n was given no value"));
        assert!(refusal("--n 1 --n 2").contains("--n was given twice"));
        assert!(refusal("--n 0").contains("from 1 to 1073741824"));
        assert!(refusal("--n 3 --from a").contains("leave --n out"));
        assert!(refusal("--grid Atomic").contains("leave --grid out"));
        assert!(refusal("--explain Redux --svg a").contains("leave --svg out"));
        assert!(refusal("--explain Redux --from a").contains("leave --from out"));
    }
}
