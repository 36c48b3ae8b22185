//! Tuples and their fields.

use syn::{ExprField, ExprTuple, Member};

use crate::expr::{Expr, ExprKind, Type};

use super::super::infer::Open;
use super::Lower;

impl<'a> Lower<'a> {
    pub(super) fn tuple(&mut self, tuple: &'a ExprTuple) -> Expr {
        let fields: Vec<Expr> = tuple.elems.iter().map(|field| self.expr(field)).collect();
        if fields.len() != 2 {
            return self.refuse(
                tuple,
                "tuples have two fields on the device; give the values names with `let`",
            );
        }
        let ty = Type::Tuple(fields.iter().map(|field| field.ty.clone()).collect());
        Self::node(ExprKind::Tuple(fields), ty)
    }

    pub(super) fn field(&mut self, field: &'a ExprField) -> Expr {
        let base = self.expr(&field.base);
        self.field_of(base, field)
    }

    /// The field of a lowered tuple.
    pub(super) fn field_of(&mut self, base: Expr, field: &'a ExprField) -> Expr {
        if self.infer.is_open(&base.ty) == Some(Open::Refused) {
            return self.nothing();
        }
        let found = match (self.infer.shallow(&base.ty), &field.member) {
            (Type::Tuple(fields), Member::Unnamed(index)) => {
                let position = index.index as usize;
                fields.get(position).map(|ty| (position, ty.clone()))
            }
            _ => None,
        };
        let Some((position, ty)) = found else {
            let ty = self.infer.describe(&base.ty);
            return self.refuse(
                &field.member,
                format!("{ty} has no such field; tuples have `.0` and `.1`"),
            );
        };
        Self::node(ExprKind::Field(Box::new(base), position), ty)
    }
}
