//! The element types as tests need them: data, and the built-in operators as Rust has them.

use half::{bf16, f16};
use kernels_gen::dtype::{self, Dtype};
use kernels_gen::tree::{Meeting, Shape, Tile};

use super::reference::fold;

/// Data that brings out one kind of mistake.
#[derive(Clone, Copy, Debug)]
pub enum Data {
    /// Every sign and last place.
    Random,
    /// Sums count.
    Ones,
    /// The largest is below zero, where the type has that: a zero from nowhere would win.
    Negative,
    /// Zeros of both signs.
    Zeros,
    /// A NaN here and there.
    Nans,
    /// Sums and products of a thousand are exact, and so the same in every order.
    Exact,
}

/// All but those that are for folds in any order.
pub const DATA: &[Data] = &[
    Data::Random,
    Data::Ones,
    Data::Negative,
    Data::Zeros,
    Data::Nans,
];

/// A source of numbers that a seed decides (splitmix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0.9375 to 1.0625: thousands of them have a product that is neither zero nor infinite.
    fn near_one(&mut self) -> f64 {
        0.9375 + self.next() as f64 / u64::MAX as f64 / 8.0
    }

    fn sign(&mut self) -> f64 {
        if self.next().is_multiple_of(2) {
            1.0
        } else {
            -1.0
        }
    }
}

/// An element type.
pub trait Number: Copy {
    /// What built-in operators fold it in, but for those that fold every type into one.
    type Accumulator: Accumulator;
    fn dtype() -> &'static Dtype;
    fn sample(data: Data, random: &mut Random) -> Self;
    fn square(self) -> Self;
    fn accumulate(self) -> Self::Accumulator;
    /// The bytes of a result.
    fn result(fold: Self::Accumulator) -> Vec<u8>;
    fn append_bytes(self, to: &mut Vec<u8>);

    fn bytes(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.append_bytes(&mut bytes);
        bytes
    }

    /// The bytes of what the operator of this name makes of all elements; none, if it has nothing to
    /// give for no elements.
    fn fold_all(op: &str, elements: &[Self], tree: Tree) -> Option<Vec<u8>> {
        let accumulators: Vec<_> = elements.iter().map(|x| x.accumulate()).collect();
        fold_all(op, &accumulators, tree).map(Self::result)
    }
}

/// What the tree of a fold depends on.
pub type Tree = (Tile, Shape, Meeting);

/// A type that built-in operators fold, with those that do.
pub trait Accumulator: Copy {
    /// The operator of this name.
    fn combine(op: &str) -> fn(Self, Self) -> Self;
    /// What it gives for no elements.
    fn empty(op: &str) -> Option<Self>;
}

fn fold_all<A: Accumulator>(op: &str, accumulators: &[A], tree: Tree) -> Option<A> {
    if accumulators.is_empty() {
        return A::empty(op);
    }
    Some(fold(accumulators, tree, &A::combine(op)))
}

pub fn bytes_of<N: Number>(elements: &[N]) -> Vec<u8> {
    let mut bytes = Vec::new();
    elements
        .iter()
        .for_each(|element| element.append_bytes(&mut bytes));
    bytes
}

fn sample_float(data: Data, random: &mut Random) -> f64 {
    match data {
        Data::Random => random.sign() * random.near_one(),
        Data::Ones => 1.0,
        Data::Negative => -random.near_one(),
        Data::Zeros => 0.0 * random.sign(),
        Data::Nans if random.next().is_multiple_of(64) => f64::NAN,
        Data::Nans => random.near_one(),
        Data::Exact => random.sign() * [0.5, 1.0, 2.0][(random.next() % 3) as usize],
    }
}

fn sample_integer(data: Data, random: &mut Random) -> i64 {
    match data {
        Data::Random | Data::Nans | Data::Exact => random.next() as i64,
        Data::Ones => 1,
        // In the narrowest type, too.
        Data::Negative => -1 - (random.next() % 100) as i64,
        Data::Zeros => 0,
    }
}

fn sample_bool(data: Data, random: &mut Random) -> bool {
    match data {
        Data::Random | Data::Exact => random.next().is_multiple_of(2),
        Data::Ones => true,
        Data::Zeros => false,
        // The one that decides, if it is there.
        Data::Negative => !random.next().is_multiple_of(512),
        Data::Nans => random.next().is_multiple_of(512),
    }
}

