//! Every form that a body may have, and that it computes what the function does.

use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn literals(x: f64) -> f64 {
    x + 1.5 + 1e-3 + 2_000.0 + 1f64 + -0.5 + 0x1f as f64 + 1_000_i64 as f64 + f64::from(true)
}

#[reduction(op = Add)]
fn inferred(x: f32) -> f32 {
    let two = 2.0;
    let (three, _) = (3.0, 1);
    let four: f32 = 4.0;
    let (five, six): (f32, _) = (5.0, 6.0);
    let _ = x;
    let x = two * x;
    x + three + four + (five + six)
}

#[reduction(op = Add)]
fn branches(x: i32) -> i32 {
    if x > 3 && x != 7 {
        let x = x * 2;
        x - 1
    } else if x < 0 || !(x >= 1) {
        -x
    } else {
        { x + 40 }.max(3)
    }
}

#[reduction(op = Add)]
fn bits(a: u32, b: u64) -> u64 {
    let low = a & 0xff | 1 << 9 ^ !a >> 3i64;
    (low as u64) << 7 ^ b % 1000 / 3
}

#[reduction(op = Add)]
fn tuples(x: f32, y: f32) -> f32 {
    let pair = if x < y { (x, y) } else { (y, x) };
    let (low, high) = pair;
    high - low + pair.0 * { pair }.1
}

#[reduction(op = Max)]
fn methods(x: f32) -> f32 {
    f32::max(x.abs().sqrt(), 1.0).mul_add(2.0, x).clamp(-10.0, 10.0)
}

#[reduction(op = Add)]
fn conversions(h: half::f16, b: bf16, x: f32, i: i32) -> f64 {
    let rounded = f16::from_f32(x) + h * f16::from_f64(0.5);
    h.to_f64() + f64::from(b) + f64::from(x) + f64::from(i) + f64::from(rounded) + f32::from(h > rounded) as f64
}

#[reduction(op = Add)]
fn constants(i: i32) -> f64 {
    let most = if i == i32::MIN { i64::MAX } else { i as i64 };
    let _bits: u32 = u64::BITS;
    let half: f16 = f16::EPSILON;
    most as f64 + std::f64::consts::PI + f32::EPSILON as f64 + core::f32::consts::E as f64 + half.to_f64()
}

#[reduction(op = Add)]
fn steps(mut x: u32) -> u32 {
    let mut sum = 0;
    let last: u32;
    last = 9;
    for k in 0..=last {
        if k == 7 {
            continue;
        }
        sum += k * x;
    }
    while sum > 1000 {
        sum -= 1000;
        x ^= 1;
    }
    loop {
        sum += 1;
        if sum % 7 == 0 {
            break;
        }
    }
    match (x, sum) {
        (0, _) => return 1,
        (1..=9, small) => small,
        (_, 7 | 14) => 2,
        (other, _) if other > 20 => other,
        _ => sum,
    }
}

#[reduction(op = Add)]
fn positions(#[index] i: u64, #[uniform] scale: f64, #[uniform] r#type: f64) -> f64 {
    i as f64 * scale + r#type
}

#[reduction(op = Add)]
const fn ones(_: f32) -> u64 {
    1
}

fn main() {
    let host = Device::host();
    let x = [0.25f32, -1.0, 7.5];
    assert_eq!(inferred::reduce(&host, &x[..1]).unwrap(), inferred(0.25));
    assert_eq!(literals::reduce(&host, &[2.0]).unwrap(), literals(2.0));
    assert_eq!(branches::reduce(&host, &[7]).unwrap(), branches(7));
    assert_eq!(branches::reduce(&host, &[-7]).unwrap(), branches(-7));
    assert_eq!(branches::reduce(&host, &[70]).unwrap(), branches(70));
    assert_eq!(bits::reduce(&host, (&[77], &[123456789])).unwrap(), bits(77, 123456789));
    assert_eq!(tuples::reduce(&host, (&x[..1], &x[2..])).unwrap(), tuples(0.25, 7.5));
    assert_eq!(methods::reduce(&host, &x[2..]).unwrap(), methods(7.5));
    let (h, b) = (f16::from_f32(0.3), bf16::from_f32(3.3));
    let converted = conversions::reduce(&host, (&[h], &[b], &[0.7], &[5])).unwrap();
    assert_eq!(converted, conversions(h, b, 0.7, 5));
    for x in [0, 1, 2, 5, 10, 21, 100] {
        assert_eq!(steps::reduce(&host, &[x]).unwrap(), steps(x));
    }
    assert_eq!(constants::reduce(&host, &[3]).unwrap(), constants(3));
    assert_eq!(positions::with(2.0, 1.0).reduce(&host, 0..3).unwrap(), 9.0);
    assert_eq!(ones::reduce(&host, &x).unwrap(), 3);
}
