//! Literals get the types that rustc gives them.

mod syntax;

use syntax::{body, faults, value};

#[test]
fn what_a_literal_meets_decides() {
    assert_eq!(
        body("(x: f32) -> f32", "let two = 2.0; two * x"),
        ["f32 two = 2.0f;", "return two * x;"]
    );
    assert_eq!(
        body(
            "(x: f32) -> f32",
            "let a = 1.0; let b = a; let c = b; c + x"
        )[0],
        "f32 a = 1.0f;"
    );
    assert_eq!(
        body("(i: i64) -> i64", "let p = (1, 2.0); p.0 + i")[0],
        "tuple2<i64, f64> p = tuple2<i64, f64>{1ll, 2.0};"
    );
    assert_eq!(
        value("(x: f32) -> f64", "if x > 0.0 { 1.0 } else { f64::MAX }"),
        "x > 0.0f ? 1.0 : 1.7976931348623157e308"
    );
    assert_eq!(value("(x: f32) -> f32", "1.0 - 2.0 * x"), "1.0f - 2.0f * x");
    assert_eq!(value("(i: u64) -> u32", "(1 < i) as u32"), "u32(1ull < i)");
    assert_eq!(
        body("(i: i32) -> u64", "let y: u64 = { 3 }; y + 1")[0],
        "u64 y = 3ull;"
    );
    assert_eq!(
        body(
            "(i: i32) -> f32",
            "let (a, b): (f32, _) = (1.0, i); a + b as f32"
        )[0],
        "f32 a = 1.0f;"
    );
}

#[test]
fn undecided_literals_fall_back() {
    assert_eq!(
        body("(x: f32) -> f32", "let a = 3; let b = 1.5; x"),
        ["i32 a = 3;", "f64 b = 1.5;", "return x;"]
    );
    assert_eq!(
        value("(x: f32) -> f64", "(1 + 2) as f64"),
        "f64(rust::add(1, 2))"
    );
    assert_eq!(value("(x: f32) -> f64", "f64::from(3)"), "f64(3)");
}

#[test]
fn a_cast_decides_the_literal_that_it_casts() {
    assert_eq!(
        value("(x: f32) -> i64", "3_000_000_000 as i64"),
        "3000000000ll"
    );
    assert_eq!(value("(x: f32) -> i64", "-1 as i64"), "-1ll");
    assert_eq!(value("(x: f32) -> u64", "!0 as u64"), "~0ull");
    assert_eq!(
        value("(x: f32) -> u64", "1 + (({ 4_000_000_000 })) as u64"),
        "1ull + 4000000000ull"
    );
    assert_eq!(value("(x: f32) -> f32", "0.1 as f32"), "0.1f");
    // Not across kinds, nor through operators.
    assert_eq!(value("(x: f32) -> f64", "1 as f64"), "f64(1)");
    assert_eq!(
        value("(x: f32) -> i64", "(1 + 2) as i64"),
        "i64(rust::add(1, 2))"
    );
}

#[test]
fn shifts_leave_their_distance_alone() {
    assert_eq!(value("(i: u64) -> u64", "i << 3"), "rust::shl(i, 3)");
    assert_eq!(
        value("(i: u64, by: i64) -> u64", "1 << by"),
        "rust::shl(1ull, by)"
    );
}

#[test]
fn what_does_not_fit_is_a_fault() {
    let all: &[(&str, &str)] = &[
        ("(x: f32, i: i32) -> f32", "x + i"),
        ("(x: f32) -> f32", "x + 1"),
        ("(x: f32) -> f32", "1"),
        ("(x: f32) -> i32", "1.0"),
        ("(x: f32) -> f32", "if x > 0.0 { 1 } else { 1.0 }"),
        ("(x: f32) -> f32", "if x { 1.0 } else { x }"),
        ("(x: f32) -> f32", "let y: f64 = x; x"),
        ("(x: f32) -> f32", "x; "),
        ("(x: f32) -> f32", "let y = {}; x"),
        ("(x: f32) -> f32", "if x > 0.0 { x }"),
        ("(x: f32) -> (f32, f32)", "x"),
        ("(x: f32) -> f32", "(x, x)"),
        ("(h: f16) -> f16", "h + 1.0"),
        ("(h: f16) -> f16", "1.0"),
        ("(i: i32) -> i32", "i + (i > 0)"),
        ("(i: i32) -> i32", "i && true"),
        ("(u: u32) -> u32", "-u"),
        ("(u: u32) -> u32", "let one = 1; let minus = -one; u + one"),
        ("(x: f32) -> f32", "let one = 1.0; let bits = one & one; x"),
        ("(x: f32) -> f32", "x << 1"),
        ("(x: f32) -> u32", "(x as bool) as u32"),
        ("(x: f32) -> f32", "let p = (x, 1); let (a, b) = p.0; a"),
        ("(x: f32) -> f32", "f32::from(1.0)"),
        ("(x: f32) -> u32", "((x, x) < (x, x)) as u32"),
    ];
    for (signature, body) in all {
        assert_eq!(
            faults(signature, body).len(),
            1,
            "{signature} {{ {body} }}: {:?}",
            faults(signature, body)
        );
    }
}

