//! What types literals have before anything decides, and how it is decided: as in rustc, by
//! unification, and in the end `i32` and `f64`.

use crate::dtype::{Dtype, F64, I32};
use crate::expr::Type;

/// What an undecided type may still become.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Open {
    /// An integer without a suffix.
    Integer,
    /// A float without a suffix.
    Float,
    /// Anything: `_`.
    Any,
    /// Whatever is wanted, for it is never there: what `return` gives. Nothing, if nothing is wanted.
    Never,
    /// Anything, silently: it stands for what was refused, and spreads to the literals that it meets.
    Refused,
}

#[derive(Clone, Debug)]
enum Slot {
    Open(Open),
    Is(Type),
}

/// The undecided types of a function, by the number in `Type::Infer`.
#[derive(Debug, Default)]
pub(crate) struct Infer {
    slots: Vec<Slot>,
}

impl Infer {
    /// A type that nothing has decided.
    pub(crate) fn open(&mut self, open: Open) -> Type {
        self.slots.push(Slot::Open(open));
        Type::Infer(self.slots.len() - 1)
    }

    /// The type as far as it is decided, not looking into its fields.
    pub(crate) fn shallow(&self, ty: &Type) -> Type {
        let mut ty = ty;
        while let Type::Infer(slot) = ty
            && let Slot::Is(decided) = &self.slots[*slot]
        {
            ty = decided;
        }
        ty.clone()
    }

    /// What the type may still become, if it is undecided.
    pub(crate) fn is_open(&self, ty: &Type) -> Option<Open> {
        match self.shallow(ty) {
            Type::Infer(slot) => match self.slots[slot] {
                Slot::Open(open) => Some(open),
                Slot::Is(_) => None,
            },
            _ => None,
        }
    }

    /// Makes both types the same; false if they cannot be.
    pub(crate) fn unify(&mut self, a: &Type, b: &Type) -> bool {
        if self.is_open(a) == Some(Open::Refused) || self.is_open(b) == Some(Open::Refused) {
            self.give_up(a);
            self.give_up(b);
            return true;
        }
        match (self.shallow(a), self.shallow(b)) {
            (Type::Infer(a), Type::Infer(b)) if a == b => true,
            (Type::Infer(a), b) => self.decide(a, b),
            (a, Type::Infer(b)) => self.decide(b, a),
            (Type::Tuple(a), Type::Tuple(b)) => self.unify_fields(&a, &b),
            (a, b) => a == b,
        }
    }

    /// All fields or none, so that a message shows what was there.
    fn unify_fields(&mut self, a: &[Type], b: &[Type]) -> bool {
        let before = self.slots.clone();
        let fit = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.unify(a, b));
        if !fit {
            self.slots = before;
        }
        fit
    }

    fn decide(&mut self, slot: usize, ty: Type) -> bool {
        let Slot::Open(open) = self.slots[slot] else {
            return false;
        };
        let fits = match (open, self.is_open(&ty), &ty) {
            // The narrower of the two stands for both.
            (_, Some(Open::Any | Open::Never), Type::Infer(other)) => {
                self.slots[*other] = Slot::Is(Type::Infer(slot));
                return true;
            }
            (Open::Any | Open::Never, ..) => true,
            (_, Some(other), _) => open == other,
            (_, None, _) => open.takes(&ty),
        };
        if fits {
            self.slots[slot] = Slot::Is(ty);
        }
        fits
    }

    /// After a fault: what is open in the type is no fault anywhere else.
    pub(crate) fn give_up(&mut self, ty: &Type) {
        match self.shallow(ty) {
            Type::Infer(slot) => self.slots[slot] = Slot::Open(Open::Refused),
            Type::Tuple(fields) => fields.iter().for_each(|field| self.give_up(field)),
            Type::Scalar(_) | Type::Unit => {}
        }
    }

    /// The type with everything decided: what is left open falls back.
    pub(crate) fn resolve(&self, ty: &Type) -> Type {
        match self.shallow(ty) {
            Type::Tuple(fields) => {
                Type::Tuple(fields.iter().map(|field| self.resolve(field)).collect())
            }
            Type::Infer(slot) => match self.slots[slot] {
                Slot::Open(Open::Integer) => Type::Scalar(&I32),
                Slot::Open(Open::Never) => Type::Unit,
                _ => Type::Scalar(&F64),
            },
            decided => decided,
        }
    }

    /// The type in a message.
    pub(crate) fn describe(&self, ty: &Type) -> String {
        match (self.shallow(ty), self.is_open(ty)) {
            (_, Some(Open::Integer)) => "an integer".to_owned(),
            (_, Some(Open::Float)) => "a float".to_owned(),
            (Type::Unit, _) => "no value".to_owned(),
            (Type::Tuple(_), _) => format!("`{}`", self.resolve(ty)),
            (decided, _) => format!("`{decided}`"),
        }
    }
}

impl Open {
    fn takes(self, ty: &Type) -> bool {
        match self {
            Open::Integer => ty.scalar().is_some_and(Dtype::is_integer),
            // A literal is never a half: those are structs of a crate.
            Open::Float => ty
                .scalar()
                .is_some_and(|dtype| dtype.is_float() && !dtype.half),
            Open::Any | Open::Never | Open::Refused => true,
        }
    }
}
