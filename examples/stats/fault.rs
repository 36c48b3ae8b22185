//! What the program says when it cannot do what was asked: one line, for people.

use std::fmt;

/// The line.
#[derive(Debug)]
pub struct Fault(String);

impl Fault {
    /// A fault that says what was wanted, what was found and what to do.
    pub fn new(line: impl Into<String>) -> Fault {
        Fault(escaped(&line.into()))
    }

    /// The same, and where it was met.
    pub fn within(self, place: impl fmt::Display) -> Fault {
        Fault::new(format!("{place}: {self}"))
    }
}

/// Control characters escaped: the line stays one, whatever names and cells hold.
fn escaped(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<reduce_runtime::Error> for Fault {
    fn from(error: reduce_runtime::Error) -> Fault {
        Fault(error.to_string())
    }
}

/// Names for a sentence, quoted; of a long list the beginning.
pub fn list<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const SHOWN: usize = 12;
    let more = names.len().saturating_sub(SHOWN);
    let mut words: Vec<String> = names.take(SHOWN).map(|name| format!("{name:?}")).collect();
    if more > 0 {
        words.push(format!("and {more} more"));
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        assert_eq!(list(["a", "b\n"].into_iter()), r#""a", "b\n""#);
        assert!(list(["x"; 15].into_iter()).ends_with(r#""x", and 3 more"#));
    }

    #[test]
    fn the_place_comes_first() {
        let fault = Fault::new("it is empty").within("a\n\u{1c}é.csv");
        assert_eq!(fault.to_string(), r"a\n\u{1c}é.csv: it is empty");
    }
}
