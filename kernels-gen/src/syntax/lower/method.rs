//! Methods of the intrinsic table, as `x.abs()` or `f32::abs(x)`.

use proc_macro2::Ident;
use syn::ExprMethodCall;

use crate::dtype::Dtype;
use crate::expr::{Expr, ExprKind, Type};
use crate::intrinsic::{self, Intrinsic};

use super::super::infer::Open;
use super::super::nearest;
use super::{Lower, advice};

/// An argument in the IR and as written.
pub(super) type Argument<'a> = (Expr, &'a syn::Expr);

impl<'a> Lower<'a> {
    pub(super) fn method(&mut self, call: &'a ExprMethodCall) -> Expr {
        let receiver = self.expr(&call.receiver);
        let arguments = self.arguments(&call.args);
        if let Some(turbofish) = &call.turbofish {
            return self.refuse(
                turbofish,
                "methods take no types on the device; leave them out",
            );
        }
        match (
            self.infer.shallow(&receiver.ty),
            self.infer.is_open(&receiver.ty),
        ) {
            (Type::Scalar(dtype), _) => {
                self.on_type(dtype, &call.method, (receiver, &*call.receiver), arguments)
            }
            (_, Some(Open::Any | Open::Refused)) => self.nothing(),
            (_, Some(open)) => {
                let example = if open == Open::Float {
                    "1.0_f32"
                } else {
                    "1_i32"
                };
                let message = format!(
                    "the type of this number is not decided here; give it a suffix, such as `{example}`"
                );
                self.refuse(&call.receiver, message)
            }
            (ty, None) => {
                let ty = self.infer.describe(&ty);
                self.refuse(
                    &call.method,
                    format!("{ty} has no methods; take its fields, `.0` and `.1`"),
                )
            }
        }
    }

    pub(super) fn arguments(
        &mut self,
        list: impl IntoIterator<Item = &'a syn::Expr>,
    ) -> Vec<Argument<'a>> {
        let list = list.into_iter();
        list.map(|argument| (self.expr(argument), argument))
            .collect()
    }

    /// The method `name` of `dtype`, called on a receiver of that type.
    pub(super) fn on_type(
        &mut self,
        dtype: &'static Dtype,
        name: &Ident,
        receiver: Argument<'a>,
        arguments: Vec<Argument<'a>>,
    ) -> Expr {
        let word = name.to_string();
        let Some(row) = intrinsic::methods(dtype).find(|row| row.name == word) else {
            return self.refuse(name, missing(dtype, &word));
        };
        if arguments.len() != row.arguments.len() {
            let (wanted, found) = (row.arguments.len(), arguments.len());
            return self.refuse(
                name,
                format!(
                    "`{word}` takes {}, and this call has {found}",
                    count(wanted)
                ),
            );
        }
        self.apply(row, dtype, receiver.0, arguments)
    }

    fn apply(
        &mut self,
        row: &'static Intrinsic,
        dtype: &'static Dtype,
        receiver: Expr,
        arguments: Vec<Argument<'a>>,
    ) -> Expr {
        let mut list = vec![receiver];
        for ((argument, written), slot) in arguments.into_iter().zip(row.arguments) {
            self.expect(
                &slot.resolve(dtype),
                &argument.ty,
                written,
                "the argument has to be",
            );
            list.push(argument);
        }
        Self::node(ExprKind::Call(row, list), row.result.resolve(dtype))
    }
}

fn missing(dtype: &Dtype, word: &str) -> String {
    let name = dtype.name;
    let problem = format!("`{word}` is not a method of `{name}` on the device");
    if let Some(instead) = advice::instead_of_method(word) {
        return format!("{problem}; {instead}");
    }
    let methods: Vec<&str> = intrinsic::methods(dtype).map(|row| row.name).collect();
    match nearest::nearest(word, methods.iter().copied()) {
        Some(meant) => format!("{problem}; did you mean `{meant}`?"),
        None => format!("{problem}: {}", nearest::advice(word, methods)),
    }
}

fn count(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        many => format!("{many} arguments"),
    }
}
