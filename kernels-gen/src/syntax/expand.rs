//! The items that an attribute adds to a function: a struct of its name, and the struct's impls.
//!
//! ```text
//! #[reduction(op = Add)] fn square(x: f32) -> f32 { x * x }
//! ```
//! becomes
//! ```text
//! fn square(x: f32) -> f32 { x * x }
//! struct square {}
//! impl ::reduce_runtime::private::HasBuiltIn<f32> for square { const TEXT: &str = ".."; fn combine(..) .. }
//! impl ::reduce_runtime::Reduction for square { const KERNEL: Kernel = ..; fn map(..) .. }
//! impl ::reduce_runtime::private::Unbound for square {}
//! ```
//! Every name in it is absolute, so that nothing in the user's scope can change its meaning.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemFn};

use crate::expr::{Expr, Function, Type};
use crate::render::{cuda, rust};
use crate::spec::{self, Parameter, Role, Spec};

/// A reduction, checked and lowered.
pub(crate) struct Reduction<'a> {
    pub(crate) function: &'a ItemFn,
    pub(crate) spec: Spec,
    /// The uniforms as the user named them.
    pub(crate) uniforms: Vec<Ident>,
    /// The operator's path, unless it is built in.
    pub(crate) operator: Option<syn::Path>,
    /// The place in the table of strategies.
    pub(crate) strategy: usize,
    /// The place in the table of grids.
    pub(crate) grid: usize,
    /// Whether there is a body; after a fault there are only types.
    pub(crate) is_whole: bool,
}

/// An operator, checked and lowered.
pub(crate) struct Operator<'a> {
    pub(crate) function: &'a ItemFn,
    pub(crate) combine: Function,
    pub(crate) identity: Option<Expr>,
    /// The identity as the user wrote it, where Rust can evaluate it in a constant.
    pub(crate) written_identity: Option<syn::Expr>,
    /// Whether there is a body; after a fault there are only types.
    pub(crate) is_whole: bool,
}

/// The module of what only expansions name.
fn private() -> TokenStream {
    quote!(::reduce_runtime::private)
}

