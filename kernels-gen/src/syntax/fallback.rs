//! What a fault leaves: the messages, and as much of the items as makes callers compile, so that a
//! fault is one message and not a page of them.

use proc_macro2::TokenStream;
use quote::quote;

use super::expand;
use super::item::Item;

/// The messages if there are faults, the function, and the items that were added to it. Where its
/// signature was not understood there is at least a struct of its name.
pub(crate) fn items(
    item: &Item,
    faults: syn::Result<()>,
    added: Option<TokenStream>,
) -> TokenStream {
    let messages = faults.err().map(|error| error.to_compile_error());
    let function = item.put_back();
    let added = added.unwrap_or_else(|| {
        let line = "Neither a reduction nor an operator: its function has faults.";
        expand::structure(&item.function, line)
    });
    quote!(#messages #function #added)
}
