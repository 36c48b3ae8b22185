//! Blocks, the statements in them, and branches.

use quote::ToTokens;
use syn::{ExprBlock, ExprIf, Local, Pat, Stmt};

use crate::expr::{Block, Expr, ExprKind, Statement, Type};

use super::super::infer::Open;
use super::{Lower, advice};

/// What to point at when a block's value is at fault.
pub(super) fn end_of(block: &syn::Block) -> &dyn ToTokens {
    block
        .stmts
        .last()
        .map_or(block, |last| last as &dyn ToTokens)
}

/// The statements of a block and the expression that is its value.
fn split_value(block: &syn::Block) -> (&[Stmt], Option<&syn::Expr>) {
    match block.stmts.split_last() {
        Some((Stmt::Expr(value, None), before)) => (before, Some(value)),
        _ => (&block.stmts, None),
    }
}

impl<'a> Lower<'a> {
    /// A block in a scope of its own, and the type of its value.
    pub(super) fn body(&mut self, block: &'a syn::Block) -> (Block, Type) {
        let mark = self.scope.mark();
        let mut lowered = Block::default();
        let (before, value) = split_value(block);
        for statement in before {
            self.statement(statement, &mut lowered.statements);
        }
        let value = value.map(|value| self.expr(value));
        self.scope.release(mark);
        let ty = match &value {
            Some(value) => value.ty.clone(),
            None => self.type_without_value(lowered.statements.last()),
        };
        match value {
            Some(value) if ty == Type::Unit => lowered.statements.push(Statement::Expr(value)),
            value => lowered.value = value.map(Box::new),
        }
        (lowered, ty)
    }

    /// A block that ends in a statement has no value; if that statement was refused, such as a
    /// `return`, that is fault enough.
    fn type_without_value(&self, last: Option<&Statement>) -> Type {
        match last {
            Some(Statement::Expr(last)) if self.infer.is_open(&last.ty) == Some(Open::Refused) => {
                last.ty.clone()
            }
            _ => Type::Unit,
        }
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
            Stmt::Macro(call) => {
                let refused = self.refuse(&call.mac, advice::MACRO);
                to.push(Statement::Expr(refused));
            }
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
                    branch.if_token,
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
}
