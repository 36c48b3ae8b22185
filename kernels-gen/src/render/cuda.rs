//! The IR as CUDA C: the one place that knows where C differs from Rust.

use std::fmt::Write as _;

use super::{Target, in_place, is_plain};
use crate::dtype::{Dtype, Kind};
use crate::expr::{BinaryOp, Block, Expr, ExprKind, Function, Range, Statement, Type, UnaryOp};
use crate::stage::needs;

/// A device function called `name`.
///
/// ```text
/// DEVICE f32 map(f32 x) {
///     return x * x;
/// }
/// ```
pub fn function(name: &str, function: &Function) -> String {
    let parameters: Vec<String> = function
        .parameters
        .iter()
        .map(|(name, ty)| format!("{} {name}", type_name(ty)))
        .collect();
    let result = type_name(&function.result);
    let mut writer = Writer::default();
    writer.open(&format!(
        "DEVICE {result} {name}({}) {{",
        parameters.join(", ")
    ));
    writer.block(&function.body, Target::Return);
    writer.close("}");
    writer.text
}

/// A type's name in the kernel text.
pub fn type_name(ty: &Type) -> String {
    match ty {
        Type::Scalar(dtype) => dtype.name.to_owned(),
        Type::Tuple(fields) => {
            let fields: Vec<String> = fields.iter().map(type_name).collect();
            format!("tuple{}<{}>", fields.len(), fields.join(", "))
        }
        Type::Unit | Type::Infer(_) => "void".to_owned(),
    }
}

/// A constant expression, for identities.
pub fn constant(expr: &Expr) -> String {
    Writer::default().expr(expr, 0)
}

/// `name` as an identifier that means nothing else in the kernel text.
pub fn identifier(name: &str) -> String {
    let name = name.strip_prefix("r#").unwrap_or(name);
    let is_taken = TAKEN.contains(&name)
        || name.contains("__")
        || starts_as_reserved(name)
        || !name.is_ascii()
        || !name.bytes().any(|byte| byte.is_ascii_lowercase());
    if !is_taken {
        return name.to_owned();
    }
    let ascii = name.chars().map(|c| match c {
        '_' => "_".to_owned(),
        c if c.is_ascii_alphanumeric() => c.to_string(),
        c => format!("u{:x}", c as u32),
    });
    // Two underscores in a row are the compilers' own, wherever they stand.
    let ascii = format!("local_{}", ascii.collect::<String>());
    let parts: Vec<&str> = ascii.split('_').filter(|part| !part.is_empty()).collect();
    parts.join("_")
}

/// Names such as `_Pragma` are the compilers' own.
fn starts_as_reserved(name: &str) -> bool {
    let second = name.strip_prefix('_').and_then(|rest| rest.chars().next());
    second.is_some_and(|second| second.is_ascii_uppercase())
}

/// Words of C++ and names of the kernel text that a Rust local may have; the raw ones included.
#[rustfmt::skip]
const TAKEN: &[&str] = &[
    // Words of C++, those that mean something in some places alone too.
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case",
    "catch", "char", "char8_t", "char16_t", "char32_t", "class", "co_await", "co_return", "co_yield",
    "compl", "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue",
    "decltype", "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit",
    "export", "extern", "false", "final", "float", "for", "friend", "goto", "if", "import", "inline",
    "int", "long", "module", "mutable", "namespace", "new", "noexcept", "not", "not_eq", "nullptr",
    "operator", "or", "or_eq", "override", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try",
    "typedef", "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void",
    "volatile", "wchar_t", "while", "xor", "xor_eq",
    // Macros and variables of its compilers.
    "assert", "linux", "unix", "blockDim", "blockIdx", "gridDim", "threadIdx", "warpSize",
    // Types.
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "tuple2", "Acc",
    "Bits", "BitsOf", "Elements", "Int", "Outputs", "Partials", "Step", "Vector", "Words",
    // Functions.
    "arrive", "block_barrier", "block_fold", "combine", "f16_bits_from_f32", "f32_from_f16_bits",
    "f32_maximum", "f32_minimum", "first_distance", "from_bits", "identity", "is_aligned", "load_bytes",
    "load_partials", "load_shared_by_grid", "load_vector", "map", "memcpy", "release_dependents", "rust",
    "shuffle_down", "shuffle_word_down", "thread_fold", "tile_fold", "wait_for_predecessor",
    "write_result",
    // Members of the struct that holds the inputs and uniforms, and their locals.
    "aligned", "at", "lane", "left", "load", "load_some", "position", "start", "step", "value",
];

