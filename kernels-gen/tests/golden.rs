//! Kernels as people read them, one for each stage combination and form. A change of the text shows as
//! a difference here; `BLESS=1 cargo test -p kernels-gen --test golden` accepts it.

use std::path::PathBuf;

use kernels_gen::dtype::{self, Dtype};
use kernels_gen::expr::{BinaryOp, Block, Expr, ExprKind, Function, Type};
use kernels_gen::grid::{self, GRIDS, LAST_BLOCK};
use kernels_gen::kernel::{Fragments, sections};
use kernels_gen::spec::{Parameter, Role, Spec};
use kernels_gen::stage::features;
use kernels_gen::strategy::{SHUFFLE, STRATEGIES};
use kernels_gen::{op, spec};

fn parameter(name: &str, dtype: &'static Dtype, role: Role) -> Parameter {
    Parameter {
        name: name.to_owned(),
        dtype,
        role,
    }
}

/// `fn name(x: dtype) -> dtype { x * x }`, folded with a built-in operator.
fn squares(name: &str, op: &str, dtype: &'static Dtype) -> Spec {
    let x = Expr::local("x", Type::Scalar(dtype));
    Spec {
        name: name.to_owned(),
        operator_name: op.to_owned(),
        built_in: op::find(op),
        parameters: vec![parameter("x", dtype, Role::Input)],
        map: Function {
            parameters: vec![("x".to_owned(), x.ty.clone())],
            result: x.ty.clone(),
            body: Block::of(Expr::binary(BinaryOp::Mul, x.clone(), x)),
        },
    }
}

/// The first position of the largest value: a user's operator on a tuple, with an index.
fn first_largest() -> (Spec, String) {
    let (value, position) = (Type::Scalar(&dtype::F32), Type::Scalar(&dtype::U64));
    let pair = Type::Tuple(vec![value.clone(), position.clone()]);
    let field = |of: &str, k: usize, ty: &Type| Expr {
        kind: ExprKind::Field(Box::new(Expr::local(of, pair.clone())), k),
        ty: ty.clone(),
    };
    let greater = Expr::binary(BinaryOp::Gt, field("b", 0, &value), field("a", 0, &value));
    let choice = ExprKind::If(
        Box::new(greater),
        Block::of(Expr::local("b", pair.clone())),
        Block::of(Expr::local("a", pair.clone())),
    );
    let combine = Function {
        parameters: vec![
            ("a".to_owned(), pair.clone()),
            ("b".to_owned(), pair.clone()),
        ],
        result: pair.clone(),
        body: Block::of(Expr {
            kind: choice,
            ty: pair.clone(),
        }),
    };
    let mapped = vec![
        Expr::local("x", value.clone()),
        Expr::local("i", position.clone()),
    ];
    let spec = Spec {
        name: "peak_at".to_owned(),
        operator_name: "first_largest".to_owned(),
        built_in: None,
        parameters: vec![
            parameter("x", &dtype::F32, Role::Input),
            parameter("i", &dtype::U64, Role::Index),
        ],
        map: Function {
            parameters: vec![("x".to_owned(), value), ("i".to_owned(), position)],
            result: pair.clone(),
            body: Block::of(Expr {
                kind: ExprKind::Tuple(mapped),
                ty: pair,
            }),
        },
    };
    (spec, spec::operator_text(&combine, None))
}

/// `fn over(x: f32) -> bool { x > 1.0 }`, counted.
fn over() -> Spec {
    let x = Expr::local("x", Type::Scalar(&dtype::F32));
    let one = Expr::literal(dtype::F32.one, x.ty.clone());
    Spec {
        name: "over".to_owned(),
        operator_name: "Count".to_owned(),
        built_in: op::find("Count"),
        parameters: vec![parameter("x", &dtype::F32, Role::Input)],
        map: Function {
            parameters: vec![("x".to_owned(), x.ty.clone())],
            result: Type::bool(),
            body: Block::of(Expr::binary(BinaryOp::Gt, x, one)),
        },
    }
}

/// A condition needs no arithmetic of floats: a reduction of integers has none in its text.
fn positive() -> Spec {
    let ty = Type::Scalar(&dtype::I32);
    let (x, zero) = (Expr::local("x", ty.clone()), Expr::literal(0, ty.clone()));
    let is_positive = Expr::binary(BinaryOp::Gt, x.clone(), zero.clone());
    let choice = ExprKind::If(Box::new(is_positive), Block::of(x), Block::of(zero));
    let mut spec = squares("positive_i32", "Add", &dtype::I32);
    spec.map.body = Block::of(Expr { kind: choice, ty });
    spec
}

fn fragments(spec: &Spec, operator: Option<String>) -> Fragments {
    let texts = spec.texts();
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    Fragments {
        title: leak(texts.title),
        accumulator: leak(texts.accumulator),
        operator: leak(
            texts
                .operator
                .or(operator)
                .expect("every reduction has an operator"),
        ),
        warp_fold: leak(texts.warp_fold),
        atomic_fold: leak(texts.atomic_fold),
        map: leak(texts.map),
        source: leak(texts.source),
        staged: leak(texts.staged),
        needs: texts.needs,
    }
}

fn check(name: &str, text: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(format!("{name}.cu"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("the folder can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let line = golden
        .lines()
        .zip(text.lines())
        .position(|(wanted, found)| wanted != found);
    assert!(
        golden == text,
        "{name}.cu differs from line {:?} on; BLESS=1 accepts the new text",
        line.map(|line| line + 1)
    );
}

/// Every strategy with the first grid, and every grid with the first strategy.
#[test]
fn every_stage() {
    for dtype in [&dtype::F32, &dtype::U32] {
        let spec = squares("sum_sq", "Add", dtype);
        let fragments = fragments(&spec, None);
        for (strategy, grid) in grid::pairs(spec.features()) {
            // What integers have beyond floats, for integers.
            let is_theirs =
                strategy.demands == 0 && grid.demands == 0 || strategy.demands == features::INPUTS;
            let is_first = grid.name == LAST_BLOCK.name || strategy.name == SHUFFLE.name;
            if is_first && is_theirs == dtype.is_float() {
                let name = format!("sum_sq_{}_{}", strategy.name, grid.name).to_lowercase();
                check(&name, &sections(&fragments, strategy, grid).concat());
            }
        }
    }
}

/// What is there where nothing is named: a launch selects one of several grids.
#[test]
fn auto() {
    let fragments = fragments(&squares("sum_sq", "Add", &dtype::F32), None);
    let text = sections(&fragments, &STRATEGIES[0], &GRIDS[0]).concat();
    check("sum_sq_auto", &text);
}

#[test]
fn other_forms() {
    let (peak, operator) = first_largest();
    let cases = [
        (
            "max_f16",
            fragments(&squares("max_f16", "Max", &dtype::F16), None),
        ),
        (
            "product_i64",
            fragments(&squares("product_i64", "Mul", &dtype::I64), None),
        ),
        ("peak_at", fragments(&peak, Some(operator))),
        ("over", fragments(&over(), None)),
        ("positive_i32", fragments(&positive(), None)),
    ];
    for (name, fragments) in cases {
        check(name, &sections(&fragments, &SHUFFLE, &LAST_BLOCK).concat());
    }
}
