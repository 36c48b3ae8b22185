//! Specs as tests need them, written by hand.

use kernels_gen::dtype::{self, Dtype};
use kernels_gen::expr::{BinaryOp, Block, Expr, ExprKind, Function, Type};
use kernels_gen::grid::Grid;
use kernels_gen::op::Op;
use kernels_gen::spec::{Parameter, Role, Spec};
use kernels_gen::strategy::Strategy;
use kernels_gen::tree::Tile;

use super::program::Program;

pub fn scalar(dtype: &'static Dtype) -> Type {
    Type::Scalar(dtype)
}

pub fn input(name: &str, dtype: &'static Dtype) -> Parameter {
    parameter(name, dtype, Role::Input)
}

pub fn index() -> Parameter {
    parameter("i", &dtype::U64, Role::Index)
}

pub fn parameter(name: &str, dtype: &'static Dtype, role: Role) -> Parameter {
    let name = name.to_owned();
    Parameter { name, dtype, role }
}

pub fn local(parameter: &Parameter) -> Expr {
    Expr::local(&parameter.name, scalar(parameter.dtype))
}

pub fn cast(value: Expr, dtype: &'static Dtype) -> Expr {
    let kind = ExprKind::Cast(Box::new(value));
    Expr {
        kind,
        ty: scalar(dtype),
    }
}

pub fn field(value: &Expr, position: usize, dtype: &'static Dtype) -> Expr {
    let kind = ExprKind::Field(Box::new(value.clone()), position);
    Expr {
        kind,
        ty: scalar(dtype),
    }
}

pub fn function(parameters: &[(&str, &Type)], value: Expr) -> Function {
    let parameters = parameters
        .iter()
        .map(|&(name, ty)| (name.to_owned(), ty.clone()));
    Function {
        parameters: parameters.collect(),
        result: value.ty.clone(),
        body: Block::of(value),
    }
}

pub fn spec(name: &str, op: Option<&'static Op>, parameters: Vec<Parameter>, value: Expr) -> Spec {
    let types: Vec<Type> = parameters
        .iter()
        .map(|parameter| scalar(parameter.dtype))
        .collect();
    let names = parameters.iter().map(|parameter| parameter.name.as_str());
    let map = function(&names.zip(&types).collect::<Vec<_>>(), value);
    Spec {
        name: name.to_owned(),
        operator_name: op.map_or("a user's", |op| op.name).to_owned(),
        built_in: op,
        parameters,
        map,
    }
}

/// The elements themselves, or their squares.
pub fn simple(op: &'static Op, dtype: &'static Dtype, is_squared: bool) -> Spec {
    let x = input("x", dtype);
    let value = local(&x);
    let value = if is_squared {
        Expr::binary(BinaryOp::Mul, value.clone(), value)
    } else {
        value
    };
    spec(
        &format!("{} of {}", op.name, dtype.name),
        Some(op),
        vec![x],
        value,
    )
}

/// `a * 31 + b`: what meets what, and on which side, is in every bit of the fold.
pub fn mixing(dtype: &'static Dtype) -> Function {
    let ty = scalar(dtype);
    let scaled = Expr::binary(
        BinaryOp::Mul,
        Expr::local("a", ty.clone()),
        Expr::literal(31, ty.clone()),
    );
    let value = Expr::binary(BinaryOp::Add, scaled, Expr::local("b", ty.clone()));
    function(&[("a", &ty), ("b", &ty)], value)
}

/// Of (value, position): the larger value, the first of equals.
pub fn larger() -> Function {
    let ty = Type::Tuple(vec![scalar(&dtype::F32), scalar(&dtype::U64)]);
    let (a, b) = (Expr::local("a", ty.clone()), Expr::local("b", ty.clone()));
    let compare = |op, left, right, position, dtype| {
        Expr::binary(
            op,
            field(left, position, dtype),
            field(right, position, dtype),
        )
    };
    let above = compare(BinaryOp::Gt, &b, &a, 0, &dtype::F32);
    let equal = compare(BinaryOp::Eq, &b, &a, 0, &dtype::F32);
    let before = compare(BinaryOp::Lt, &b, &a, 1, &dtype::U64);
    let wins = Expr::binary(
        BinaryOp::Or,
        above,
        Expr::binary(BinaryOp::And, equal, before),
    );
    let kind = ExprKind::If(Box::new(wins), Block::of(b), Block::of(a));
    function(
        &[("a", &ty), ("b", &ty)],
        Expr {
            kind,
            ty: ty.clone(),
        },
    )
}

/// Of (least, greatest): both.
pub fn range() -> Function {
    let ty = Type::Tuple(vec![scalar(&dtype::F64), scalar(&dtype::F64)]);
    let (a, b) = (Expr::local("a", ty.clone()), Expr::local("b", ty.clone()));
    let take_b_if = |op, position| {
        let (a, b) = (
            field(&a, position, &dtype::F64),
            field(&b, position, &dtype::F64),
        );
        let wins = Expr::binary(op, b.clone(), a.clone());
        let kind = ExprKind::If(Box::new(wins), Block::of(b), Block::of(a));
        Expr {
            kind,
            ty: scalar(&dtype::F64),
        }
    };
    let kind = ExprKind::Tuple(vec![take_b_if(BinaryOp::Lt, 0), take_b_if(BinaryOp::Gt, 1)]);
    let value = Expr {
        kind,
        ty: ty.clone(),
    };
    function(&[("a", &ty), ("b", &ty)], value)
}

/// Folds the elements themselves with [`mixing`].
pub fn mixing_program(
    dtype: &'static Dtype,
    (strategy, grid): (&Strategy, &Grid),
    tile: Tile,
) -> Program {
    let x = input("x", dtype);
    let value = local(&x);
    let spec = spec("mixing", None, vec![x], value);
    Program::with_operator(&spec, (&mixing(dtype), None), strategy, grid, tile)
}

/// [`mixing`] of u32.
pub fn mix_u32(a: u32, b: u32) -> u32 {
    a.wrapping_mul(31).wrapping_add(b)
}

/// [`mixing`] of u64.
pub fn mix_u64(a: u64, b: u64) -> u64 {
    a.wrapping_mul(31).wrapping_add(b)
}
