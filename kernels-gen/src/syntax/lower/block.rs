//! Statements, blocks, branches and tuples.

use quote::ToTokens;
use syn::{ExprBlock, ExprField, ExprIf, ExprTuple, Local, Member, Pat, Stmt};

use crate::expr::{Block, Expr, ExprKind, Statement, Type};

use super::super::infer::Open;
use super::super::types;
use super::{Lower, advice};

/// What to point at when a block's value is at fault.
pub(super) fn end_of(block: &syn::Block) -> &dyn ToTokens {
    block
        .stmts
        .last()
        .map_or(block, |last| last as &dyn ToTokens)
}

impl<'a> Lower<'a> {
    /// A block in a scope of its own, and the type of its value.
    pub(super) fn body(&mut self, block: &'a syn::Block) -> (Block, Type) {
        let mark = self.scope.mark();
        let mut lowered = Block::default();
        let last = block.stmts.len().saturating_sub(1);
        let mut value = None;
        for (k, statement) in block.stmts.iter().enumerate() {
            match statement {
                Stmt::Expr(expr, None) if k == last => value = Some(self.expr(expr)),
                other => self.statement(other, &mut lowered.statements),
            }
        }
        self.scope.release(mark);
        let ty = value.as_ref().map_or(Type::Unit, |value| value.ty.clone());
        match value {
            Some(value) if ty == Type::Unit => lowered.statements.push(Statement::Expr(value)),
            value => lowered.value = value.map(Box::new),
        }
        (lowered, ty)
    }

    fn statement(&mut self, statement: &'a Stmt, to: &mut Vec<Statement>) {
        match statement {
            // A semicolon alone.
            Stmt::Expr(syn::Expr::Verbatim(nothing), _) if nothing.is_empty() => {}
            Stmt::Local(local) => self.local(local, to),
            Stmt::Expr(expr, _) => {
                let value = self.expr(expr);
                to.push(Statement::Expr(value));
            }
            Stmt::Item(item) => {
                self.errors.at(item, "items have no place in a body for the device; write the value or the expression itself");
            }
            Stmt::Macro(call) => self.errors.at(&call.mac, advice::MACRO),
        }
    }

    fn local(&mut self, local: &'a Local, to: &mut Vec<Statement>) {
        self.refuse_attributes(&local.attrs);
        let Some(init) = &local.init else {
            self.errors
                .at(local, "a value is missing; write `let name = value;`");
            let ty = self.infer.open(Open::Refused);
            self.declare_all(&local.pat, &ty);
            return;
        };
        if let Some((token, _)) = &init.diverge {
            self.errors.at(
                token,
                "`let .. else` has no place on the device; write an `if`",
            );
        }
        let (pattern, ascribed) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pattern => (pattern, None),
        };
        let value = self.expr(&init.expr);
        if let Some(ty) = ascribed {
            let ty = self.ascribed(ty);
            self.expect(&ty, &value.ty, &*init.expr, "the type says");
        }
        if self.infer.shallow(&value.ty) == Type::Unit {
            self.errors.at(
                &init.expr,
                "this has no value; end it with an expression without `;`",
            );
        }
        self.bind(pattern, value, to);
    }

    /// A type after `:`, in which `_` is open.
    fn ascribed(&mut self, ty: &syn::Type) -> Type {
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
    fn bind(&mut self, pattern: &'a Pat, value: Expr, to: &mut Vec<Statement>) {
        match pattern {
            Pat::Paren(paren) => self.bind(&paren.pat, value, to),
            Pat::Wild(_) => to.push(Statement::Expr(value)),
            Pat::Ident(name)
                if name.by_ref.is_none() && name.mutability.is_none() && name.subpat.is_none() =>
            {
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
    fn bind_fields(&mut self, pattern: &'a syn::PatTuple, value: Expr, to: &mut Vec<Statement>) {
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

    pub(super) fn block_expr(&mut self, block: &'a ExprBlock) -> Expr {
        if let Some(label) = &block.label {
            return self.refuse(
                label,
                "labels have no place on the device; write an `if` with a value",
            );
        }
        let (lowered, ty) = self.body(&block.block);
        Self::node(ExprKind::Block(lowered), ty)
    }

    pub(super) fn branch(&mut self, branch: &'a ExprIf) -> Expr {
        let condition = match &*branch.cond {
            syn::Expr::Let(pattern) => self.refuse(
                pattern,
                "`if let` has no place on the device; compare: `if x == 0.0`",
            ),
            condition => self.expr(condition),
        };
        self.expect(
            &Type::bool(),
            &condition.ty,
            &branch.cond,
            "a condition has to be",
        );
        let (yes, ty) = self.body(&branch.then_branch);
        let no = match &branch.else_branch {
            None => {
                self.expect(
                    &ty,
                    &Type::Unit,
                    &branch.if_token,
                    "without `else`, an `if` has no value; the branch gives",
                );
                Block::default()
            }
            Some((_, other)) => {
                let (no, other_ty) = self.otherwise(other);
                self.expect(&ty, &other_ty, &**other, "the first branch gives");
                no
            }
        };
        Self::node(ExprKind::If(Box::new(condition), yes, no), ty)
    }

    fn otherwise(&mut self, other: &'a syn::Expr) -> (Block, Type) {
        match other {
            syn::Expr::Block(block) if block.label.is_none() => self.body(&block.block),
            other => {
                let value = self.expr(other);
                let ty = value.ty.clone();
                (Block::of(value), ty)
            }
        }
    }

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
