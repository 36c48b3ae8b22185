//! What stands in an attribute's place: items that parse, whatever was written.

mod syntax;

use std::str::FromStr;

use kernels_gen::syntax::{operator, reduction};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{File, Item, ItemFn};

fn tokens(source: &str) -> TokenStream {
    TokenStream::from_str(source).expect("the source is tokens")
}

fn items(expansion: TokenStream) -> Vec<Item> {
    let text = expansion.to_string();
    let file: File = syn::parse2(expansion).unwrap_or_else(|error| panic!("{error}\n{text}"));
    file.items
}

/// The items of an expansion, one word each.
fn kinds(items: &[Item]) -> Vec<String> {
    let kind = |item: &Item| match item {
        Item::Fn(function) => format!("fn {}", function.sig.ident),
        Item::Struct(structure) => format!("struct {}", structure.ident),
        Item::Impl(implementation) => match &implementation.trait_ {
            Some((path, _)) => path
                .segments
                .last()
                .map(|last| last.ident.to_string())
                .unwrap_or_default(),
            None => "impl".to_owned(),
        },
        Item::Macro(call) => call
            .mac
            .path
            .segments
            .last()
            .map(|last| last.ident.to_string())
            .unwrap_or_default(),
        Item::Const(_) => "const".to_owned(),
        other => other.to_token_stream().to_string(),
    };
    items.iter().map(kind).collect()
}

#[test]
fn items_of_each_attribute() {
    let plain = items(reduction(
        quote!(op = Add),
        quote!(
            fn f(x: f32) -> f32 {
                x
            }
        ),
    ));
    assert_eq!(
        kinds(&plain),
        [
            "fn f",
            "struct f",
            "HasBuiltIn",
            "Reduction",
            "Unbound",
            "const"
        ]
    );
    let bound = items(reduction(
        quote!(op = a::b),
        quote!(
            fn f(x: f32, #[uniform] y: f32) -> f32 {
                x * y
            }
        ),
    ));
    assert_eq!(
        kinds(&bound),
        ["fn f", "struct f", "Reduction", "impl", "const"]
    );
    let own = items(operator(
        quote!(),
        quote!(
            fn f(a: f32, b: f32) -> f32 {
                a * b
            }
        ),
    ));
    assert_eq!(kinds(&own), ["fn f", "struct f", "Operator", "const"]);
}

