//! What to write instead of what the device does not have.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, Pat};

use crate::dtype::{Dtype, Kind};
use crate::expr::Type;

use super::super::infer::{Infer, Open};
use super::Lower;

pub(super) const MACRO: &str =
    "macros have no meaning on the device; write out what the macro stands for";

/// The attributes that say nothing about what a statement computes.
const SILENT: &[&str] = &["allow", "expect", "warn", "deny", "forbid", "doc"];

impl Lower<'_> {
    /// Refuses attributes that may change what is computed.
    pub(super) fn refuse_attributes(&mut self, attributes: &[Attribute]) {
        for attribute in attributes {
            let is_silent = SILENT.iter().any(|name| attribute.path().is_ident(name));
            if !is_silent {
                self.errors.at(
                    attribute,
                    "this attribute may change the kernel; put it on the whole function",
                );
            }
        }
    }
}

/// The attributes of the forms that a body may have.
pub(super) fn attributes(expr: &Expr) -> &[Attribute] {
    match expr {
        Expr::Group(expr) => &expr.attrs,
        Expr::Paren(expr) => &expr.attrs,
        Expr::Lit(expr) => &expr.attrs,
        Expr::Path(expr) => &expr.attrs,
        Expr::Unary(expr) => &expr.attrs,
        Expr::Binary(expr) => &expr.attrs,
        Expr::Cast(expr) => &expr.attrs,
        Expr::Call(expr) => &expr.attrs,
        Expr::MethodCall(expr) => &expr.attrs,
        Expr::If(expr) => &expr.attrs,
        Expr::Block(expr) => &expr.attrs,
        Expr::Tuple(expr) => &expr.attrs,
        Expr::Field(expr) => &expr.attrs,
        _ => &[],
    }
}

/// A place in an expression that is found without walking through all of it.
pub(super) fn short_span(expr: &Expr) -> Span {
    match expr {
        Expr::Binary(expr) => expr.op.span(),
        Expr::Unary(expr) => expr.op.span(),
        Expr::MethodCall(expr) => expr.method.span(),
        Expr::Cast(expr) => expr.as_token.span,
        Expr::Paren(expr) => expr.paren_token.span.open(),
        Expr::If(expr) => expr.if_token.span,
        Expr::Block(expr) => expr.block.brace_token.span.open(),
        _ => Span::call_site(),
    }
}

/// For the forms of expression that lowering refuses.
pub(super) fn instead_of(expr: &Expr) -> &'static str {
    match expr {
        Expr::Macro(_) => MACRO,
        Expr::Closure(_) => {
            "closures have no place on the device; write their body where it is used"
        }
        Expr::Index(_) => {
            "slices cannot be read on the device; take the element as an input of its own"
        }
        Expr::Array(_) | Expr::Repeat(_) => {
            "arrays have no place on the device; give each value a name with `let`"
        }
        Expr::Reference(_) | Expr::RawAddr(_) => {
            "references have no place on the device; write the value itself"
        }
        Expr::Range(_) => "ranges have no place on the device; compare: `low <= x && x < high`",
        Expr::Struct(_) => "structs are not supported here; write a tuple of two, `(a, b)`",
        Expr::Let(_) => "patterns in conditions have no place on the device; compare: `x == 0.0`",
        Expr::Unsafe(_) => "`unsafe` has no place on the device; write plain arithmetic",
        Expr::Const(_) => "`const` blocks have no place on the device; write the expression itself",
        Expr::Async(_) | Expr::Await(_) => "the device has no `async`; write the value itself",
        Expr::Try(_) | Expr::TryBlock(_) => {
            "`?` has no place on the device; give faults a value of their own, such as NaN"
        }
        _ => "this has no meaning on the device; write arithmetic on the parameters",
    }
}

/// For the patterns that an arm refuses.
pub(super) fn instead_of_arm(pattern: &Pat) -> &'static str {
    match pattern {
        Pat::Ident(_) => "an arm names the value as it is; copy it in the arm: `let mut copy = x;`",
        Pat::Tuple(_) => "tuples have two fields on the device; write `(a, b)`",
        _ => {
            "an arm takes literals, constants, ranges, `|`, `_`, a name, or a tuple of two of these"
        }
    }
}

/// For the patterns that a `let` refuses.
pub(super) fn instead_of_pattern(pattern: &Pat) -> &'static str {
    match pattern {
        Pat::Ident(_) | Pat::Reference(_) => {
            "references have no place on the device; write a plain name"
        }
        Pat::Tuple(_) => "tuples have two fields on the device; write `(a, b)`",
        _ => {
            "a `let` takes a name, `_`, or a tuple of two; take the value apart with `.0` and `.1`"
        }
    }
}

/// For methods that people write out of habit.
pub(super) fn instead_of_method(name: &str) -> Option<&'static str> {
    Some(match name {
        "clone" | "to_owned" => "numbers are copied; leave it out",
        "into" => "name the type that you want, as in `u64::from(x)`",
        "sin_cos" => "write `(x.sin(), x.cos())`",
        "to_radians" => "multiply by `std::f32::consts::PI / 180.0`",
        "to_degrees" => "multiply by `180.0 / std::f32::consts::PI`",
        "partial_cmp" | "cmp" | "total_cmp" => "compare with `<`, `==` and `>`",
        "then" | "then_some" => "write `if condition { .. } else { .. }`",
        "checked_add" | "checked_sub" | "checked_mul" => {
            "write `wrapping_add`, `wrapping_sub`, `wrapping_mul`"
        }
        "wrapping_shl" => "write `x << n`, which takes n modulo the width",
        "wrapping_shr" => "write `x >> n`, which takes n modulo the width",
        "div_euclid" => "write the division and correct it by `rem_euclid`",
        _ => return None,
    })
}

/// For calls of anything but a type's functions.
pub(super) fn instead_of_call(function: &str) -> String {
    match function.rsplit("::").next() {
        Some(name @ ("min" | "max")) if function.contains("cmp") => {
            format!("`{function}` is not known on the device; write `a.{name}(b)`")
        }
        _ => format!("`{function}` cannot be called on the device; write its expression here"),
    }
}

/// How to make `found` what was expected, if there is a short way.
pub(super) fn conversion(infer: &Infer, expected: &Type, found: &Type) -> String {
    match (
        infer.shallow(expected),
        infer.shallow(found),
        infer.is_open(found),
    ) {
        (Type::Scalar(to), _, Some(Open::Integer)) if to.is_float() && !to.half => {
            "; write it with a point, as `1.0`".to_owned()
        }
        (Type::Scalar(to), _, Some(_)) if to.half => format!("; write `{}::from_f32(..)`", to.name),
        (Type::Scalar(to), Type::Scalar(from), _) => cast(to, from),
        _ => String::new(),
    }
}

fn cast(to: &Dtype, from: &Dtype) -> String {
    if from.half || to.half {
        format!(
            "; write `{}` of it",
            if to.half {
                format!("{}::from_f32", to.name)
            } else {
                format!("to_{}", to.name)
            }
        )
    } else if from.kind == Kind::Bool || to.kind == Kind::Bool {
        "; compare, or write an `if`".to_owned()
    } else {
        format!("; cast it: `.. as {}`", to.name)
    }
}
