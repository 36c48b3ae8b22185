//! Bodies that use every exact form and method of the device language, so that host and device can be
//! compared on special values. Each makes a number of what it computed; NaN counts as one NaN.

use reduce_runtime::prelude::*;

macro_rules! float_bodies {
    ($arithmetic:ident, $methods:ident, $signs:ident, $casts:ident, $ty:ident) => {
        #[reduction(op = Add)]
        pub fn $arithmetic(x: $ty, y: $ty) -> u64 {
            let a = x + y * x - y / x;
            let b = x % y;
            let c = x.mul_add(y, -x);
            let d = x.recip() + y.sqrt() + x.fract();
            let a = if a.is_nan() { 1 } else { a.to_bits() as u64 };
            let b = if b.is_nan() { 2 } else { b.to_bits() as u64 };
            let c = if c.is_nan() { 3 } else { c.to_bits() as u64 };
            let d = if d.is_nan() { 4 } else { d.to_bits() as u64 };
            a ^ b.rotate_left(7) ^ c.rotate_left(19) ^ d.rotate_left(29)
        }

        #[reduction(op = Add)]
        pub fn $methods(x: $ty, y: $ty) -> u64 {
            let a = x.floor() - y.ceil() + x.trunc() * y.round();
            let b = x.clamp(-2.5, 1000.0) + y.signum();
            let c = (x - 1.5).max(y) + (x + 1.5).min(y).abs();
            let a = if a.is_nan() { 1 } else { a.to_bits() as u64 };
            let b = if b.is_nan() { 2 } else { b.to_bits() as u64 };
            let c = if c.is_nan() { 3 } else { c.to_bits() as u64 };
            a ^ b.rotate_left(11) ^ c.rotate_left(23)
        }

        #[reduction(op = Add)]
        pub fn $signs(x: $ty, y: $ty) -> u64 {
            let order =
                (x < y) as u64 + 2 * (x <= y) as u64 + 4 * (x == y) as u64 + 8 * (x != y) as u64;
            let kinds =
                (x.is_nan() || y.is_finite()) as u64 + 2 * (x.is_infinite() && !y.is_nan()) as u64;
            let signs = if x.is_nan() {
                0
            } else {
                x.is_sign_negative() as u64 + 2 * x.is_sign_positive() as u64
            };
            let copied = if x.is_nan() || y.is_nan() {
                9
            } else {
                x.copysign(y).to_bits() as u64
            };
            order + 16 * kinds + 64 * signs ^ copied.rotate_left(32)
        }

        #[reduction(op = Add)]
        pub fn $casts(x: $ty, y: $ty) -> u64 {
            let ints = x as i32 as u64
                ^ (y as u32 as u64).rotate_left(16)
                ^ (x as i64 as u64).rotate_left(3);
            let back = (x as i64 as f32).to_bits() as u64 ^ ((y as u64) as f64).to_bits();
            let narrowed = y as f32;
            let narrowed = if narrowed.is_nan() {
                5
            } else {
                narrowed.to_bits() as u64
            };
            ints ^ back.rotate_left(5) ^ narrowed.rotate_left(40)
        }
    };
}

float_bodies!(arithmetic_f32, methods_f32, signs_f32, casts_f32, f32);
float_bodies!(arithmetic_f64, methods_f64, signs_f64, casts_f64, f64);

macro_rules! integer_bodies {
    ($arithmetic:ident, $bits:ident, $ty:ident) => {
        #[reduction(op = Add)]
        pub fn $arithmetic(x: $ty, y: $ty) -> u64 {
            let a = (x.wrapping_add(y)).wrapping_mul(x) ^ y.wrapping_sub(x).wrapping_neg();
            let b = x.saturating_add(y) ^ x.saturating_sub(y).rotate_left(9);
            let c = x.min(y) ^ x.max(y).rotate_right(3) ^ x.clamp(3, 100);
            let d = x.pow(3) ^ y.rem_euclid(x | 1) ^ (x / y) ^ (x % y).rotate_left(13);
            a as u64
                ^ (b as u64).rotate_left(7)
                ^ (c as u64).rotate_left(17)
                ^ (d as u64).rotate_left(31)
        }

        #[reduction(op = Add)]
        pub fn $bits(x: $ty, y: $ty) -> u64 {
            let counts = x.count_ones() + 100 * y.leading_zeros() + 10000 * x.trailing_zeros();
            let shifted = (x << (y & 77)) ^ (y >> (x & 99)) ^ !(x & y) ^ (x | y);
            let order = (x < y) as u64 + 2 * (x >= y) as u64;
            let floats = (x as f32).to_bits() as u64 ^ (y as f64).to_bits();
            counts as u64 ^ (shifted as u64).rotate_left(21) ^ order ^ floats ^ x.abs_diff(y) as u64
        }
    };
}

