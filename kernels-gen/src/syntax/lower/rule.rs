//! What operators, casts and conversions ask of their operands, checked once every type is known.

use crate::dtype::{Dtype, Kind};
use crate::expr::{BinaryOp, Type};

use super::super::infer::Open;
use super::Lower;

/// A demand that waits for a type.
pub(super) struct Rule<'a> {
    at: &'a syn::Expr,
    demand: Demand,
    ty: Type,
}

/// What is asked of a type.
#[derive(Clone, Debug)]
pub(super) enum Demand {
    /// `+ - * / %`.
    Arithmetic,
    /// `& | ^`.
    Bits,
    /// Either side of `<< >>`.
    Shift,
    /// `== != < <= > >=`.
    Compare,
    /// The bounds of a loop.
    Count,
    /// `-`.
    Negate,
    /// `!`.
    Not,
    /// `as` to this type.
    Cast(Type),
    /// `T::from`, lossless, to this type.
    From(&'static Dtype),
}

impl Demand {
    /// What an operator asks of its operands, which have one type.
    pub(super) fn of(op: BinaryOp) -> Demand {
        match op {
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => Demand::Bits,
            op if op.is_comparison() => Demand::Compare,
            _ => Demand::Arithmetic,
        }
    }

    /// Why the type will not do, if it will not.
    fn fault(&self, ty: &Type) -> Option<String> {
        let Some(row) = ty.scalar() else {
            return Some(format!(
                "this takes scalars, not `{ty}`; take the fields one by one: `pair.0`, `pair.1`"
            ));
        };
        let is_fine = match self {
            Demand::Arithmetic => row.kind != Kind::Bool,
            Demand::Bits => !row.is_float(),
            Demand::Shift | Demand::Count => row.is_integer(),
            Demand::Compare => true,
            Demand::Negate => row.is_float() || row.kind == Kind::Signed,
            Demand::Not => !row.is_float(),
            Demand::Cast(to) => return cast_fault(row, to),
            Demand::From(to) => is_lossless(row, to),
        };
        (!is_fine).then(|| self.message(row))
    }

    fn message(&self, row: &Dtype) -> String {
        let name = row.name;
        match self {
            Demand::Arithmetic => {
                "conditions have no arithmetic; write `condition as u32`".to_owned()
            }
            Demand::Bits => {
                format!(
                    "`{name}` has no bit operations; write `x.to_bits()` for its bits, `x.powf(y)` for a power"
                )
            }
            Demand::Shift => {
                format!("shifts are of integers by integers, not `{name}`; cast it first")
            }
            Demand::Count => {
                format!(
                    "a loop counts with integers, not `{name}`; count, and compute from the count"
                )
            }
            Demand::Negate if row.kind == Kind::Bool => {
                "a condition has no sign; write `!condition`".to_owned()
            }
            Demand::Negate => {
                format!(
                    "`{name}` has no sign; write a constant without one, such as `{name}::MAX`; of a value, \
                     `x.wrapping_neg()`"
                )
            }
            Demand::Not => format!("`!` is for conditions and integers, not `{name}`"),
            Demand::From(to) if to.half => {
                format!(
                    "`{0}::from` does not take `{name}`; write `{0}::from_f32(x)`",
                    to.name
                )
            }
            Demand::From(to) if to.kind == Kind::Bool => {
                "`bool::from` does not make conditions of numbers; compare: `x != 0`".to_owned()
            }
            Demand::From(to) => format!(
                "`{0}` does not hold every `{name}`; write `x as {0}`",
                to.name
            ),
            Demand::Compare | Demand::Cast(_) => format!("`{name}` does not fit here"),
        }
    }
}

fn cast_fault(from: &Dtype, to: &Type) -> Option<String> {
    let Some(row) = to.scalar() else {
        return Some(format!(
            "`as` makes scalars, not `{to}`; write the tuple of the cast fields"
        ));
    };
    let (name, wanted) = (from.name, row.name);
    if from.half {
        Some(format!(
            "`as` does not take `{name}`; write `x.to_f32()` or `x.to_f64()`, then cast"
        ))
    } else if row.half {
        Some(format!(
            "`as` does not make `{wanted}`; write `{wanted}::from_f32(x)`"
        ))
    } else if row.kind == Kind::Bool && from.kind != Kind::Bool {
        Some("`as` does not make conditions; compare: `x != 0`".to_owned())
    } else if from.kind == Kind::Bool && row.is_float() {
        Some(format!(
            "`as` does not make a float of a condition; write `{wanted}::from(condition)`"
        ))
    } else {
        None
    }
}

/// Whether std or `half` has `impl From<from> for to`; to the halves, that small integers have it is
/// passed over.
fn is_lossless(from: &Dtype, to: &Dtype) -> bool {
    use Kind::{Bool, Float, Signed, Unsigned};
    match (from.kind, to.kind) {
        _ if from == to => true,
        _ if to.half => false,
        (Bool, _) => true,
        // A wider float has the digits for every integer of half its width.
        (Float, Float) | (Signed, Signed | Float) | (Unsigned, Signed | Unsigned | Float) => {
            from.bytes < to.bytes
        }
        _ => false,
    }
}

impl<'a> Lower<'a> {
    /// Asks something of a type that may not be known yet.
    pub(super) fn demand(&mut self, at: &'a syn::Expr, demand: Demand, ty: &Type) {
        let ty = ty.clone();
        self.rules.push(Rule { at, demand, ty });
    }

    /// Checks what was asked; every type is decided by now.
    pub(super) fn check_rules(&mut self) {
        for rule in std::mem::take(&mut self.rules) {
            if self.infer.is_open(&rule.ty) == Some(Open::Refused) {
                continue;
            }
            if let Some(fault) = rule.demand.fault(&self.infer.resolve(&rule.ty)) {
                self.errors.at(rule.at, fault);
            }
        }
    }
}