#[test]
fn the_function_stays_as_it_was() {
    let written = quote! {
        /// Docs.
        #[must_use]
        #[cfg(test)]
        pub(crate) const fn f(#[allow(unused)] #[uniform] x: f32, #[index] i: u64) -> f32 { x }
    };
    let items = items(reduction(quote!(op = Add), written));
    let Item::Fn(function) = &items[0] else {
        panic!("the function comes first")
    };
    let expected: ItemFn = syn::parse_quote! {
        #[allow(dead_code)]
        /// Docs.
        #[must_use]
        #[cfg(test)]
        pub(crate) const fn f(#[allow(unused)] x: f32, i: u64) -> f32 { x }
    };
    assert_eq!(
        function.to_token_stream().to_string(),
        expected.to_token_stream().to_string()
    );
    let under_cfg = items.iter().filter(|item| {
        item.to_token_stream()
            .to_string()
            .contains("# [cfg (test)]")
    });
    assert_eq!(under_cfg.count(), items.len());
    let Item::Struct(structure) = &items[1] else {
        panic!("the struct comes second")
    };
    assert_eq!(structure.vis.to_token_stream().to_string(), "pub (crate)");
    let docs = structure
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"));
    assert_eq!(docs.count(), 3);
}

#[test]
fn the_operators_path_is_named_once_as_a_type() {
    let text = reduction(
        quote!(op = some::place::larger),
        quote!(
            fn f(x: f32) -> f32 {
                x
            }
        ),
    )
    .to_string();
    assert_eq!(text.matches("some :: place :: larger").count(), 1, "{text}");
    assert!(
        text.contains("type Operator = some :: place :: larger ;"),
        "{text}"
    );
    assert!(
        text.contains("operator : \"some::place::larger\""),
        "{text}"
    );
}

#[test]
fn stages_are_rows_of_the_tables_and_the_first_unless_named() {
    let expand = |arguments| {
        reduction(
            arguments,
            quote!(
                fn f(x: f32) -> f32 {
                    x
                }
            ),
        )
        .to_string()
    };
    for (arguments, strategy, grid) in [
        (quote!(op = Add), 0, 0),
        (quote!(op = Add, strategy = Sequential), 4, 0),
        (quote!(op = Add, grid = TwoPass), 0, 2),
    ] {
        let text = expand(arguments);
        assert!(text.contains(&format!("STRATEGIES [{strategy}]")), "{text}");
        assert!(text.contains(&format!("GRIDS [{grid}]")), "{text}");
    }
}

#[test]
fn texts_name_the_line_of_the_function() {
    let source = "\n\n/// Docs.\nfn f(a: f32, b: f32) -> f32 { a }";
    for expansion in [
        operator(quote!(), tokens(source)),
        reduction(quote!(op = Add), tokens(source)),
    ] {
        let text = expansion.to_string();
        assert!(
            text.contains(r##"concat ! ("\n#line 4 \"" , :: core :: file ! () , "\"\nDEVICE f32"##)
                || text.contains(r##""\n#line 4 \"""##),
            "{text}"
        );
    }
}

#[test]
fn after_a_fault_callers_still_compile() {
    let body = items(reduction(
        quote!(op = Add),
        quote!(
            fn f(x: f32, #[uniform] y: f32) -> f32 {
                dbg!(x)
            }
        ),
    ));
    assert_eq!(
        kinds(&body),
        [
            "compile_error",
            "fn f",
            "struct f",
            "HasBuiltIn",
            "Reduction",
            "impl"
        ]
    );
    let word = items(reduction(
        quote!(op = Ad),
        quote!(
            fn f(x: f16) -> f16 {
                x
            }
        ),
    ));
    assert_eq!(
        kinds(&word),
        [
            "compile_error",
            "fn f",
            "struct f",
            "HasBuiltIn",
            "Reduction",
            "Unbound"
        ]
    );
    let own = items(operator(
        quote!(identity = 1),
        quote!(
            fn f(a: f32, b: f32) -> f32 {
                a
            }
        ),
    ));
    assert_eq!(
        kinds(&own),
        ["compile_error", "fn f", "struct f", "Operator"]
    );
    let signature = items(reduction(
        quote!(op = Add),
        quote!(
            fn f(x: &f32, #[index] i: u64) -> f32 {
                *x
            }
        ),
    ));
    assert_eq!(kinds(&signature)[2..], ["fn f", "struct f", "impl"]);
    assert!(!signature[2].to_token_stream().to_string().contains("index"));
    let operands = items(operator(
        quote!(),
        quote!(
            fn f(a: f32, b: u8) -> f32 {
                a
            }
        ),
    ));
    assert_eq!(
        kinds(&operands),
        ["compile_error", "fn f", "struct f", "Operator"]
    );
}

#[test]
fn what_does_not_parse_is_left_to_the_compiler() {
    for unfinished in ["fn f(x: f32) -> f32 { x + }", "fn f(", "x"] {
        let Ok(item) = TokenStream::from_str(unfinished) else {
            continue;
        };
        assert_eq!(
            reduction(quote!(op = Add), item.clone()).to_string(),
            item.to_string()
        );
    }
    let other = items(reduction(
        quote!(op = Add),
        quote!(
            struct S;
        ),
    ));
    assert_eq!(kinds(&other), ["compile_error", "struct S"]);
}

#[test]
fn long_sums_and_deep_nests() {
    let sum = |terms: usize| vec!["x"; terms].join(" + ");
    let long = |terms| syntax::faults("(x: i32) -> i32", &sum(terms));
    assert_eq!(long(900), [""; 0]);
    assert_eq!(
        long(1500),
        ["this nests too deeply; give parts of it names with `let`"]
    );
    let deep = format!("{}x{}", "(".repeat(100), ")".repeat(100));
    assert_eq!(syntax::faults("(x: f32) -> f32", &deep), [""; 0]);
    let source = format!("fn f(x: i32) -> i32 {{ {} }}", sum(900));
    assert!(!reduction(quote!(op = Add), tokens(&source)).is_empty());
}

/// Functions whose tokens are dropped, doubled, swapped and replaced, one by one.
const SEEDS: &[(&str, &str)] = &[
    (
        "op = Add, strategy = Shuffle, grid = TwoPass",
        "fn f(x: f32, #[uniform] m: f64, #[index] i: u64) -> f64 { let t = 2.0; let (a, b) = (t * x, 3); if a > 1e-3 && i != 0 { a as f64 - m } else if b < 4 { f64::from(x.max(1.0)) } else { { -std::f64::consts::PI } } }",
    ),
    (
        "op = path::of",
        "fn f(h: f16, j: i64) -> (f32, u64) { let p = (h.to_f32(), !j as u64); (p.0, p.1 << 3 ^ u64::MAX) }",
    ),
];

/// What tokens are replaced by.
const OTHERS: &[&str] = &[
    "_", "1", "2.0f64", "x", "(x, 1)", "{ }", "f32", "&", "'a'", "match", "-", "mut", "self",
    "\"s\"", "9u8", "#[a]", "..", "a::b", "f16::MAX", "|y| y",
];

#[test]
fn no_tokens_make_it_panic() {
    let mut tried = 0;
    for (arguments, item) in SEEDS {
        let (arguments, item) = (tokens(arguments), tokens(item));
        for changed in variations(&item) {
            drop(reduction(arguments.clone(), changed.clone()));
            drop(operator(TokenStream::new(), changed));
            tried += 1;
        }
        for changed in variations(&arguments) {
            drop(reduction(changed.clone(), item.clone()));
            drop(operator(
                changed,
                quote!(
                    fn f(a: f32, b: f32) -> f32 {
                        a
                    }
                ),
            ));
        }
    }
    assert!(tried > 2900, "{tried}");
}

fn variations(stream: &TokenStream) -> Vec<TokenStream> {
    let trees: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut all = Vec::new();
    for k in 0..trees.len() {
        let (before, after) = (&trees[..k], &trees[k + 1..]);
        let with = |middle: TokenStream| {
            before
                .iter()
                .cloned()
                .chain(middle)
                .chain(after.iter().cloned())
                .collect::<TokenStream>()
        };
        all.push(with(TokenStream::new()));
        all.push(with(
            [trees[k].clone(), trees[k].clone()].into_iter().collect(),
        ));
        all.extend(OTHERS.iter().map(|other| with(tokens(other))));
        if let TokenTree::Group(group) = &trees[k] {
            let inner = variations(&group.stream());
            all.extend(inner.into_iter().map(|stream| {
                with(TokenTree::Group(Group::new(group.delimiter(), stream)).into())
            }));
        }
    }
    all
}
