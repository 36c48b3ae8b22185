//! Refusals: the cases of `tests/ui/fail`, whose `.stderr` files are what one toolchain prints. Here
//! they are checked as messages and places, which no toolchain changes.

use std::fs;
use std::path::{Path, PathBuf};

use kernels_gen::syntax;
use proc_macro2::{LineColumn, TokenStream};
use quote::ToTokens;
use syn::{Attribute, Item, ItemFn};

/// A message and the place it points at, counted as compilers do.
type Fault = (usize, usize, String);

/// The attributes and what expands them.
type Lower = fn(TokenStream, &ItemFn) -> syn::Result<()>;
const ATTRIBUTES: &[(&str, Lower)] = &[
    ("reduction", |arguments, function| {
        syntax::lower_reduction(arguments, function).map(drop)
    }),
    ("operator", |arguments, function| {
        syntax::lower_operator(arguments, function).map(drop)
    }),
];

/// What compilers print that lowering one function does not find, with the reason.
const OTHERS: &[(&str, &str)] = &[
    (
        "macros give `t` two meanings here",
        "the function is what a macro makes",
    ),
    ("`#[reduction]` goes on a function", "there is no function"),
    ("`#[operator]` goes on a function", "there is no function"),
    ("expected expression, found", "the source does not parse"),
    ("`self` parameter is only allowed", "rustc's own"),
    (
        "literal out of range",
        "rustc's own, of the identity as written",
    ),
];

/// The folder of the cases; it is not part of the published crate.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/fail")
}

#[test]
fn messages_and_places_are_those_of_the_ui_tests() {
    let Ok(entries) = fs::read_dir(folder()) else {
        return;
    };
    let sources = entries.map(|entry| entry.expect("the folder can be read").path());
    let sources =
        sources.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut checked = 0;
    for source in sources {
        let text = fs::read_to_string(&source).expect("the source can be read");
        let items = syn::parse_file(&text).map_or_else(|_| Vec::new(), |file| file.items);
        let found: Vec<Fault> = items.iter().flat_map(faults).collect();
        let printed = printed(&source.with_extension("stderr"));
        for fault in &found {
            assert!(
                printed.contains(fault),
                "{}: {fault:?} is not among {printed:#?}",
                source.display()
            );
        }
        for fault in printed.iter().filter(|(.., message)| !is_other(message)) {
            assert!(
                found.contains(fault),
                "{}: {fault:?} is printed, but not among {found:#?}",
                source.display()
            );
        }
        checked += found.len();
    }
    assert!(checked > 100, "only {checked} messages were found");
}

fn is_other(message: &str) -> bool {
    OTHERS.iter().any(|(start, _)| message.starts_with(start))
}

/// The errors that a compiler printed.
fn printed(path: &Path) -> Vec<Fault> {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let lines: Vec<&str> = text.lines().collect();
    let faults = lines.windows(2).filter_map(|pair| {
        let message = pair[0].strip_prefix("error: ")?;
        let place = place_printed(pair[1]);
        let (line, column) =
            place.unwrap_or_else(|| panic!("{}: no place after {message:?}", path.display()));
        Some((line, column, message.to_owned()))
    });
    faults.collect()
}

/// `--> file:line:column`.
fn place_printed(text: &str) -> Option<(usize, usize)> {
    let place = text.trim().strip_prefix("--> ")?;
    let mut numbers = place.rsplit(':').map(|number| number.parse().ok());
    let (column, line) = (numbers.next()??, numbers.next()??);
    Some((line, column))
}

/// The faults of an item under one of the attributes.
fn faults(item: &Item) -> Vec<Fault> {
    let Item::Fn(function) = item else {
        return Vec::new();
    };
    let mut function = function.clone();
    let attribute = function
        .attrs
        .iter()
        .find_map(|attribute| Some((attribute.clone(), lowering(attribute)?)));
    let Some((attribute, lower)) = attribute else {
        return Vec::new();
    };
    function.attrs.retain(|other| lowering(other).is_none());
    let arguments = match &attribute.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    };
    let error = lower(arguments, &function).err();
    error
        .into_iter()
        .flatten()
        .map(|error| place(&error, &attribute))
        .collect()
}

fn lowering(attribute: &Attribute) -> Option<Lower> {
    let (_, lower) = ATTRIBUTES
        .iter()
        .find(|(name, _)| attribute.path().is_ident(name))?;
    Some(*lower)
}

/// A fault without a place of its own is the attribute's: there `call_site` is the whole of it.
fn place(error: &syn::Error, attribute: &Attribute) -> Fault {
    let own = error.span().start();
    let LineColumn { line, column } = if own == proc_macro2::Span::call_site().start() {
        let tokens = attribute.to_token_stream();
        tokens
            .into_iter()
            .next()
            .map_or(own, |first| first.span().start())
    } else {
        own
    };
    (line, column + 1, error.to_string())
}
