//! The IR as text: CUDA C for the kernel, Rust for its host twin. Both say the same.

pub mod cuda;
pub mod rust;

use crate::expr::{BinaryOp, Block, Expr, ExprKind};

/// What becomes of a value once it is computed.
#[derive(Clone, Copy)]
enum Target<'a> {
    /// It is the function's result.
    Return,
    /// It is stored in a declared local.
    Local(&'a str),
    /// It is dropped.
    Discard,
}

/// Whether the expression can be written as one C expression, without statements before it.
pub(crate) fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) => true,
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, _) => is_plain(a),
        ExprKind::Binary(_, a, b) => is_plain(a) && is_plain(b),
        ExprKind::Call(_, list) | ExprKind::Tuple(list) => list.iter().all(is_plain),
        ExprKind::If(condition, yes, no) => {
            is_plain(condition) && is_plain_block(yes) && is_plain_block(no)
        }
        ExprKind::Block(block) => is_plain_block(block),
    }
}

/// Whether a condition is the literal `true`.
fn is_always(condition: &Expr) -> bool {
    matches!(condition.kind, ExprKind::Literal(bits) if bits != 0)
}

fn is_plain_block(block: &Block) -> bool {
    block.statements.is_empty() && block.value.as_deref().is_some_and(is_plain)
}

/// The operator and right side of `place = place op right`, which is written `place op= right`.
fn in_place<'a>(name: &str, path: &[usize], value: &'a Expr) -> Option<(BinaryOp, &'a Expr)> {
    let ExprKind::Binary(op, left, right) = &value.kind else {
        return None;
    };
    let has_form = !op.is_comparison() && !matches!(op, BinaryOp::And | BinaryOp::Or);
    (has_form && is_plain(right) && is_place(left, name, path)).then_some((*op, right))
}

fn is_place(expr: &Expr, name: &str, path: &[usize]) -> bool {
    match (&expr.kind, path) {
        (ExprKind::Local(local), []) => local == name,
        (ExprKind::Field(base, field), [outer @ .., last]) => {
            field == last && is_place(base, name, outer)
        }
        _ => false,
    }
}
