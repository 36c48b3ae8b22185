//! `match`, as a chain of branches.

use proc_macro2::Ident;
use syn::{ExprMatch, Lit, Pat, PatLit, RangeLimits};

use crate::expr::{BinaryOp, Block, Expr, ExprKind, Statement, Type, UnaryOp};

use super::super::infer::Open;
use super::literal::Value;
use super::{Lower, advice};

impl<'a> Lower<'a> {
    pub(super) fn arms(&mut self, choice: &'a ExprMatch) -> Expr {
        let value = self.expr(&choice.expr);
        let mut before = Vec::new();
        let patterns: Vec<_> = choice.arms.iter().map(|arm| &arm.pat).collect();
        let value = self.matched(value, &patterns, &mut before);
        let ty = self.infer.open(Open::Never);
        // The last arm takes what is left: rustc has seen to it that there is one for every value.
        let mut chain = None;
        let arms: Vec<_> = choice
            .arms
            .iter()
            .map(|arm| self.arm(arm, &value, &ty))
            .collect();
        for (test, body) in arms.into_iter().rev() {
            chain = Some(match (test, chain) {
                (Some(test), Some(rest)) => {
                    let kind = ExprKind::If(Box::new(test), body, rest);
                    Block::of(Self::node(kind, ty.clone()))
                }
                (_, _) => body,
            });
        }
        let mut block = chain.unwrap_or_default();
        block.statements.splice(..0, before);
        match block.value {
            Some(value) if block.statements.is_empty() => *value,
            _ => Self::node(ExprKind::Block(block), ty),
        }
    }

