//! The attributes of `reduce-runtime`, which re-exports them. Everything happens in `kernels-gen`,
//! feature `syntax`; this is the shell around it.

use proc_macro::TokenStream;

/// Makes a reduction of a function: what an operator makes of all elements, each mapped by the
/// function.
///
/// ```text
/// #[reduction(op = Add)]
/// fn sum_of_squares(x: f32) -> f32 { x * x }
///
/// let total: f32 = sum_of_squares::reduce(&Device::auto(), &data)?;
/// ```
///
/// ```text
/// #[reduction(op = OPERATOR, strategy = STRATEGY, grid = GRID, unordered)]
/// VISIBILITY fn NAME(PARAMETER, ..) -> RESULT { BODY }
///
/// OPERATOR   Add | Mul | Min | Max            of numbers
///            BitAnd | BitOr | BitXor          of integers
///            All | Any | Count                of bool; Count yields a u64
///            path of a function with #[operator]
/// STRATEGY   Auto | Shuffle | Sequential      left out: Auto
///            Interleaved | Strided            to be seen; another order of meeting
///            Redux | Vote                     32-bit integers; bool
///            Cluster | Bulk                   from sm_90 on
/// GRID       Auto | LastBlock | TwoPass       left out: Auto
///            Atomic                           built-in operators of 4 and 8 bytes, exact or with `unordered`
/// PARAMETER  x: SCALAR                        an input's element; at most four
///            #[index] i: u64                  the element's position; at most one
///            #[uniform] p: SCALAR             a value given at launch
/// RESULT     SCALAR | (SCALAR, SCALAR)        the latter with an operator of one's own
/// SCALAR     f16 | bf16 | f32 | f64 | i8 | i16 | i32 | i64 | u8 | u16 | u32 | u64 | bool
/// ```
///
/// The function stays as it is, to be called directly. Beside it comes a struct of its name that
/// implements `Reduction`, which has to be in scope, by `use reduce_runtime::prelude::*` for instance:
/// `NAME::reduce(&device, &x)`, `NAME::CUDA`; with uniforms, `NAME::with(p).reduce(&device, &x)`. A struct has no place
/// in an `impl` or a trait, so neither has the attribute: it goes on a free function.
///
/// The body is what the device runs: literals, parameters, `let` and `let mut`, assignments, blocks, `if` and `else`,
/// `match` on numbers, conditions and tuples of them, `for` over ranges, `while`, `loop`, `break`, `continue`, `return`,
/// arithmetic, comparison, logic, bit operations, shifts, `as`, tuples of two, the methods of numbers that the
/// device has, lossless `T::from`, and the types' constants. Anything else is an error at its place that
/// says what to write instead.
#[proc_macro_attribute]
pub fn reduction(arguments: TokenStream, item: TokenStream) -> TokenStream {
    kernels_gen::syntax::reduction(arguments.into(), item.into()).into()
}

/// Makes an operator of a function, for `#[reduction(op = NAME)]`.
///
/// ```text
/// #[operator(identity = CONSTANT, commutative = true)]
/// VISIBILITY fn NAME(a: T, b: T) -> T { BODY }
///
/// T          SCALAR | (SCALAR, SCALAR), as in `#[reduction]`
/// CONSTANT   literals, signs, tuples, `as`, constants such as f32::INFINITY; left out: none
/// ```
///
/// ```text
/// #[operator(identity = i32::MIN)]
/// fn larger(a: i32, b: i32) -> i32 { if a > b { a } else { b } }
/// ```
///
/// It has to be associative and commutative: the order in which elements meet is fixed, but is not
/// their own. Comparisons with NaN are false, so an operator on floats says what NaN does. `commutative = true` is what it
/// is anyway, said aloud. Without an identity, reducing nothing is an error. Bodies are as in `#[reduction]`.
#[proc_macro_attribute]
pub fn operator(arguments: TokenStream, item: TokenStream) -> TokenStream {
    kernels_gen::syntax::operator(arguments.into(), item.into()).into()
}
