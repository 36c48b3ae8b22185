//! What several test files share: a reduction for every operator and type, and data to reduce.

#![allow(dead_code)]

use reduce_runtime::prelude::*;
use reduce_runtime::private::Shape;

#[macro_use]
pub mod bodies;
pub mod known;

/// Calls `$each!` once for every built-in operator and type that it takes: `(module, operator, type)`.
#[macro_export]
macro_rules! for_each_reduction {
    ($each:ident) => {
        $each!(add_f16, Add, f16);
        $each!(add_bf16, Add, bf16);
        $each!(add_f32, Add, f32);
        $each!(add_f64, Add, f64);
        $each!(add_i8, Add, i8);
        $each!(add_i16, Add, i16);
        $each!(add_i32, Add, i32);
        $each!(add_i64, Add, i64);
        $each!(add_u8, Add, u8);
        $each!(add_u16, Add, u16);
        $each!(add_u32, Add, u32);
        $each!(add_u64, Add, u64);
        $each!(mul_f16, Mul, f16);
        $each!(mul_bf16, Mul, bf16);
        $each!(mul_f32, Mul, f32);
        $each!(mul_f64, Mul, f64);
        $each!(mul_i8, Mul, i8);
        $each!(mul_i16, Mul, i16);
        $each!(mul_i32, Mul, i32);
        $each!(mul_i64, Mul, i64);
        $each!(mul_u8, Mul, u8);
        $each!(mul_u16, Mul, u16);
        $each!(mul_u32, Mul, u32);
        $each!(mul_u64, Mul, u64);
        $each!(min_f16, Min, f16);
        $each!(min_bf16, Min, bf16);
        $each!(min_f32, Min, f32);
        $each!(min_f64, Min, f64);
        $each!(min_i8, Min, i8);
        $each!(min_i16, Min, i16);
        $each!(min_i32, Min, i32);
        $each!(min_i64, Min, i64);
        $each!(min_u8, Min, u8);
        $each!(min_u16, Min, u16);
        $each!(min_u32, Min, u32);
        $each!(min_u64, Min, u64);
        $each!(max_f16, Max, f16);
        $each!(max_bf16, Max, bf16);
        $each!(max_f32, Max, f32);
        $each!(max_f64, Max, f64);
        $each!(max_i8, Max, i8);
        $each!(max_i16, Max, i16);
        $each!(max_i32, Max, i32);
        $each!(max_i64, Max, i64);
        $each!(max_u8, Max, u8);
        $each!(max_u16, Max, u16);
        $each!(max_u32, Max, u32);
        $each!(max_u64, Max, u64);
        $each!(bitand_i8, BitAnd, i8);
        $each!(bitand_i16, BitAnd, i16);
        $each!(bitand_i32, BitAnd, i32);
        $each!(bitand_i64, BitAnd, i64);
        $each!(bitand_u8, BitAnd, u8);
        $each!(bitand_u16, BitAnd, u16);
        $each!(bitand_u32, BitAnd, u32);
        $each!(bitand_u64, BitAnd, u64);
        $each!(bitor_i8, BitOr, i8);
        $each!(bitor_i16, BitOr, i16);
        $each!(bitor_i32, BitOr, i32);
        $each!(bitor_i64, BitOr, i64);
        $each!(bitor_u8, BitOr, u8);
        $each!(bitor_u16, BitOr, u16);
        $each!(bitor_u32, BitOr, u32);
        $each!(bitor_u64, BitOr, u64);
        $each!(bitxor_i8, BitXor, i8);
        $each!(bitxor_i16, BitXor, i16);
        $each!(bitxor_i32, BitXor, i32);
        $each!(bitxor_i64, BitXor, i64);
        $each!(bitxor_u8, BitXor, u8);
        $each!(bitxor_u16, BitXor, u16);
        $each!(bitxor_u32, BitXor, u32);
        $each!(bitxor_u64, BitXor, u64);
        $each!(all_bool, All, bool);
        $each!(any_bool, Any, bool);
        $each!(count_bool, Count, bool);
    };
}

macro_rules! define {
    ($name:ident, $op:ident, $ty:ident) => {
        #[reduction(op = $op)]
        pub fn $name(x: $ty) -> $ty {
            x
        }
    };
}

for_each_reduction!(define);

/// The reductions that show every other form once.
pub mod forms {
    use reduce_runtime::prelude::*;

    #[operator(identity = i32::MIN)]
    pub fn larger(a: i32, b: i32) -> i32 {
        if a > b { a } else { b }
    }

    #[operator]
    pub fn smaller(a: f64, b: f64) -> f64 {
        if b < a || a.is_nan() { b } else { a }
    }

