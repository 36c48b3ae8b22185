//! Loops, and what leaves them or the function.

use syn::{
    ExprBreak, ExprContinue, ExprForLoop, ExprLoop, ExprRange, ExprReturn, ExprWhile, Label, Pat,
    RangeLimits,
};

use crate::expr::{Block, Expr, ExprKind, Range, Statement, Type};

use super::super::infer::Open;
use super::Lower;
use super::literal::Value;
use super::rule::Demand;

const RANGES: &str = "a loop counts through a range on the device: write `for k in 0..n`";

/// The function's result, and the loops around what is lowered, innermost last.
#[derive(Default)]
pub(super) struct Exits {
    /// What the function returns; `None` where the signature was not understood.
    pub(super) result: Option<Type>,
    /// For each loop, whether something breaks out of it.
    loops: Vec<bool>,
}

impl<'a> Lower<'a> {
    pub(super) fn for_loop(&mut self, each: &'a ExprForLoop) -> Expr {
        self.refuse_label(each.label.as_ref());
        let mark = self.scope.mark();
        let Some((range, ty)) = self.range(&each.expr) else {
            let ty = self.infer.open(Open::Refused);
            self.declare_all(&each.pat, &ty);
            self.loop_body(&each.body);
            self.scope.release(mark);
            return self.nothing();
        };
        let mut before = Vec::new();
        let name = match &*each.pat {
            // A count that the body changes is another than the loop's own.
            Pat::Ident(name) if name.mutability.is_none() => self.scope.declare(&name.ident, ty),
            pattern => {
                let name = self.scope.fresh("count");
                self.bind(pattern, Expr::local(&name, ty), &mut before);
                name
            }
        };
        let (mut body, _) = self.loop_body(&each.body);
        self.scope.release(mark);
        body.statements.splice(..0, before);
        Self::steps(vec![Statement::For(name, range, body)])
    }

    /// The bounds of a range and their type.
    fn range(&mut self, expr: &'a syn::Expr) -> Option<(Range, Type)> {
        let range = match expr {
            syn::Expr::Paren(paren) => return self.range(&paren.expr),
            syn::Expr::Group(group) => return self.range(&group.expr),
            syn::Expr::Range(range) => range,
            other => {
                self.errors.at(other, RANGES);
                return None;
            }
        };
        let ExprRange {
            start: Some(start),
            end: Some(end),
            limits,
            ..
        } = range
        else {
            self.errors
                .at(range, "a range needs both ends on the device: write `0..n`");
            return None;
        };
        let (from, to) = (self.expr(start), self.expr(end));
        self.expect(&from.ty, &to.ty, &**end, "the range begins with");
        let ty = from.ty.clone();
        self.demand(start, Demand::Count, &ty);
        let is_inclusive = matches!(limits, RangeLimits::Closed(_));
        Some((
            Range {
                from,
                to,
                is_inclusive,
            },
            ty,
        ))
    }

    pub(super) fn while_loop(&mut self, repeat: &'a ExprWhile) -> Expr {
        self.refuse_label(repeat.label.as_ref());
        let condition = self.condition(&repeat.cond);
        let (body, _) = self.loop_body(&repeat.body);
        Self::steps(vec![Statement::While(condition, body)])
    }

    /// A loop that nothing breaks out of ends with the function.
    pub(super) fn endless_loop(&mut self, repeat: &'a ExprLoop) -> Expr {
        self.refuse_label(repeat.label.as_ref());
        let always = self.value(Value::Bits(1), Type::bool());
        let (body, ends) = self.loop_body(&repeat.body);
        let mut steps = Self::steps(vec![Statement::While(always, body)]);
        if !ends {
            steps.ty = self.infer.open(Open::Never);
        }
        steps
    }

    /// The body, and whether something breaks out of the loop.
    fn loop_body(&mut self, body: &'a syn::Block) -> (Block, bool) {
        self.exits.loops.push(false);
        let (lowered, ty) = self.body(body);
        self.expect(
            &Type::Unit,
            &ty,
            super::block::end_of(body),
            "a loop's body gives",
        );
        (lowered, self.exits.loops.pop().unwrap_or(false))
    }

    pub(super) fn break_loop(&mut self, leave: &'a ExprBreak) -> Expr {
        if let Some(label) = &leave.label {
            return self.refuse(label, LABELS);
        }
        if let Some(value) = &leave.expr {
            return self.refuse(value, "a loop has no value on the device; assign it to a `let mut` before the loop, then `break`");
        }
        if let Some(is_left) = self.exits.loops.last_mut() {
            *is_left = true;
        }
        self.leave(Statement::Break)
    }

    pub(super) fn continue_loop(&mut self, next: &'a ExprContinue) -> Expr {
        match &next.label {
            Some(label) => self.refuse(label, LABELS),
            None => self.leave(Statement::Continue),
        }
    }

    pub(super) fn return_value(&mut self, leave: &'a ExprReturn) -> Expr {
        let Some(value) = &leave.expr else {
            return self.refuse(leave, "the function has a result; write `return value`");
        };
        let lowered = self.expr(value);
        if let Some(result) = self.exits.result.clone() {
            self.expect(&result, &lowered.ty, &**value, "the function returns");
        }
        self.leave(Statement::Return(lowered))
    }

    /// A step after which nothing comes: it fits wherever a value is wanted.
    fn leave(&mut self, step: Statement) -> Expr {
        let ty = self.infer.open(Open::Never);
        let (statements, value) = (vec![step], None);
        Self::node(ExprKind::Block(Block { statements, value }), ty)
    }

    fn refuse_label(&mut self, label: Option<&Label>) {
        if let Some(label) = label {
            self.errors.at(label, LABELS);
        }
    }
}

pub(super) const LABELS: &str =
    "labels have no place on the device; write a condition that ends the loop";