    /// The value under a name, or a tuple of names where patterns take it apart: what the arms do to a local, the names
    /// that they bind do not see.
    fn matched(&mut self, value: Expr, patterns: &[&'a Pat], to: &mut Vec<Statement>) -> Expr {
        let is_apart = patterns.iter().any(|pattern| is_tuple(pattern));
        match value.kind {
            ExprKind::Local(_)
                if !is_apart && !patterns.iter().any(|pattern| has_name(pattern)) =>
            {
                value
            }
            ExprKind::Tuple(fields) if is_apart => {
                let fields = fields
                    .into_iter()
                    .map(|field| self.named("matched", field, to));
                Self::node(ExprKind::Tuple(fields.collect()), value.ty)
            }
            _ if is_apart => {
                let types = [self.infer.open(Open::Any), self.infer.open(Open::Any)];
                if !self.infer.unify(&Type::Tuple(types.to_vec()), &value.ty) {
                    return value;
                }
                let whole = self.named("pair", value, to);
                let fields = types.into_iter().enumerate().map(|(k, ty)| {
                    let field = Self::node(ExprKind::Field(Box::new(whole.clone()), k), ty);
                    self.named("matched", field, to)
                });
                Self::node(ExprKind::Tuple(fields.collect()), whole.ty.clone())
            }
            _ => self.named("matched", value, to),
        }
    }

    /// The value under a new name.
    fn named(&mut self, like: &str, value: Expr, to: &mut Vec<Statement>) -> Expr {
        let name = self.scope.fresh(like);
        let local = Expr::local(&name, value.ty.clone());
        to.push(Statement::Let(name, value));
        local
    }

    /// What selects an arm, `None` for whatever comes, and what it yields.
    fn arm(&mut self, arm: &'a syn::Arm, value: &Expr, ty: &Type) -> (Option<Expr>, Block) {
        self.refuse_attributes(&arm.attrs);
        let mark = self.scope.mark();
        let test = self.test(&arm.pat, value);
        let lowered = self.expr(&arm.body);
        self.scope.release(mark);
        self.expect(ty, &lowered.ty, &*arm.body, "the first arm gives");
        (test, self.block_of(lowered))
    }

    /// The condition under which a pattern takes the value; its names are visible from here on.
    fn test(&mut self, pattern: &'a Pat, value: &Expr) -> Option<Expr> {
        match pattern {
            Pat::Wild(_) => None,
            Pat::Paren(paren) => self.test(&paren.pat, value),
            Pat::Guard(guarded) => {
                let test = self.test(&guarded.pat, value);
                let guard = self.condition(&guarded.guard);
                Some(match test {
                    Some(test) => Expr::binary(BinaryOp::And, test, guard),
                    None => guard,
                })
            }
            Pat::Ident(name)
                if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() =>
            {
                self.arm_name(&name.ident, value);
                None
            }
            Pat::Lit(PatLit {
                lit: Lit::Bool(flag),
                ..
            }) => {
                self.expect(&value.ty, &Type::bool(), pattern, "the value is");
                let not = ExprKind::Unary(UnaryOp::Not, Box::new(value.clone()));
                Some(match flag.value {
                    true => value.clone(),
                    false => Self::node(not, Type::bool()),
                })
            }
            Pat::Lit(literal) => {
                let literal = self.literal(&literal.lit);
                Some(self.compared(BinaryOp::Eq, value, literal, pattern))
            }
            Pat::Path(path) => {
                let constant = self.path(path);
                Some(self.compared(BinaryOp::Eq, value, constant, pattern))
            }
            Pat::Or(either) => {
                let tests: Vec<_> = either
                    .cases
                    .iter()
                    .map(|case| self.test(case, value))
                    .collect();
                let tests: Option<Vec<Expr>> = tests.into_iter().collect();
                tests?
                    .into_iter()
                    .reduce(|a, b| Expr::binary(BinaryOp::Or, a, b))
            }
            Pat::Tuple(tuple) if tuple.elems.len() == 2 => {
                let ExprKind::Tuple(fields) = &value.kind else {
                    // What it is was refused, or is here.
                    self.expect(
                        &Type::Tuple(Vec::new()),
                        &value.ty,
                        pattern,
                        "the pattern takes a tuple, not",
                    );
                    return None;
                };
                let pairs = tuple.elems.iter().zip(fields);
                let tests: Vec<_> = pairs
                    .filter_map(|(pattern, field)| self.test(pattern, field))
                    .collect();
                tests
                    .into_iter()
                    .reduce(|a, b| Expr::binary(BinaryOp::And, a, b))
            }
            Pat::Range(range) => {
                let from = range.start.as_deref().map(|start| {
                    let start = self.expr(start);
                    self.compared(BinaryOp::Ge, value, start, pattern)
                });
                let below = match range.limits {
                    RangeLimits::Closed(_) => BinaryOp::Le,
                    RangeLimits::HalfOpen(_) => BinaryOp::Lt,
                };
                let to = range.end.as_deref().map(|end| {
                    let end = self.expr(end);
                    self.compared(below, value, end, pattern)
                });
                from.into_iter()
                    .chain(to)
                    .reduce(|a, b| Expr::binary(BinaryOp::And, a, b))
            }
            other => {
                self.errors.at(other, advice::instead_of_arm(other));
                self.declare_all(other, &value.ty.clone());
                Some(self.value(Value::Bits(0), Type::bool()))
            }
        }
    }

    fn compared(&mut self, op: BinaryOp, value: &Expr, with: Expr, pattern: &'a Pat) -> Expr {
        self.expect(&value.ty, &with.ty, pattern, "the value is");
        Expr::binary(op, value.clone(), with)
    }

    /// A name for the matched value in an arm.
    fn arm_name(&mut self, name: &Ident, value: &Expr) {
        if name.to_string().starts_with(char::is_uppercase) {
            self.errors.at(
                name,
                "constants of your own are not known on the device; write the value",
            );
        }
        match &value.kind {
            ExprKind::Local(local) => self.scope.alias(name, local.clone(), value.ty.clone()),
            _ => {
                self.errors.at(
                    name,
                    "arms that take a tuple apart name its fields, not the whole; write `(a, b)`",
                );
                self.scope.declare(name, value.ty.clone());
            }
        }
    }
}

/// Whether a pattern takes a tuple apart.
fn is_tuple(pattern: &Pat) -> bool {
    match pattern {
        Pat::Tuple(_) => true,
        Pat::Paren(paren) => is_tuple(&paren.pat),
        Pat::Guard(guarded) => is_tuple(&guarded.pat),
        Pat::Or(either) => either.cases.iter().any(is_tuple),
        _ => false,
    }
}

/// Whether a pattern gives the value a name.
fn has_name(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(_) => true,
        Pat::Paren(paren) => has_name(&paren.pat),
        Pat::Guard(guarded) => has_name(&guarded.pat),
        Pat::Or(either) => either.cases.iter().any(has_name),
        Pat::Tuple(tuple) => tuple.elems.iter().any(has_name),
        _ => false,
    }
}
