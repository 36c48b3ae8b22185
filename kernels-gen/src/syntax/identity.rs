//! An operator's identity: a constant, folded to literals so that the kernel text and Rust agree.

use syn::Expr as Syntax;

use crate::dtype::Kind;
use crate::expr::{Expr, ExprKind, Type, UnaryOp};

use super::errors::Errors;
use super::number::Number;
use super::{lower, types};

const ACCEPTED: &str = "an identity is made of literals, signs, tuples, `as` and constants of the types, \
     such as `i32::MIN` or `(0.0, 1.0)`; write its value";

/// The identity of an operator on `ty`, if it is one.
pub(crate) fn lower(value: &Syntax, ty: &Type, errors: &Errors) -> Option<Expr> {
    refuse_variable(value, errors)?;
    let lowered = Errors::new();
    let expr = lower::constant(value, ty, &lowered);
    match lowered.check() {
        Ok(()) => Some(fold(expr)),
        Err(error) => {
            errors.add(error);
            None
        }
    }
}

/// Whether Rust can evaluate the value in a constant: conversions by a call it cannot, and halves are
/// made by such calls.
pub(crate) fn is_constant(value: &Syntax, ty: &Type) -> bool {
    fn has_call(value: &Syntax) -> bool {
        match value {
            Syntax::Call(_) => true,
            Syntax::Group(group) => has_call(&group.expr),
            Syntax::Paren(paren) => has_call(&paren.expr),
            Syntax::Unary(unary) => has_call(&unary.expr),
            Syntax::Cast(cast) => has_call(&cast.expr),
            Syntax::Tuple(tuple) => tuple.elems.iter().any(has_call),
            _ => false,
        }
    }
    !ty.leaves().iter().any(|leaf| leaf.half) && !has_call(value)
}

/// Refuses whatever is not constant, each part at its place.
fn refuse_variable(value: &Syntax, errors: &Errors) -> Option<()> {
    match value {
        Syntax::Lit(_) => Some(()),
        Syntax::Path(path) if lower::names_type(path) => Some(()),
        Syntax::Group(group) => refuse_variable(&group.expr, errors),
        Syntax::Paren(paren) => refuse_variable(&paren.expr, errors),
        Syntax::Unary(unary) => refuse_variable(&unary.expr, errors),
        Syntax::Cast(cast) => refuse_variable(&cast.expr, errors),
        Syntax::Tuple(tuple) => all(tuple.elems.iter(), errors),
        Syntax::Call(call) if is_conversion(&call.func) => all(call.args.iter(), errors),
        other => {
            errors.at(
                other,
                format!("`{}` is not constant here: {ACCEPTED}", types::spell(other)),
            );
            None
        }
    }
}

fn all<'a>(parts: impl Iterator<Item = &'a Syntax>, errors: &Errors) -> Option<()> {
    let checks: Vec<_> = parts.map(|part| refuse_variable(part, errors)).collect();
    checks.into_iter().collect()
}

/// `f16::from_f32`, `f64::from` and their kin.
fn is_conversion(function: &Syntax) -> bool {
    let Syntax::Path(path) = function else {
        return false;
    };
    let last = path.path.segments.last();
    lower::names_type(path) && last.is_some_and(|last| last.ident.to_string().starts_with("from"))
}

/// The value of an expression of literals, signs, tuples and casts.
fn fold(expr: Expr) -> Expr {
    let ty = expr.ty;
    let kind = match expr.kind {
        ExprKind::Tuple(fields) => ExprKind::Tuple(fields.into_iter().map(fold).collect()),
        ExprKind::Unary(op, operand) => unary(op, fold(*operand)),
        ExprKind::Cast(operand) => cast(fold(*operand), &ty),
        other => other,
    };
    Expr { kind, ty }
}

fn unary(op: UnaryOp, operand: Expr) -> ExprKind {
    let (ExprKind::Literal(bits), Some(dtype)) = (&operand.kind, operand.ty.scalar()) else {
        return ExprKind::Unary(op, Box::new(operand));
    };
    ExprKind::Literal(match op {
        UnaryOp::Neg => lower::negated(*bits, dtype),
        UnaryOp::Not if dtype.kind == Kind::Bool => bits ^ 1,
        UnaryOp::Not => !bits & dtype.mask(),
    })
}

fn cast(operand: Expr, to: &Type) -> ExprKind {
    let (ExprKind::Literal(bits), Some(from), Some(to)) =
        (&operand.kind, operand.ty.scalar(), to.scalar())
    else {
        return ExprKind::Cast(Box::new(operand));
    };
    ExprKind::Literal(Number::read(*bits, from).bits(to))
}
