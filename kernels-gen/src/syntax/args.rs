//! The words of the attributes, looked up in the tables: an unknown one names its neighbour.

use proc_macro2::{Ident, TokenStream, TokenTree};
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Token};

use crate::grid::GRIDS;
use crate::op::{OPS, Op};
use crate::strategy::STRATEGIES;

use super::errors::Errors;
use super::nearest;

/// The words of `#[reduction(..)]`.
pub(crate) struct ReductionArgs {
    /// `None` where it was left out or made no sense; that was reported.
    pub(crate) operator: Option<Operator>,
    /// A name in [`STRATEGIES`].
    pub(crate) strategy: Option<Ident>,
    /// A name in [`GRIDS`].
    pub(crate) grid: Option<Ident>,
    /// The word itself.
    pub(crate) unordered: Option<Ident>,
}

/// What `op = ..` names.
pub(crate) enum Operator {
    /// A row of the operator table.
    BuiltIn(&'static Op),
    /// An item made by `#[operator]`.
    Path(syn::Path),
}

/// The words of `#[operator(..)]`.
pub(crate) struct OperatorArgs {
    pub(crate) identity: Option<Expr>,
}

/// `key = value`, or a word that stands alone.
struct Argument {
    key: Ident,
    value: Option<Expr>,
}

/// What an attribute takes.
struct Key {
    name: &'static str,
    /// A value that it may have, for messages; `None` for a word that stands alone.
    example: Option<&'static str>,
    /// The words that its values are, if they are words.
    words: fn() -> Vec<&'static str>,
}

const REDUCTION: &[Key] = &[
    Key {
        name: "op",
        example: Some("Add"),
        words: || OPS.iter().map(|row| row.name).collect(),
    },
    Key {
        name: "strategy",
        example: Some("Shuffle"),
        words: || STRATEGIES.iter().map(|row| row.name).collect(),
    },
    Key {
        name: "grid",
        example: Some("LastBlock"),
        words: || GRIDS.iter().map(|row| row.name).collect(),
    },
    Key {
        name: "unordered",
        example: None,
        words: Vec::new,
    },
];

const OPERATOR: &[Key] = &[
    Key {
        name: "identity",
        example: Some("0.0"),
        words: Vec::new,
    },
    Key {
        name: "commutative",
        example: Some("true"),
        words: Vec::new,
    },
];

impl ReductionArgs {
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> ReductionArgs {
        let mut arguments = Arguments::parse(tokens, REDUCTION, errors);
        let op = arguments.take("op");
        if op.is_none() && !arguments.may_hide_first {
            errors.add(syn::Error::new(
                proc_macro2::Span::call_site(),
                "the operator is missing; write `op = Add`, say, or `op = path` of your own `#[operator]`",
            ));
        }
        let strategy = arguments.take("strategy");
        let grid = arguments.take("grid");
        ReductionArgs {
            operator: op.and_then(|value| operator(&value, errors)),
            strategy: strategy
                .and_then(|value| word("strategy", &value, STRATEGIES, |row| row.name, errors)),
            grid: grid.and_then(|value| word("grid", &value, GRIDS, |row| row.name, errors)),
            unordered: arguments.take_flag("unordered"),
        }
    }
}

impl OperatorArgs {
    pub(crate) fn parse(tokens: TokenStream, errors: &Errors) -> OperatorArgs {
        let mut arguments = Arguments::parse(tokens, OPERATOR, errors);
        if let Some(value) = arguments.take("commutative") {
            commutative(&value, errors);
        }
        OperatorArgs {
            identity: arguments.take("identity"),
        }
    }
}

fn commutative(value: &Expr, errors: &Errors) {
    let flag = match value {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Bool(flag) => Some(flag.value),
            _ => None,
        },
        _ => None,
    };
    match flag {
        Some(true) => {}
        Some(false) => errors.at(
            value,
            "operators that depend on the order of their operands are not supported yet: the tree meets \
             elements out of order; write an operator for which `op(a, b)` is `op(b, a)`",
        ),
        None => errors.at(value, "`commutative` is `true` or `false`"),
    }
}