impl Reduction<'_> {
    /// The items beside the function.
    pub(crate) fn expand(&self) -> TokenStream {
        let line = format!(
            "The reduction: folds with `{}` what the function makes of each element.",
            self.spec.operator_name
        );
        let items = [
            structure(self.function, &line),
            self.built_in_impl(),
            self.reduction_impl(),
            self.binding(),
            check_types(self.function, &self.spec.map, self.is_whole),
        ];
        items.into_iter().collect()
    }

    /// The code of a built-in operator.
    fn built_in_impl(&self) -> TokenStream {
        if self.operator.is_some() {
            return TokenStream::new();
        }
        let (of, ty) = (
            quote!(::reduce_runtime::private::HasBuiltIn),
            self.spec.accumulator(),
        );
        let whole = self.is_whole.then_some(&self.spec);
        let Some((combine, identity)) = whole.and_then(Spec::built_in_operator) else {
            return code_impl(self.function, &of, &ty, &Code::absent());
        };
        let code = Code {
            text: spec::operator_text(&combine, identity.as_ref()).into_token_stream(),
            needs: cuda::needs_of(&combine),
            identity: identity.as_ref(),
            parameters: names(&combine),
            twin: parse(&rust::body(&combine)),
        };
        code_impl(self.function, &of, &ty, &code)
    }

    fn reduction_impl(&self) -> TokenStream {
        let (cfgs, name) = (cfgs(self.function), &self.function.sig.ident);
        let elements = self.spec.inputs().map(type_of);
        let uniforms = self.spec.uniforms().map(type_of);
        let accumulator = type_tokens(&self.spec.accumulator());
        let output = type_tokens(&self.spec.result());
        let operator = match &self.operator {
            // All of it at the path: what the compiler says of the type, it says there.
            Some(path) => quote_spanned!(path.span()=> type Operator = #path;),
            None => quote!(
                type Operator = ::reduce_runtime::private::BuiltIn<Self>;
            ),
        };
        let (kernel, map, finish) = (self.kernel(), self.map(), self.finish());
        let private = private();
        quote! {
            #(#cfgs)*
            #[automatically_derived]
            impl ::reduce_runtime::Reduction for #name {
                type Elements = (#(#elements,)*);
                type Uniforms = (#(#uniforms,)*);
                type Accumulator = #accumulator;
                type Output = #output;
                #operator

                const KERNEL: #private::Kernel = #kernel;

                const CUDA: &'static ::core::primitive::str = {
                    const KERNEL: #private::Kernel = <#name as ::reduce_runtime::Reduction>::KERNEL;
                    const SECTIONS: [&::core::primitive::str; #private::SECTIONS] =
                        #private::sections(&KERNEL.fragments, KERNEL.strategy, KERNEL.grid);
                    const LENGTH: ::core::primitive::usize = #private::text::length(&SECTIONS);
                    const JOINED: &#private::text::Joined<LENGTH> = &#private::text::Joined::new(&SECTIONS);
                    #private::text::as_str(JOINED)
                };

                #map
                #finish
            }
        }
    }

    fn kernel(&self) -> TokenStream {
        let (name, operator) = (&self.spec.name, &self.spec.operator_name);
        let (fragments, features) = (self.fragments(), self.spec.features());
        let [strategy, grid] = [self.strategy, self.grid].map(syn::Index::from);
        let shape = self.spec.shape();
        let (vector, partial_vector, step_bytes) =
            (shape.vector, shape.partial_vector, shape.step_bytes);
        let accumulator_bytes = self.spec.accumulator().bytes();
        let private = private();
        // Functions of any reduction, so that what is no operator is reported at its path alone.
        quote! {{
            const fn text<R: ::reduce_runtime::Reduction>() -> &'static ::core::primitive::str {
                <R::Operator as ::reduce_runtime::Operator<R::Accumulator>>::TEXT
            }
            const fn needs<R: ::reduce_runtime::Reduction>() -> ::core::primitive::u32 {
                <R::Operator as ::reduce_runtime::Operator<R::Accumulator>>::NEEDS
            }
            #private::Kernel {
                name: #name,
                operator: #operator,
                fragments: #fragments,
                features: #features,
                strategy: &#private::strategy::STRATEGIES[#strategy],
                grid: &#private::grid::GRIDS[#grid],
                shape: #private::Shape {
                    vector: #vector,
                    partial_vector: #partial_vector,
                    step_bytes: #step_bytes,
                },
                accumulator_bytes: #accumulator_bytes,
            }
        }}
    }

    fn fragments(&self) -> TokenStream {
        let texts = if self.is_whole {
            self.spec.texts()
        } else {
            spec::Texts::default()
        };
        let map = at_line(self.function, &texts.map);
        let spec::Texts {
            title,
            accumulator,
            warp_fold,
            atomic_fold,
            source,
            staged,
            needs,
            ..
        } = texts;
        quote! {
            ::reduce_runtime::private::Fragments {
                title: #title,
                accumulator: #accumulator,
                operator: text::<Self>(),
                warp_fold: #warp_fold,
                atomic_fold: #atomic_fold,
                map: #map,
                source: #source,
                staged: #staged,
                needs: #needs | needs::<Self>(),
            }
        }
    }

    /// The host twin of the user's function, from an element to an accumulator.
    fn map(&self) -> TokenStream {
        let spec = &self.spec;
        let [elements, index, uniforms, mapped] =
            ["elements", "index", "uniforms", "mapped"].map(local);
        let element_types = spec.inputs().map(type_of);
        let uniform_types = spec.uniforms().map(type_of);
        let names = spec
            .parameters
            .iter()
            .map(|parameter| local(&parameter.name));
        let types = spec.parameters.iter().map(type_of);
        let arguments = self.arguments(&elements, &index, &uniforms);
        let twin = if self.is_whole {
            parse(&rust::body(&spec.map))
        } else {
            unreachable()
        };
        let to = spec.accumulator();
        // After a fault there may be no conversion between the two, and nothing to convert.
        let from = if self.is_whole { &spec.map.result } else { &to };
        let value = parse(&rust::convert(&mapped.to_string(), from, &to));
        let (from, to) = (type_tokens(from), type_tokens(&to));
        quote! {
            #[inline(always)]
            fn map(
                #elements: (#(#element_types,)*),
                #index: ::core::primitive::u64,
                #uniforms: &(#(#uniform_types,)*),
            ) -> #to {
                #[inline(always)]
                fn twin(#(mut #names: #types),*) -> #from #twin
                let #mapped = twin(#(#arguments),*);
                #value
            }
        }
    }

    /// Where the twin's arguments come from, in the order of the user's parameters.
    fn arguments(&self, elements: &Ident, index: &Ident, uniforms: &Ident) -> Vec<TokenStream> {
        let parameters = &self.spec.parameters;
        let field_of = |tuple: &Ident, k: usize| {
            let before = parameters[..k]
                .iter()
                .filter(|earlier| earlier.role == parameters[k].role);
            let position = syn::Index::from(before.count());
            quote!(#tuple.#position)
        };
        let arguments = parameters
            .iter()
            .enumerate()
            .map(|(k, parameter)| match parameter.role {
                Role::Input => field_of(elements, k),
                Role::Index => index.to_token_stream(),
                Role::Uniform => field_of(uniforms, k),
            });
        arguments.collect()
    }

    fn finish(&self) -> TokenStream {
        let (from, to) = (self.spec.accumulator(), self.spec.result());
        let fold = local("fold");
        let value = parse(&rust::convert(&fold.to_string(), &from, &to));
        let (from, to) = (type_tokens(&from), type_tokens(&to));
        quote! {
            #[inline(always)]
            fn finish(#fold: #from) -> #to { #value }
        }
    }

    /// `with` binds uniforms; a reduction without any has its calls at once.
    fn binding(&self) -> TokenStream {
        let (cfgs, name) = (cfgs(self.function), &self.function.sig.ident);
        if self.uniforms.is_empty() {
            return quote!(#(#cfgs)* #[automatically_derived] impl ::reduce_runtime::private::Unbound for #name {});
        }
        let names = &self.uniforms;
        let types = self.spec.uniforms().map(type_of);
        let visibility = &self.function.vis;
        quote! {
            #(#cfgs)*
            impl #name {
                /// Binds the uniforms; the value has every call of a reduction.
                #[must_use]
                #visibility fn with(#(#names: #types),*) -> ::reduce_runtime::Bound<Self> {
                    ::reduce_runtime::Bound::new((#(#names,)*))
                }
            }
        }
    }
}

impl Operator<'_> {
    /// The items beside the function.
    pub(crate) fn expand(&self) -> TokenStream {
        let mut code = Code::absent();
        if self.is_whole {
            let text = spec::operator_text(&self.combine, self.identity.as_ref());
            code.text = at_line(self.function, &text);
            code.needs = cuda::needs_of(&self.combine);
            code.twin = parse(&rust::body(&self.combine));
        }
        code.identity = self.identity.as_ref();
        code.parameters = names(&self.combine);
        let items = [
            structure(self.function, "The operator, for `op = ..` of a reduction."),
            code_impl(
                self.function,
                &quote!(::reduce_runtime::Operator),
                &self.combine.result,
                &code,
            ),
            check_types(self.function, &self.combine, self.is_whole),
            self.check_identity(),
        ];
        items.into_iter().collect()
    }

    /// The identity as a constant of Rust's, which tells of a literal out of range.
    fn check_identity(&self) -> TokenStream {
        let (Some(value), true) = (&self.written_identity, self.is_whole) else {
            return TokenStream::new();
        };
        let (cfgs, ty) = (cfgs(self.function), type_tokens(&self.combine.result));
        quote!(#(#cfgs)* const _: #ty = #value;)
    }
}

/// The function has the types that the kernel was written for, whatever its type names mean there.
fn check_types(function: &ItemFn, lowered: &Function, is_whole: bool) -> TokenStream {
    if !is_whole {
        return TokenStream::new();
    }
    let (cfgs, name) = (cfgs(function), &function.sig.ident);
    let parameters = lowered.parameters.iter().map(|(_, ty)| type_tokens(ty));
    let result = type_tokens(&lowered.result);
    quote_spanned!(name.span()=> #(#cfgs)* const _: fn(#(#parameters),*) -> #result = #name;)
}

/// An operator's function in both renderings.
struct Code<'a> {
    text: TokenStream,
    needs: u32,
    identity: Option<&'a Expr>,
    parameters: [Ident; 2],
    twin: TokenStream,
}

impl Code<'_> {
    /// What stands in its place after a fault.
    fn absent() -> Code<'static> {
        Code {
            text: quote!(""),
            needs: 0,
            identity: None,
            parameters: [local("a"), local("b")],
            twin: unreachable(),
        }
    }
}

