//! Every form that a body may have, and the kernel text that it becomes.

mod syntax;

use syntax::{body, value};

/// `(signature, body, the value that the device function returns)`.
type Case = (&'static str, &'static str, &'static str);

fn check(cases: &[Case]) {
    for (signature, source, expected) in cases {
        assert_eq!(
            value(signature, source),
            *expected,
            "{signature} {{ {source} }}"
        );
    }
}

#[test]
fn literals() {
    check(&[
        ("(x: f32) -> f32", "1.5", "1.5f"),
        ("(x: f32) -> f32", "1.", "1.0f"),
        ("(x: f32) -> f32", "1e-3", "0.001f"),
        ("(x: f32) -> f32", "2_000.25_f32", "2000.25f"),
        ("(x: f32) -> f32", "3f32", "3.0f"),
        ("(x: f64) -> f64", "3f64", "3.0"),
        ("(x: f64) -> f64", "-0.0", "-0.0"),
        ("(x: f32) -> f32", "0.1", "0.1f"),
        // Rounded from the digits at once, not by way of f64.
        (
            "(x: f32) -> f32",
            "1.000000178813934326171875001",
            "1.0000002f",
        ),
        ("(x: f32) -> i32", "0x7f", "127"),
        ("(x: f32) -> i32", "0b1010_1010", "170"),
        ("(x: f32) -> i32", "0o17", "15"),
        ("(x: f32) -> i32", "-5", "-5"),
        ("(x: f32) -> i32", "-(5)", "-5"),
        ("(x: f32) -> i32", "-2147483648", "Int<i32>::MIN"),
        (
            "(x: f32) -> i64",
            "-9_223_372_036_854_775_808",
            "Int<i64>::MIN",
        ),
        ("(x: f32) -> i64", "7i64", "7ll"),
        ("(x: f32) -> u32", "4_294_967_295", "4294967295u"),
        (
            "(x: f32) -> u64",
            "18446744073709551615",
            "18446744073709551615ull",
        ),
        (
            "(x: f32) -> u32",
            "if true { 1 } else { 0 }",
            "true ? 1u : 0u",
        ),
        // Beyond the type they wrap: rustc has its lint for that.
        ("(x: f32) -> i32", "5_000_000_000", "705032704"),
        (
            "(x: f32) -> i32",
            "340282366920938463463374607431768211456",
            "0",
        ),
        (
            "(x: f32) -> f32",
            "1e400",
            "from_bits<f32>(u32(0x7f800000))",
        ),
    ]);
}

#[test]
fn names() {
    check(&[
        ("(x: f32) -> f32", "x", "x"),
        ("(r#type: f32) -> f32", "r#type", "type"),
        ("(float: f32) -> f32", "float", "local_float"),
        ("(X: f32) -> f32", "X", "local_X"),
        ("(größe: f32) -> f32", "größe", "local_gruf6udfe"),
        ("(_: f32, y: f32) -> f32", "y", "y"),
        ("(unused: f32, _: f32) -> f32", "unused", "unused"),
    ]);
}

#[test]
fn statements() {
    assert_eq!(
        body(
            "(x: f32) -> f32",
            "let y = x + 1.0; let x = y * x; ({ let x = x - y; x }) + x"
        ),
        [
            "f32 y = x + 1.0f;",
            "f32 x_2 = y * x;",
            "f32 t__1;",
            "{",
            "f32 x_3 = x_2 - y;",
            "t__1 = x_3;",
            "}",
            "return t__1 + x_2;"
        ]
    );
    assert_eq!(
        body("(x: f32) -> f32", "let _ = x;; x.sqrt();;; x"),
        ["rust::sqrt(x);", "return x;"]
    );
    assert_eq!(
        body("(x: f32) -> f32", "let (y): f64 = 1.0; let (z) = x; z"),
        ["f64 y = 1.0;", "f32 z = x;", "return z;"]
    );
    assert_eq!(
        body(
            "(x: f32) -> f32",
            "#[allow(unused)] let y = 1; #[expect(clippy::all)] { x; } x"
        ),
        ["i32 y = 1;", "return x;"]
    );
}

#[test]
fn changes() {
    assert_eq!(
        body(
            "(mut x: f32) -> (f32, f32)",
            "let mut t = (x, 0.0); x *= 2.0; t.1 = x; (x, t.0) = t; _ = x; let z; z = t; z"
        ),
        [
            "tuple2<f32, f32> t = tuple2<f32, f32>{x, 0.0f};",
            "x *= 2.0f;",
            "t._1 = x;",
            "tuple2<f32, f32> pair = t;",
            "x = pair._0;",
            "t._0 = pair._1;",
            "tuple2<f32, f32> z;",
            "z = t;",
            "return z;"
        ]
    );
    // As in Rust, the right side of `+=` comes first.
    assert_eq!(
        body("(mut x: i32) -> i32", "x += { x = 2; 3 }; x"),
        [
            "i32 term;",
            "{",
            "x = 2;",
            "term = 3;",
            "}",
            "x = rust::add(x, term);",
            "return x;"
        ]
    );
}

#[test]
fn loops() {
    assert_eq!(
        body(
            "(x: u32) -> u32",
            "let mut s = 0; for k in 0..x { s += k; } for _ in 0..=3u32 { s += 1; } while s > 9 { s -= 1; continue; } s"
        ),
        [
            "u32 s = 0u;",
            "u32 t__1 = x;",
            "for (u32 k = 0u; k < t__1; ++k) {",
            "s += k;",
            "}",
            "u32 count = 0u;",
            "for (bool t__2 = count <= 3u; t__2; t__2 = count < 3u, count += t__2) {",
            "s += 1u;",
            "}",
            "while (s > 9u) {",
            "s -= 1u;",
            "continue;",
            "}",
            "return s;"
        ]
    );
    // A condition that takes steps is computed at each turn.
    assert_eq!(
        body(
            "(mut x: u32) -> u32",
            "while { x += 1; x } < 9 { if x == 3 { break; } } x"
        ),
        [
            "while (true) {",
            "u32 t__1;",
            "{",
            "x += 1u;",
            "t__1 = x;",
            "}",
            "if (!(t__1 < 9u)) break;",
            "if (x == 3u) {",
            "break;",
            "}",
            "}",
            "return x;"
        ]
    );
    // Nothing comes after it, so it fits where a value is wanted.
    assert_eq!(
        body("(x: u32) -> u32", "loop { if x > 2 { return 1; } }"),
        ["while (true) {", "if (x > 2u) {", "return 1u;", "}", "}"]
    );
}

#[test]
fn arms() {
    check(&[
        (
            "(x: i32) -> i32",
            "match x { -1 => 10, 1 | 2 => 20, 5..=9 => 30, 20.. => 40, _ => x }",
            "x == -1 ? 10 : (x == 1 || x == 2 ? 20 : (x >= 5 && x <= 9 ? 30 : (x >= 20 ? 40 : x)))",
        ),
        (
            "(x: i32) -> i32",
            "match x > 3 { true => 1, false => 2 }",
            "matched ? 1 : 2",
        ),
        (
            "(x: i32) -> i32",
            "match (x, x > 3) { (0, _) => 1, (_, true) => 2, (n, false) => n }",
            "matched == 0 ? 1 : (matched_2 ? 2 : matched)",
        ),
    ]);
    // A name holds what was matched, whatever becomes of the local.
    assert_eq!(
        body(
            "(mut x: i32) -> i32",
            "match x { 0 => 1, old if old > x => 2, old => { x = 5; old + x } }"
        ),
        [
            "i32 matched = x;",
            "if (matched == 0) {",
            "return 1;",
            "} else if (matched > x) {",
            "return 2;",
            "} else {",
            "x = 5;",
            "return rust::add(matched, x);",
            "}"
        ]
    );
    assert_eq!(
        body(
            "(x: i32) -> i32",
            "let y = match x { 0 => return 7, n => n }; y"
        ),
        [
            "i32 y;",
            "{",
            "i32 matched = x;",
            "if (matched == 0) {",
            "return 7;",
            "} else {",
            "y = matched;",
            "}",
            "}",
            "return y;"
        ]
    );
}

#[test]
fn operators() {
    check(&[
        (
            "(x: f32, y: f32) -> f32",
            "x + y * (x - y) / x % y",
            "x + rust::rem(y * (x - y) / x, y)",
        ),
        (
            "(a: i32, b: i32) -> i32",
            "a + b * (a - b) / a % b",
            "rust::add(a, rust::rem(rust::div(rust::mul(b, rust::sub(a, b)), a), b))",
        ),
        ("(a: u32, b: u32) -> u32", "a + b - a", "a + b - a"),
        (
            "(a: u32, b: u32) -> u32",
            "a & b | a ^ !b",
            "a & b | a ^ ~b",
        ),
        (
            "(a: u64, b: i32) -> u64",
            "a << b >> 3u32",
            "rust::shr(rust::shl(a, b), 3u)",
        ),
        ("(a: i64) -> i64", "-a", "rust::wrapping_neg(a)"),
        ("(x: f16, y: f16) -> f16", "-x + y", "-x + y"),
        (
            "(x: f32) -> u32",
            "(x < 1.0 && x >= 0.5 || !(x == 2.0) && x != 3.0) as u32",
            "u32(x < 1.0f && x >= 0.5f || !(x == 2.0f) && x != 3.0f)",
        ),
        (
            "(x: f32) -> u32",
            "((x < 1.0) == (x > 0.0) & true) as u32",
            "u32(x < 1.0f == bool(x > 0.0f & true))",
        ),
    ]);
}

#[test]
fn casts() {
    check(&[
        ("(x: f32) -> f64", "x as f64", "f64(x)"),
        ("(x: f32) -> i32", "x as i32", "rust::to_integer<i32>(x)"),
        (
            "(x: f64) -> u64",
            "(x as u64 as f32) as u64",
            "rust::to_integer<u64>(f32(rust::to_integer<u64>(x)))",
        ),
        ("(i: i32) -> u64", "i as u32 as u64", "u64(u32(i))"),
        ("(i: i32) -> i32", "i as i32", "i"),
        (
            "(x: f32) -> f64",
            "f64::from(x) + f64::from(1i32) + f64::from(2u32)",
            "f64(x) + f64(1) + f64(2u)",
        ),
        (
            "(x: f32) -> f32",
            "f32::from(x > 0.0)",
            "f32(u32(x > 0.0f))",
        ),
        (
            "(x: f32) -> u64",
            "u64::from(x > 0.0) + u64::from(7u64)",
            "u64(x > 0.0f) + 7ull",
        ),
        (
            "(h: f16) -> f32",
            "f32::from(h) + h.to_f32()",
            "rust::to_f32(h) + rust::to_f32(h)",
        ),
        (
            "(h: half::bf16) -> f64",
            "f64::from(h) + h.to_f64()",
            "rust::to_f64(h) + rust::to_f64(h)",
        ),
        (
            "(x: f32) -> f16",
            "f16::from_f32(x + 1.0)",
            "rust::to_f16(x + 1.0f)",
        ),
        (
            "(x: f64) -> half::bf16",
            "half::bf16::from_f64(x)",
            "rust::to_bf16(x)",
        ),
        (
            "(x: core::primitive::f32) -> std::primitive::f64",
            "<f64>::from(x) + <core::primitive::f64>::MAX * 0.0",
            "f64(x) + 1.7976931348623157e308 * 0.0",
        ),
    ]);
}

#[test]
fn branches() {
    check(&[
        (
            "(x: f32) -> f32",
            "if x < 0.0 { -x } else { x }",
            "x < 0.0f ? -x : x",
        ),
        (
            "(x: f32) -> f32",
            "if x < 0.0 { 0.0 } else if x > 1.0 { 1.0 } else { x }",
            "x < 0.0f ? 0.0f : (x > 1.0f ? 1.0f : x)",
        ),
        (
            "(x: f32) -> f32",
            "2.0 * if x < 0.0 { 0.5 } else { x }",
            "2.0f * (x < 0.0f ? 0.5f : x)",
        ),
    ]);
    assert_eq!(
        body(
            "(x: f32) -> f32",
            "if x < 0.0 { let y = x * x; y } else { x }"
        ),
        [
            "if (x < 0.0f) {",
            "f32 y = x * x;",
            "return y;",
            "} else {",
            "return x;",
            "}"
        ]
    );
    assert_eq!(
        body("(x: f32) -> f32", "if x < 0.0 { x; } x"),
        ["if (x < 0.0f) {", "}", "return x;"]
    );
}

#[test]
fn tuples() {
    check(&[
        ("(x: f32) -> (f32, i32)", "(x, 1)", "tuple2<f32, i32>{x, 1}"),
        (
            "(x: f32) -> f32",
            "let p = (x, 2.0); p.0 * p.1",
            "p._0 * p._1",
        ),
        (
            "(x: f32) -> i32",
            "((x, 1), 2).0.1",
            "tuple2<tuple2<f32, i32>, i32>{tuple2<f32, i32>{x, 1}, 2}._0._1",
        ),
    ]);
    assert_eq!(
        body("(x: f32, y: f32) -> f32", "let (x, y) = (y, x); x - y"),
        ["f32 x_2 = y;", "f32 y_2 = x;", "return x_2 - y_2;"]
    );
    assert_eq!(
        body("(x: f32) -> f32", "let p = (x, 1.0); let (a, _) = p; a"),
        [
            "tuple2<f32, f64> p = tuple2<f32, f64>{x, 1.0};",
            "tuple2<f32, f64> pair = p;",
            "f32 a = pair._0;",
            "pair._1;",
            "return a;"
        ]
    );
}

#[test]
fn methods() {
    check(&[
        (
            "(x: f32) -> f32",
            "x.abs().sqrt().mul_add(2.0, x)",
            "rust::mul_add(rust::sqrt(rust::abs(x)), 2.0f, x)",
        ),
        (
            "(x: f32) -> f32",
            "f32::max(x, 1.0).min(f32::abs(x))",
            "rust::min(rust::max(x, 1.0f), rust::abs(x))",
        ),
        ("(x: f32) -> f32", "f32::max(1.0, x)", "rust::max(1.0f, x)"),
        (
            "(x: f32) -> u32",
            "x.to_bits().count_ones()",
            "rust::count_ones(rust::to_bits(x))",
        ),
        ("(x: f64) -> u64", "x.to_bits()", "rust::to_bits(x)"),
        (
            "(i: i64) -> u64",
            "i.unsigned_abs() + i.abs_diff(3)",
            "rust::unsigned_abs(i) + rust::abs_diff(i, 3ll)",
        ),
        (
            "(i: i32) -> i32",
            "i.pow(2).wrapping_add(1)",
            "rust::wrapping_add(rust::pow(i, 2u), 1)",
        ),
        ("(x: f32) -> f32", "x.powi(-2)", "rust::powi(x, -2)"),
        ("(x: f32) -> f32", "1.5_f32.max(x)", "rust::max(1.5f, x)"),
        (
            "(x: f32) -> f32",
            "let two = 2.0; let y = two * x; two.max(y)",
            "rust::max(two, y)",
        ),
        (
            "(h: f16) -> f16",
            "h.max(f16::ZERO)",
            "rust::max(h, from_bits<f16>(u16(0x0)))",
        ),
    ]);
}

#[test]
fn constants() {
    check(&[
        ("(x: f32) -> f32", "f32::MAX", "3.4028235e38f"),
        (
            "(x: f32) -> f32",
            "-f32::INFINITY",
            "from_bits<f32>(u32(0xff800000))",
        ),
        ("(x: f32) -> f32", "std::f32::consts::PI", "3.1415927f"),
        (
            "(x: f32) -> f64",
            "core::f64::consts::PI",
            "3.141592653589793",
        ),
        ("(x: f32) -> f64", "f64::consts::E", "2.718281828459045"),
        ("(x: f32) -> i32", "i32::MIN", "Int<i32>::MIN"),
        (
            "(x: f32) -> u64",
            "u64::MAX - u32::MAX as u64",
            "18446744073709551615ull - u64(4294967295u)",
        ),
        ("(x: f32) -> u32", "i64::BITS", "64u"),
        (
            "(x: f32) -> half::f16",
            "half::f16::MAX",
            "from_bits<f16>(u16(0x7bff))",
        ),
    ]);
}

#[test]
fn groups_that_cannot_be_seen() {
    use proc_macro2::{Delimiter, Group, TokenTree};
    use quote::quote;

    let hidden = |tokens| TokenTree::Group(Group::new(Delimiter::None, tokens));
    let (ty, sum, operator) = (
        hidden(quote!(f32)),
        hidden(quote!(x + 1.0)),
        hidden(quote!(Add)),
    );
    let function = syn::parse2(quote!(fn f(x: #ty) -> #ty { 2.0 * #sum })).expect("it parses");
    let spec =
        kernels_gen::syntax::lower_reduction(quote!(op = #operator), &function).expect("it lowers");
    let text = kernels_gen::render::cuda::function("map", &spec.map);
    assert!(text.contains("return 2.0f * (x + 1.0f);"), "{text}");
}