macro_rules! accumulator {
    ($name:ident, $($op:literal: $combine:expr, $empty:expr;)*) => {
        impl Accumulator for $name {
            fn combine(op: &str) -> fn($name, $name) -> $name {
                match op {
                    $($op => $combine,)*
                    _ => panic!("{op} of {} has no row in tests/emulator/values.rs", stringify!($name)),
                }
            }
            fn empty(op: &str) -> Option<$name> {
                match op {
                    $($op => $empty,)*
                    _ => None,
                }
            }
        }
    };
}

macro_rules! float {
    ($name:ident, $nan:literal, $least:ident) => {
        fn $least(a: $name, b: $name) -> $name {
            let lower = if a.total_cmp(&b).is_le() { a } else { b };
            if a.is_nan() || b.is_nan() {
                $name::NAN
            } else {
                lower
            }
        }

        accumulator!($name,
            "Add": |a, b| a + b, Some(0.0);
            "Mul": |a, b| a * b, Some(1.0);
            "Min": $least, None;
            "Max": |a, b| -$least(-a, -b), None;
        );

        number!(
            $name,
            $name,
            |x: $name| x * x,
            |x| x,
            sample_float,
            |x| x as $name,
            |fold: $name| {
                if fold.is_nan() {
                    $name::from_bits($nan)
                } else {
                    fold
                }
            }
        );
    };
}

macro_rules! half {
    ($name:ident, $nan:literal) => {
        number!(
            $name,
            f32,
            |x: $name| $name::from_f32(x.to_f32() * x.to_f32()),
            |x: $name| x.to_f32(),
            sample_float,
            $name::from_f64,
            |fold: f32| if fold.is_nan() {
                $name::from_bits($nan)
            } else {
                $name::from_f32(fold)
            }
        );
    };
}

macro_rules! integer {
    ($name:ident) => {
        accumulator!($name,
            "Add": |a, b| a.wrapping_add(b), Some(0);
            "Mul": |a, b| a.wrapping_mul(b), Some(1);
            "Min": |a, b| a.min(b), None;
            "Max": |a, b| a.max(b), None;
            "BitAnd": |a, b| a & b, Some(!0);
            "BitOr": |a, b| a | b, Some(0);
            "BitXor": |a, b| a ^ b, Some(0);
            "Count": |a, b| a + b, Some(0);
        );

        number!(
            $name,
            $name,
            |x: $name| x.wrapping_mul(x),
            |x| x,
            sample_integer,
            |x| x as $name,
            |fold| fold
        );
    };
}

macro_rules! number {
    ($name:ident, $acc:ident, $square:expr, $accumulate:expr, $sample:ident, $from:expr, $result:expr) => {
        impl Number for $name {
            type Accumulator = $acc;
            fn dtype() -> &'static Dtype {
                dtype::find(stringify!($name)).expect("the type has a row")
            }
            fn sample(data: Data, random: &mut Random) -> $name {
                ($from)($sample(data, random))
            }
            fn square(self) -> $name {
                ($square)(self)
            }
            fn accumulate(self) -> $acc {
                ($accumulate)(self)
            }
            fn result(fold: $acc) -> Vec<u8> {
                let result: $name = ($result)(fold);
                result.bytes()
            }
            fn append_bytes(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
        }
    };
}

accumulator!(bool,
    "All": |a, b| a && b, Some(true);
    "Any": |a, b| a || b, Some(false);
);

impl Number for bool {
    type Accumulator = bool;
    fn dtype() -> &'static Dtype {
        &dtype::BOOL
    }
    fn sample(data: Data, random: &mut Random) -> bool {
        sample_bool(data, random)
    }
    fn square(self) -> bool {
        self
    }
    fn accumulate(self) -> bool {
        self
    }
    fn result(fold: bool) -> Vec<u8> {
        fold.bytes()
    }
    fn append_bytes(self, to: &mut Vec<u8>) {
        to.push(u8::from(self));
    }
    fn fold_all(op: &str, elements: &[bool], tree: Tree) -> Option<Vec<u8>> {
        let counts: Vec<u64> = elements.iter().map(|&x| u64::from(x)).collect();
        match op {
            "Count" => fold_all(op, &counts, tree).map(u64::result),
            _ => fold_all(op, elements, tree).map(bool::result),
        }
    }
}

float!(f32, 0x7fc0_0000, least_f32);
float!(f64, 0x7ff8_0000_0000_0000, least_f64);
half!(f16, 0x7e00);
half!(bf16, 0x7fc0);
integer!(i8);
integer!(i16);
integer!(i32);
integer!(i64);
integer!(u8);
integer!(u16);
integer!(u32);
integer!(u64);
