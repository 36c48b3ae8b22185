//! The built-in operators, a row each: how two accumulators combine and what an empty input gives.
//! A row names what it needs (an intrinsic, a word such as `Zero`); every type spells that itself.

use crate::dtype::Dtype;
use crate::expr::{BinaryOp, Block, Expr, ExprKind, Function, Type};
use crate::intrinsic;

/// A row of the operator table.
#[derive(Debug)]
pub struct Op {
    /// The word in `#[reduction(op = ..)]`.
    pub name: &'static str,
    /// One line for tables and messages.
    pub summary: &'static str,
    /// How two accumulators combine.
    pub combine: Combine,
    /// What the fold of nothing is; without it, empty input is an error.
    pub empty: Option<Word>,
    /// What changes no other value, to the bit.
    pub neutral: Word,
    /// The function of `cuda/intrinsics_*.cuh` that folds a warp, of the types that have one.
    pub warp: Option<&'static str>,
    /// The function of `cuda/intrinsics_atomic.cuh` that folds in memory, of the types that have one.
    pub atomic: Option<&'static str>,
    /// Whether floats, too, give the same bits in any order; integers and conditions always do.
    pub is_exact_on_floats: bool,
}

/// How two accumulators combine.
#[derive(Debug)]
pub enum Combine {
    /// By an operator of the IR.
    Binary(BinaryOp),
    /// By an intrinsic of this name.
    Call(&'static str),
}

/// A value that every type can spell.
#[derive(Clone, Copy, Debug)]
pub enum Word {
    /// The type's zero, positive.
    Zero,
    /// The type's one.
    One,
    /// Zero; of floats, the negative one.
    NegativeZero,
    /// The type's least; of floats, negative infinity.
    Lowest,
    /// The type's greatest; of floats, infinity.
    Highest,
}

/// The table.
pub static OPS: &[Op] = &[
    Op {
        name: "Add",
        summary: "sum; integers wrap",
        combine: Combine::Binary(BinaryOp::Add),
        empty: Some(Word::Zero),
        neutral: Word::NegativeZero,
        warp: Some("redux_add"),
        atomic: Some("atomic_add"),
        is_exact_on_floats: false,
    },
    Op {
        name: "Mul",
        summary: "product; integers wrap",
        combine: Combine::Binary(BinaryOp::Mul),
        empty: Some(Word::One),
        neutral: Word::One,
        warp: None,
        atomic: None,
        is_exact_on_floats: false,
    },
    Op {
        name: "Min",
        summary: "smallest; any NaN gives NaN, -0.0 is below 0.0",
        combine: Combine::Call("minimum"),
        empty: None,
        neutral: Word::Highest,
        warp: Some("redux_min"),
        atomic: Some("atomic_min"),
        is_exact_on_floats: true,
    },
    Op {
        name: "Max",
        summary: "largest; any NaN gives NaN, 0.0 is above -0.0",
        combine: Combine::Call("maximum"),
        empty: None,
        neutral: Word::Lowest,
        warp: Some("redux_max"),
        atomic: Some("atomic_max"),
        is_exact_on_floats: true,
    },
];

/// The row of the operator called `name`.
pub fn find(name: &str) -> Option<&'static Op> {
    OPS.iter().find(|op| op.name == name)
}

impl Op {
    /// The operator as a function of two accumulators of type `dtype`.
    pub fn function(&self, dtype: &'static Dtype) -> Function {
        let ty = Type::Scalar(dtype);
        let a = Expr::local("a", ty.clone());
        let b = Expr::local("b", ty.clone());
        let value = match self.combine {
            Combine::Binary(op) => Expr::binary(op, a, b),
            Combine::Call(name) => Expr {
                kind: ExprKind::Call(
                    intrinsic::find(name, dtype)
                        .expect("every number has the intrinsics of the operator rows"),
                    vec![a, b],
                ),
                ty: ty.clone(),
            },
        };
        Function {
            parameters: vec![("a".to_owned(), ty.clone()), ("b".to_owned(), ty.clone())],
            result: ty,
            body: Block::of(value),
        }
    }

    /// What the fold of nothing is, in type `dtype`.
    pub fn identity(&self, dtype: &'static Dtype) -> Option<Expr> {
        Some(self.empty?.on(dtype))
    }

    /// What changes no other value of type `dtype`, to the bit.
    pub fn neutral_on(&self, dtype: &'static Dtype) -> Expr {
        self.neutral.on(dtype)
    }
}

impl Word {
    fn on(self, dtype: &'static Dtype) -> Expr {
        let bits = match self {
            Word::Zero => 0,
            Word::One => dtype.one,
            Word::NegativeZero => dtype.negative_zero(),
            Word::Lowest => dtype.lowest(),
            Word::Highest => dtype.highest(),
        };
        Expr::literal(bits, Type::Scalar(dtype))
    }
}
