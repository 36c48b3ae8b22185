//! The IR as Rust: the host twin of a device function, which has the kernel's meaning to the bit
//! where the user's own function may panic or overflow.

use super::{in_place, is_always};
use crate::dtype::{Dtype, Kind};
use crate::expr::{Block, Expr, ExprKind, Function, Statement, Type, UnaryOp};

/// The module of the runtime crate that has a module of functions for each type.
const TWIN: &str = "::reduce_runtime::private::twin";

/// Where the types `f16` and `bf16` come from.
const HALF: &str = "::reduce_runtime::private::half";

/// A function's body; its parameters are in scope as [`local`] names them.
pub fn body(function: &Function) -> String {
    block(&function.body)
}

/// The twin's name for a local: no item of the user's can be called so.
pub fn local(name: &str) -> String {
    format!("v_{name}")
}

/// A type, spelled so that nothing the user declares can change its meaning.
pub fn type_name(ty: &Type) -> String {
    match ty {
        Type::Scalar(dtype) if dtype.half => format!("{HALF}::{}", dtype.name),
        Type::Scalar(dtype) => format!("::core::primitive::{}", dtype.name),
        Type::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(type_name).collect();
            format!("({})", fields.join(", "))
        }
        Type::Unit | Type::Infer(_) => "()".to_owned(),
    }
}

/// An expression; constant if it is made of literals, signs and tuples.
pub fn expr(value: &Expr) -> String {
    match &value.kind {
        ExprKind::Literal(bits) => literal(*bits, value.ty.scalar().expect("literals are scalars")),
        ExprKind::Local(name) => local(name),
        ExprKind::Unary(UnaryOp::Neg, a) if a.ty.scalar().is_some_and(Dtype::is_integer) => {
            call("wrapping_neg", std::slice::from_ref(&**a))
        }
        ExprKind::Unary(UnaryOp::Neg, a) => format!("(-{})", expr(a)),
        ExprKind::Unary(UnaryOp::Not, a) => format!("(!{})", expr(a)),
        ExprKind::Binary(op, a, b) if op.is_plain_in_rust(&a.ty) => {
            format!("({} {} {})", expr(a), op.symbol(), expr(b))
        }
        ExprKind::Binary(op, a, b) => {
            format!(
                "{}({}, {})",
                function_name(op.function(), &a.ty),
                expr(a),
                expr(b)
            )
        }
        ExprKind::Cast(a) => convert(&expr(a), &a.ty, &value.ty),
        ExprKind::Call(row, list) => call(row.name, list),
        ExprKind::Tuple(list) => {
            let list: Vec<String> = list.iter().map(expr).collect();
            format!("({})", list.join(", "))
        }
        ExprKind::Field(a, position) => format!("{}.{position}", expr(a)),
        ExprKind::If(condition, yes, no) => {
            format!("(if {} {} else {})", expr(condition), block(yes), block(no))
        }
        ExprKind::Block(inner) => block(inner),
    }
}

fn block(block: &Block) -> String {
    let mut text = String::from("{ ");
    for statement in &block.statements {
        text += &statement_text(statement);
        text.push(' ');
    }
    if let Some(value) = &block.value {
        text += &expr(value);
    }
    text + " }"
}

fn statement_text(statement: &Statement) -> String {
    match statement {
        Statement::Let(name, value) => format!("let mut {} = {};", local(name), expr(value)),
        Statement::Assign(name, path, value) => {
            let fields: String = path.iter().map(|field| format!(".{field}")).collect();
            let place = format!("{}{fields}", local(name));
            match in_place(name, path, value) {
                Some((op, right)) if op.is_plain_in_rust(&right.ty) => {
                    format!("{place} {}= {};", op.symbol(), expr(right))
                }
                _ => format!("{place} = {};", expr(value)),
            }
        }
        Statement::Declare(name, ty) => format!("let mut {}: {};", local(name), type_name(ty)),
        Statement::For(name, range, body) => {
            let dots = if range.is_inclusive { "..=" } else { ".." };
            let (name, from, to) = (local(name), expr(&range.from), expr(&range.to));
            format!("for {name} in {from}{dots}{to} {}", block(body))
        }
        Statement::While(condition, body) if is_always(condition) => {
            format!("loop {}", block(body))
        }
        Statement::While(condition, body) => format!("while {} {}", expr(condition), block(body)),
        Statement::Break => "break;".to_owned(),
        Statement::Continue => "continue;".to_owned(),
        Statement::Return(value) => format!("return {};", expr(value)),
        Statement::Expr(value) => format!("{};", expr(value)),
    }
}

/// `value` of type `from` as Rust of type `to`, by Rust's `as` or the like of it for halves.
pub fn convert(value: &str, from: &Type, to: &Type) -> String {
    let half = |ty: &Type| ty.scalar().is_some_and(|dtype| dtype.half);
    if from == to {
        value.to_owned()
    } else if half(from) || half(to) {
        format!("{}({value})", function_name(&format!("to_{to}"), from))
    } else {
        format!("({value} as {})", type_name(to))
    }
}

fn call(name: &str, list: &[Expr]) -> String {
    let arguments: Vec<String> = list.iter().map(expr).collect();
    format!(
        "{}({})",
        function_name(name, &list[0].ty),
        arguments.join(", ")
    )
}

/// The function `name` of the module for values of this type.
fn function_name(name: &str, receiver: &Type) -> String {
    format!("{TWIN}::{receiver}::{name}")
}

fn literal(bits: u64, dtype: &'static Dtype) -> String {
    let ty = type_name(&Type::Scalar(dtype));
    match dtype.kind {
        Kind::Bool => (bits != 0).to_string(),
        Kind::Float => format!("<{ty}>::from_bits({bits:#x})"),
        Kind::Signed | Kind::Unsigned => format!("({bits:#x}u64 as {ty})"),
    }
}
