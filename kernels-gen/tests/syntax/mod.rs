//! What the tests of the feature `syntax` share: source text to IR, messages and tokens.
#![allow(dead_code)]

use kernels_gen::expr::{Expr, Function};
use kernels_gen::render::cuda;
use kernels_gen::spec::Spec;
use kernels_gen::syntax;
use proc_macro2::TokenStream;
use syn::ItemFn;

/// A function and the arguments of its one attribute.
pub fn split(source: &str) -> (TokenStream, ItemFn) {
    let mut function: ItemFn = syn::parse_str(source).expect("the source is a function");
    let attribute = function.attrs.remove(0);
    let arguments = match attribute.meta {
        syn::Meta::List(list) => list.tokens,
        _ => TokenStream::new(),
    };
    (arguments, function)
}

/// The reduction that the source asks for.
pub fn reduction(source: &str) -> syn::Result<Spec> {
    let (arguments, function) = split(source);
    syntax::lower_reduction(arguments, &function)
}

/// The operator that the source asks for.
pub fn operator(source: &str) -> syn::Result<(Function, Option<Expr>)> {
    let (arguments, function) = split(source);
    syntax::lower_operator(arguments, &function)
}

/// The lines of the device function of `fn f(PARAMETERS) -> RESULT { BODY }`, without the first and
/// last.
pub fn body(signature: &str, body: &str) -> Vec<String> {
    let source = format!("#[reduction(op = some::operator)] fn f{signature} {{ {body} }}");
    let spec = reduction(&source)
        .unwrap_or_else(|error| panic!("{source}\n{}", messages(error).join("\n")));
    let text = cuda::function("map", &spec.map);
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    lines[1..lines.len() - 1].to_vec()
}

/// The value that the device function returns.
pub fn value(signature: &str, source: &str) -> String {
    let lines = body(signature, source);
    let last = lines.last().expect("a body has a line");
    let value = last
        .strip_prefix("return ")
        .and_then(|line| line.strip_suffix(';'));
    value
        .unwrap_or_else(|| panic!("no value in {lines:?}"))
        .to_owned()
}

/// The faults of `fn f(PARAMETERS) -> RESULT { BODY }`.
pub fn faults(signature: &str, body: &str) -> Vec<String> {
    let source = format!("#[reduction(op = some::operator)] fn f{signature} {{ {body} }}");
    reduction(&source).map_or_else(messages, |_| Vec::new())
}

/// Every message of an error.
pub fn messages(error: syn::Error) -> Vec<String> {
    error.into_iter().map(|error| error.to_string()).collect()
}