fn code_impl(function: &ItemFn, of: &TokenStream, ty: &Type, code: &Code) -> TokenStream {
    let (cfgs, name, ty) = (cfgs(function), &function.sig.ident, type_tokens(ty));
    let Code {
        text,
        needs,
        identity,
        parameters: [a, b],
        twin,
    } = code;
    let identity = match identity {
        Some(value) => {
            let value = parse(&rust::expr(value));
            quote!(::core::option::Option::Some(#value))
        }
        None => quote!(::core::option::Option::None),
    };
    quote! {
        #(#cfgs)*
        #[automatically_derived]
        impl #of<#ty> for #name {
            const TEXT: &'static ::core::primitive::str = #text;
            const NEEDS: ::core::primitive::u32 = #needs;
            const IDENTITY: ::core::option::Option<#ty> = #identity;

            #[inline(always)]
            fn combine(mut #a: #ty, mut #b: #ty) -> #ty #twin
        }
    }
}

/// A struct with braces: its name is a type's alone, beside the function's.
pub(crate) fn structure(function: &ItemFn, line: &str) -> TokenStream {
    let (cfgs, name, visibility) = (cfgs(function), &function.sig.ident, &function.vis);
    let docs = function
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("doc"));
    quote! {
        #(#cfgs)*
        #(#docs)*
        #[doc = ""]
        #[doc = #line]
        #[allow(
            dead_code, missing_copy_implementations, missing_debug_implementations, non_camel_case_types,
            clippy::empty_structs_with_brackets, clippy::exhaustive_structs
        )]
        #visibility struct #name {}
    }
}

