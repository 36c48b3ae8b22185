//! A function's body as the typed IR. Each form of expression has its file; what has no meaning on
//! the device is refused at its span, in one message that says what to write instead.
//!
//! Lowering leaves types open ([`super::infer`]), literals without bits, and operators unchecked:
//! [`Lower::finish`] settles all three once the whole body is known.

mod advice;
mod arms;
mod assign;
mod block;
mod call;
mod literal;
mod method;
mod operator;
mod path;
mod pattern;
mod repeat;
mod rule;
mod settle;
mod tuple;

use crate::expr::{Block, Expr, ExprKind, Function, Type};

use super::errors::Errors;
use super::infer::{Infer, Open};
use super::scope::Scope;
use super::signature::Signature;
use super::types;
pub(super) use path::names_type;
pub(super) use settle::negated;

use literal::Value;
use repeat::Exits;
use rule::Rule;

/// How deep expressions may nest; a sum of this many terms is this deep.
const DEEPEST: usize = 1000;

/// Lowers one function.
struct Lower<'a> {
    errors: &'a Errors,
    infer: Infer,
    scope: Scope,
    /// The values of literals; a literal's node holds its place here until the end.
    values: Vec<Value>,
    /// What operators ask of types that may not be decided yet.
    rules: Vec<Rule<'a>>,
    exits: Exits,
    depth: usize,
    is_too_deep: bool,
}

/// The function in the IR. After a fault, which is in `errors`, it means nothing.
pub(crate) fn function(signature: &Signature, body: &syn::Block, errors: &Errors) -> Function {
    let mut lower = Lower::new(errors);
    let parameters = signature.parameters.iter().map(|parameter| {
        let ty = parameter.ty.clone();
        let name = match &parameter.name {
            Some(name) => lower.scope.declare(name, ty.clone()),
            None => lower.scope.fresh("unused"),
        };
        (name, ty)
    });
    let parameters = parameters.collect();
    lower.exits.result = Some(signature.result.clone());
    let (block, ty) = lower.body(body);
    lower.expect(
        &signature.result,
        &ty,
        block::end_of(body),
        "the function returns",
    );
    Function {
        parameters,
        result: signature.result.clone(),
        body: lower.finish(block),
    }
}

/// Reports what the body has that the device has not, where the signature was not understood.
pub(crate) fn faults(function: &syn::ItemFn, errors: &Errors) {
    let mut lower = Lower::new(errors);
    for input in &function.sig.inputs {
        if let syn::FnArg::Typed(parameter) = input {
            let ty =
                types::lower(&parameter.ty).unwrap_or_else(|_| lower.infer.open(Open::Refused));
            lower.declare_all(&parameter.pat, &ty);
        }
    }
    let (block, _) = lower.body(&function.block);
    lower.finish(block);
}

/// A constant of type `expected` in the IR, for identities.
pub(crate) fn constant(value: &syn::Expr, expected: &Type, errors: &Errors) -> Expr {
    let mut lower = Lower::new(errors);
    let expr = lower.expr(value);
    lower.expect(expected, &expr.ty, value, "the operator folds");
    let block = lower.finish(Block::of(expr));
    block
        .value
        .map_or_else(|| Expr::literal(0, expected.clone()), |value| *value)
}

impl<'a> Lower<'a> {
    fn new(errors: &'a Errors) -> Lower<'a> {
        Lower {
            errors,
            infer: Infer::default(),
            scope: Scope::default(),
            values: Vec::new(),
            rules: Vec::new(),
            exits: Exits::default(),
            depth: 0,
            is_too_deep: false,
        }
    }

    fn expr(&mut self, expr: &'a syn::Expr) -> Expr {
        if self.depth == DEEPEST {
            return self.too_deep(expr);
        }
        self.depth += 1;
        let lowered = self.form(expr);
        self.depth -= 1;
        lowered
    }

    /// Reported once, however many branches are this deep.
    fn too_deep(&mut self, expr: &syn::Expr) -> Expr {
        if !std::mem::replace(&mut self.is_too_deep, true) {
            self.errors.add(syn::Error::new(
                advice::short_span(expr),
                "this nests too deeply; give parts of it names with `let`",
            ));
        }
        self.nothing()
    }

    fn form(&mut self, expr: &'a syn::Expr) -> Expr {
        self.refuse_attributes(advice::attributes(expr));
        match expr {
            syn::Expr::Group(group) => self.expr(&group.expr),
            syn::Expr::Paren(paren) => self.expr(&paren.expr),
            syn::Expr::Lit(literal) => self.literal(&literal.lit),
            syn::Expr::Path(path) => self.path(path),
            syn::Expr::Unary(unary) => self.unary(expr, unary),
            syn::Expr::Binary(binary) => self.binary(expr, binary),
            syn::Expr::Cast(cast) => self.cast(expr, cast),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::If(branch) => self.branch(branch),
            syn::Expr::Match(choice) => self.arms(choice),
            syn::Expr::Block(block) => self.block_expr(block),
            syn::Expr::Assign(assign) => self.assign(assign),
            syn::Expr::ForLoop(each) => self.for_loop(each),
            syn::Expr::While(repeat) => self.while_loop(repeat),
            syn::Expr::Loop(repeat) => self.endless_loop(repeat),
            syn::Expr::Break(leave) => self.break_loop(leave),
            syn::Expr::Continue(next) => self.continue_loop(next),
            syn::Expr::Return(leave) => self.return_value(leave),
            syn::Expr::Tuple(tuple) => self.tuple(tuple),
            syn::Expr::Field(field) => self.field(field),
            other => self.refuse(other, advice::instead_of(other)),
        }
    }

    /// Reports a fault; the expression that stands in its place fits everywhere, so that the fault
    /// is reported once.
    fn refuse(&mut self, tokens: impl quote::ToTokens, message: impl std::fmt::Display) -> Expr {
        self.errors.at(tokens, message);
        self.nothing()
    }

    fn nothing(&mut self) -> Expr {
        let ty = self.infer.open(Open::Refused);
        self.value(Value::Bits(0), ty)
    }

    fn value(&mut self, value: Value, ty: Type) -> Expr {
        self.values.push(value);
        Expr::literal(self.values.len() as u64 - 1, ty)
    }

    /// Makes `found` the expected type; reports where it cannot be.
    fn expect(&mut self, expected: &Type, found: &Type, tokens: impl quote::ToTokens, what: &str) {
        if self.infer.unify(expected, found) {
            return;
        }
        let (wanted, got) = (self.infer.describe(expected), self.infer.describe(found));
        let advice = advice::conversion(&self.infer, expected, found);
        self.errors.at(
            tokens,
            format!("{what} {wanted}, and this is {got}{advice}"),
        );
        self.infer.give_up(expected);
        self.infer.give_up(found);
    }

    fn node(kind: ExprKind, ty: Type) -> Expr {
        Expr { kind, ty }
    }
}
