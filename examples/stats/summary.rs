//! What is known of a column once it has been reduced.

use std::fmt;

/// The statistics of a column; all but the two counts are of the numbers that are not NaN.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    /// How many numbers.
    pub count: u64,
    /// How many NaN beside them.
    pub nans: u64,
    /// Their sum.
    pub sum: Number,
    /// Sum over count.
    pub mean: f64,
    /// The mean of the squares of the distances from the mean.
    pub variance: f64,
    /// The mean of the squares.
    pub mean_square: f64,
    /// The smallest, and where it is first.
    pub minimum: (Number, u64),
    /// The largest, and where it is first.
    pub maximum: (Number, u64),
}

impl Summary {
    /// Lines of the table: a name and a value.
    pub fn rows(&self) -> Vec<(&'static str, String)> {
        let among = |text: String| {
            if self.count == 0 {
                "none".to_owned()
            } else {
                text
            }
        };
        let real = |value: f64| among(Number::F64(value).to_string());
        let place = |(value, position): (Number, u64)| among(format!("{value} at {position}"));
        vec![
            ("count", self.count.to_string()),
            ("NaN", self.nans.to_string()),
            ("sum", self.sum.to_string()),
            ("mean", real(self.mean)),
            (
                "standard deviation (population)",
                real(self.variance.sqrt()),
            ),
            ("root mean square", real(self.mean_square.sqrt())),
            ("minimum", place(self.minimum)),
            ("maximum", place(self.maximum)),
        ]
    }
}

/// A number as its own type prints it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Number {
    /// Of the types whose every value is an `f32`.
    F32(f32),
    /// Of `f64`.
    F64(f64),
    /// Of any integer type, or a sum of them.
    Integer(i128),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `Debug` of a float turns to exponents where `Display` would print hundreds of digits.
        let text = match self {
            Number::F32(value) => format!("{value:?}"),
            Number::F64(value) => format!("{value:?}"),
            Number::Integer(value) => value.to_string(),
        };
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact() {
        assert_eq!(Number::F32(0.1).to_string(), "0.1");
        assert_eq!(
            Number::F64(f64::from(0.1_f32)).to_string(),
            "0.10000000149011612"
        );
        assert_eq!(Number::F64(1700.0).to_string(), "1700");
        assert_eq!(Number::F64(1e300).to_string(), "1e300");
        assert_eq!(Number::F64(f64::NAN).to_string(), "NaN");
        assert_eq!(
            Number::Integer(i128::from(u64::MAX) + 1).to_string(),
            "18446744073709551616"
        );
    }

    #[test]
    fn nothing_has_no_mean() {
        let nothing = Summary {
            count: 0,
            nans: 3,
            sum: Number::F64(0.0),
            mean: f64::NAN,
            variance: f64::NAN,
            mean_square: f64::NAN,
            minimum: (Number::F64(f64::INFINITY), u64::MAX),
            maximum: (Number::F64(f64::NEG_INFINITY), u64::MAX),
        };
        let rows = nothing.rows();
        assert_eq!(rows[2], ("sum", "0".to_owned()));
        assert!(rows[3..].iter().all(|(_, value)| value == "none"));
    }
}