integer_bodies!(arithmetic_i8, bits_i8, i8);
integer_bodies!(arithmetic_i16, bits_i16, i16);
integer_bodies!(arithmetic_i32, bits_i32, i32);
integer_bodies!(arithmetic_i64, bits_i64, i64);
integer_bodies!(arithmetic_u8, bits_u8, u8);
integer_bodies!(arithmetic_u16, bits_u16, u16);
integer_bodies!(arithmetic_u32, bits_u32, u32);
integer_bodies!(arithmetic_u64, bits_u64, u64);

macro_rules! signed_body {
    ($name:ident, $ty:ident) => {
        #[reduction(op = Add)]
        pub fn $name(x: $ty, y: $ty) -> u64 {
            let a = x.abs() ^ y.wrapping_abs() ^ x.signum();
            let b = x.is_negative() as u64 + 2 * y.is_positive() as u64;
            a as u64 ^ (-y) as u64 ^ b ^ u64::from(x.unsigned_abs())
        }
    };
}

signed_body!(signed_i8, i8);
signed_body!(signed_i16, i16);
signed_body!(signed_i32, i32);
signed_body!(signed_i64, i64);

macro_rules! half_bodies {
    ($name:ident, $ty:ident) => {
        #[reduction(op = Add)]
        pub fn $name(x: $ty, y: $ty) -> u64 {
            let a = (x + y * x - x / y).to_f32();
            let b = (x % y).to_f64();
            let c = $ty::from_f32(x.to_f32() * 1.001).to_f32();
            let d = $ty::from_f64(y.to_f64() * 1.0000001).to_f32();
            let e = (x.max($ty::from_f32(-3.0)) + y.clamp($ty::from_f32(-1.0), $ty::from_f32(1.0)))
                .to_f32();
            let a = if a.is_nan() { 1 } else { a.to_bits() as u64 };
            let b = if b.is_nan() { 2 } else { b.to_bits() };
            let c = if c.is_nan() { 3 } else { c.to_bits() as u64 };
            let d = if d.is_nan() { 4 } else { d.to_bits() as u64 };
            let e = if e.is_nan() { 5 } else { e.to_bits() as u64 };
            let order = (x < y) as u64 + 2 * (x == y) as u64 + 4 * x.is_finite() as u64;
            let copied = if x.is_nan() || y.is_nan() {
                6
            } else {
                (x.copysign(y).signum()).to_f32().to_bits() as u64
            };
            a ^ b
                ^ c.rotate_left(9)
                ^ d.rotate_left(18)
                ^ e.rotate_left(27)
                ^ order
                ^ copied.rotate_left(36)
        }
    };
}

half_bodies!(forms_f16, f16);
half_bodies!(forms_bf16, bf16);

/// Loops: by a condition, without one, over ranges that end at the last number there is.
#[reduction(op = Add)]
pub fn loops_u32(mut x: u32, y: u32) -> u64 {
    let (mut a, mut b) = (x, y);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let mut steps = 0u64;
    x = x % 1000 + 1;
    loop {
        if x <= 1 || steps >= 200 {
            break;
        }
        steps += 1;
        if x & 1 == 0 {
            x /= 2;
            continue;
        }
        x = 3 * x + 1;
    }
    let mut last = 0u32;
    for k in u32::MAX - y % 5..=u32::MAX {
        last ^= k.rotate_left(k % 7);
    }
    for k in x..=y % 3 {
        last = last.wrapping_add(k + 1);
    }
    for _ in y % 4..3 {
        for mut k in 0..5u32 {
            k += last % 3;
            if k > 4 {
                break;
            }
            last = last.wrapping_mul(k | 1) ^ y;
        }
    }
    a as u64 ^ steps << 32 ^ (last as u64).rotate_left(17)
}

