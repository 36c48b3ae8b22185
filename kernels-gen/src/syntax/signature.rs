//! What a function takes and returns: its parameters, their roles and their types; refuses what has no
//! place on the device.

use proc_macro2::Ident;
use syn::{Attribute, FnArg, ItemFn, Meta, Pat, PatType, ReturnType, Safety};

use crate::dtype::U64;
use crate::expr::Type;
use crate::spec::Role;

use super::errors::Errors;
use super::item::{helper, misspelt};
use super::types;

/// The most inputs that a reduction takes, `#[index]` and uniforms not counted.
pub const MAX_INPUTS: usize = 4;

/// The most uniforms that a reduction takes.
pub const MAX_UNIFORMS: usize = 8;

/// What a function takes and returns.
pub(crate) struct Signature<'a> {
    pub(crate) parameters: Vec<Parameter<'a>>,
    pub(crate) result: Type,
}

/// A parameter as written.
pub(crate) struct Parameter<'a> {
    /// Its name; none for `_`.
    pub(crate) name: Option<Ident>,
    pub(crate) ty: Type,
    pub(crate) role: Role,
    written: &'a PatType,
}

impl<'a> Signature<'a> {
    /// The signature of a `#[reduction]`, if all of it was understood.
    pub(crate) fn of_reduction(function: &'a ItemFn, errors: &Errors) -> Option<Signature<'a>> {
        let signature = Signature::read(function, errors)?;
        let checks = [
            signature.check_scalars(errors),
            signature.check_index(errors),
            signature.check_inputs(function, errors),
            signature.check_uniforms(errors),
        ];
        checks.iter().all(|is_right| *is_right).then_some(signature)
    }

    /// The signature of an `#[operator]`, `fn(a: T, b: T) -> T`, if all of it was understood.
    pub(crate) fn of_operator(function: &'a ItemFn, errors: &Errors) -> Option<Signature<'a>> {
        let signature = Signature::read(function, errors)?;
        let checks = [
            signature.check_roles(errors),
            signature.check_operands(function, errors),
        ];
        checks.iter().all(|is_right| *is_right).then_some(signature)
    }

    /// What holds for both attributes.
    fn read(function: &'a ItemFn, errors: &Errors) -> Option<Signature<'a>> {
        refuse_qualifiers(function, errors);
        if !refuse_generics(function, errors) {
            return None;
        }
        let parameters: Vec<_> = function
            .sig
            .inputs
            .iter()
            .map(|input| parameter(input, errors))
            .collect();
        let result = result(function, errors);
        Some(Signature {
            parameters: parameters.into_iter().collect::<Option<_>>()?,
            result: result?,
        })
    }

    pub(crate) fn with_role(&self, role: Role) -> impl Iterator<Item = &Parameter<'a>> {
        self.parameters
            .iter()
            .filter(move |parameter| parameter.role == role)
    }

    fn check_scalars(&self, errors: &Errors) -> bool {
        let mut is_right = true;
        for tuple in self
            .parameters
            .iter()
            .filter(|parameter| parameter.ty.scalar().is_none())
        {
            errors.at(
                &tuple.written.ty,
                "an input is one scalar; take the fields as inputs of their own, `x: A, y: B`",
            );
            is_right = false;
        }
        is_right
    }

    fn check_index(&self, errors: &Errors) -> bool {
        let mut indices = self.with_role(Role::Index);
        let first = indices.next();
        let mut is_right = true;
        if let Some(index) = first
            && index.ty != Type::Scalar(&U64)
        {
            errors.at(&index.written.ty, "positions have 64 bits; write `u64`");
            is_right = false;
        }
        for second in indices {
            errors.at(
                second.written,
                "a second `#[index]`; an element has one position, leave this out",
            );
            is_right = false;
        }
        is_right
    }

    fn check_inputs(&self, function: &ItemFn, errors: &Errors) -> bool {
        let is_source = |parameter: &Parameter| parameter.role != Role::Uniform;
        let has_source = self.parameters.iter().any(is_source);
        if !has_source {
            errors.add(syn::Error::new(
                function.sig.paren_token.span.join(),
                "nothing to fold; take an element, such as `x: f32`, or its position, `#[index] i: u64`",
            ));
        }
        let excess = self.with_role(Role::Input).nth(MAX_INPUTS);
        if let Some(excess) = excess {
            errors.at(
                excess.written,
                format!("a reduction takes at most {MAX_INPUTS} inputs; if this is the same for all elements, write `#[uniform]` before it"),
            );
        }
        has_source && excess.is_none()
    }

    fn check_uniforms(&self, errors: &Errors) -> bool {
        let excess = self.with_role(Role::Uniform).nth(MAX_UNIFORMS);
        if let Some(excess) = excess {
            errors.at(
                excess.written,
                format!("a reduction takes at most {MAX_UNIFORMS} uniforms; compute one from several before the call, and pass that"),
            );
        }
        excess.is_none()
    }

    fn check_roles(&self, errors: &Errors) -> bool {
        let mut is_right = true;
        for parameter in self
            .parameters
            .iter()
            .filter(|parameter| parameter.role != Role::Input)
        {
            errors.at(
                parameter.written,
                "an operator sees two accumulators and nothing else; leave the attribute out",
            );
            is_right = false;
        }
        is_right
    }

    fn check_operands(&self, function: &ItemFn, errors: &Errors) -> bool {
        let ty = &self.result;
        let shape = format!(
            "write `fn {}(a: {ty}, b: {ty}) -> {ty}`",
            function.sig.ident
        );
        if self.parameters.len() != 2 {
            errors.add(syn::Error::new(
                function.sig.paren_token.span.join(),
                format!("an operator combines two accumulators; {shape}"),
            ));
            return false;
        }
        let mut is_right = true;
        for odd in self
            .parameters
            .iter()
            .filter(|parameter| parameter.ty != *ty)
        {
            errors.at(
                &odd.written.ty,
                format!(
                    "an operator takes what it returns, `{ty}`, not `{}`; {shape}",
                    odd.ty
                ),
            );
            is_right = false;
        }
        is_right
    }
}

fn refuse_qualifiers(function: &ItemFn, errors: &Errors) {
    let signature = &function.sig;
    if let Some(token) = &signature.asyncness {
        errors.at(token, "the device has no `async`; write a plain `fn`");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        errors.at(token, "the device takes no `unsafe fn`; write a plain `fn`");
    }
    if let Some(abi) = &signature.abi {
        errors.at(
            abi,
            "the device has no calling conventions; write a plain `fn`",
        );
    }
}

/// Whether there are none; with them, types may be names that only the user's compiler can resolve.
fn refuse_generics(function: &ItemFn, errors: &Errors) -> bool {
    let generics = &function.sig.generics;
    let mut is_concrete = true;
    if !generics.params.is_empty() {
        errors.at(
            &generics.params,
            "generic functions are not supported; write a function for each type, with the type in its place",
        );
        is_concrete = false;
    }
    if let Some(clause) = &generics.where_clause {
        errors.at(
            clause,
            "`where` has no place here; write the types themselves",
        );
        is_concrete = false;
    }
    if let Some(variadic) = &function.sig.variadic {
        errors.at(
            variadic,
            "a function for the device has a fixed number of parameters; name each",
        );
        is_concrete = false;
    }
    is_concrete
}

fn parameter<'a>(input: &'a FnArg, errors: &Errors) -> Option<Parameter<'a>> {
    let written = match input {
        FnArg::Typed(written) => written,
        FnArg::Receiver(receiver) => {
            errors.at(
                receiver,
                "a function for the device stands alone and has no `self`; take the value it needs, such as `x: f32`",
            );
            return None;
        }
    };
    let role = role(&written.attrs, errors);
    let name = name(&written.pat, errors);
    let ty = element(&written.ty, errors);
    Some(Parameter {
        name: name?,
        ty: ty?,
        role: role?,
        written,
    })
}