    /// First position of the largest value.
    #[operator]
    pub fn first_largest(a: (f32, u64), b: (f32, u64)) -> (f32, u64) {
        let b_wins = b.0 > a.0 || (b.0 == a.0 && b.1 < a.1);
        if b_wins { b } else { a }
    }

    /// First position of a NaN, else of the largest value.
    #[operator]
    pub fn nan_or_largest(a: (f32, u64), b: (f32, u64)) -> (f32, u64) {
        let is_first = b.1 < a.1;
        let b_wins = if a.0.is_nan() || b.0.is_nan() {
            b.0.is_nan() && (is_first || !a.0.is_nan())
        } else {
            b.0 > a.0 || (b.0 == a.0 && is_first)
        };
        if b_wins { b } else { a }
    }

    /// First position of a NaN, else of the least value.
    #[operator]
    pub fn nan_or_least(a: (f32, u64), b: (f32, u64)) -> (f32, u64) {
        let is_first = b.1 < a.1;
        let b_wins = if a.0.is_nan() || b.0.is_nan() {
            b.0.is_nan() && (is_first || !a.0.is_nan())
        } else {
            b.0 < a.0 || (b.0 == a.0 && is_first)
        };
        if b_wins { b } else { a }
    }

    #[operator]
    pub fn first_least_f64(a: (f64, u64), b: (f64, u64)) -> (f64, u64) {
        if b.0 < a.0 || (b.0 == a.0 && b.1 < a.1) {
            b
        } else {
            a
        }
    }

    #[operator]
    pub fn first_largest_u32(a: (u32, u64), b: (u32, u64)) -> (u32, u64) {
        if b.0 > a.0 || (b.0 == a.0 && b.1 < a.1) {
            b
        } else {
            a
        }
    }

    #[reduction(op = nan_or_largest)]
    pub fn argmax(x: f32, #[index] i: u64) -> (f32, u64) {
        (x, i)
    }

    #[reduction(op = nan_or_least)]
    pub fn argmin(x: f32, #[index] i: u64) -> (f32, u64) {
        (x, i)
    }

    #[reduction(op = first_least_f64)]
    pub fn argmin_f64(x: f64, #[index] i: u64) -> (f64, u64) {
        (x, i)
    }

    #[reduction(op = first_largest_u32)]
    pub fn argmax_u32(x: u32, #[index] i: u64) -> (u32, u64) {
        (x, i)
    }

    #[operator(identity = f16::from_f32(0.0))]
    pub fn rounded_sum(a: f16, b: f16) -> f16 {
        a + b
    }

    #[operator(identity = (0.0, 1.0))]
    pub fn sum_and_product(a: (f64, f32), b: (f64, f32)) -> (f64, f32) {
        (a.0 + b.0, a.1 * b.1)
    }

    #[operator(identity = f32::INFINITY)]
    pub fn least(a: f32, b: f32) -> f32 {
        a.min(b)
    }

    #[operator(identity = f64::NEG_INFINITY)]
    pub fn greatest(a: f64, b: f64) -> f64 {
        a.max(b)
    }

    #[operator(identity = f32::NAN)]
    pub fn either(a: f32, b: f32) -> f32 {
        if a.is_nan() { b } else { a }
    }

    #[operator(identity = -0.0)]
    pub fn sum(a: f64, b: f64) -> f64 {
        a + b
    }

    #[operator(identity = i64::MIN)]
    pub fn largest(a: i64, b: i64) -> i64 {
        a.max(b)
    }

    #[operator(identity = u64::MAX)]
    pub fn common_bits(a: u64, b: u64) -> u64 {
        a & b
    }

    #[reduction(op = least)]
    pub fn from_infinity(x: f32) -> f32 {
        x
    }

    #[reduction(op = greatest)]
    pub fn from_below(x: f64) -> f64 {
        x
    }

    #[reduction(op = either)]
    pub fn from_nan(x: f32) -> f32 {
        x
    }

    #[reduction(op = sum)]
    pub fn from_negative_zero(x: f64) -> f64 {
        x
    }

    #[reduction(op = largest)]
    pub fn from_least(x: i64) -> i64 {
        x
    }

    #[reduction(op = common_bits)]
    pub fn from_largest(x: u64) -> u64 {
        x
    }

    #[reduction(op = larger)]
    pub fn peak(x: i32) -> i32 {
        x.abs()
    }

    #[reduction(op = smaller)]
    pub fn dip(x: f64) -> f64 {
        x
    }

    #[reduction(op = first_largest)]
    pub fn peak_at(x: f32, #[index] i: u64) -> (f32, u64) {
        (x, i)
    }

    #[reduction(op = rounded_sum)]
    pub fn half_sum(x: f16) -> f16 {
        x
    }

