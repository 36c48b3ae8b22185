//! What stands in an attribute's place after a fault: the messages, and as much of the items as makes
//! callers compile, so that a fault is one message and not a page of them.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

use super::{expand, item};

/// The items that were made, after the messages if there are faults. Where the signature was not
/// understood there is at least the function, and a struct of its name.
pub(crate) fn items(
    function: &ItemFn,
    faults: syn::Result<()>,
    items: Option<TokenStream>,
) -> TokenStream {
    let messages = faults.err().map(|error| error.to_compile_error());
    let items = items.unwrap_or_else(|| {
        let stripped = item::stripped(function);
        let structure = expand::structure(
            function,
            "Neither a reduction nor an operator: its function has faults.",
        );
        quote!(#[allow(dead_code)] #stripped #structure)
    });
    quote!(#messages #items)
}
