//! Calls of functions that belong to a type: `f32::max(a, b)`, `f64::from(x)`, `f16::from_f32(x)`.

use proc_macro2::Ident;
use syn::ExprCall;

use crate::dtype::{Dtype, F32, F64};
use crate::expr::{Expr, ExprKind, Type};

use super::super::types;
use super::method::Argument;
use super::rule::Demand;
use super::{Lower, advice, path};

impl<'a> Lower<'a> {
    pub(super) fn call(&mut self, call: &'a ExprCall) -> Expr {
        let arguments = self.arguments(&call.args);
        let target = match &*call.func {
            syn::Expr::Path(function) => path::through_type(function),
            _ => None,
        };
        let Some((dtype, [name])) = target.as_ref().map(|(dtype, names)| (*dtype, &names[..]))
        else {
            let message = advice::instead_of_call(&types::spell(&call.func));
            return self.refuse(&call.func, message);
        };
        self.of_type(dtype, name, call, arguments)
    }

    fn of_type(
        &mut self,
        dtype: &'static Dtype,
        name: &Ident,
        call: &'a ExprCall,
        mut arguments: Vec<Argument<'a>>,
    ) -> Expr {
        let from = match name.to_string().as_str() {
            "from" => None,
            "from_f32" | "from_f32_const" if dtype.half => Some(&F32),
            "from_f64" | "from_f64_const" if dtype.half => Some(&F64),
            _ if arguments.is_empty() => {
                return self.refuse(
                    &call.func,
                    advice::instead_of_call(&types::spell(&call.func)),
                );
            }
            _ => {
                let receiver = arguments.remove(0);
                let ty = Type::Scalar(dtype);
                self.expect(&ty, &receiver.0.ty, receiver.1, "the argument has to be");
                return self.on_type(dtype, name, receiver, arguments);
            }
        };
        let [(value, written)] = &arguments[..] else {
            return self.refuse(name, format!("`{name}` takes one argument"));
        };
        match from {
            Some(from) => self.expect(
                &Type::Scalar(from),
                &value.ty,
                written,
                "the argument has to be",
            ),
            None => self.demand(written, Demand::From(dtype), &value.ty),
        }
        Self::node(ExprKind::Cast(Box::new(value.clone())), Type::Scalar(dtype))
    }
}
