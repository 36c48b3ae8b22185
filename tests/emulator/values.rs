//! The element types as tests need them: data, and the built-in operators as Rust has them.

use half::{bf16, f16};
use kernels_gen::dtype::{self, Dtype};

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
}

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
    /// What built-in operators fold it in.
    type Accumulator: Arithmetic;
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
}

/// The built-in operators.
pub trait Arithmetic: Copy {
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn least(self, other: Self) -> Self;
    fn greatest(self, other: Self) -> Self;
    fn one() -> Self;
    fn zero() -> Self;
}

/// The operator of this name.
pub fn combine<A: Arithmetic>(name: &str) -> fn(A, A) -> A {
    match name {
        "Add" => A::add,
        "Mul" => A::mul,
        "Min" => A::least,
        "Max" => A::greatest,
        _ => panic!("{name} is not known here"),
    }
}

/// What the operator of this name gives for no elements.
pub fn empty<A: Arithmetic>(name: &str) -> Option<A> {
    match name {
        "Add" => Some(A::zero()),
        "Mul" => Some(A::one()),
        _ => None,
    }
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
    }
}

fn sample_integer(data: Data, random: &mut Random) -> i64 {
    match data {
        Data::Random | Data::Nans => random.next() as i64,
        Data::Ones => 1,
        Data::Negative => i64::from(i32::MIN) + (random.next() >> 40) as i64,
        Data::Zeros => 0,
    }
}

macro_rules! float {
    ($name:ident, $nan:literal) => {
        impl Arithmetic for $name {
            fn add(self, other: Self) -> Self {
                self + other
            }
            fn mul(self, other: Self) -> Self {
                self * other
            }
            fn least(self, other: Self) -> Self {
                let is_nan = self.is_nan() || other.is_nan();
                let lower = if self.total_cmp(&other).is_le() {
                    self
                } else {
                    other
                };
                if is_nan { $name::NAN } else { lower }
            }
            fn greatest(self, other: Self) -> Self {
                -(-self).least(-other)
            }
            fn one() -> Self {
                1.0
            }
            fn zero() -> Self {
                0.0
            }
        }

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
        impl Arithmetic for $name {
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            fn least(self, other: Self) -> Self {
                self.min(other)
            }
            fn greatest(self, other: Self) -> Self {
                self.max(other)
            }
            fn one() -> Self {
                1
            }
            fn zero() -> Self {
                0
            }
        }

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

float!(f32, 0x7fc0_0000);
float!(f64, 0x7ff8_0000_0000_0000);
half!(f16, 0x7e00);
half!(bf16, 0x7fc0);
integer!(i32);
integer!(i64);
integer!(u32);
integer!(u64);
