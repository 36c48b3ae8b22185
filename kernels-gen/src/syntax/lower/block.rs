//! Blocks, the statements in them, and branches.

use quote::ToTokens;
use syn::{ExprBlock, ExprIf, Local, Pat, Stmt};

use crate::expr::{Block, Expr, ExprKind, Statement, Type};

use super::super::infer::Open;
use super::{Lower, advice, repeat};

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

/// Whether it is steps alone.
fn has_no_value(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Block(block) if block.value.is_none())
}

/// The value of a block that is itself a block's value, after the steps before it.
fn opened(value: Expr, to: &mut Vec<Statement>) -> Expr {
    match value.kind {
        ExprKind::Block(Block {
            statements,
            value: Some(inner),
        }) => {
            to.extend(statements);
            opened(*inner, to)
        }
        kind => Expr { kind, ty: value.ty },
    }
}

/// Adds an expression for what it does; a local alone does nothing.
pub(super) fn step(expr: Expr, to: &mut Vec<Statement>) {
    match expr.kind {
        ExprKind::Local(_) => {}
        // Names are unique in a function, so a scope less changes nothing.
        ExprKind::Block(block) if block.value.is_none() => to.extend(block.statements),
        _ => to.push(Statement::Expr(expr)),
    }
}

impl<'a> Lower<'a> {
    /// A block in a scope of its own, and the type of its value.
    pub(super) fn body(&mut self, block: &'a syn::Block) -> (Block, Type) {
        let mark = self.scope.mark();
        let mut lowered = Block::default();
        let (before, value) = split_value(block);
        let mut last = Type::Unit;
        for statement in before {
            last = self.statement(statement, &mut lowered.statements);
        }
        let value = value.map(|value| {
            let value = self.expr(value);
            opened(value, &mut lowered.statements)
        });
        self.scope.release(mark);
        let ty = match &value {
            Some(value) => value.ty.clone(),
            None => last,
        };
        self.end(value, &mut lowered);
        (lowered, ty)
    }

    /// The end of a block: its value, or one more step.
    fn end(&self, value: Option<Expr>, block: &mut Block) {
        match value {
            Some(value) if has_no_value(&value) || self.infer.shallow(&value.ty) == Type::Unit => {
                step(value, &mut block.statements);
            }
            value => block.value = value.map(Box::new),
        }
    }

    /// An expression as a block of its own.
    pub(super) fn block_of(&self, value: Expr) -> Block {
        let mut block = Block::default();
        match value.kind {
            ExprKind::Block(inner) => block = inner,
            _ => self.end(Some(value), &mut block),
        }
        block
    }

    /// Adds a statement; gives its type, which is none but where it is refused or nothing comes after it.
    fn statement(&mut self, statement: &'a Stmt, to: &mut Vec<Statement>) -> Type {
        match statement {
            // A semicolon alone.
            Stmt::Expr(syn::Expr::Verbatim(nothing), _) if nothing.is_empty() => Type::Unit,
            Stmt::Local(local) => {
                self.local(local, to);
                Type::Unit
            }
            Stmt::Expr(expr, _) => {
                let value = self.expr(expr);
                self.last(value, to)
            }
            Stmt::Item(item) => {
                self.errors.at(item, "items have no place in a body for the device; write the value or the expression itself");
                Type::Unit
            }
            Stmt::Macro(call) => {
                let refused = self.refuse(&call.mac, advice::MACRO);
                self.last(refused, to)
            }
        }
    }

    fn last(&mut self, value: Expr, to: &mut Vec<Statement>) -> Type {
        let is_end = matches!(
            self.infer.is_open(&value.ty),
            Some(Open::Refused | Open::Never)
        );
        let ty = if is_end { value.ty.clone() } else { Type::Unit };
        step(value, to);
        ty
    }

    fn local(&mut self, local: &'a Local, to: &mut Vec<Statement>) {
        self.refuse_attributes(&local.attrs);
        let Some(init) = &local.init else {
            self.later(&local.pat, to);
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
        if self.infer.shallow(&value.ty) == Type::Unit
            || self.infer.is_open(&value.ty) == Some(Open::Never)
        {
            self.errors.at(
                &init.expr,
                "this has no value; end it with an expression without `;`",
            );
        }
        self.bind(pattern, value, to);
    }

    /// `let name;` or `let name: Type;`, which gets its value later.
    fn later(&mut self, pattern: &'a Pat, to: &mut Vec<Statement>) {
        let (pattern, ty) = match pattern {
            Pat::Type(typed) => (&*typed.pat, self.ascribed(&typed.ty)),
            pattern => (pattern, self.infer.open(Open::Any)),
        };
        match pattern {
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                let local = self.scope.declare(&name.ident, ty.clone());
                to.push(Statement::Declare(local, ty));
            }
            other => {
                self.errors
                    .at(other, "a value is missing; write `let name = value;`");
                self.declare_all(other, &ty);
            }
        }
    }

    pub(super) fn block_expr(&mut self, block: &'a ExprBlock) -> Expr {
        if let Some(label) = &block.label {
            return self.refuse(label, repeat::LABELS);
        }
        let (lowered, ty) = self.body(&block.block);
        Self::node(ExprKind::Block(lowered), ty)
    }

    pub(super) fn branch(&mut self, branch: &'a ExprIf) -> Expr {
        let condition = self.condition(&branch.cond);
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

    /// What an `if`, a `while` or a guard asks.
    pub(super) fn condition(&mut self, written: &'a syn::Expr) -> Expr {
        let condition = match written {
            syn::Expr::Let(pattern) => self.refuse(
                pattern,
                "`if let` has no place on the device; compare: `if x == 0.0`",
            ),
            condition => self.expr(condition),
        };
        self.expect(
            &Type::bool(),
            &condition.ty,
            written,
            "a condition has to be",
        );
        condition
    }

    fn otherwise(&mut self, other: &'a syn::Expr) -> (Block, Type) {
        match other {
            syn::Expr::Block(block) if block.label.is_none() => self.body(&block.block),
            other => {
                let value = self.expr(other);
                let ty = value.ty.clone();
                (self.block_of(value), ty)
            }
        }
    }
}