#[test]
fn a_fault_is_reported_once() {
    let all: &[(&str, &str)] = &[
        (
            "(x: f32) -> f32",
            "let y = foo(x); let z = y * 2.0 + y; if z > 0 { y.abs() } else { z.0 }",
        ),
        (
            "(x: f32) -> f32",
            "let t = foo(x); let u = if x > 0.0 { t } else { (t, 1.0) }; t",
        ),
        (
            "(x: f32) -> f32",
            "let t = foo(x); let (a, b) = t; let (c, _) = (t, t); a + b + c",
        ),
        ("(x: f32) -> f32", "todo! {}"),
        ("(x: f32) -> f32", "todo!()"),
        ("(x: f32) -> f32", "let y = todo! { x }; y + 1"),
        ("(x: f32) -> f32", "loop { break x; }"),
        ("(x: f32) -> f32", "let Some(y) = x else { return 0.0 }; y"),
    ];
    for (signature, body) in all {
        let faults = faults(signature, body);
        assert!(
            (1..=2).contains(&faults.len()),
            "{signature} {{ {body} }}: {faults:?}"
        );
    }
}

#[test]
fn what_never_yields_a_value_fits_everywhere() {
    for body in [
        "return x;",
        "return x",
        "if x > 1.0 { return x; } else { x }",
        "if x > 1.0 { x } else { return 0.0 }",
        "let y = if x > 1.0 { x } else { return 0.0 }; y",
        "let y; if x > 1.0 { y = x } else { return 0.0 } y",
        "loop { if x > 1.0 { return x; } }",
        "match x > 1.0 { true => return x, false => x + 1.0 }",
        "let mut sum = 0.0; for k in 0..3 { if k == 1 { continue } sum += x } sum",
    ] {
        let found = faults("(x: f32) -> f32", body);
        assert!(found.is_empty(), "{body}: {found:?}");
    }
}

#[test]
fn what_does_not_fit_says_what_to_write() {
    let all: &[(&str, &str, &str)] = &[
        (
            "(h: f16) -> f32",
            "h as f32",
            "`as` does not take `f16`; write `x.to_f32()` or `x.to_f64()`, then cast",
        ),
        (
            "(x: f32) -> f16",
            "x as f16",
            "`as` does not make `f16`; write `f16::from_f32(x)`",
        ),
        (
            "(i: i32) -> i32",
            "(i as bool) as i32",
            "`as` does not make conditions; compare: `x != 0`",
        ),
        (
            "(i: i32) -> bool",
            "bool::from(i)",
            "`bool::from` does not make conditions of numbers; compare: `x != 0`",
        ),
        (
            "(i: i32, b: bool) -> bool",
            "b.abs()",
            "`abs` is not a method of `bool` on the device: there are none",
        ),
        (
            "(u: u64) -> u64",
            "u.wrapping_shl(65)",
            "`wrapping_shl` is not a method of `u64` on the device; write `x << n`, which takes n modulo the width",
        ),
        (
            "(x: f32) -> f32",
            "K * x",
            "`K` is neither a parameter nor a local: write its value, or pass it as `#[uniform]`",
        ),
        (
            "(x: f32) -> f32",
            "(x > 1.0) as f32",
            "`as` does not make a float of a condition; write `f32::from(condition)`",
        ),
        (
            "(i: i32) -> f32",
            "f32::from(i)",
            "`f32` does not hold every `i32`; write `x as f32`",
        ),
        (
            "(x: f32) -> f16",
            "f16::from(x)",
            "`f16::from` does not take `f32`; write `f16::from_f32(x)`",
        ),
        (
            "(x: f32, i: i32) -> f32",
            "x + i",
            "the left operand is `f32`, and this is `i32`; cast it: `.. as f32`",
        ),
        (
            "(x: f32) -> f32",
            "x * 2",
            "the left operand is `f32`, and this is an integer; write it with a point, as `1.0`",
        ),
        (
            "(h: f16) -> f16",
            "h * 0.5",
            "the left operand is `f16`, and this is a float; write `f16::from_f32(..)`",
        ),
        (
            "(h: f16, x: f32) -> f32",
            "x + h",
            "the left operand is `f32`, and this is `f16`; write `to_f32` of it",
        ),
        (
            "(u: u32) -> u32",
            "-u",
            "`u32` has no sign; write a constant without one, such as `u32::MAX`; of a value, `x.wrapping_neg()`",
        ),
        (
            "(x: f32) -> f32",
            "x & x",
            "`f32` has no bit operations; write `x.to_bits()` for its bits, `x.powf(y)` for a power",
        ),
        (
            "(x: f32) -> f32",
            "x << 1",
            "shifts are of integers by integers, not `f32`; cast it first",
        ),
        (
            "(x: f32) -> u32",
            "((x, x) == (x, x)) as u32",
            "this takes scalars, not `(f32, f32)`; take the fields one by one: `pair.0`, `pair.1`",
        ),
        (
            "(i: i32) -> i32",
            "if i { 1 } else { 2 }",
            "a condition has to be `bool`, and this is `i32`; compare, or write an `if`",
        ),
        (
            "(x: f32) -> f32",
            "if x > 0.0 { 1.0 } else { 2 }",
            "the first branch gives a float, and this is an integer",
        ),
        (
            "(x: f32) -> f32",
            "!x",
            "`!` is for conditions and integers, not `f32`",
        ),
        (
            "(i: i32) -> i32",
            "i.0",
            "`i32` has no such field; tuples have `.0` and `.1`",
        ),
        (
            "(i: i32) -> f32",
            "i",
            "the function returns `f32`, and this is `i32`; cast it: `.. as f32`",
        ),
        (
            "(x: f32) -> f32",
            "x;",
            "the function returns `f32`, and this is no value",
        ),
    ];
    for (signature, body, message) in all {
        assert_eq!(
            faults(signature, body),
            [*message],
            "{signature} {{ {body} }}"
        );
    }
}
