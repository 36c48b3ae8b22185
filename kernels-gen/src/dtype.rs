//! The element types, a row each: how Rust and CUDA name them, how wide they are, what they are
//! folded in. Arithmetic on them is [`crate::expr`]'s matter.

/// How a type's arithmetic behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// IEEE floating point.
    Float,
    /// Two's complement, wrapping.
    Signed,
    /// Wrapping.
    Unsigned,
    /// `true` and `false`, stored as 1 and 0.
    Bool,
}

/// A row of the type table.
#[derive(Debug)]
pub struct Dtype {
    /// The name, the same in Rust and in the kernel text.
    pub name: &'static str,
    /// How its arithmetic behaves.
    pub kind: Kind,
    /// Size and alignment in bytes.
    pub bytes: u32,
    /// Bit pattern of one; zero is all bits clear in every type.
    pub one: u64,
    /// The unsigned type as wide.
    pub bits: &'static str,
    /// The type that built-in operators accumulate this one in.
    pub accumulator: &'static str,
    /// Whether the type is the `half` crate's rather than Rust's own.
    pub half: bool,
}

impl Dtype {
    /// Whether this is a floating point type.
    pub fn is_float(&self) -> bool {
        self.kind == Kind::Float
    }

    /// Whether this is an integer type, signed or not.
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Kind::Signed | Kind::Unsigned)
    }

    /// Whether C makes an `int` of it before it computes: an integer narrower than that.
    pub fn is_promoted(&self) -> bool {
        self.is_integer() && self.bytes < 4
    }

    /// The bits that a value of this type has.
    pub fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.bytes * 8)
    }
}

/// Bit patterns, for the words of the operator table.
impl Dtype {
    fn sign_bit(&self) -> u64 {
        1 << (8 * self.bytes - 1)
    }

    /// Negative zero of floats, zero of the others.
    pub fn negative_zero(&self) -> u64 {
        if self.is_float() { self.sign_bit() } else { 0 }
    }

    /// Infinity of floats: all exponent bits, the lowest of which is the lowest that one has.
    fn infinity(&self) -> u64 {
        let lowest_exponent_bit = self.one & self.one.wrapping_neg();
        (self.sign_bit() - 1) & !(lowest_exponent_bit - 1)
    }

    /// The least value; negative infinity of floats.
    pub fn lowest(&self) -> u64 {
        match self.kind {
            Kind::Float => self.sign_bit() | self.infinity(),
            Kind::Signed => self.sign_bit(),
            Kind::Unsigned | Kind::Bool => 0,
        }
    }

    /// The greatest value; infinity of floats.
    pub fn highest(&self) -> u64 {
        match self.kind {
            Kind::Float => self.infinity(),
            Kind::Signed => self.sign_bit() - 1,
            Kind::Unsigned => self.sign_bit() | (self.sign_bit() - 1),
            Kind::Bool => 1,
        }
    }
}

impl PartialEq for Dtype {
    fn eq(&self, other: &Dtype) -> bool {
        self.name == other.name
    }
}

impl Eq for Dtype {}

/// Calls the macro `$each` with every element type's row:
/// `(CONSTANT, name, kind, bytes, bit pattern of one, unsigned type as wide, accumulator, from the half crate)`.
#[macro_export]
macro_rules! for_each_dtype {
    ($each:ident) => {
        $each! {
            (F16, f16, Float, 2, 0x3c00, u16, f32, true)
            (BF16, bf16, Float, 2, 0x3f80, u16, f32, true)
            (F32, f32, Float, 4, 0x3f80_0000, u32, f32, false)
            (F64, f64, Float, 8, 0x3ff0_0000_0000_0000, u64, f64, false)
            (I8, i8, Signed, 1, 1, u8, i8, false)
            (I16, i16, Signed, 2, 1, u16, i16, false)
            (I32, i32, Signed, 4, 1, u32, i32, false)
            (I64, i64, Signed, 8, 1, u64, i64, false)
            (U8, u8, Unsigned, 1, 1, u8, u8, false)
            (U16, u16, Unsigned, 2, 1, u16, u16, false)
            (U32, u32, Unsigned, 4, 1, u32, u32, false)
            (U64, u64, Unsigned, 8, 1, u64, u64, false)
            (BOOL, bool, Bool, 1, 1, u8, bool, false)
        }
    };
}

macro_rules! table {
    ($(($constant:ident, $name:ident, $kind:ident, $bytes:literal, $one:literal, $bits:ident, $accumulator:ident, $half:literal))*) => {
        $(
            #[doc = concat!("The row of `", stringify!($name), "`.")]
            pub static $constant: Dtype = Dtype {
                name: stringify!($name),
                kind: Kind::$kind,
                bytes: $bytes,
                one: $one,
                bits: stringify!($bits),
                accumulator: stringify!($accumulator),
                half: $half,
            };
        )*

        /// The types that an element, an accumulator or a result may have.
        pub static DTYPES: &[&Dtype] = &[$(&$constant),*];
    };
}

for_each_dtype!(table);

/// The row of the element type called `name`.
pub fn find(name: &str) -> Option<&'static Dtype> {
    DTYPES.iter().copied().find(|dtype| dtype.name == name)
}