/// One CamelCase word is a row's; anything else is a path.
fn operator(value: &Expr, errors: &Errors) -> Option<Operator> {
    let Some(path) = plain_path(value) else {
        let names = || OPS.iter().map(|row| row.name);
        let meant = word_in(value).and_then(|word| nearest::nearest(&word, names()));
        errors.at(
            value,
            match meant {
                Some(meant) => format!("`op` takes one word: write `op = {meant}`"),
                None => "`op` takes one word, such as `Add`, or the path of your own `#[operator]`"
                    .to_owned(),
            },
        );
        return None;
    };
    match path.get_ident() {
        Some(ident) if is_camel_case(&ident.to_string()) => {
            let place = place_named("operator", ident, OPS, |row| row.name, errors);
            place.map(|place| Operator::BuiltIn(&OPS[place]))
        }
        _ => Some(Operator::Path(path.clone())),
    }
}

fn is_camel_case(word: &str) -> bool {
    word.starts_with(|first: char| first.is_uppercase())
}

/// A path without type arguments, through invisible groups.
fn plain_path(value: &Expr) -> Option<&syn::Path> {
    match value {
        Expr::Group(group) => plain_path(&group.expr),
        Expr::Path(path) if path.qself.is_none() => {
            let mut segments = path.path.segments.iter();
            segments
                .all(|segment| segment.arguments.is_none())
                .then_some(&path.path)
        }
        _ => None,
    }
}

/// The word that was written in another form: in quotes, or at the end of a path.
fn word_in(value: &Expr) -> Option<String> {
    match value {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.value()),
            _ => None,
        },
        _ => {
            let last = plain_path(value)?.segments.last()?;
            Some(last.ident.to_string())
        }
    }
}

/// The word of `key = Word`, which names a row.
fn word<T>(
    key: &str,
    value: &Expr,
    rows: &'static [T],
    name: impl Fn(&T) -> &'static str,
    errors: &Errors,
) -> Option<Ident> {
    match plain_path(value).and_then(syn::Path::get_ident) {
        Some(ident) => place_named(key, ident, rows, name, errors).map(|_| ident.clone()),
        None => {
            let meant = word_in(value)
                .and_then(|word| nearest::nearest(&word, rows.iter().map(&name)))
                .or_else(|| rows.first().map(&name));
            errors.at(
                value,
                format!(
                    "`{key}` takes one word: write `{key} = {}`",
                    meant.unwrap_or_default()
                ),
            );
            None
        }
    }
}

fn place_named<T>(
    what: &str,
    ident: &Ident,
    rows: &'static [T],
    name: impl Fn(&T) -> &'static str,
    errors: &Errors,
) -> Option<usize> {
    let word = ident.to_string();
    let place = rows.iter().position(|row| name(row) == word);
    if place.is_none() {
        let mut names: Vec<_> = rows.iter().map(&name).collect();
        names.dedup();
        let advice = elsewhere(&word).unwrap_or_else(|| nearest::advice(&word, names));
        errors.at(ident, format!("unknown {what} `{word}`: {advice}"));
    }
    place
}

/// What to write for a word that has another name here, or another key.
fn elsewhere(word: &str) -> Option<String> {
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == word);
    let key = REDUCTION.iter().find(|key| (key.words)().contains(&word));
    match (synonym, key) {
        (Some((_, meant)), _) => Some(format!("write {meant}")),
        (None, Some(key)) => Some(format!("write `{} = {word}`", key.name)),
        (None, None) => None,
    }
}

/// What operators are called elsewhere.
const SYNONYMS: &[(&str, &str)] = &[
    ("Sum", "`Add`"),
    ("Plus", "`Add`"),
    ("Prod", "`Mul`"),
    ("Product", "`Mul`"),
    ("Minimum", "`Min`"),
    ("Maximum", "`Max`"),
    ("And", "`BitAnd` of integers, `All` of conditions"),
    ("Or", "`BitOr` of integers, `Any` of conditions"),
    ("Xor", "`BitXor`"),
    (
        "ArgMin",
        "the path of your own `#[operator]` on `(value, position)`",
    ),
    (
        "ArgMax",
        "the path of your own `#[operator]` on `(value, position)`",
    ),
];

/// The arguments that were read, each key once.
struct Arguments {
    list: Vec<Argument>,
    /// Whether the first of the keys may be there, misspelled or cut off: to say that it is missing
    /// would be a second fault for one mistake.
    may_hide_first: bool,
}

