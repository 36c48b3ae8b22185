//! What a `let` names: patterns and the types written after them.

use syn::{Pat, PatTuple};

use crate::expr::{Expr, ExprKind, Statement, Type};

use super::super::infer::Open;
use super::super::types;
use super::block::step;
use super::{Lower, advice};

impl<'a> Lower<'a> {
    /// A type after `:`, in which `_` is open.
    pub(super) fn ascribed(&mut self, ty: &syn::Type) -> Type {
        match ty {
            syn::Type::Infer(_) => self.infer.open(Open::Any),
            syn::Type::Tuple(tuple) if tuple.elems.len() == 2 => Type::Tuple(
                tuple
                    .elems
                    .iter()
                    .map(|field| self.ascribed(field))
                    .collect(),
            ),
            ty => types::lower(ty).unwrap_or_else(|error| {
                self.errors.add(error);
                self.infer.open(Open::Refused)
            }),
        }
    }

    /// Gives the names of a pattern their values.
    pub(super) fn bind(&mut self, pattern: &'a Pat, value: Expr, to: &mut Vec<Statement>) {
        match pattern {
            Pat::Paren(paren) => self.bind(&paren.pat, value, to),
            Pat::Wild(_) => step(value, to),
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let local = self.scope.declare(&name.ident, value.ty.clone());
                to.push(Statement::Let(local, value));
            }
            Pat::Tuple(tuple) if tuple.elems.len() == 2 => self.bind_fields(tuple, value, to),
            other => {
                self.errors.at(other, advice::instead_of_pattern(other));
                self.declare_all(other, &value.ty);
            }
        }
    }

    /// `let (a, b) = value;`. The fields of a tuple expression are bound one by one, any other value
    /// once, under a name of its own.
    fn bind_fields(&mut self, pattern: &'a PatTuple, value: Expr, to: &mut Vec<Statement>) {
        let types = [self.infer.open(Open::Any), self.infer.open(Open::Any)];
        let pair = Type::Tuple(types.to_vec());
        self.expect(&pair, &value.ty, pattern, "the pattern takes");
        let fields = match value.kind {
            ExprKind::Tuple(fields) => fields,
            _ => {
                let whole = self.scope.fresh("pair");
                let local = Expr::local(&whole, pair);
                to.push(Statement::Let(whole, value));
                let field = |(k, ty)| Self::node(ExprKind::Field(Box::new(local.clone()), k), ty);
                types.into_iter().enumerate().map(field).collect()
            }
        };
        for (pattern, field) in pattern.elems.iter().zip(fields) {
            self.bind(pattern, field, to);
        }
    }

    /// Makes the names of a refused pattern known, so that their uses are not faults too.
    pub(super) fn declare_all(&mut self, pattern: &Pat, ty: &Type) {
        if let Pat::Ident(name) = pattern {
            self.scope.declare(&name.ident, ty.clone());
            return;
        }
        let parts: Vec<&Pat> = match pattern {
            Pat::Type(typed) => vec![&typed.pat],
            Pat::Paren(paren) => vec![&paren.pat],
            Pat::Reference(reference) => vec![&reference.pat],
            Pat::Tuple(tuple) => tuple.elems.iter().collect(),
            Pat::TupleStruct(tuple) => tuple.elems.iter().collect(),
            Pat::Struct(fields) => fields.fields.iter().map(|field| &*field.pat).collect(),
            _ => Vec::new(),
        };
        for part in parts {
            let ty = self.infer.open(Open::Refused);
            self.declare_all(part, &ty);
        }
    }
}
