//! The built-in operators, a row each: how two accumulators combine and what an empty input gives.
//! A row names what it needs (an intrinsic, a word such as `Zero`); every type spells that itself.

use crate::dtype::{self, Dtype, Kind};
use crate::expr::{BinaryOp, Block, Expr, ExprKind, Function, Type};
use crate::intrinsic;

/// A row of the operator table.
#[derive(Debug)]
pub struct Op {
    /// The word in `#[reduction(op = ..)]`.
    pub name: &'static str,
    /// One line for tables and messages.
    pub summary: &'static str,
    /// What the function may return.
    pub takes: Takes,
    /// What it is folded in.
    pub fold: Fold,
    /// How two accumulators combine.
    pub combine: Combine,
    /// What the fold of nothing is; without it, empty input is an error.
    pub empty: Option<Word>,
}

/// The types that a row takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// Every float and every integer.
    Numbers,
    /// Every integer.
    Integers,
    /// `bool`.
    Bools,
}

/// The accumulator, and the result, of the types that a row takes.
#[derive(Clone, Copy, Debug)]
pub enum Fold {
    /// Each type's own accumulator, which becomes that type again at the end.
    Own,
    /// This type, which the result keeps.
    Into(&'static Dtype),
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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The type's zero, positive; of `bool`, false.
    Zero,
    /// The type's one; of `bool`, true.
    One,
    /// All bits set; of integers.
    Ones,
}

/// The table.
pub static OPS: &[Op] = &[
    Op {
        name: "Add",
        summary: "sum; integers wrap",
        takes: Takes::Numbers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::Add),
        empty: Some(Word::Zero),
    },
    Op {
        name: "Mul",
        summary: "product; integers wrap",
        takes: Takes::Numbers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::Mul),
        empty: Some(Word::One),
    },
    Op {
        name: "Min",
        summary: "smallest; any NaN gives NaN, -0.0 is below 0.0",
        takes: Takes::Numbers,
        fold: Fold::Own,
        combine: Combine::Call("minimum"),
        empty: None,
    },
    Op {
        name: "Max",
        summary: "largest; any NaN gives NaN, 0.0 is above -0.0",
        takes: Takes::Numbers,
        fold: Fold::Own,
        combine: Combine::Call("maximum"),
        empty: None,
    },
    Op {
        name: "BitAnd",
        summary: "the bits that all have",
        takes: Takes::Integers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitAnd),
        empty: Some(Word::Ones),
    },
    Op {
        name: "BitOr",
        summary: "the bits that any has",
        takes: Takes::Integers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitOr),
        empty: Some(Word::Zero),
    },
    Op {
        name: "BitXor",
        summary: "the bits that an odd number have",
        takes: Takes::Integers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitXor),
        empty: Some(Word::Zero),
    },
    Op {
        name: "All",
        summary: "whether all are true",
        takes: Takes::Bools,
        fold: Fold::Own,
        // Not `And`: both sides are there already, and nothing is to be skipped.
        combine: Combine::Binary(BinaryOp::BitAnd),
        empty: Some(Word::One),
    },
    Op {
        name: "Any",
        summary: "whether any is true",
        takes: Takes::Bools,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitOr),
        empty: Some(Word::Zero),
    },
    Op {
        name: "Count",
        summary: "how many are true, a `u64`",
        takes: Takes::Bools,
        fold: Fold::Into(&dtype::U64),
        combine: Combine::Binary(BinaryOp::Add),
        empty: Some(Word::Zero),
    },
];

/// The row of the operator called `name`.
pub fn find(name: &str) -> Option<&'static Op> {
    OPS.iter().find(|op| op.name == name)
}

/// The names of the operators that take `dtype`.
pub fn names_taking(dtype: &Dtype) -> impl Iterator<Item = &'static str> {
    OPS.iter()
        .filter(|op| op.takes.takes(dtype))
        .map(|op| op.name)
}

/// Every operator with every type that it takes.
pub fn pairs() -> impl Iterator<Item = (&'static Op, &'static Dtype)> {
    OPS.iter().flat_map(|op| {
        let types = dtype::DTYPES.iter().copied();
        types
            .filter(|dtype| op.takes.takes(dtype))
            .map(move |dtype| (op, dtype))
    })
}

impl Takes {
    /// Whether a function that returns this type is folded.
    pub fn takes(self, dtype: &Dtype) -> bool {
        match self {
            Takes::Numbers => dtype.kind != Kind::Bool,
            Takes::Integers => dtype.is_integer(),
            Takes::Bools => dtype.kind == Kind::Bool,
        }
    }

    /// The types together, for tables and messages.
    pub fn all(self) -> &'static str {
        match self {
            Takes::Numbers => "numbers",
            Takes::Integers => "integers",
            Takes::Bools => "`bool`",
        }
    }

    /// A value of one of them, for advice.
    pub fn one(self) -> &'static str {
        match self {
            Takes::Numbers => "one number",
            Takes::Integers => "one integer",
            Takes::Bools => "a `bool`, such as a comparison",
        }
    }
}

impl Op {
    /// What a thread keeps of a function that returns `ty`.
    pub fn accumulator(&self, ty: &Type) -> Type {
        match (self.fold, ty) {
            (Fold::Own, Type::Scalar(dtype)) => {
                let row = dtype::find(dtype.accumulator);
                Type::Scalar(row.expect("accumulators are types of the table"))
            }
            (Fold::Own, other) => other.clone(),
            (Fold::Into(dtype), _) => Type::Scalar(dtype),
        }
    }

    /// What the reduction of a function that returns `ty` yields.
    pub fn result(&self, ty: &Type) -> Type {
        match self.fold {
            Fold::Own => ty.clone(),
            Fold::Into(dtype) => Type::Scalar(dtype),
        }
    }

    /// The operator as a function of two accumulators, which are of type `dtype`.
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
        let bits = match self.empty? {
            Word::Zero => 0,
            Word::One => dtype.one,
            Word::Ones => dtype.mask(),
        };
        Some(Expr::literal(bits, Type::Scalar(dtype)))
    }
}