/// Arms: literals, ranges, guards, names, tuples; and what changes while a name holds the old value.
#[reduction(op = Add)]
pub fn arms_i32(x: i32, y: i32) -> u64 {
    let mut z = x;
    let first = match z {
        i32::MIN => 1,
        -1 => 2,
        0 | 1 => 3,
        -1000..=-2 if y > 0 => 4,
        2..100 => 5,
        1000.. => 6,
        old if old < -5 => {
            z = z.wrapping_add(7);
            old.wrapping_mul(3) as u64 ^ z as u64
        }
        old => {
            z = 9;
            old as u64
        }
    };
    let second = match (x > y, y % 4) {
        (true, 0) => 10,
        (false, 1 | 2) => 20u64,
        (_, -3) => 30,
        (true, rest) => rest as u64,
        (is_less, _) => is_less as u64 + 40,
    };
    let third;
    let fourth;
    if y == 0 {
        fourth = x as u64;
        third = match x == 0 {
            true => 7,
            false => return first,
        };
    } else {
        (third, fourth) = (8u64, 9);
    }
    first ^ second.rotate_left(21) ^ third.rotate_left(40) ^ fourth.rotate_left(50) ^ z as u64
}

/// Early results, and fields of a tuple that change; the right side of `+=` comes first.
#[reduction(op = Add)]
pub fn changes_f32(x: f32, y: f32) -> u64 {
    if x.is_nan() {
        return 1;
    }
    let mut pair = (x, y);
    pair.0 += y;
    pair.1 *= 2.0;
    pair = (pair.1, pair.0);
    let mut root = 1.0f32;
    for _ in 0..4 {
        root = (root + pair.0 / root) * 0.5;
    }
    let mut turn = pair.1;
    let was_negative = u64::from(turn.is_sign_negative());
    turn -= {
        turn = x;
        root
    };
    let sign = match turn {
        0.0 => 0,
        below if below < 0.0 => 1,
        _ => 2,
    };
    if turn.is_nan() {
        return 2 + sign;
    }
    let _ = pair.0;
    turn.to_bits() as u64 ^ sign << 40 ^ was_negative << 50
}

/// Calls `$each!` for every body of two inputs: `(body, type of both)`.
#[macro_export]
macro_rules! for_each_body {
    ($each:ident) => {
        $each!(arithmetic_f32, f32);
        $each!(methods_f32, f32);
        $each!(signs_f32, f32);
        $each!(casts_f32, f32);
        $each!(arithmetic_f64, f64);
        $each!(methods_f64, f64);
        $each!(signs_f64, f64);
        $each!(casts_f64, f64);
        $each!(arithmetic_i8, i8);
        $each!(arithmetic_i16, i16);
        $each!(arithmetic_i32, i32);
        $each!(bits_i8, i8);
        $each!(bits_i16, i16);
        $each!(bits_i32, i32);
        $each!(arithmetic_i64, i64);
        $each!(bits_i64, i64);
        $each!(arithmetic_u8, u8);
        $each!(arithmetic_u16, u16);
        $each!(arithmetic_u32, u32);
        $each!(bits_u8, u8);
        $each!(bits_u16, u16);
        $each!(bits_u32, u32);
        $each!(arithmetic_u64, u64);
        $each!(bits_u64, u64);
        $each!(signed_i8, i8);
        $each!(signed_i16, i16);
        $each!(signed_i32, i32);
        $each!(signed_i64, i64);
        $each!(forms_f16, f16);
        $each!(forms_bf16, bf16);
        $each!(loops_u32, u32);
        $each!(arms_i32, i32);
        $each!(changes_f32, f32);
    };
}
