//! Operators of one and two operands, and casts.

use syn::{BinOp, ExprBinary, ExprCast, ExprUnary, UnOp};

use crate::expr::{BinaryOp, Expr, ExprKind, Type, UnaryOp};

use super::super::types;
use super::Lower;
use super::rule::Demand;

impl<'a> Lower<'a> {
    pub(super) fn unary(&mut self, whole: &'a syn::Expr, unary: &'a ExprUnary) -> Expr {
        let (op, demand) = match unary.op {
            UnOp::Neg(_) => (UnaryOp::Neg, Demand::Negate),
            UnOp::Not(_) => (UnaryOp::Not, Demand::Not),
            _ => {
                return self.refuse(
                    whole,
                    "there is nothing to dereference on the device; write the value itself, or `x.powf(y)` for a power",
                );
            }
        };
        let operand = self.expr(&unary.expr);
        let ty = operand.ty.clone();
        self.demand(whole, demand, &ty);
        Self::node(ExprKind::Unary(op, Box::new(operand)), ty)
    }

    pub(super) fn binary(&mut self, whole: &'a syn::Expr, binary: &'a ExprBinary) -> Expr {
        let Some(op) = binary_op(&binary.op) else {
            return self.assign_with(whole, binary);
        };
        let left = self.expr(&binary.left);
        let right = self.expr(&binary.right);
        self.operation(whole, op, (left, &binary.left), (right, &binary.right))
    }

    /// Two lowered operands, each with what was written, under an operator.
    pub(super) fn operation(
        &mut self,
        whole: &'a syn::Expr,
        op: BinaryOp,
        (left, left_written): (Expr, &'a syn::Expr),
        (right, right_written): (Expr, &'a syn::Expr),
    ) -> Expr {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.expect(
                    &Type::bool(),
                    &left.ty,
                    left_written,
                    "a condition has to be",
                );
                self.expect(
                    &Type::bool(),
                    &right.ty,
                    right_written,
                    "a condition has to be",
                );
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                self.demand(whole, Demand::Shift, &left.ty);
                self.demand(whole, Demand::Shift, &right.ty);
            }
            _ => {
                self.expect(&left.ty, &right.ty, right_written, "the left operand is");
                self.demand(whole, Demand::of(op), &left.ty);
            }
        }
        Expr::binary(op, left, right)
    }

    pub(super) fn cast(&mut self, whole: &'a syn::Expr, cast: &'a ExprCast) -> Expr {
        let operand = self.expr(&cast.expr);
        let to = match types::lower(&cast.ty) {
            Ok(to) => to,
            Err(error) => {
                self.errors.add(error);
                return self.nothing();
            }
        };
        // As in rustc, a literal takes the type that it is cast to, if it is of that kind.
        if is_signed_literal(&cast.expr) {
            self.infer.unify(&to, &operand.ty);
        }
        self.demand(whole, Demand::Cast(to.clone()), &operand.ty);
        Self::node(ExprKind::Cast(Box::new(operand)), to)
    }
}

fn binary_op(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::Add(_) => BinaryOp::Add,
        BinOp::Sub(_) => BinaryOp::Sub,
        BinOp::Mul(_) => BinaryOp::Mul,
        BinOp::Div(_) => BinaryOp::Div,
        BinOp::Rem(_) => BinaryOp::Rem,
        BinOp::BitAnd(_) => BinaryOp::BitAnd,
        BinOp::BitOr(_) => BinaryOp::BitOr,
        BinOp::BitXor(_) => BinaryOp::BitXor,
        BinOp::Shl(_) => BinaryOp::Shl,
        BinOp::Shr(_) => BinaryOp::Shr,
        BinOp::And(_) => BinaryOp::And,
        BinOp::Or(_) => BinaryOp::Or,
        BinOp::Eq(_) => BinaryOp::Eq,
        BinOp::Ne(_) => BinaryOp::Ne,
        BinOp::Lt(_) => BinaryOp::Lt,
        BinOp::Le(_) => BinaryOp::Le,
        BinOp::Gt(_) => BinaryOp::Gt,
        BinOp::Ge(_) => BinaryOp::Ge,
        _ => return None,
    })
}

/// The operator of `+=` and its like.
pub(super) fn assigned_op(op: &BinOp) -> Option<BinaryOp> {
    Some(match op {
        BinOp::AddAssign(_) => BinaryOp::Add,
        BinOp::SubAssign(_) => BinaryOp::Sub,
        BinOp::MulAssign(_) => BinaryOp::Mul,
        BinOp::DivAssign(_) => BinaryOp::Div,
        BinOp::RemAssign(_) => BinaryOp::Rem,
        BinOp::BitAndAssign(_) => BinaryOp::BitAnd,
        BinOp::BitOrAssign(_) => BinaryOp::BitOr,
        BinOp::BitXorAssign(_) => BinaryOp::BitXor,
        BinOp::ShlAssign(_) => BinaryOp::Shl,
        BinOp::ShrAssign(_) => BinaryOp::Shr,
        _ => return None,
    })
}

/// A literal behind signs, parentheses and braces.
fn is_signed_literal(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Lit(_) => true,
        syn::Expr::Group(group) => is_signed_literal(&group.expr),
        syn::Expr::Paren(paren) => is_signed_literal(&paren.expr),
        syn::Expr::Unary(unary) => is_signed_literal(&unary.expr),
        syn::Expr::Block(block) => match block.block.stmts.last() {
            Some(syn::Stmt::Expr(value, None)) => is_signed_literal(value),
            _ => false,
        },
        _ => false,
    }
}