impl Arguments {
    /// Reads `key = value, ..`; reports keys that are unknown or come twice.
    fn parse(tokens: TokenStream, keys: &[Key], errors: &Errors) -> Arguments {
        let mut arguments = Arguments {
            list: Vec::new(),
            may_hide_first: false,
        };
        let parser = |input: ParseStream| {
            while !input.is_empty() {
                arguments.read(input, keys, errors);
            }
            Ok(())
        };
        if let Err(error) = parser.parse2(tokens) {
            errors.add(error);
        }
        arguments
    }

    fn read(&mut self, input: ParseStream, keys: &[Key], errors: &Errors) {
        match argument(input, keys) {
            Ok(argument) => {
                let key = argument.key.to_string();
                if keys.iter().all(|known| known.name != key) {
                    self.may_hide_first = true;
                    errors.add(unknown_key(&argument.key, keys));
                } else if self.list.iter().any(|earlier| earlier.key == argument.key) {
                    errors.at(&argument.key, format!("`{key}` comes twice; write it once"));
                } else {
                    self.list.push(argument);
                }
            }
            Err(error) => {
                self.may_hide_first = true;
                errors.add(error);
                skip_to_comma(input);
            }
        }
        if !input.is_empty() && input.parse::<Token![,]>().is_err() {
            self.may_hide_first = true;
            errors.add(input.error("expected `,` before the next key"));
            skip_to_comma(input);
            let _ = input.parse::<Token![,]>();
        }
    }

    fn take(&mut self, key: &str) -> Option<Expr> {
        let position = self.list.iter().position(|argument| argument.key == key)?;
        self.list.swap_remove(position).value
    }

    fn take_flag(&mut self, key: &str) -> Option<Ident> {
        let position = self.list.iter().position(|argument| argument.key == key)?;
        Some(self.list.swap_remove(position).key)
    }
}

fn argument(input: ParseStream, keys: &[Key]) -> syn::Result<Argument> {
    let key = key(input, keys)?;
    let known = keys.iter().find(|known| key == known.name);
    if let Some(Key { example: None, .. }) = known {
        if input.peek(Token![=]) {
            let message = format!("`{key}` stands alone: write `{key}` without a value");
            return Err(syn::Error::new_spanned(&key, message));
        }
        return Ok(Argument { key, value: None });
    }
    let example = known.and_then(|known| known.example).unwrap_or("..");
    if input.peek(Token![==]) {
        let message = format!("one `=` gives `{key}` its value: write `{key} = {example}`");
        return Err(input.error(message));
    }
    if !input.peek(Token![=]) {
        return Err(match known {
            Some(_) => syn::Error::new_spanned(
                &key,
                format!("`{key}` takes a value: write `{key} = {example}`"),
            ),
            None => unknown_key(&key, keys),
        });
    }
    input.parse::<Token![=]>()?;
    if input.is_empty() || input.peek(Token![,]) {
        return Err(syn::Error::new_spanned(
            &key,
            format!("the value of `{key}` is missing after `=`: write `{key} = {example}`"),
        ));
    }
    let value = Some(input.parse()?);
    Ok(Argument { key, value })
}

/// The word before `=`.
fn key(input: ParseStream, keys: &[Key]) -> syn::Result<Ident> {
    input.call(syn::ext::IdentExt::parse_any).map_err(|error| {
        let first = keys
            .first()
            .map_or(("", ""), |key| (key.name, key.example.unwrap_or_default()));
        let message = format!(
            "a key comes before each value: write `{} = {}`, say",
            first.0, first.1
        );
        syn::Error::new(error.span(), message)
    })
}

/// A value in a key's place, or a misspelled key.
fn unknown_key(word: &Ident, keys: &[Key]) -> syn::Error {
    let spelled = word.to_string();
    let names = || keys.iter().map(|key| key.name);
    let takes_it = keys
        .iter()
        .find(|key| (key.words)().contains(&spelled.as_str()));
    let message = match takes_it {
        Some(key) => format!(
            "`{word}` is a value of `{0}`: write `{0} = {word}`",
            key.name
        ),
        None => format!(
            "unknown key `{word}`: {}",
            nearest::advice(&spelled, names())
        ),
    };
    syn::Error::new_spanned(word, message)
}

fn skip_to_comma(input: ParseStream) {
    while !input.is_empty() && !input.peek(Token![,]) {
        let _ = input.parse::<TokenTree>();
    }
}
