//! The values of scalars when an attribute is expanded, and their bit patterns.

use crate::dtype::{Dtype, Kind};

use super::half;

/// A scalar of any type; both forms hold the values of their types exactly.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    Integer(i128),
    Float(f64),
}

impl Number {
    pub(crate) fn read(bits: u64, dtype: &Dtype) -> Number {
        match dtype.kind {
            Kind::Float => Number::Float(float(bits, dtype)),
            Kind::Signed => Number::Integer(signed(bits, dtype).into()),
            Kind::Unsigned | Kind::Bool => Number::Integer(bits.into()),
        }
    }

    /// The bit pattern of the number as `dtype`, by Rust's `as`.
    pub(crate) fn bits(self, dtype: &Dtype) -> u64 {
        match (self, dtype.kind) {
            (number, Kind::Float) => number.float_bits(dtype),
            (Number::Integer(value), _) => value as u64 & dtype.mask(),
            // `as` to 64 bits goes to zero and to the nearest limit; then on to a nearer one.
            (Number::Float(value), Kind::Signed) => {
                let greatest = (dtype.mask() >> 1) as i64;
                (value as i64).clamp(!greatest, greatest) as u64 & dtype.mask()
            }
            (Number::Float(value), _) => (value as u64).min(dtype.mask()),
        }
    }

    fn float_bits(self, dtype: &Dtype) -> u64 {
        match (self, half::of(dtype), dtype.bytes) {
            (number, Some(half), _) => half.narrow(number.to_f64()),
            (Number::Float(value), None, 4) => (value as f32).to_bits().into(),
            (Number::Integer(value), None, 4) => (value as f32).to_bits().into(),
            (number, None, _) => number.to_f64().to_bits(),
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Number::Integer(value) => value as f64,
            Number::Float(value) => value,
        }
    }
}

fn float(bits: u64, dtype: &Dtype) -> f64 {
    match (half::of(dtype), dtype.bytes) {
        (Some(half), _) => half.widen(bits),
        (None, 4) => f32::from_bits(bits as u32).into(),
        (None, _) => f64::from_bits(bits),
    }
}

fn signed(bits: u64, dtype: &Dtype) -> i64 {
    let unused = 64 - dtype.bytes * 8;
    (bits << unused) as i64 >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An integer type as a new row of the table would be.
    fn row(name: &'static str, kind: Kind, bytes: u32) -> Dtype {
        Dtype {
            name,
            kind,
            bytes,
            one: 1,
            bits: "",
            accumulator: "",
            half: false,
        }
    }

    #[test]
    fn width_and_sign_alone_make_an_integer() {
        let i8 = &row("i8", Kind::Signed, 1);
        let i16 = &row("i16", Kind::Signed, 2);
        let u8 = &row("u8", Kind::Unsigned, 1);
        let u16 = &row("u16", Kind::Unsigned, 2);
        let cases = [
            (i8, -1.0, -1_i8 as u8 as u64),
            (i8, 200.9, 127),
            (i8, -1e9, 0x80),
            (i16, -32768.0, 0x8000),
            (i16, 1e300, 0x7fff),
            (i16, f64::NAN, 0),
            (u8, 255.5, 255),
            (u8, 256.0, 255),
            (u8, -1.0, 0),
            (u16, 65536.0, 65535),
        ];
        for (dtype, value, expected) in cases {
            let bits = Number::Float(value).bits(dtype);
            assert_eq!(bits, expected, "{value} as {}", dtype.name);
        }
        for (from, bits, to, expected) in [
            (i8, 0xff, u16, 0xffff),
            (u8, 0xff, i16, 0xff),
            (i16, 0x80ff, i8, 0xff),
            (i16, 0x8000, u8, 0),
        ] {
            let (found, to) = (Number::read(bits, from).bits(to), to.name);
            assert_eq!(found, expected, "{bits:#x} of {} as {to}", from.name);
        }
    }
}