/// The [`needs`] of a function's text.
pub fn needs_of(function: &Function) -> u32 {
    let mut needs = 0;
    for (_, ty) in &function.parameters {
        needs |= needs_of_type(ty);
    }
    needs | needs_of_type(&function.result) | needs_of_block(&function.body)
}

fn needs_of_type(ty: &Type) -> u32 {
    let leaves = ty.leaves().into_iter();
    leaves.fold(0, |needs, leaf| {
        needs
            | match leaf.kind {
                Kind::Bool => 0,
                Kind::Signed | Kind::Unsigned => needs::INTEGER,
                Kind::Float if leaf.half => needs::HALF | needs::FLOAT,
                Kind::Float => needs::FLOAT,
            }
    })
}

fn needs_of_block(block: &Block) -> u32 {
    let statements = block.statements.iter().map(|statement| match statement {
        Statement::Let(_, value) | Statement::Assign(_, _, value) => needs_of_expr(value),
        Statement::Return(value) | Statement::Expr(value) => needs_of_expr(value),
        Statement::Declare(_, ty) => needs_of_type(ty),
        Statement::For(_, range, body) => {
            needs_of_expr(&range.from) | needs_of_expr(&range.to) | needs_of_block(body)
        }
        Statement::While(condition, body) => needs_of_expr(condition) | needs_of_block(body),
        Statement::Break | Statement::Continue => 0,
    });
    let value = block.value.as_deref().map_or(0, needs_of_expr);
    statements.fold(value, |all, needs| all | needs)
}

fn needs_of_expr(expr: &Expr) -> u32 {
    let own = needs_of_type(&expr.ty);
    own | match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Local(_) => 0,
        ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, _) => needs_of_expr(a),
        ExprKind::Binary(_, a, b) => needs_of_expr(a) | needs_of_expr(b),
        ExprKind::Call(_, list) | ExprKind::Tuple(list) => {
            list.iter().fold(0, |all, item| all | needs_of_expr(item))
        }
        ExprKind::If(condition, yes, no) => {
            needs_of_expr(condition) | needs_of_block(yes) | needs_of_block(no)
        }
        ExprKind::Block(block) => needs_of_block(block),
    }
}

/// Binding strengths of C's operators, from loosest.
mod strength {
    pub const TERNARY: u8 = 1;
    pub const UNARY: u8 = 12;
    pub const POSTFIX: u8 = 13;
}

fn strength_of(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 2,
        BinaryOp::And => 3,
        BinaryOp::BitOr => 4,
        BinaryOp::BitXor => 5,
        BinaryOp::BitAnd => 6,
        BinaryOp::Eq | BinaryOp::Ne => 7,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 8,
        BinaryOp::Shl | BinaryOp::Shr => 9,
        BinaryOp::Add | BinaryOp::Sub => 10,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 11,
    }
}

/// Owns the layout of what is written, and the names of temporaries.
#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
    temporaries: usize,
}

