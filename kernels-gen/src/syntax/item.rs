//! The function under an attribute, as it was written and as it is put back.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{AttrStyle, Attribute, FnArg, ItemFn, ReturnType};

use crate::spec::Role;

use super::nearest;

/// The attributes of parameters that the attribute of the function reads and strips.
const HELPERS: &[(&str, Role)] = &[("index", Role::Index), ("uniform", Role::Uniform)];

/// A function, parsed, and its body as it was written.
pub(crate) struct Item {
    pub(crate) function: ItemFn,
    body: TokenStream,
}

/// The function under the attribute `name`; otherwise what to put in its place.
pub(crate) fn parse(name: &str, item: TokenStream) -> Result<Item, TokenStream> {
    let item = without_group(item);
    if let Ok(function) = syn::parse2(item.clone()) {
        let body = item.into_iter().last().into_iter().collect();
        return Ok(Item { function, body });
    }
    // A function that does not parse is unfinished: the compiler's own message says it best.
    let message = match syn::parse2(item.clone()) {
        Ok(syn::Item::Fn(_)) | Err(_) => None,
        Ok(_) => {
            let message = format!(
                "`#[{name}]` goes on a function, such as `fn square(x: f32) -> f32 {{ x * x }}`"
            );
            Some(syn::Error::new(Span::call_site(), message).to_compile_error())
        }
    };
    Err(quote!(#message #item))
}

/// An item that a macro passed on comes in an invisible group.
fn without_group(item: TokenStream) -> TokenStream {
    let mut trees = item.clone().into_iter();
    match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            without_group(group.stream())
        }
        _ => item,
    }
}

impl Item {
    /// The function without the helper attributes. Programs may have only its struct in use.
    pub(crate) fn put_back(&self) -> TokenStream {
        let ItemFn {
            attrs, vis, sig, ..
        } = &self.function;
        let mut sig = sig.clone();
        for input in &mut sig.inputs {
            if let FnArg::Typed(parameter) = input {
                parameter
                    .attrs
                    .retain(|attribute| helper(attribute).or(misspelt(attribute)).is_none());
            }
        }
        // The body brings its own.
        let outer = attrs
            .iter()
            .filter(|attribute| matches!(attribute.style, AttrStyle::Outer));
        let body = &self.body;
        quote!(#[allow(dead_code)] #(#outer)* #vis #sig #body)
    }
}

/// The role that an attribute gives a parameter, and its name.
pub(crate) fn helper(attribute: &Attribute) -> Option<(&'static str, Role)> {
    let mut helpers = HELPERS.iter().copied();
    helpers.find(|(name, _)| attribute.path().is_ident(name))
}

/// The same of an attribute that was probably meant to be one of them.
pub(crate) fn misspelt(attribute: &Attribute) -> Option<(&'static str, Role)> {
    let word = attribute.path().get_ident()?.to_string();
    let meant = nearest::nearest(&word, HELPERS.iter().map(|(name, _)| *name))?;
    let is_another = meant != word;
    let mut helpers = HELPERS.iter().copied();
    helpers.find(|(name, _)| is_another && *name == meant)
}

/// What to point at when the result is at fault.
pub(crate) fn result_tokens(function: &ItemFn) -> &dyn ToTokens {
    match &function.sig.output {
        ReturnType::Type(_, ty) => ty,
        ReturnType::Default => &function.sig.ident,
    }
}
