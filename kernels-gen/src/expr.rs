//! The typed expression IR: what a device function computes, with one meaning and two renderings
//! ([`crate::render`]). Every node carries its type, so rendering never has to guess and cannot fail.
//!
//! The meaning is Rust's with overflow checks off: integers wrap at their width, shifts are masked,
//! `x / 0` is 0 and `x % 0` is x, `as` saturates from float to integer.

use crate::dtype::{self, Dtype, Kind};
use crate::intrinsic::Intrinsic;

/// A type of the IR.
#[derive(Clone, PartialEq, Debug)]
pub enum Type {
    /// A number or a condition.
    Scalar(&'static Dtype),
    /// A tuple; fields are laid out in order, each at its own alignment.
    Tuple(Vec<Type>),
    /// No value: what a block that ends in a statement has.
    Unit,
    /// Not known yet. Only inference makes these, and leaves none.
    Infer(usize),
}

impl Type {
    /// The type of conditions.
    pub fn bool() -> Type {
        Type::Scalar(&dtype::BOOL)
    }

    /// The scalar's row, if this is a scalar.
    pub fn scalar(&self) -> Option<&'static Dtype> {
        match self {
            Type::Scalar(dtype) => Some(dtype),
            _ => None,
        }
    }

    /// The scalars that make up a value, in order.
    pub fn leaves(&self) -> Vec<&'static Dtype> {
        match self {
            Type::Scalar(dtype) => vec![dtype],
            Type::Tuple(fields) => fields.iter().flat_map(Type::leaves).collect(),
            Type::Unit | Type::Infer(_) => Vec::new(),
        }
    }

    /// Alignment in bytes, as C lays the type out.
    pub fn align(&self) -> u32 {
        let aligns = self.leaves().into_iter().map(|leaf| leaf.bytes);
        aligns.max().unwrap_or(1)
    }

    /// Size in bytes, as C lays the type out.
    pub fn bytes(&self) -> u32 {
        match self {
            Type::Scalar(dtype) => dtype.bytes,
            Type::Tuple(fields) => {
                let end = fields.iter().fold(0u32, |offset, field| {
                    offset.next_multiple_of(field.align()) + field.bytes()
                });
                end.next_multiple_of(self.align())
            }
            Type::Unit | Type::Infer(_) => 0,
        }
    }
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Scalar(dtype) => f.write_str(dtype.name),
            Type::Tuple(fields) => {
                let fields: Vec<String> = fields.iter().map(Type::to_string).collect();
                write!(f, "({})", fields.join(", "))
            }
            Type::Unit => f.write_str("()"),
            Type::Infer(_) => f.write_str("_"),
        }
    }
}

/// An expression and the type of its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What is computed.
    pub kind: ExprKind,
    /// What it yields.
    pub ty: Type,
}

/// The forms of an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// A constant, as the bit pattern of its type.
    Literal(u64),
    /// The value of a parameter or local.
    Local(String),
    /// One operand.
    Unary(UnaryOp, Box<Expr>),
    /// Two operands; `And` and `Or` evaluate the second only if it decides.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// Rust's `as`, to the node's type.
    Cast(Box<Expr>),
    /// A function of the intrinsic table.
    Call(&'static Intrinsic, Vec<Expr>),
    /// A tuple of values.
    Tuple(Vec<Expr>),
    /// A field of a tuple, by position.
    Field(Box<Expr>, usize),
    /// Both branches have the node's type.
    If(Box<Expr>, Block, Block),
    /// Statements, then a value.
    Block(Block),
}

/// Statements and the value they lead to, if any.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Block {
    /// Run in order.
    pub statements: Vec<Statement>,
    /// The block's value.
    pub value: Option<Box<Expr>>,
}

/// What a loop counts through.
#[derive(Clone, PartialEq, Debug)]
pub struct Range {
    /// The first value.
    pub from: Expr,
    /// The end.
    pub to: Expr,
    /// Whether the end is the last value, rather than beyond it.
    pub is_inclusive: bool,
}

/// A step that yields nothing.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// A new local. Names are unique within a function.
    Let(String, Expr),
    /// A new local that gets its value later.
    Declare(String, Type),
    /// A new value for a local, or for the field of one that the path names.
    Assign(String, Vec<usize>, Expr),
    /// The body once for each value of the local in the range.
    For(String, Range, Block),
    /// The body as long as the condition holds.
    While(Expr, Block),
    /// Leaves the innermost loop.
    Break,
    /// Goes on with the innermost loop's next turn.
    Continue,
    /// Leaves the function with this value.
    Return(Expr),
    /// An expression for its statements; its value is dropped.
    Expr(Expr),
}

/// Operators of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOp {
    /// Sign change; wraps on integers.
    Neg,
    /// Logical on conditions, bitwise on integers.
    Not,
}

/// Operators of two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    /// How Rust and C both write it.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::BitXor => "^",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::Lt => "<",
            BinaryOp::Le => "<=",
            BinaryOp::Gt => ">",
            BinaryOp::Ge => ">=",
        }
    }

    /// The function that stands for it where the bare operator means something else:
    /// in C for signed overflow, in Rust for any overflow, in both for division, remainder and shifts.
    pub fn function(self) -> &'static str {
        match self {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::Div => "div",
            BinaryOp::Rem => "rem",
            BinaryOp::Shl => "shl",
            BinaryOp::Shr => "shr",
            _ => unreachable!("{self:?} means the same in Rust and C"),
        }
    }

    /// Whether it compares, yielding a condition.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// Whether it works on bits, or on conditions without skipping the second.
    pub fn is_bitwise(self) -> bool {
        use BinaryOp::*;
        matches!(self, BitAnd | BitOr | BitXor)
    }

    /// Whether the bare operator has Rust's meaning in C, for operands of this type.
    pub fn is_plain_in_c(self, operand: &Type) -> bool {
        use BinaryOp::*;
        let Some(dtype) = operand.scalar() else {
            return true;
        };
        match self {
            Add | Sub | Mul if dtype.is_integer() => {
                dtype.kind == Kind::Unsigned && !dtype.is_promoted()
            }
            Div => dtype.is_float(),
            Rem | Shl | Shr => false,
            _ => true,
        }
    }

    /// Whether the bare operator never panics in Rust, for operands of this type.
    pub fn is_plain_in_rust(self, operand: &Type) -> bool {
        use BinaryOp::*;
        let float = operand.scalar().is_some_and(Dtype::is_float);
        match self {
            Add | Sub | Mul | Div | Rem => float,
            Shl | Shr => false,
            _ => true,
        }
    }
}

/// A function for the device: parameters, result and body.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Name and type of each parameter, in order.
    pub parameters: Vec<(String, Type)>,
    /// What it returns.
    pub result: Type,
    /// What it computes.
    pub body: Block,
}

impl Expr {
    /// The value of the local `name`.
    pub fn local(name: &str, ty: Type) -> Expr {
        let kind = ExprKind::Local(name.to_owned());
        Expr { kind, ty }
    }

    /// The constant of type `ty` with this bit pattern.
    pub fn literal(bits: u64, ty: Type) -> Expr {
        let kind = ExprKind::Literal(bits);
        Expr { kind, ty }
    }

    /// `left op right`, of the type that the operator yields.
    pub fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        let ty = if op.is_comparison() {
            Type::bool()
        } else {
            left.ty.clone()
        };
        let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
        Expr { kind, ty }
    }
}

impl Block {
    /// A block that is just this value.
    pub fn of(value: Expr) -> Block {
        Block {
            statements: Vec::new(),
            value: Some(Box::new(value)),
        }
    }
}
