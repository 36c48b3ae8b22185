//! What a fault leaves: the messages, and as much of the items as makes callers compile, so that a
//! fault is one message and not a page of them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{FnArg, ItemFn, ReturnType};

use super::expand;
use super::item::{Item, helper};
use super::types;
use crate::spec::Role;

/// The messages if there are faults, the function, and the items that were added to it.
pub(crate) fn items(item: &Item, faults: syn::Result<()>, added: TokenStream) -> TokenStream {
    let messages = faults.err().map(|error| error.to_compile_error());
    let function = item.put_back();
    quote!(#messages #function #added)
}

/// What a reduction's signature leaves that was not understood: a struct whose calls take anything,
/// and give what the function returns, if that was understood.
///
/// ```text
/// struct f {}
/// impl f { fn reduce<I>(_: &::reduce_runtime::Device, _: I) -> ::reduce_runtime::Result<f32> .. }
/// ```
pub(crate) fn reduction(function: &ItemFn) -> TokenStream {
    let structure = expand::structure(function, "No reduction: its signature has faults.");
    let (cfgs, name, visibility) = (expand::cfgs(function), &function.sig.ident, &function.vis);
    let result = match &function.sig.output {
        ReturnType::Type(_, ty) => types::lower(ty).ok(),
        ReturnType::Default => None,
    };
    let unknown = result.is_none().then(|| quote!(O));
    let result = result.map_or(quote!(O), |ty| expand::type_tokens(&ty));
    let uniforms = (0..uniforms(function)).map(|k| format_ident!("U{k}"));
    let uniforms: Vec<_> = uniforms.collect();
    let absent = expand::unreachable();
    let faulty = quote!(::reduce_runtime::private::Faulty<#result>);
    quote! {
        #structure
        #(#cfgs)*
        #[allow(dead_code)]
        impl #name {
            #visibility const CUDA: &'static ::core::primitive::str = "";
            #visibility fn reduce<I, #unknown>(
                _: &::reduce_runtime::Device,
                _: I,
            ) -> ::reduce_runtime::Result<#result> #absent
            #visibility fn reduce_into<I, D>(
                _: &::reduce_runtime::Device,
                _: I,
                _: D,
            ) -> ::reduce_runtime::Result<()> #absent
            #visibility fn plan<#unknown>(
                _: &::reduce_runtime::Device,
                _: ::core::primitive::u64,
            ) -> ::reduce_runtime::Result<#faulty> #absent
            #visibility fn explain(
                _: &::reduce_runtime::Device,
                _: ::core::primitive::u64,
            ) -> ::reduce_runtime::Explain #absent
            #visibility fn with<#(#uniforms,)* #unknown>(#(_: #uniforms),*) -> #faulty #absent
        }
    }
}

/// What an operator's signature leaves that was not understood: a struct that operates on anything.
pub(crate) fn operator(function: &ItemFn) -> TokenStream {
    let structure = expand::structure(function, "No operator: its signature has faults.");
    let (cfgs, name) = (expand::cfgs(function), &function.sig.ident);
    let absent = expand::unreachable();
    quote! {
        #structure
        #(#cfgs)*
        impl<A> ::reduce_runtime::Operator<A> for #name {
            const TEXT: &'static ::core::primitive::str = "";
            const NEEDS: ::core::primitive::u32 = 0;
            const IDENTITY: ::core::option::Option<A> = ::core::option::Option::None;
            fn combine(_: A, _: A) -> A #absent
        }
    }
}

/// How many parameters are marked as uniforms.
fn uniforms(function: &ItemFn) -> usize {
    let inputs = function.sig.inputs.iter();
    let is_uniform = |input: &&FnArg| match input {
        FnArg::Typed(parameter) => parameter
            .attrs
            .iter()
            .any(|attribute| helper(attribute).is_some_and(|(_, role)| role == Role::Uniform)),
        FnArg::Receiver(_) => false,
    };
    inputs.filter(is_uniform).count()
}
