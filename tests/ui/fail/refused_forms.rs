use reduce_runtime::prelude::*;

struct Pair {
    a: f32,
}

#[reduction(op = Add)]
fn values(x: f32) -> f32 {
    let r = &x;
    let s = "text";
    let c = 'c';
    let closure = |y: f32| y;
    let array = [x, x];
    let element = array[0];
    let range = 0..3;
    let pair = Pair { a: x };
    let three = (x, x, x);
    let nothing = ();
    x
}

#[reduction(op = Add)]
fn control(x: f32) -> f32 {
    const ONE: f32 = 1.0;
    let y = unsafe { x };
    let z = 'out: { x };
    let Some(w) = Some(x) else { panic!() };
    if let 1.0 = x { x } else { y }
}

#[reduction(op = Add)]
fn attributes(x: f32) -> f32 {
    #[cfg(any())]
    let x = x + 1.0;
    x
}

fn main() {}
