//! The constants of the types that a body may name: `f32::MAX`, `std::f32::consts::PI`.

use crate::dtype::{BF16, Dtype, Kind, U32};

/// A constant's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant {
    pub(crate) bits: u64,
    pub(crate) ty: &'static Dtype,
}

/// A name and its bit pattern in either of two types.
type Row = (&'static str, u64, u64);

macro_rules! rows {
    ($first:ty, $second:ty: $($name:ident)*) => {
        &[$((stringify!($name), <$first>::$name.to_bits() as u64, <$second>::$name.to_bits())),*]
    };
}

macro_rules! mathematical {
    ($($name:ident)*) => {
        &[$((
            stringify!($name),
            std::f32::consts::$name.to_bits() as u64,
            std::f64::consts::$name.to_bits(),
        )),*]
    };
}

/// Of `f32` and `f64`.
const FLOATS: &[Row] = rows!(f32, f64: MAX MIN EPSILON INFINITY NEG_INFINITY NAN MIN_POSITIVE);

/// Of `std::f32::consts` and `std::f64::consts`.
#[rustfmt::skip]
const MATHEMATICAL: &[Row] = mathematical!(
    PI TAU E SQRT_2 LN_2 LN_10 LOG2_E LOG2_10 LOG10_E LOG10_2 FRAC_1_PI FRAC_2_PI FRAC_1_SQRT_2
    FRAC_2_SQRT_PI FRAC_PI_2 FRAC_PI_3 FRAC_PI_4 FRAC_PI_6 FRAC_PI_8
);

/// Of `f16` and `bf16`, which the `half` crate gives more names.
const HALVES: &[Row] = &[
    ("MAX", 0x7bff, 0x7f7f),
    ("MIN", 0xfbff, 0xff7f),
    ("EPSILON", 0x1400, 0x3c00),
    ("INFINITY", 0x7c00, 0x7f80),
    ("NEG_INFINITY", 0xfc00, 0xff80),
    ("NAN", 0x7e00, 0x7fc0),
    ("MIN_POSITIVE", 0x0400, 0x0080),
    ("ZERO", 0x0000, 0x0000),
    ("ONE", 0x3c00, 0x3f80),
    ("NEG_ZERO", 0x8000, 0x8000),
    ("NEG_ONE", 0xbc00, 0xbf80),
];

/// Of the integers; their width and sign decide the values.
const INTEGERS: &[&str] = &["MAX", "MIN", "BITS"];

fn integer(dtype: &Dtype, name: &str) -> Option<u64> {
    let mask = dtype.mask();
    let greatest = match dtype.kind {
        Kind::Signed => mask >> 1,
        _ => mask,
    };
    match name {
        "MAX" => Some(greatest),
        "MIN" => Some(!greatest & mask),
        "BITS" => Some((dtype.bytes * 8).into()),
        _ => None,
    }
}

/// The rows of a float type.
fn rows(dtype: &Dtype) -> &'static [Row] {
    if dtype.half { HALVES } else { FLOATS }
}

/// Of a float type; the wider, or the one with the wider range, is the second of a row.
fn find(rows: &[Row], dtype: &Dtype, name: &str) -> Option<u64> {
    let (_, first, second) = rows.iter().find(|(row, ..)| *row == name)?;
    let is_second = dtype.bytes == 8 || *dtype == BF16;
    Some(if is_second { *second } else { *first })
}

/// `T::NAME`.
pub(crate) fn associated(dtype: &'static Dtype, name: &str) -> Option<Constant> {
    let bits = match dtype.kind {
        Kind::Float => find(rows(dtype), dtype, name)?,
        Kind::Signed | Kind::Unsigned => integer(dtype, name)?,
        Kind::Bool => return None,
    };
    let ty = if name == "BITS" { &U32 } else { dtype };
    Some(Constant { bits, ty })
}

/// The names that [`associated`] knows.
pub(crate) fn associated_names(dtype: &Dtype) -> Vec<&'static str> {
    match dtype.kind {
        Kind::Float => rows(dtype).iter().map(|(name, ..)| *name).collect(),
        Kind::Signed | Kind::Unsigned => INTEGERS.to_vec(),
        Kind::Bool => Vec::new(),
    }
}

/// `std::T::consts::NAME`.
pub(crate) fn mathematical(dtype: &'static Dtype, name: &str) -> Option<Constant> {
    let bits = mathematical_rows(dtype).and_then(|rows| find(rows, dtype, name))?;
    Some(Constant { bits, ty: dtype })
}

/// The names that [`mathematical`] knows.
pub(crate) fn mathematical_names(dtype: &Dtype) -> Vec<&'static str> {
    let rows = mathematical_rows(dtype).unwrap_or_default();
    rows.iter().map(|(name, ..)| *name).collect()
}

fn mathematical_rows(dtype: &Dtype) -> Option<&'static [Row]> {
    (dtype.is_float() && !dtype.half).then_some(MATHEMATICAL)
}
