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
    /// What changes no other value, to the bit.
    pub neutral: Word,
    /// The function of `cuda/intrinsics_*.cuh` that folds a warp, of the types that have one.
    pub warp: Option<&'static str>,
    /// The function of `cuda/intrinsics_atomic.cuh` that folds in memory, of the types that have one.
    pub atomic: Option<&'static str>,
    /// Whether floats, too, give the same bits in any order; integers and conditions always do.
    pub is_exact_on_floats: bool,
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
        takes: Takes::Numbers,
        fold: Fold::Own,
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
        takes: Takes::Numbers,
        fold: Fold::Own,
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
        takes: Takes::Numbers,
        fold: Fold::Own,
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
        takes: Takes::Numbers,
        fold: Fold::Own,
        combine: Combine::Call("maximum"),
        empty: None,
        neutral: Word::Lowest,
        warp: Some("redux_max"),
        atomic: Some("atomic_max"),
        is_exact_on_floats: true,
    },
    Op {
        name: "BitAnd",
        summary: "the bits that all have",
        takes: Takes::Integers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitAnd),
        empty: Some(Word::Ones),
        neutral: Word::Ones,
        warp: Some("redux_and"),
        atomic: Some("atomic_and"),
        is_exact_on_floats: false,
    },
    Op {
        name: "BitOr",
        summary: "the bits that any has",
        takes: Takes::Integers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitOr),
        empty: Some(Word::Zero),
        neutral: Word::Zero,
        warp: Some("redux_or"),
        atomic: Some("atomic_or"),
        is_exact_on_floats: false,
    },
    Op {
        name: "BitXor",
        summary: "the bits that an odd number have",
        takes: Takes::Integers,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitXor),
        empty: Some(Word::Zero),
        neutral: Word::Zero,
        warp: Some("redux_xor"),
        atomic: Some("atomic_xor"),
        is_exact_on_floats: false,
    },
    Op {
        name: "All",
        summary: "whether all are true",
        takes: Takes::Bools,
        fold: Fold::Own,
        // Not `And`: both sides are there already, and nothing is to be skipped.
        combine: Combine::Binary(BinaryOp::BitAnd),
        empty: Some(Word::One),
        neutral: Word::One,
        warp: Some("all_lanes"),
        atomic: None,
        is_exact_on_floats: false,
    },
    Op {
        name: "Any",
        summary: "whether any is true",
        takes: Takes::Bools,
        fold: Fold::Own,
        combine: Combine::Binary(BinaryOp::BitOr),
        empty: Some(Word::Zero),
        neutral: Word::Zero,
        warp: Some("any_lane"),
        atomic: None,
        is_exact_on_floats: false,
    },
    Op {
        name: "Count",
        summary: "how many are true, a `u64`",
        takes: Takes::Bools,
        fold: Fold::Into(&dtype::U64),
        combine: Combine::Binary(BinaryOp::Add),
        empty: Some(Word::Zero),
        neutral: Word::Zero,
        warp: None,
        atomic: Some("atomic_add"),
        is_exact_on_floats: false,
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
            Word::Ones => dtype.mask(),
            Word::NegativeZero => dtype.negative_zero(),
            Word::Lowest => dtype.lowest(),
            Word::Highest => dtype.highest(),
        };
        Expr::literal(bits, Type::Scalar(dtype))
    }
}
