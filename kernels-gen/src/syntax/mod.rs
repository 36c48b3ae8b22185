//! The attributes as an ordinary library: parse, lower, check, expand. `reduce-macros` is the shell
//! around it.
//!
//! ```text
//! attribute --args--> what was asked for ------\
//! function --signature--> types --lower--> IR --+--> Spec --expand--> tokens
//! ```

mod args;
mod choices;
mod constants;
mod errors;
mod expand;
mod fallback;
mod half;
mod identity;
mod infer;
mod item;
mod lower;
mod nearest;
mod number;
mod scope;
mod signature;
mod types;

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use syn::ItemFn;

use crate::expr::{Expr, Function, Type};
use crate::op::{self, Op};
use crate::spec::{Parameter, Role, Spec};

use args::{Operator, OperatorArgs, ReductionArgs};
use errors::Errors;
use signature::Signature;
pub use signature::{MAX_INPUTS, MAX_UNIFORMS};

/// What stands in the place of `#[reduction(arguments)] item`.
pub fn reduction(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match item::parse("reduction", item) {
        Ok(item) => {
            let (reduction, faults) = read_reduction(arguments, &item.function);
            let added = match reduction {
                Some(reduction) => reduction.expand(),
                None => fallback::reduction(&item.function),
            };
            fallback::items(&item, faults, added)
        }
        Err(tokens) => tokens,
    }
}

/// What stands in the place of `#[operator(arguments)] item`.
pub fn operator(arguments: TokenStream, item: TokenStream) -> TokenStream {
    match item::parse("operator", item) {
        Ok(item) => {
            let (operator, faults) = read_operator(arguments, &item.function);
            let added = match operator {
                Some(operator) => operator.expand(),
                None => fallback::operator(&item.function),
            };
            fallback::items(&item, faults, added)
        }
        Err(tokens) => tokens,
    }
}

/// What `#[reduction(arguments)]` on this function asks for.
///
/// # Errors
/// Every fault of the attribute and the function, at its span.
pub fn lower_reduction(arguments: TokenStream, function: &ItemFn) -> syn::Result<Spec> {
    let (reduction, faults) = read_reduction(arguments, function);
    faults?;
    let missing = || syn::Error::new_spanned(&function.sig, "this was not understood");
    reduction
        .map(|reduction| reduction.spec)
        .ok_or_else(missing)
}

/// The function and identity that `#[operator(arguments)]` on this function stands for.
///
/// # Errors
/// Every fault of the attribute and the function, at its span.
pub fn lower_operator(
    arguments: TokenStream,
    function: &ItemFn,
) -> syn::Result<(Function, Option<Expr>)> {
    let (operator, faults) = read_operator(arguments, function);
    faults?;
    let missing = || syn::Error::new_spanned(&function.sig, "this was not understood");
    operator
        .map(|operator| (operator.combine, operator.identity))
        .ok_or_else(missing)
}

/// The reduction as far as its signature was understood, and the faults.
fn read_reduction(
    arguments: TokenStream,
    function: &ItemFn,
) -> (Option<expand::Reduction<'_>>, syn::Result<()>) {
    let errors = Errors::new();
    let args = ReductionArgs::parse(arguments, &errors);
    let signature = Signature::of_reduction(function, &errors);
    let Some(signature) = signature else {
        lower::faults(function, &errors);
        return (None, errors.check());
    };
    let (built_in, path) = match &args.operator {
        Some(Operator::BuiltIn(op)) => (Some(*op), None),
        Some(Operator::Path(path)) => (None, Some(path.clone())),
        None => (None, None),
    };
    let folds = built_in.is_none_or(|op| check_fold(op, &signature.result, function, &errors));
    let map = lower::function(&signature, &function.block, &errors);
    let uniforms = uniforms(&signature, &map);
    let name = function.sig.ident.to_string();
    let spec = Spec {
        name: name.trim_start_matches("r#").to_owned(),
        operator_name: operator_name(built_in, path.as_ref()),
        built_in,
        parameters: parameters(&signature, &map),
        map,
    };
    let (strategy, grid) = match (built_in, &path) {
        // An operator that makes no sense was reported; what goes with it cannot be told.
        (None, None) => (0, 0),
        _ if !folds => (0, 0),
        _ => choices::choose(&args, &spec, &errors),
    };
    let faults = errors.check();
    let reduction = expand::Reduction {
        function,
        uniforms,
        spec,
        operator: path,
        strategy,
        grid,
        is_whole: faults.is_ok(),
    };
    (Some(reduction), faults)
}

/// The operator as far as its signature was understood, and the faults.
fn read_operator(
    arguments: TokenStream,
    function: &ItemFn,
) -> (Option<expand::Operator<'_>>, syn::Result<()>) {
    let errors = Errors::new();
    let args = OperatorArgs::parse(arguments, &errors);
    let signature = Signature::of_operator(function, &errors);
    let Some(signature) = signature else {
        lower::faults(function, &errors);
        return (None, errors.check());
    };
    let combine = lower::function(&signature, &function.block, &errors);
    let written_identity = args
        .identity
        .as_ref()
        .filter(|value| identity::is_constant(value, &signature.result))
        .cloned();
    let identity = args
        .identity
        .and_then(|value| identity::lower(&value, &signature.result, &errors));
    let faults = errors.check();
    let operator = expand::Operator {
        function,
        combine,
        identity,
        written_identity,
        is_whole: faults.is_ok(),
    };
    (Some(operator), faults)
}

/// Refuses what a built-in operator does not fold.
fn check_fold(op: &Op, result: &Type, function: &ItemFn, errors: &Errors) -> bool {
    let dtype = result.scalar();
    if dtype.is_some_and(|dtype| op.takes.takes(dtype)) {
        return true;
    }
    let others: Vec<&str> = dtype.into_iter().flat_map(op::names_taking).collect();
    let instead = if others.is_empty() {
        format!("write an `#[operator]` on `{result}`")
    } else {
        format!("fold `{result}` with {}", nearest::list(&others, "or"))
    };
    let (name, all, one) = (op.name, op.takes.all(), op.takes.one());
    errors.at(
        item::result_tokens(function),
        format!("`{name}` folds {all}, not `{result}`; return {one}, or {instead}"),
    );
    false
}

fn operator_name(built_in: Option<&Op>, path: Option<&syn::Path>) -> String {
    match (built_in, path) {
        (Some(op), _) => op.name.to_owned(),
        (None, Some(path)) => types::spell(path),
        (None, None) => String::new(),
    }
}

/// The uniforms as the user named them.
fn uniforms(signature: &Signature, map: &Function) -> Vec<Ident> {
    let pairs = signature.parameters.iter().zip(&map.parameters);
    let uniforms = pairs.filter(|(written, _)| written.role == Role::Uniform);
    let names = uniforms.map(|(written, (name, _))| {
        written
            .name
            .clone()
            .unwrap_or_else(|| format_ident!("{name}"))
    });
    names.collect()
}

/// The parameters under their names in the kernel text.
fn parameters(signature: &Signature, map: &Function) -> Vec<Parameter> {
    let pairs = signature.parameters.iter().zip(&map.parameters);
    let parameters = pairs.filter_map(|(written, (name, ty))| {
        Some(Parameter {
            name: name.clone(),
            dtype: ty.scalar()?,
            role: written.role,
        })
    });
    parameters.collect()
}