    #[reduction(op = sum_and_product)]
    pub fn both(x: f32) -> (f64, f32) {
        let scaled = x * 0.5 + 1.0;
        (x as f64, scaled)
    }

    #[reduction(op = Add)]
    pub fn dot(x: f32, y: f32) -> f64 {
        x as f64 * y as f64
    }

    #[reduction(op = Add)]
    pub fn mixed(a: f16, b: f64, c: i32) -> f64 {
        a.to_f64() * b + c as f64
    }

    #[reduction(op = Max)]
    pub fn widest(a: u32, b: u64, c: i64, d: u32) -> i64 {
        (a as i64 - c).abs() + (b % (d as u64 + 1)) as i64
    }

    #[reduction(op = Add)]
    pub fn centred(x: f32, #[uniform] mean: f32) -> f32 {
        (x - mean) * (x - mean)
    }

    #[reduction(op = Add)]
    pub fn clipped(
        x: i32,
        #[uniform] low: i32,
        #[uniform] high: i32,
        #[uniform] scale: f64,
    ) -> f64 {
        x.clamp(low, high) as f64 * scale
    }

    #[reduction(op = Add)]
    pub fn ramp(x: f32, #[index] i: u64) -> f64 {
        x as f64 * i as f64
    }

    #[reduction(op = Add)]
    pub fn sum_of_indices(#[index] i: u64) -> u64 {
        i
    }

    #[operator(identity = true)]
    pub fn both_hold(a: bool, b: bool) -> bool {
        a && b
    }

    /// First position of the first condition that holds, if any does.
    #[operator]
    pub fn first_true(a: (bool, u64), b: (bool, u64)) -> (bool, u64) {
        let b_wins = if a.0 == b.0 { b.1 < a.1 } else { b.0 };
        if b_wins { b } else { a }
    }

    #[operator(identity = (true, false))]
    pub fn all_and_any(a: (bool, bool), b: (bool, bool)) -> (bool, bool) {
        (a.0 & b.0, a.1 | b.1)
    }

    #[reduction(op = Count)]
    pub fn over(x: f32) -> bool {
        x > 1.0
    }

    #[reduction(op = both_hold)]
    pub fn below(x: f64, #[uniform] limit: f64, #[uniform] or_equal: bool) -> bool {
        x < limit || or_equal && x == limit
    }

    #[reduction(op = Add)]
    pub fn masked(x: f64, keep: bool, #[uniform] inverted: bool) -> f64 {
        if keep ^ inverted { x } else { 0.0 }
    }

    #[reduction(op = Count)]
    pub fn absent(x: bool) -> bool {
        !x
    }

    #[reduction(op = Add)]
    pub fn one_more(x: f32) -> f64 {
        f64::from(x + 1.0)
    }

    #[reduction(op = first_true)]
    pub fn first_hit(x: bool, #[index] i: u64) -> (bool, u64) {
        (x, i)
    }

    #[reduction(op = all_and_any)]
    pub fn extremes(x: bool) -> (bool, bool) {
        (x, x)
    }

    #[reduction(op = Add, strategy = Sequential, grid = TwoPass)]
    pub fn sequential_sum(x: f32) -> f32 {
        x
    }
}

/// A small generator of well-mixed bits (SplitMix64, Steele, Lea and Flood 2014).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Values of an element type for tests.
pub trait Sample: reduce_runtime::Element {
    /// A number of moderate size and either sign, if the type has signs.
    fn ordinary(random: &mut Random) -> Self;

    /// A whole number of small size and either sign, if the type has signs.
    fn small(random: &mut Random) -> Self;

    /// A number well away from zero, negative if the type has signs: a zero read by mistake would
    /// be its largest or its least.
    fn one_sided(random: &mut Random) -> Self;

    /// The type's special values.
    fn special() -> Vec<Self>;

    /// Zeros of both signs, or the like where zero has no sign.
    fn zeros() -> Vec<Self>;

    /// The bits of the value.
    fn bits(self) -> u64;
}

macro_rules! sample_float {
    ($ty:ident, $bits:ident, |$value:ident| $from:expr) => {
        impl Sample for $ty {
            fn ordinary(random: &mut Random) -> $ty {
                let $value = (random.next() % 2001) as f64 / 512.0 - 1.9;
                $from
            }

            fn small(random: &mut Random) -> $ty {
                let $value = (random.next() % 61) as f64 - 30.0;
                $from
            }

            fn one_sided(random: &mut Random) -> $ty {
                let $value = -1.0 - (random.next() % 1024) as f64 / 64.0;
                $from
            }

            fn special() -> Vec<$ty> {
                let ends = [$ty::MAX, $ty::MIN, $ty::MIN_POSITIVE, $ty::EPSILON];
                let zeros = [0.0, -0.0, 1.0, -1.0].map(|$value: f64| $from);
                let edges = [$ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN];
                ends.into_iter().chain(zeros).chain(edges).collect()
            }

            fn zeros() -> Vec<$ty> {
                [0.0, -0.0].map(|$value: f64| $from).to_vec()
            }

            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }
        }
    };
}

