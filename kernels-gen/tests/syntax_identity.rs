//! Identities are folded to literals; what is not constant is refused.

mod syntax;

use kernels_gen::expr::{Expr, ExprKind};
use syntax::{messages, operator};

fn source(ty: &str, identity: &str) -> String {
    format!("#[operator(identity = {identity})] fn f(a: {ty}, b: {ty}) -> {ty} {{ a }}")
}

/// The bit patterns of an identity's scalars.
fn bits(ty: &str, identity: &str) -> Vec<u64> {
    let lowered = operator(&source(ty, identity));
    let (_, value) =
        lowered.unwrap_or_else(|error| panic!("{ty} {identity}: {:?}", messages(error)));
    leaves(&value.expect("there is an identity"))
}

fn leaves(value: &Expr) -> Vec<u64> {
    match &value.kind {
        ExprKind::Literal(bits) => vec![*bits],
        ExprKind::Tuple(fields) => fields.iter().flat_map(leaves).collect(),
        other => panic!("{other:?} is not folded"),
    }
}

fn f(value: f32) -> u64 {
    value.to_bits().into()
}

#[test]
fn constants_are_folded() {
    let cases: &[(&str, &str, u64)] = &[
        ("f32", "0.0", f(0.0)),
        ("f32", "-0.0", f(-0.0)),
        ("f32", "(1e-3)", f(1e-3)),
        ("f32", "f32::INFINITY", f(f32::INFINITY)),
        ("f32", "-f32::INFINITY", f(f32::NEG_INFINITY)),
        ("f32", "f32::NAN", f(f32::NAN)),
        ("f32", "-f32::NAN", f(-f32::NAN)),
        ("f32", "std::f32::consts::PI", f(std::f32::consts::PI)),
        ("f32", "16777217 as f32", f(16777216.0)),
        ("f32", "0.1 as f64 as f32", f(0.1)),
        ("f32", "f64::MAX as f32", f(f32::INFINITY)),
        ("f32", "u64::MAX as f32", f(u64::MAX as f32)),
        ("f64", "f64::from(0.1f32)", f64::from(0.1f32).to_bits()),
        ("f64", "i64::MIN as f64", (i64::MIN as f64).to_bits()),
        ("f64", "f64::from(true)", 1.0f64.to_bits()),
        ("i32", "i32::MIN", 0x8000_0000),
        ("i32", "-1", 0xffff_ffff),
        ("i32", "!0", 0xffff_ffff),
        ("i32", "-0x8000_0000", 0x8000_0000),
        ("i32", "f32::NAN as i32", 0),
        ("i32", "1e20 as i32", 0x7fff_ffff),
        ("i32", "-1e20 as i32", 0x8000_0000),
        ("i32", "u64::MAX as i32", 0xffff_ffff),
        ("i32", "!true as i32", 0),
        ("i64", "i32::MIN as i64", i64::from(i32::MIN) as u64),
        ("i64", "-1e300 as i64", i64::MIN as u64),
        ("u32", "u32::MAX", u32::MAX.into()),
        ("u32", "-1i32 as u32", u32::MAX.into()),
        ("u32", "-1.5 as u32", 0),
        ("u64", "-1i32 as u64", u64::MAX),
        ("u64", "4294967295u32 as i32 as u64", u64::MAX),
    ];
    for (ty, identity, expected) in cases {
        assert_eq!(bits(ty, identity), [*expected], "{ty} {identity}");
    }
    assert_eq!(bits("(u64, f32)", "(u64::MAX, -1.0)"), [u64::MAX, f(-1.0)]);
}