impl Writer {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.depth * 4);
    }

    fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self, line: &str) {
        self.depth -= 1;
        self.line(line);
    }

    fn block(&mut self, block: &Block, target: Target) {
        for statement in &block.statements {
            self.statement(statement);
        }
        if let Some(value) = &block.value {
            self.settle(value, target);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Let(name, value) => self.declare(name, value),
            Statement::Declare(name, ty) => self.line(&format!("{} {name};", type_name(ty))),
            Statement::Assign(name, path, value) => {
                let fields: String = path.iter().map(|field| format!("._{field}")).collect();
                let place = format!("{name}{fields}");
                match in_place(name, path, value) {
                    Some((op, right)) if op.is_plain_in_c(&right.ty) => {
                        let right = self.expr(right, 0);
                        self.line(&format!("{place} {}= {right};", op.symbol()));
                    }
                    _ => self.settle(value, Target::Local(&place)),
                }
            }
            Statement::For(name, range, body) => self.count(name, range, body),
            Statement::While(condition, body) => self.repeat(condition, body),
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return(value) => self.settle(value, Target::Return),
            Statement::Expr(value) => self.settle(value, Target::Discard),
        }
    }

    /// A counting loop. The end is computed once, before; where it is the last value, nothing counts beyond it,
    /// for there may be no such number.
    fn count(&mut self, name: &str, range: &Range, body: &Block) {
        let ty = type_name(&range.from.ty);
        let is_literal = |bound: &Expr| matches!(bound.kind, ExprKind::Literal(_));
        let from = if is_literal(&range.to) || is_literal(&range.from) {
            self.expr(&range.from, 0)
        } else {
            self.spill(&range.from)
        };
        let to = if is_literal(&range.to) {
            self.expr(&range.to, strength_of(BinaryOp::Shl))
        } else {
            self.spill(&range.to)
        };
        let head = match range.is_inclusive {
            false => format!("for ({ty} {name} = {from}; {name} < {to}; ++{name}) {{"),
            true => {
                self.line(&format!("{ty} {name} = {from};"));
                let more = self.temporary();
                format!(
                    "for (bool {more} = {name} <= {to}; {more}; {more} = {name} < {to}, {name} += {more}) {{"
                )
            }
        };
        self.open(&head);
        self.block(body, Target::Discard);
        self.close("}");
    }

    /// A loop with a condition, which is computed anew at each turn.
    fn repeat(&mut self, condition: &Expr, body: &Block) {
        if is_plain(condition) {
            let condition = self.expr(condition, 0);
            self.open(&format!("while ({condition}) {{"));
        } else {
            self.open("while (true) {");
            let condition = self.expr(condition, strength::POSTFIX);
            self.line(&format!("if (!{condition}) break;"));
        }
        self.block(body, Target::Discard);
        self.close("}");
    }

    /// `ty name = value;`, or the declaration first where the value takes statements.
    fn declare(&mut self, name: &str, value: &Expr) {
        let ty = type_name(&value.ty);
        if is_plain(value) {
            let value = self.expr(value, 0);
            self.line(&format!("{ty} {name} = {value};"));
        } else {
            self.line(&format!("{ty} {name};"));
            self.settle(value, Target::Local(name));
        }
    }

    /// Writes the statements that bring the value to its target.
    fn settle(&mut self, expr: &Expr, target: Target) {
        match &expr.kind {
            ExprKind::Block(block) => {
                self.open("{");
                self.block(block, target);
                self.close("}");
            }
            ExprKind::If(condition, yes, no) if !is_plain(expr) => {
                let condition = self.expr(condition, 0);
                self.open(&format!("if ({condition}) {{"));
                self.block(yes, target);
                self.otherwise(no, target);
                self.close("}");
            }
            _ => {
                let value = self.expr(expr, 0);
                self.line(&match target {
                    Target::Return => format!("return {value};"),
                    Target::Local(name) => format!("{name} = {value};"),
                    Target::Discard => format!("{value};"),
                });
            }
        }
    }

    /// The rest of an `if` after its first branch, up to the last brace: `else if` where that is all there is.
    fn otherwise(&mut self, no: &Block, target: Target) {
        let only = match (&no.statements[..], no.value.as_deref()) {
            ([], None) => return,
            ([], Some(only)) | ([Statement::Expr(only)], None) => Some(only),
            _ => None,
        };
        match only.map(|only| &only.kind) {
            Some(ExprKind::If(condition, yes, no)) if is_plain(condition) => {
                let condition = self.expr(condition, 0);
                self.close(&format!("}} else if ({condition}) {{"));
                self.depth += 1;
                self.block(yes, target);
                self.otherwise(no, target);
            }
            _ => {
                self.close("} else {");
                self.depth += 1;
                self.block(no, target);
            }
        }
    }

    /// Computes the value now, into a fresh local; returns the local's name.
    fn spill(&mut self, expr: &Expr) -> String {
        let name = self.temporary();
        self.declare(&name, expr);
        name
    }

    fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("t__{}", self.temporaries)
    }

    /// Operands in order of evaluation: where a later one takes statements, the earlier ones are
    /// computed before it.
    fn operands(&mut self, list: &[&Expr], strength: u8) -> Vec<String> {
        let spill_below = list.iter().rposition(|item| !is_plain(item)).unwrap_or(0);
        let operands = list.iter().enumerate().map(|(k, item)| {
            if k < spill_below && !matches!(item.kind, ExprKind::Literal(_)) {
                self.spill(item)
            } else {
                self.expr(item, strength)
            }
        });
        operands.collect()
    }

    fn call(&mut self, function: &str, list: &[&Expr]) -> String {
        format!("{function}({})", self.operands(list, 0).join(", "))
    }

    /// The expression as C, in parentheses if it binds less than `outer`.
    fn expr(&mut self, expr: &Expr, outer: u8) -> String {
        if !is_plain(expr) && matches!(expr.kind, ExprKind::If(..) | ExprKind::Block(_)) {
            return self.spill(expr);
        }
        let (text, strength) = match &expr.kind {
            ExprKind::Literal(bits) => {
                let literal = literal(*bits, expr.ty.scalar().expect("literals are scalars"));
                let is_signed = literal.starts_with('-');
                (
                    literal,
                    if is_signed {
                        strength::UNARY
                    } else {
                        strength::POSTFIX
                    },
                )
            }
            ExprKind::Local(name) => (name.clone(), strength::POSTFIX),
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Cast(a) => self.cast(a, &expr.ty),
            ExprKind::Call(row, list) => {
                let list: Vec<&Expr> = list.iter().collect();
                (
                    self.call(&format!("rust::{}", row.name), &list),
                    strength::POSTFIX,
                )
            }
            ExprKind::Tuple(list) => {
                let list: Vec<&Expr> = list.iter().collect();
                let fields = self.operands(&list, 0).join(", ");
                (
                    format!("{}{{{fields}}}", type_name(&expr.ty)),
                    strength::POSTFIX,
                )
            }
            ExprKind::Field(a, position) => (
                format!("{}._{position}", self.expr(a, strength::POSTFIX)),
                strength::POSTFIX,
            ),
            ExprKind::If(condition, yes, no) => {
                let [condition, yes, no] = [Some(condition), yes.value.as_ref(), no.value.as_ref()]
                    .map(|part| {
                        self.expr(
                            part.expect("a plain block has a value"),
                            strength::TERNARY + 1,
                        )
                    });
                (format!("{condition} ? {yes} : {no}"), strength::TERNARY)
            }
            ExprKind::Block(block) => {
                let value = block.value.as_ref().expect("a plain block has a value");
                return self.expr(value, outer);
            }
        };
        if strength < outer {
            format!("({text})")
        } else {
            text
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) -> (String, u8) {
        let dtype = a.ty.scalar().expect("operands are scalars");
        match op {
            UnaryOp::Neg if dtype.is_integer() => {
                (self.call("rust::wrapping_neg", &[a]), strength::POSTFIX)
            }
            UnaryOp::Neg => (
                format!("-{}", self.expr(a, strength::POSTFIX)),
                strength::UNARY,
            ),
            UnaryOp::Not if dtype.is_integer() => {
                let text = format!("~{}", self.expr(a, strength::POSTFIX));
                narrowed(text, strength::UNARY, dtype)
            }
            UnaryOp::Not => (
                format!("!{}", self.expr(a, strength::POSTFIX)),
                strength::UNARY,
            ),
        }
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> (String, u8) {
        if matches!(op, BinaryOp::And | BinaryOp::Or) && !is_plain(b) {
            return (self.short_circuit(op, a, b), strength::POSTFIX);
        }
        if !op.is_plain_in_c(&a.ty) {
            return (
                self.call(&format!("rust::{}", op.function()), &[a, b]),
                strength::POSTFIX,
            );
        }
        let strength = strength_of(op);
        let operands = if is_plain(b) {
            vec![self.expr(a, strength), self.expr(b, strength + 1)]
        } else {
            self.operands(&[a, b], strength + 1)
        };
        let text = format!("{} {} {}", operands[0], op.symbol(), operands[1]);
        match a.ty.scalar() {
            Some(dtype) if op.is_bitwise() => narrowed(text, strength, dtype),
            _ => (text, strength),
        }
    }

    /// `a && b` or `a || b` where `b` takes statements, which must not run unless `b` decides.
    fn short_circuit(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> String {
        let name = self.spill(a);
        let undecided = if op == BinaryOp::And { "" } else { "!" };
        self.open(&format!("if ({undecided}{name}) {{"));
        self.settle(b, Target::Local(&name));
        self.close("}");
        name
    }

    fn cast(&mut self, a: &Expr, to: &Type) -> (String, u8) {
        let from = a.ty.scalar().expect("casts are between scalars");
        let to = to.scalar().expect("casts are between scalars");
        if from.is_float() && to.is_integer() {
            return (
                self.call(&format!("rust::to_integer<{}>", to.name), &[a]),
                strength::POSTFIX,
            );
        }
        if from.half || to.half {
            return (
                self.call(&format!("rust::to_{}", to.name), &[a]),
                strength::POSTFIX,
            );
        }
        (self.call(to.name, &[a]), strength::POSTFIX)
    }
}

/// Bits of type `dtype` of which C may have made an `int`, which the braces of a tuple or a template would not take.
fn narrowed(text: String, strength: u8, dtype: &Dtype) -> (String, u8) {
    if dtype.kind == Kind::Bool || dtype.is_promoted() {
        (format!("{}({text})", dtype.name), strength::POSTFIX)
    } else {
        (text, strength)
    }
}

/// A constant of type `dtype`, readable where C has a way to write it, else by its bits.
fn literal(bits: u64, dtype: &Dtype) -> String {
    match dtype.kind {
        Kind::Bool => (bits != 0).to_string(),
        Kind::Float => float(bits, dtype)
            .unwrap_or_else(|| format!("from_bits<{}>({}({bits:#x}))", dtype.name, dtype.bits)),
        Kind::Unsigned if dtype.is_promoted() => format!("{}({bits})", dtype.name),
        Kind::Unsigned if dtype.bytes == 8 => format!("{bits}ull"),
        Kind::Unsigned => format!("{bits}u"),
        Kind::Signed => signed(bits, dtype),
    }
}

/// A float in decimal, which C reads back to the same bits; not for infinities, NaN and halves.
fn float(bits: u64, dtype: &Dtype) -> Option<String> {
    let (text, value) = match dtype.bytes {
        4 => (
            format!("{:?}f", f32::from_bits(bits as u32)),
            f64::from(f32::from_bits(bits as u32)),
        ),
        8 => (format!("{:?}", f64::from_bits(bits)), f64::from_bits(bits)),
        _ => return None,
    };
    value.is_finite().then_some(text)
}

/// A signed integer; the least has no literal in C.
fn signed(bits: u64, dtype: &Dtype) -> String {
    let unused = 64 - 8 * dtype.bytes;
    let value = (bits << unused) as i64 >> unused;
    if value == i64::MIN >> unused {
        return format!("Int<{}>::MIN", dtype.name);
    }
    match dtype.bytes {
        8 => format!("{value}ll"),
        4 => value.to_string(),
        _ => format!("{}({value})", dtype.name),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::dtype::F32;

    /// `fn map(parameters) { let locals = 1.0; .. }`, each taken name once as either.
    fn of_taken(parameters: &[&str], locals: &[&str]) -> Function {
        let ty = Type::Scalar(&F32);
        let one = || Expr {
            kind: ExprKind::Literal(F32.one),
            ty: ty.clone(),
        };
        let parameter = |name: &&str| (identifier(name), ty.clone());
        let statement = |name: &&str| Statement::Let(identifier(name), one());
        Function {
            parameters: parameters.iter().map(parameter).collect(),
            result: ty.clone(),
            body: Block {
                statements: locals.iter().map(statement).collect(),
                value: Some(Box::new(one())),
            },
        }
    }

    /// The names that a text of `f32` alone declares.
    fn declared(text: &str) -> Vec<&str> {
        let is_between = |c: char| !c.is_ascii_alphanumeric() && c != '_';
        let words: Vec<&str> = text
            .split(is_between)
            .filter(|word| !word.is_empty())
            .collect();
        let pairs = words.windows(2).filter(|pair| pair[0] == "f32");
        pairs.map(|pair| pair[1]).collect()
    }

    #[test]
    fn no_taken_name_stays() {
        let (parameters, locals) = TAKEN.split_at(TAKEN.len() / 2);
        let text = function("map", &of_taken(parameters, locals));
        // The function itself comes first.
        let names = &declared(&text)[1..];
        assert_eq!(names.len(), TAKEN.len(), "{text}");
        for name in names {
            assert!(!TAKEN.contains(name), "{name} stays in\n{text}");
        }
        let different: HashSet<_> = names.iter().collect();
        assert_eq!(different.len(), TAKEN.len(), "{text}");
    }

    #[test]
    fn what_the_kernel_text_defines_is_taken() {
        use crate::stage::{INTRINSICS, LOAD, TYPES};
        for stage in [&TYPES, &INTRINSICS, &LOAD] {
            for line in stage.text.lines() {
                let Some(name) = defined(line) else {
                    continue;
                };
                assert_ne!(identifier(name), name, "{line}");
            }
        }
    }

    /// The type or function that a line of the kernel text defines.
    fn defined(line: &str) -> Option<&str> {
        let before = match line.strip_prefix("DEVICE ") {
            Some(function) => function.split_once('(')?.0,
            None if line.starts_with("typedef ") => line.strip_suffix(';')?,
            None => line.strip_prefix("struct ")?.strip_suffix(" {")?,
        };
        let name = before.rsplit(' ').next()?;
        Some(name.split('<').next().unwrap_or(name))
    }

    #[test]
    fn names_that_compilers_reserve_or_macros_may_have() {
        for (name, expected) in [
            ("_Pragma", "local_Pragma"),
            ("a__b", "local_a_b"),
            ("_a___b_", "local_a_b"),
            ("NAN", "local_NAN"),
            ("_x", "_x"),
            ("r#type", "type"),
        ] {
            assert_eq!(identifier(name), expected);
        }
    }
}
