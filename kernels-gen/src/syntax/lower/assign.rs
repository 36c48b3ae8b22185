//! New values for locals.

use syn::{ExprAssign, ExprBinary, Member};

use crate::expr::{Block, Expr, ExprKind, Statement, Type};
use crate::render::is_plain;

use super::super::infer::Open;
use super::Lower;
use super::block::step;
use super::operator::assigned_op;

const PLACES: &str =
    "only locals and their fields take new values on the device; write `name = value;`";

/// A local or a field of one.
struct Place {
    name: String,
    path: Vec<usize>,
    /// Its value.
    value: Expr,
}

impl<'a> Lower<'a> {
    /// `place = value`.
    pub(super) fn assign(&mut self, assign: &'a ExprAssign) -> Expr {
        let mut statements = Vec::new();
        let value = self.expr(&assign.right);
        self.assign_to(&assign.left, value, &assign.right, &mut statements);
        Self::steps(statements)
    }

    /// `place += value` and its like. As in Rust, the value is computed before the place is read.
    pub(super) fn assign_with(&mut self, whole: &'a syn::Expr, binary: &'a ExprBinary) -> Expr {
        let Some(op) = assigned_op(&binary.op) else {
            return self.nothing();
        };
        let mut statements = Vec::new();
        let mut right = self.expr(&binary.right);
        let Some(place) = self.place(&binary.left) else {
            return self.nothing();
        };
        if !is_plain(&right) {
            let name = self.scope.fresh("term");
            let local = Expr::local(&name, right.ty.clone());
            statements.push(Statement::Let(name, std::mem::replace(&mut right, local)));
        }
        let value = self.operation(
            whole,
            op,
            (place.value, &binary.left),
            (right, &binary.right),
        );
        statements.push(Statement::Assign(place.name, place.path, value));
        Self::steps(statements)
    }

    /// What has no value but does something.
    pub(super) fn steps(statements: Vec<Statement>) -> Expr {
        let value = None;
        Self::node(ExprKind::Block(Block { statements, value }), Type::Unit)
    }

    fn assign_to(
        &mut self,
        left: &'a syn::Expr,
        value: Expr,
        right: &'a syn::Expr,
        to: &mut Vec<Statement>,
    ) {
        match left {
            syn::Expr::Paren(paren) => self.assign_to(&paren.expr, value, right, to),
            syn::Expr::Group(group) => self.assign_to(&group.expr, value, right, to),
            syn::Expr::Infer(_) => step(value, to),
            syn::Expr::Tuple(tuple) if tuple.elems.len() == 2 => {
                let types = [self.infer.open(Open::Any), self.infer.open(Open::Any)];
                let pair = Type::Tuple(types.to_vec());
                self.expect(&pair, &value.ty, right, "the places take");
                let whole = self.scope.fresh("pair");
                let local = Expr::local(&whole, pair);
                to.push(Statement::Let(whole, value));
                for (k, (left, ty)) in tuple.elems.iter().zip(types).enumerate() {
                    let field = Self::node(ExprKind::Field(Box::new(local.clone()), k), ty);
                    self.assign_to(left, field, right, to);
                }
            }
            left => {
                let Some(place) = self.place(left) else {
                    return;
                };
                self.expect(&place.value.ty, &value.ty, right, "the variable is");
                to.push(Statement::Assign(place.name, place.path, value));
            }
        }
    }

    /// The local that an expression names, and the way to a field of it; anything else is refused.
    fn place(&mut self, expr: &'a syn::Expr) -> Option<Place> {
        match expr {
            syn::Expr::Paren(paren) => self.place(&paren.expr),
            syn::Expr::Group(group) => self.place(&group.expr),
            syn::Expr::Path(path) => {
                let value = self.path(path);
                let ExprKind::Local(name) = &value.kind else {
                    if self.infer.is_open(&value.ty) != Some(Open::Refused) {
                        self.errors.at(expr, PLACES);
                    }
                    return None;
                };
                let (name, path) = (name.clone(), Vec::new());
                Some(Place { name, path, value })
            }
            syn::Expr::Field(field) => {
                let mut place = self.place(&field.base)?;
                place.value = self.field_of(place.value, field);
                let Member::Unnamed(index) = &field.member else {
                    return None;
                };
                place.path.push(index.index as usize);
                Some(place)
            }
            other => {
                self.errors.at(other, PLACES);
                None
            }
        }
    }
}
