//! The end of lowering: every type decided, every literal its bits, signs of literals folded.

use crate::dtype::{BOOL, Dtype, U32};
use crate::expr::{Block, Expr, ExprKind, Statement, Type, UnaryOp};

use super::Lower;

impl Lower<'_> {
    /// Checks what waited for types, and makes the draft the IR.
    pub(super) fn finish(mut self, mut block: Block) -> Block {
        self.check_rules();
        self.settle_block(&mut block);
        block
    }

    fn settle_block(&self, block: &mut Block) {
        for statement in &mut block.statements {
            self.settle_statement(statement);
        }
        if let Some(value) = &mut block.value {
            self.settle(value);
        }
    }

    fn settle_statement(&self, statement: &mut Statement) {
        match statement {
            Statement::Let(_, value) | Statement::Assign(_, _, value) => self.settle(value),
            Statement::Return(value) | Statement::Expr(value) => self.settle(value),
            Statement::Declare(_, ty) => *ty = self.infer.resolve(ty),
            Statement::For(_, range, body) => {
                self.settle(&mut range.from);
                self.settle(&mut range.to);
                self.settle_block(body);
            }
            Statement::While(condition, body) => {
                self.settle(condition);
                self.settle_block(body);
            }
            Statement::Break | Statement::Continue => {}
        }
    }

    fn settle(&self, expr: &mut Expr) {
        expr.ty = self.infer.resolve(&expr.ty);
        self.settle_parts(&mut expr.kind);
        match &mut expr.kind {
            ExprKind::Literal(place) => {
                let dtype = expr.ty.scalar().unwrap_or(&BOOL);
                *place = self.values[*place as usize].bits(dtype);
            }
            ExprKind::Unary(UnaryOp::Neg, operand) => {
                if let (ExprKind::Literal(bits), Some(dtype)) = (&operand.kind, expr.ty.scalar()) {
                    expr.kind = ExprKind::Literal(negated(*bits, dtype));
                }
            }
            ExprKind::Cast(operand) if operand.ty == expr.ty => {
                *expr = std::mem::replace(&mut **operand, placeholder());
            }
            // `f32::from(condition)`: no `as` goes there at once.
            ExprKind::Cast(operand)
                if operand.ty == Type::bool() && expr.ty.scalar().is_some_and(Dtype::is_float) =>
            {
                let condition = std::mem::replace(operand, Box::new(placeholder()));
                operand.kind = ExprKind::Cast(condition);
                operand.ty = Type::Scalar(&U32);
            }
            _ => {}
        }
    }

    fn settle_parts(&self, kind: &mut ExprKind) {
        match kind {
            ExprKind::Literal(_) | ExprKind::Local(_) => {}
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Field(a, _) => self.settle(a),
            ExprKind::Binary(_, a, b) => {
                self.settle(a);
                self.settle(b);
            }
            ExprKind::Call(_, list) | ExprKind::Tuple(list) => {
                list.iter_mut().for_each(|item| self.settle(item))
            }
            ExprKind::If(condition, yes, no) => {
                self.settle(condition);
                self.settle_block(yes);
                self.settle_block(no);
            }
            ExprKind::Block(block) => self.settle_block(block),
        }
    }
}

/// Stands where an expression was taken from, until another comes there.
fn placeholder() -> Expr {
    Expr::literal(0, Type::bool())
}

/// The bits of minus the value.
pub(in super::super) fn negated(bits: u64, dtype: &Dtype) -> u64 {
    if dtype.is_float() {
        bits ^ (1 << (dtype.bytes * 8 - 1))
    } else {
        bits.wrapping_neg() & dtype.mask()
    }
}