sample_float!(f16, u16, |value| f16::from_f64(value));
sample_float!(bf16, u16, |value| bf16::from_f64(value));
sample_float!(f32, u32, |value| value as f32);
sample_float!(f64, u64, |value| value);

macro_rules! sample_integer {
    ($ty:ident) => {
        impl Sample for $ty {
            fn ordinary(random: &mut Random) -> $ty {
                random.next() as $ty
            }

            fn small(random: &mut Random) -> $ty {
                let below = if <$ty>::MIN == 0 { 0 } else { 30 };
                (random.next() % 61) as $ty - below
            }

            fn one_sided(random: &mut Random) -> $ty {
                (<$ty>::MIN / 2).wrapping_sub((random.next() % 1000) as $ty + 1)
            }

            fn special() -> Vec<$ty> {
                vec![<$ty>::MAX, <$ty>::MIN, 0, 1, <$ty>::MAX - 1, <$ty>::MIN + 1]
            }

            fn zeros() -> Vec<$ty> {
                vec![0, 1]
            }

            fn bits(self) -> u64 {
                self as u64
            }
        }
    };
}

sample_integer!(i8);
sample_integer!(i16);
sample_integer!(i32);
sample_integer!(i64);
sample_integer!(u8);
sample_integer!(u16);
sample_integer!(u32);
sample_integer!(u64);

impl Sample for bool {
    fn ordinary(random: &mut Random) -> bool {
        random.next().is_multiple_of(2)
    }

    fn small(random: &mut Random) -> bool {
        bool::ordinary(random)
    }

    fn one_sided(_: &mut Random) -> bool {
        true
    }

    fn special() -> Vec<bool> {
        vec![true, false]
    }

    fn zeros() -> Vec<bool> {
        vec![false]
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

/// `n` ordinary values.
pub fn ordinary<T: Sample>(n: usize, seed: u64) -> Vec<T> {
    let mut random = Random(seed);
    (0..n).map(|_| T::ordinary(&mut random)).collect()
}

/// Special, ordinary and small values, in all pairs.
pub fn pairs<T: Sample>() -> Vec<(T, T)> {
    let mut random = Random(17);
    let mut values = T::special();
    values.extend(ordinary::<T>(6, 21));
    values.extend((0..6).map(|_| T::small(&mut random)));
    let with_each = |&x: &T| values.iter().map(move |&y| (x, y));
    values.iter().flat_map(with_each).collect()
}

/// `n` values, about one in eight of them special.
pub fn spiced<T: Sample>(n: usize, seed: u64) -> Vec<T> {
    let special = T::special();
    let mut random = Random(seed);
    let mut value = || {
        let draw = random.next();
        if draw.is_multiple_of(8) {
            special[(draw / 8) as usize % special.len()]
        } else {
            T::ordinary(&mut random)
        }
    };
    (0..n).map(|_| value()).collect()
}

/// `n` values well away from zero, negative if the type has signs.
pub fn one_sided<T: Sample>(n: usize, seed: u64) -> Vec<T> {
    let mut random = Random(seed);
    (0..n).map(|_| T::one_sided(&mut random)).collect()
}

/// `n` values drawn from these.
pub fn drawn<T: Sample>(from: &[T], n: usize, seed: u64) -> Vec<T> {
    let mut random = Random(seed);
    (0..n)
        .map(|_| from[random.next() as usize % from.len()])
        .collect()
}

/// The sizes at which trees change: warps, blocks, tiles, levels.
pub fn boundary_sizes(tile: u64, partials_of_a_tile: u64) -> Vec<u64> {
    let mut sizes = vec![
        1,
        2,
        3,
        7,
        31,
        32,
        33,
        48,
        255,
        256,
        257,
        1023,
        1024,
        1025,
        tile - 1,
        tile,
        tile + 1,
        2 * tile + 5,
    ];
    if tile * partials_of_a_tile <= 1 << 20 {
        let two_levels = tile * partials_of_a_tile;
        sizes.extend([two_levels - 1, two_levels, two_levels + 1]);
    }
    sizes.retain(|&n| n > 0);
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// The sizes at which the tree's own tiles fill two levels, and one to either side.
pub fn two_level_sizes(shape: Shape) -> [u64; 3] {
    let tile = shape.tile(1);
    let full = tile.len(shape.vector) * tile.len(shape.partial_vector);
    [full - 1, full, full + 1]
}
