//! The functions a device body may call as methods, a row each. A row named `sqrt` is `rust::sqrt`
//! in the kernel text (`cuda/rust_*.cuh`) and `twin::sqrt` in the host twin; both have Rust's meaning.

use crate::dtype::{self, Dtype, Kind};
use crate::expr::Type;

/// The type of an argument or result, relative to the receiver's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// The receiver's own type.
    Same,
    /// A fixed type.
    Is(&'static Dtype),
    /// The unsigned integer as wide as the receiver.
    Bits,
}

/// The receivers a row takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Receiver {
    /// `f32` and `f64`.
    Float,
    /// Also `f16` and `bf16`.
    AnyFloat,
    /// `f16` and `bf16` alone.
    Half,
    /// Every signed integer.
    Signed,
    /// Every integer.
    Integer,
    /// Every number.
    Number,
}

/// A row of the intrinsic table.
#[derive(PartialEq, Eq, Debug)]
pub struct Intrinsic {
    /// The Rust method's name, and the function's in both renderings.
    pub name: &'static str,
    /// The receivers it takes.
    pub receiver: Receiver,
    /// Arguments after the receiver.
    pub arguments: &'static [Slot],
    /// What it yields.
    pub result: Slot,
    /// Whether host and device agree to the bit; otherwise within a few units in the last place.
    pub exact: bool,
    /// Whether bodies may call it; the others serve operator rows.
    pub callable: bool,
}

impl Receiver {
    /// Whether a value of this type may be the receiver.
    pub fn takes(self, dtype: &Dtype) -> bool {
        match self {
            Receiver::Float => dtype.is_float() && !dtype.half,
            Receiver::AnyFloat => dtype.is_float(),
            Receiver::Half => dtype.half,
            Receiver::Signed => dtype.kind == Kind::Signed,
            Receiver::Integer => dtype.is_integer(),
            Receiver::Number => dtype.kind != Kind::Bool,
        }
    }
}

impl Slot {
    /// The type this slot has when the receiver is of type `receiver`.
    pub fn resolve(self, receiver: &'static Dtype) -> Type {
        match self {
            Slot::Same => Type::Scalar(receiver),
            Slot::Is(dtype) => Type::Scalar(dtype),
            Slot::Bits => Type::Scalar(
                dtype::find(receiver.bits)
                    .expect("methods with bits are of types whose bits have a row"),
            ),
        }
    }
}

const SAME: Slot = Slot::Same;
const BOOL: Slot = Slot::Is(&dtype::BOOL);
const I32: Slot = Slot::Is(&dtype::I32);
const U32: Slot = Slot::Is(&dtype::U32);

const fn exact(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Slot],
    result: Slot,
) -> Intrinsic {
    Intrinsic {
        name,
        receiver,
        arguments,
        result,
        exact: true,
        callable: true,
    }
}

const fn rounded(
    name: &'static str,
    receiver: Receiver,
    arguments: &'static [Slot],
    result: Slot,
) -> Intrinsic {
    Intrinsic {
        exact: false,
        ..exact(name, receiver, arguments, result)
    }
}

const fn internal(name: &'static str, arguments: &'static [Slot]) -> Intrinsic {
    Intrinsic {
        callable: false,
        ..exact(name, Receiver::Number, arguments, SAME)
    }
}

use Receiver::*;

/// The table, by kind of receiver.
pub static INTRINSICS: &[Intrinsic] = &[
    exact("min", Number, &[SAME], SAME),
    exact("max", Number, &[SAME], SAME),
    exact("clamp", Number, &[SAME, SAME], SAME),
    exact("signum", AnyFloat, &[], SAME),
    exact("copysign", AnyFloat, &[SAME], SAME),
    exact("is_nan", AnyFloat, &[], BOOL),
    exact("is_finite", AnyFloat, &[], BOOL),
    exact("is_infinite", AnyFloat, &[], BOOL),
    exact("is_sign_negative", AnyFloat, &[], BOOL),
    exact("is_sign_positive", AnyFloat, &[], BOOL),
    exact("abs", Float, &[], SAME),
    exact("sqrt", Float, &[], SAME),
    exact("floor", Float, &[], SAME),
    exact("ceil", Float, &[], SAME),
    exact("trunc", Float, &[], SAME),
    exact("round", Float, &[], SAME),
    exact("fract", Float, &[], SAME),
    exact("recip", Float, &[], SAME),
    exact("mul_add", Float, &[SAME, SAME], SAME),
    exact("to_bits", Float, &[], Slot::Bits),
    rounded("exp", Float, &[], SAME),
    rounded("exp2", Float, &[], SAME),
    rounded("exp_m1", Float, &[], SAME),
    rounded("ln", Float, &[], SAME),
    rounded("ln_1p", Float, &[], SAME),
    rounded("log2", Float, &[], SAME),
    rounded("log10", Float, &[], SAME),
    rounded("sin", Float, &[], SAME),
    rounded("cos", Float, &[], SAME),
    rounded("tan", Float, &[], SAME),
    rounded("asin", Float, &[], SAME),
    rounded("acos", Float, &[], SAME),
    rounded("atan", Float, &[], SAME),
    rounded("atan2", Float, &[SAME], SAME),
    rounded("sinh", Float, &[], SAME),
    rounded("cosh", Float, &[], SAME),
    rounded("tanh", Float, &[], SAME),
    rounded("cbrt", Float, &[], SAME),
    rounded("hypot", Float, &[SAME], SAME),
    rounded("powf", Float, &[SAME], SAME),
    rounded("powi", Float, &[I32], SAME),
    exact("to_f32", Half, &[], Slot::Is(&dtype::F32)),
    exact("to_f64", Half, &[], Slot::Is(&dtype::F64)),
    exact("abs", Signed, &[], SAME),
    exact("wrapping_abs", Signed, &[], SAME),
    exact("unsigned_abs", Signed, &[], Slot::Bits),
    exact("signum", Signed, &[], SAME),
    exact("is_negative", Signed, &[], BOOL),
    exact("is_positive", Signed, &[], BOOL),
    exact("wrapping_add", Integer, &[SAME], SAME),
    exact("wrapping_sub", Integer, &[SAME], SAME),
    exact("wrapping_mul", Integer, &[SAME], SAME),
    exact("wrapping_neg", Integer, &[], SAME),
    exact("saturating_add", Integer, &[SAME], SAME),
    exact("saturating_sub", Integer, &[SAME], SAME),
    exact("abs_diff", Integer, &[SAME], Slot::Bits),
    exact("pow", Integer, &[U32], SAME),
    exact("rem_euclid", Integer, &[SAME], SAME),
    exact("count_ones", Integer, &[], U32),
    exact("leading_zeros", Integer, &[], U32),
    exact("trailing_zeros", Integer, &[], U32),
    exact("rotate_left", Integer, &[U32], SAME),
    exact("rotate_right", Integer, &[U32], SAME),
    internal("minimum", &[SAME]),
    internal("maximum", &[SAME]),
];

/// The row of the method `name` on a receiver of type `dtype`.
pub fn find(name: &str, dtype: &Dtype) -> Option<&'static Intrinsic> {
    let mut rows = INTRINSICS.iter();
    rows.find(|row| row.name == name && row.receiver.takes(dtype))
}

/// The methods that bodies may call on a value of type `dtype`.
pub fn methods(dtype: &Dtype) -> impl Iterator<Item = &'static Intrinsic> {
    let rows = INTRINSICS.iter();
    rows.filter(|row| row.callable && row.receiver.takes(dtype))
}
