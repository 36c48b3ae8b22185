//! Literals: their values, kept as written until their type is known.

use quote::ToTokens;
use syn::Lit;

use crate::dtype::{self, Dtype};
use crate::expr::{Expr, ExprKind, Type, UnaryOp};

use super::super::infer::Open;
use super::super::types;
use super::Lower;

/// A literal's value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// An integer; wraps to its type, as rustc's lint has said.
    Integer(u128),
    /// A float's digits, rounded once, to the type that it gets.
    Float(String),
    /// The bit pattern of a known type.
    Bits(u64),
}

impl Value {
    /// The bit pattern as a value of this type.
    pub(super) fn bits(&self, dtype: &Dtype) -> u64 {
        match self {
            Value::Integer(value) => *value as u64 & dtype.mask(),
            Value::Float(digits) if dtype.bytes == 4 => {
                u64::from(digits.parse::<f32>().unwrap_or(f32::NAN).to_bits())
            }
            Value::Float(digits) => digits.parse::<f64>().unwrap_or(f64::NAN).to_bits(),
            Value::Bits(bits) => *bits,
        }
    }
}

/// In patterns the sign is the literal's own.
fn without_sign(literal: &Lit) -> Option<Lit> {
    let text = literal.to_token_stream().to_string();
    let mut positive: Lit = syn::parse_str(text.strip_prefix('-')?.trim_start()).ok()?;
    positive.set_span(literal.span());
    Some(positive)
}

impl Lower<'_> {
    pub(super) fn literal(&mut self, literal: &Lit) -> Expr {
        if let Some(positive) = without_sign(literal) {
            let operand = self.literal(&positive);
            let ty = operand.ty.clone();
            return Self::node(ExprKind::Unary(UnaryOp::Neg, Box::new(operand)), ty);
        }
        match literal {
            Lit::Bool(flag) => self.value(Value::Bits(flag.value.into()), Type::bool()),
            Lit::Int(int) if matches!(int.suffix(), "f32" | "f64") => self.number(
                literal,
                int.suffix(),
                Value::Float(int.base10_digits().to_owned()),
                Open::Float,
            ),
            Lit::Int(int) => {
                // Digits beyond u128 are an error of rustc's own.
                let value = int.base10_digits().parse().unwrap_or(0);
                self.number(literal, int.suffix(), Value::Integer(value), Open::Integer)
            }
            Lit::Float(float) => self.number(
                literal,
                float.suffix(),
                Value::Float(float.base10_digits().to_owned()),
                Open::Float,
            ),
            Lit::Char(_) | Lit::Byte(_) => self.refuse(
                literal,
                "characters have no place on the device; write the number",
            ),
            _ => self.refuse(
                literal,
                "strings have no place on the device; write numbers",
            ),
        }
    }

    fn number(&mut self, literal: &Lit, suffix: &str, value: Value, open: Open) -> Expr {
        let ty = match (suffix, dtype::find(suffix)) {
            ("", _) => self.infer.open(open),
            (_, Some(dtype)) => Type::Scalar(dtype),
            (_, None) => return self.refuse(literal, types::unsupported(suffix)),
        };
        self.value(value, ty)
    }
}
