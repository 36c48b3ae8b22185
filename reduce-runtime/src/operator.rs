//! What `#[operator]` makes of a function, and what a reduction makes of a built-in operator.

use std::marker::PhantomData;

/// An associative and commutative operator on accumulators of type `A`.
///
/// `#[operator]` implements it for the struct that it adds beside the function; `op = path` in
/// `#[reduction]` names that struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operator on `{A}`",
    label = "does not fold `{A}`",
    note = "`op = path` takes a function with `#[operator]` whose arguments and result are what the reduction returns: `#[operator] fn name(a: {A}, b: {A}) -> {A}`"
)]
pub trait Operator<A> {
    /// The operator's part of a kernel's text.
    #[doc(hidden)]
    const TEXT: &'static str;

    /// What that text needs; see `kernels_gen::stage::needs`.
    #[doc(hidden)]
    const NEEDS: u32;

    /// What the fold of nothing is; without one, empty input is an error.
    const IDENTITY: Option<A>;

    /// Combines two accumulators, as the kernel does to the bit.
    fn combine(a: A, b: A) -> A;
}

/// A built-in operator's code, as the reduction that names it has it. Not [`Operator`] itself: a reduction is none,
/// and `op = path` of one would leave out what its function makes of an element.
#[doc(hidden)]
pub trait HasBuiltIn<A> {
    const TEXT: &'static str;
    const NEEDS: u32;
    const IDENTITY: Option<A>;
    fn combine(a: A, b: A) -> A;
}

/// The built-in operator that the reduction `R` names.
#[doc(hidden)]
#[derive(Debug)]
pub struct BuiltIn<R>(PhantomData<R>);

impl<A, R: HasBuiltIn<A>> Operator<A> for BuiltIn<R> {
    const TEXT: &'static str = R::TEXT;
    const NEEDS: u32 = R::NEEDS;
    const IDENTITY: Option<A> = R::IDENTITY;

    #[inline(always)]
    fn combine(a: A, b: A) -> A {
        R::combine(a, b)
    }
}
