//! Names: parameters, locals, and the constants of the types.

use proc_macro2::Ident;
use syn::ExprPath;

use crate::dtype::Dtype;
use crate::expr::{Expr, Type};

use super::super::constants::{self, Constant};
use super::super::{nearest, types};
use super::Lower;
use super::literal::Value;

impl<'a> Lower<'a> {
    pub(super) fn path(&mut self, path: &'a ExprPath) -> Expr {
        if let Some((dtype, names)) = through_type(path) {
            return self.constant(path, dtype, &names);
        }
        let Some(name) = path.path.get_ident() else {
            let name = types::spell(path);
            let message = format!(
                "`{name}` is not known on the device; write its value, or pass it as `#[uniform]`"
            );
            return self.refuse(path, message);
        };
        if self.scope.is_ambiguous(name) {
            return self.refuse(
                name,
                format!("macros give `{name}` two meanings here; rename one of them"),
            );
        }
        match self.scope.find(name) {
            Some(local) => Expr::local(&local.name, local.ty.clone()),
            None => self.unknown(name),
        }
    }

    fn unknown(&mut self, name: &Ident) -> Expr {
        let word = name.to_string();
        let names = self.scope.names();
        let advice = match nearest::nearest(&word, names.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "write its value, or pass it as `#[uniform]`".to_owned(),
        };
        self.refuse(
            name,
            format!("`{word}` is neither a parameter nor a local: {advice}"),
        )
    }

    /// `f32::MAX`, `std::f32::consts::PI`.
    fn constant(&mut self, path: &ExprPath, dtype: &'static Dtype, names: &[&Ident]) -> Expr {
        let words: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (found, candidates) = match words[..] {
            ["consts", name] => (
                constants::mathematical(dtype, name),
                constants::mathematical_names(dtype),
            ),
            [name] => (
                constants::associated(dtype, name),
                constants::associated_names(dtype),
            ),
            _ => (None, Vec::new()),
        };
        match found {
            Some(Constant { bits, ty }) => self.value(Value::Bits(bits), Type::Scalar(ty)),
            None => {
                let advice = nearest::advice(words.last().unwrap_or(&""), candidates);
                self.refuse(
                    path,
                    format!(
                        "`{}` is not a constant of the device: {advice}",
                        types::spell(path)
                    ),
                )
            }
        }
    }
}

/// The element type that a path goes through, `f32::..` or `<f32>::..`, and the names after it.
pub(super) fn through_type(path: &ExprPath) -> Option<(&'static Dtype, Vec<&Ident>)> {
    let (dtype, names) = match &path.qself {
        None => types::split(&path.path)?,
        Some(qself) if qself.as_token.is_none() => (
            types::lower(&qself.ty).ok()?.scalar()?,
            path.path
                .segments
                .iter()
                .map(|segment| &segment.ident)
                .collect(),
        ),
        Some(_) => return None,
    };
    (!names.is_empty()).then_some((dtype, names))
}

/// Whether a path goes through an element type.
pub(in super::super) fn names_type(path: &ExprPath) -> bool {
    through_type(path).is_some()
}
