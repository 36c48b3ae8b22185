//! Reads a column of a `.csv` with a header.

use std::borrow::Cow;

use ::csv::{ByteRecord, Reader, ReaderBuilder, Trim};

use crate::column::{Column, Values};
use crate::fault::{Fault, list};

/// The column called `name`, or the first one of numbers.
pub fn column(bytes: &[u8], name: Option<&str>) -> Result<Column<'static>, Fault> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(bytes);
    let names = header(reader.byte_headers().map_err(damaged)?)?;
    let wanted = name.map(|name| position(&names, name)).transpose()?;
    let mut columns = read(&mut reader, names.len(), wanted)?;
    let chosen = wanted
        .or_else(|| columns.iter().position(Cells::has_numbers))
        .ok_or_else(|| no_numbers(&names))?;
    let title = format!("column {:?}", names[chosen]);
    let cells = columns.swap_remove(chosen);
    let values = cells.values().map_err(|fault| fault.within(&title))?;
    Ok(Column { title, values })
}

/// The cells of every column, or of the one wanted alone.
fn read(
    reader: &mut Reader<&[u8]>,
    columns: usize,
    wanted: Option<usize>,
) -> Result<Vec<Cells>, Fault> {
    let mut columns = vec![Cells::default(); columns];
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(damaged)? {
        let cells = columns.iter_mut().zip(&record).enumerate();
        cells
            .filter(|(k, _)| wanted.is_none_or(|wanted| wanted == *k))
            .for_each(|(_, (column, cell))| column.push(cell));
    }
    Ok(columns)
}

fn position(names: &[String], name: &str) -> Result<usize, Fault> {
    let found = names.iter().position(|found| found == name);
    found.ok_or_else(|| {
        let names = list(names.iter().map(String::as_str));
        Fault::new(format!("has no column {name:?}; there are {names}"))
    })
}

fn no_numbers(names: &[String]) -> Fault {
    let names = list(names.iter().map(String::as_str));
    Fault::new(format!(
        "has no column of numbers; a header and below it numbers are wanted, there are {names}"
    ))
}

/// The names of the columns; a first line of nothing but numbers is no header.
fn header(record: &ByteRecord) -> Result<Vec<String>, Fault> {
    if record.iter().all(|cell| Number::read(cell).is_some()) {
        return Err(Fault::new(
            "the first line should name the columns, but holds no name; put a header above the numbers",
        ));
    }
    let names = record.iter().map(String::from_utf8_lossy);
    Ok(names.map(Cow::into_owned).collect())
}

fn damaged(error: ::csv::Error) -> Fault {
    Fault::new(format!(
        "{error}; every line should have as many cells as the header"
    ))
}

/// A cell of a column of numbers.
#[derive(Clone, Copy, Debug)]
enum Number {
    Integer(i64),
    Real(f64),
}

impl Number {
    /// The number that a cell says, NaN where it is missing; `None` for any other text.
    fn read(cell: &[u8]) -> Option<Number> {
        let text = str::from_utf8(cell).ok()?;
        if ["", "NA", "NaN"]
            .iter()
            .any(|missing| text.eq_ignore_ascii_case(missing))
        {
            return Some(Number::Real(f64::NAN));
        }
        let integer = text.parse().map(Number::Integer);
        integer.or_else(|_| text.parse().map(Number::Real)).ok()
    }

    fn integer(self) -> Option<i64> {
        match self {
            Number::Integer(value) => Some(value),
            Number::Real(_) => None,
        }
    }

    fn real(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Real(value) => value,
        }
    }
}

/// The cells of a column, up to the first that is no number.
#[derive(Clone, Default, Debug)]
struct Cells {
    numbers: Vec<Number>,
    text: Option<String>,
}

impl Cells {
    fn push(&mut self, cell: &[u8]) {
        match Number::read(cell) {
            _ if self.text.is_some() => {}
            Some(number) => self.numbers.push(number),
            None => self.text = Some(String::from_utf8_lossy(cell).into_owned()),
        }
    }

    fn has_numbers(&self) -> bool {
        self.text.is_none() && self.numbers.iter().any(|number| !number.real().is_nan())
    }

    /// Integers where all cells are, so that they stay exact.
    fn values(self) -> Result<Values<'static>, Fault> {
        if let Some(cell) = self.text {
            let position = self.numbers.len();
            return Err(Fault::new(format!(
                "holds {cell:?} at position {position}, which is no number; empty cells, NA and NaN are missing ones, any other text is refused"
            )));
        }
        let integers: Option<Vec<i64>> =
            self.numbers.iter().map(|number| number.integer()).collect();
        Ok(match integers {
            Some(integers) if !integers.is_empty() => Values::I64(integers.into()),
            _ => Values::F64(self.numbers.iter().map(|number| number.real()).collect()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[u8] = b"\xef\xbb\xbfname, year ,\"level, m\",none\r\na,1700,5,\r\nb,9007199254740993,NA,\r\n\xff,-3, 1.5e1 ,nan\r\n";

    fn refusal(bytes: &[u8], name: Option<&str>) -> String {
        let line = column(bytes, name).expect_err("refused").to_string();
        assert!(!line.contains('\n'), "{line}");
        line
    }

    fn reals(name: &str) -> Vec<f64> {
        match column(TABLE, Some(name)).expect("read").values {
            Values::F64(values) => values.into_owned(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_first_column_of_numbers_is_taken() {
        let column = column(TABLE, None).expect("read");
        assert_eq!(column.title, r#"column "year""#);
        assert!(matches!(&column.values, Values::I64(x) if **x == [1700, (1 << 53) + 1, -3]));
    }

    #[test]
    fn missing_cells_are_nan() {
        let level = reals("level, m");
        assert!(level[0] == 5.0 && level[1].is_nan() && level[2] == 15.0);
        assert!(reals("none").iter().all(|value| value.is_nan()));
    }

    #[test]
    fn refusals_name_what_there_is() {
        let there = r#"there are "name", "year", "level, m", "none""#;
        assert!(refusal(TABLE, Some("depth")).contains(there));
        assert!(refusal(TABLE, Some("name")).contains(r#"column "name": holds "a" at position 0"#));
        assert!(refusal(b"a,b\nx,y\n", None).contains("has no column of numbers"));
        assert!(refusal(b"a,b\n", None).contains(r#"there are "a", "b""#));
        assert!(refusal(b"1,2\n3,4\n", None).contains("put a header above"));
        assert!(refusal(b"\n\n", None).contains("put a header above"));
        assert!(refusal(b"a,b\n1\n", None).contains("as many cells as the header"));
    }

    #[test]
    fn a_named_column_may_be_empty() {
        let column = column(b"a,b\n", Some("b")).expect("read");
        assert!(matches!(column.values, Values::F64(x) if x.is_empty()));
    }
}