fn role(attributes: &[Attribute], errors: &Errors) -> Option<Role> {
    let mut role = Some(Role::Input);
    for attribute in attributes {
        let path = attribute.path();
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            errors.at(attribute, "a parameter that may be absent changes the kernel; put `cfg` on the whole function");
            role = None;
        }
        if let Some((meant, _)) = misspelt(attribute) {
            let message = format!("unknown attribute; did you mean `#[{meant}]`?");
            errors.at(attribute, message);
        }
        let Some((helper, is)) = helper(attribute).or(misspelt(attribute)) else {
            continue;
        };
        if !matches!(attribute.meta, Meta::Path(_)) {
            errors.at(attribute, format!("`#[{helper}]` takes no arguments"));
        }
        if role.is_some_and(|role| role != Role::Input) {
            errors.at(
                attribute,
                "a parameter is an input, the index or a uniform; leave one attribute out",
            );
        }
        role = role.map(|_| is);
    }
    role
}

/// The name that a pattern is, if it is one or `_`.
fn name(pattern: &Pat, errors: &Errors) -> Option<Option<Ident>> {
    match pattern {
        Pat::Wild(_) => Some(None),
        Pat::Ident(plain) if plain.by_ref.is_none() && plain.subpat.is_none() => {
            Some(Some(plain.ident.clone()))
        }
        Pat::Tuple(_) => {
            errors.at(
                pattern,
                "a parameter is one name; take it apart in the body: `let (a, b) = pair;`",
            );
            None
        }
        _ => {
            errors.at(pattern, "a parameter is one name, such as `x`");
            None
        }
    }
}

/// A type that elements, accumulators and results may have.
fn element(ty: &syn::Type, errors: &Errors) -> Option<Type> {
    let lowered = types::lower(ty).map_err(|error| errors.add(error)).ok()?;
    let is_flat = match &lowered {
        Type::Tuple(fields) => fields.iter().all(|field| field.scalar().is_some()),
        _ => true,
    };
    if !is_flat {
        errors.at(ty, "tuples hold two scalars here; write `(A, B)`");
    }
    is_flat.then_some(lowered)
}

fn result(function: &ItemFn, errors: &Errors) -> Option<Type> {
    match &function.sig.output {
        ReturnType::Type(_, ty) => element(ty, errors),
        ReturnType::Default => {
            errors.at(
                &function.sig.ident,
                "the function returns nothing; write its result's type, such as `-> f32`",
            );
            None
        }
    }
}
