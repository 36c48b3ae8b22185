//! The types that a signature, a `let` or a cast may name.

use proc_macro2::Ident;
use quote::ToTokens;

use crate::dtype::{self, DTYPES, Dtype};
use crate::expr::Type;

use super::nearest;

/// Types that people write and the device does not have, with what to write in their place.
const INSTEAD: &[(&str, &str)] = &[
    ("usize", "u64"),
    ("isize", "i64"),
    ("i128", "i64"),
    ("u128", "u64"),
    ("f128", "f64"),
    ("char", "u32"),
];

/// The type as the device has it.
pub(crate) fn lower(ty: &syn::Type) -> syn::Result<Type> {
    match ty {
        syn::Type::Group(group) => lower(&group.elem),
        syn::Type::Paren(paren) => lower(&paren.elem),
        syn::Type::Path(path) => named(path).map(Type::Scalar),
        syn::Type::Tuple(tuple) if tuple.elems.len() == 2 => {
            let fields: syn::Result<_> = tuple.elems.iter().map(lower).collect();
            fields.map(Type::Tuple)
        }
        other => Err(syn::Error::new_spanned(other, instead_of(other))),
    }
}

fn named(ty: &syn::TypePath) -> syn::Result<&'static Dtype> {
    let name = ty.path.segments.last().map(|last| last.ident.to_string());
    let name = name.unwrap_or_default();
    match split(&ty.path) {
        Some((dtype, rest)) if ty.qself.is_none() && rest.is_empty() => Ok(dtype),
        _ => Err(syn::Error::new_spanned(ty, unsupported(&name))),
    }
}

/// The type that a path goes through, and the names that follow it: `f32`, `half::f16`,
/// `core::primitive::f32`, `f32::MAX`, `std::f32::consts::PI`.
pub(crate) fn split(path: &syn::Path) -> Option<(&'static Dtype, Vec<&Ident>)> {
    if path
        .segments
        .iter()
        .any(|segment| !segment.arguments.is_none())
    {
        return None;
    }
    let names: Vec<&Ident> = path.segments.iter().map(|segment| &segment.ident).collect();
    let position = names.iter().position(|name| find(name).is_some())?;
    let dtype = find(names[position])?;
    // The `half` crate may be re-exported anywhere; Rust's own types are in few places.
    let is_known = match names[..position] {
        [] => true,
        [first, ..] => dtype.half || *first == "core" || *first == "std",
    };
    is_known.then(|| (dtype, names[position + 1..].to_vec()))
}

fn find(name: &Ident) -> Option<&'static Dtype> {
    dtype::find(&name.to_string())
}

/// What to say of a type that the device does not have.
pub(crate) fn unsupported(name: &str) -> String {
    let names = DTYPES.iter().map(|dtype| dtype.name);
    match INSTEAD.iter().find(|(wrong, _)| *wrong == name) {
        Some((_, instead)) => format!("`{name}` is not a type of the device; write `{instead}`"),
        None => format!(
            "`{name}` is not a type of the device: {}",
            nearest::advice(name, names)
        ),
    }
}

fn instead_of(ty: &syn::Type) -> String {
    match ty {
        syn::Type::Reference(reference) => match &*reference.elem {
            syn::Type::Slice(slice) => one_element(&slice.elem),
            syn::Type::Array(array) => one_element(&array.elem),
            value => format!(
                "references have no place on the device; take the value: `{}`",
                spell(value)
            ),
        },
        syn::Type::Slice(slice) => one_element(&slice.elem),
        syn::Type::Array(array) => one_element(&array.elem),
        syn::Type::ImplTrait(_) | syn::Type::TraitObject(_) => {
            "the device needs the type itself, not a trait; write one such as `f32`".to_owned()
        }
        syn::Type::Tuple(_) => "tuples have two fields on the device; write `(A, B)`".to_owned(),
        syn::Type::Infer(_) => "the type has to be written out here, such as `f32`".to_owned(),
        _ => "this type has no place on the device; write a number such as `f32`".to_owned(),
    }
}

fn one_element(element: &syn::Type) -> String {
    format!(
        "the function sees one element at a time; take it by value: `{}`",
        spell(element)
    )
}

/// Tokens as people write them, for messages.
pub(crate) fn spell(tokens: impl ToTokens) -> String {
    let text = tokens.to_token_stream().to_string();
    let tight = [
        (" :: ", "::"),
        (":: ", "::"),
        (" . ", "."),
        ("& ", "&"),
        (" (", "("),
        (" ,", ","),
        ("( ", "("),
        (" )", ")"),
        (" ;", ";"),
    ];
    tight
        .iter()
        .fold(text, |text, (loose, tight)| text.replace(loose, tight))
}
