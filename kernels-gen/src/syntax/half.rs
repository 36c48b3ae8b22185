//! The values of `f16` and `bf16` when an attribute is expanded.

use crate::dtype::{self, Dtype};

/// The layout of a float of 16 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half {
    /// Bits after the point.
    fraction: u32,
    /// The exponent of the smallest normal number.
    smallest: i32,
}

const F16: Half = Half {
    fraction: 10,
    smallest: -14,
};

const BF16: Half = Half {
    fraction: 7,
    smallest: -126,
};

const SIGN: u64 = 0x8000;

/// The layout of a type of the `half` crate.
pub(crate) fn of(dtype: &Dtype) -> Option<Half> {
    let layout = if *dtype == dtype::BF16 { BF16 } else { F16 };
    dtype.half.then_some(layout)
}

impl Half {
    /// The bit pattern of infinity; above it are the NaNs.
    fn infinity(self) -> u64 {
        0x7fff & !0 << self.fraction
    }

    pub(crate) fn widen(self, bits: u64) -> f64 {
        let magnitude = bits & 0x7fff;
        let fraction = magnitude & ((1 << self.fraction) - 1);
        let exponent = (magnitude >> self.fraction) as i32;
        let step = power_of_two(self.smallest - self.fraction as i32 + exponent.max(1) - 1);
        let value = match exponent {
            _ if magnitude > self.infinity() => f64::NAN,
            _ if magnitude == self.infinity() => f64::INFINITY,
            0 => fraction as f64 * step,
            _ => (fraction + (1 << self.fraction)) as f64 * step,
        };
        if bits & SIGN == 0 { value } else { -value }
    }

    /// To the nearest, ties to even.
    pub(crate) fn narrow(self, value: f64) -> u64 {
        let sign = if value.is_sign_negative() { SIGN } else { 0 };
        if value.is_nan() {
            return sign | self.infinity() | 1 << (self.fraction - 1);
        }
        let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
        // How many exponents above the smallest; far above the largest is infinite all the same.
        let above = (exponent - self.smallest).clamp(0, 300);
        let step = power_of_two(self.smallest + above - self.fraction as i32);
        let steps = (value.abs() / step).round_ties_even().min(65536.0) as u64;
        sign | (((above as u64) << self.fraction) + steps).min(self.infinity())
    }
}

/// Of an exponent that a normal `f64` has.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}