/// The `cfg`s under which the function exists, and everything with it.
pub(crate) fn cfgs(function: &ItemFn) -> Vec<&Attribute> {
    let attributes = function.attrs.iter();
    attributes
        .filter(|attribute| attribute.path().is_ident("cfg"))
        .collect()
}

/// Kernel text that compilers attribute to the line of the user's function.
fn at_line(function: &ItemFn, text: &str) -> TokenStream {
    let line = function.sig.fn_token.span.start().line;
    let before = format!("\n#line {line} \"");
    let after = format!("\"\n{text}");
    quote!(::core::concat!(#before, ::core::file!(), #after))
}

/// A body that no program runs: there was a fault.
pub(crate) fn unreachable() -> TokenStream {
    quote!({ ::core::unreachable!() })
}

fn names(function: &Function) -> [Ident; 2] {
    [0, 1].map(|k| local(function.parameters.get(k).map_or("", |(name, _)| name)))
}

fn local(name: &str) -> Ident {
    format_ident!("{}", rust::local(name))
}

fn type_of(parameter: &Parameter) -> TokenStream {
    type_tokens(&Type::Scalar(parameter.dtype))
}

pub(crate) fn type_tokens(ty: &Type) -> TokenStream {
    parse(&rust::type_name(ty))
}

/// Rendered Rust as tokens.
fn parse(text: &str) -> TokenStream {
    text.parse()
        .expect("rendered Rust has balanced brackets and whole tokens")
}
