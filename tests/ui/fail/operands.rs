use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn casts(x: f32, h: f16, i: i32) -> f32 {
    let a = h as f32;
    let b = x as f16;
    let c = i as bool;
    let d = (x > 1.0) as f32;
    let e = i as u8;
    let f = f32::from(i);
    let g = f16::from(x);
    x
}

#[reduction(op = Add)]
fn mixed(x: f32, i: i32, u: u32, h: f16) -> f32 {
    let a = x + i;
    let b = x * 2;
    let c = h * 0.5;
    let d = -u;
    let e = x & x;
    let f = x << 1;
    let g = (x, x) == (x, x);
    let k = if i { 1.0 } else { 2 };
    let l: i32 = x;
    let m = !x;
    let n = i.0;
    i
}

fn main() {}