#[test]
fn halves_are_rounded_once_to_the_nearest_even() {
    let cases: &[(&str, &str, u64)] = &[
        ("f16", "f16::from_f32(0.0)", 0),
        ("f16", "f16::from_f32(-0.0)", 0x8000),
        ("f16", "f16::from_f32(1.0)", 0x3c00),
        ("f16", "-f16::ONE", 0xbc00),
        ("f16", "f16::from_f32(0.1)", 0x2e66),
        ("f16", "f16::from_f32(65504.0)", 0x7bff),
        ("f16", "f16::from_f32(65519.0)", 0x7bff),
        ("f16", "f16::from_f32(65520.0)", 0x7c00),
        ("f16", "f16::from_f32(f32::MAX)", 0x7c00),
        ("f16", "f16::from_f32(f32::NEG_INFINITY)", 0xfc00),
        ("f16", "f16::from_f32(f32::NAN)", 0x7e00),
        // 1 and a half step of an f16, and the next f64 above it.
        ("f16", "f16::from_f64(1.00048828125)", 0x3c00),
        ("f16", "f16::from_f64(1.0004882812500002)", 0x3c01),
        ("f16", "f16::from_f64(1.00146484375)", 0x3c02),
        ("f16", "f16::from_f64(1.9999)", 0x4000),
        ("f16", "f16::from_f64(5.960464477539063e-8)", 1),
        ("f16", "f16::from_f64(2.9802322387695312e-8)", 0),
        ("f16", "f16::from_f64(2.980232238769532e-8)", 1),
        ("f16", "f16::from_f64(6.1e-5)", 0x03ff),
        ("f16", "f16::from_f64(6.103515625e-5)", 0x0400),
        ("f16", "f16::from_f64(5e-324)", 0),
        ("half::bf16", "bf16::from_f32(1.0)", 0x3f80),
        ("half::bf16", "bf16::from_f32(0.1)", 0x3dcd),
        ("half::bf16", "bf16::from_f32(f32::MAX)", 0x7f80),
        ("half::bf16", "bf16::from_f32(1e-40)", 0x0001),
        ("half::bf16", "half::bf16::MAX", 0x7f7f),
    ];
    for (ty, identity, expected) in cases {
        assert_eq!(bits(ty, identity), [*expected], "{ty} {identity}");
    }
    assert_eq!(
        bits("f32", "f32::from(f16::from_f32(0.1))"),
        [f(0.099975586)]
    );
    assert_eq!(bits("f32", "f32::from(f16::EPSILON)"), [f(0.0009765625)]);
    assert_eq!(
        bits("f32", "f32::from(bf16::MIN_POSITIVE)"),
        [f(f32::MIN_POSITIVE)]
    );
}

#[test]
fn what_is_not_constant_or_of_the_type_is_refused() {
    let cases: &[(&str, &str, &str)] = &[
        (
            "f32",
            "1",
            "the operator folds `f32`, and this is an integer; write it with a point, as `1.0`",
        ),
        (
            "i32",
            "1.0",
            "the operator folds `i32`, and this is a float",
        ),
        (
            "i32",
            "i64::MIN",
            "the operator folds `i32`, and this is `i64`; cast it: `.. as i32`",
        ),
        (
            "(f32, i32)",
            "(1.0, 1.0)",
            "the operator folds `(f32, i32)`, and this is `(f64, f64)`",
        ),
        (
            "(f32, i32)",
            "0",
            "the operator folds `(f32, i32)`, and this is an integer",
        ),
        (
            "half::f16",
            "1.0",
            "the operator folds `f16`, and this is a float; write `f16::from_f32(..)`",
        ),
        (
            "u32",
            "-1",
            "`u32` has no sign; write a constant without one, such as `u32::MAX`; of a value, `x.wrapping_neg()`",
        ),
    ];
    for (ty, identity, expected) in cases {
        let error = operator(&source(ty, identity)).expect_err(identity);
        assert_eq!(messages(error), [*expected], "{ty} {identity}");
    }
    for variable in [
        "LOWEST",
        "lowest()",
        "1.0 + 1.0",
        "x.abs()",
        "if true { 1.0 } else { 2.0 }",
        "f32::max(1.0, 2.0)",
        "{ 1.0 }",
    ] {
        let error = operator(&source("f32", variable)).expect_err(variable);
        let messages = messages(error);
        assert!(
            messages[0].contains("is not constant here"),
            "{variable}: {messages:?}"
        );
    }
}

#[test]
fn without_one_there_is_none() {
    let (_, identity) =
        operator("#[operator] fn f(a: f32, b: f32) -> f32 { a + b }").expect("an operator");
    assert!(identity.is_none());
}
