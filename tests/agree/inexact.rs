//! The methods that are not exact: how far a GPU and the host are apart, in units in the last place.

use crate::common::{Random, Sample};
use crate::gpu::Suite;
use reduce_runtime::prelude::*;

/// What DESIGN.md states.
const BOUND: u64 = 8;

mod methods {
    use reduce_runtime::prelude::*;

    macro_rules! methods {
        ($module:ident, $ty:ident, $($name:ident: |$x:ident| $body:expr;)*) => {
            pub mod $module {
                use super::*;
                $(
                    #[reduction(op = Add)]
                    pub fn $name($x: $ty) -> $ty {
                        $body
                    }
                )*
            }
        };
    }

    macro_rules! both {
        ($($name:ident: |$x:ident| $body:expr;)*) => {
            methods!(f32s, f32, $($name: |$x| $body;)*);
            methods!(f64s, f64, $($name: |$x| $body;)*);
        };
    }

    both! {
        exp: |x| x.exp();
        exp2: |x| x.exp2();
        exp_m1: |x| x.exp_m1();
        ln: |x| x.abs().ln();
        ln_1p: |x| x.abs().ln_1p();
        log2: |x| x.abs().log2();
        log10: |x| x.abs().log10();
        sin: |x| x.sin();
        cos: |x| x.cos();
        tan: |x| x.tan();
        asin: |x| (x * 0.05).asin();
        acos: |x| (x * 0.05).acos();
        atan: |x| x.atan();
        atan2: |x| x.atan2(0.75);
        sinh: |x| x.sinh();
        cosh: |x| x.cosh();
        tanh: |x| x.tanh();
        cbrt: |x| x.cbrt();
        hypot: |x| x.hypot(1.25);
        powf: |x| x.abs().powf(1.7);
        powi: |x| x.powi(3);
    }
}

/// Units in the last place between two values of one type, by their bits.
fn apart(a: u64, b: u64) -> u64 {
    a.abs_diff(b)
}

impl Suite {
    /// Each inexact method on 200 values between -20 and 20, at most [`BOUND`] units apart.
    pub fn inexact(&self) {
        macro_rules! check {
            ($module:ident, $ty:ident, $($name:ident)*) => {{
                let mut random = Random(31);
                let mut value = || (random.next() % 4_000_001) as $ty / 100_000.0 - 20.0;
                let x: Vec<$ty> = (0..200).map(|_| value()).collect();
                let dx = self.upload(&x);
                $({
                    let mut most = 0;
                    for k in 0..x.len() {
                        let host = methods::$module::$name::reduce(&self.host, &x[k..=k]).expect("a value");
                        let gpu = methods::$module::$name::reduce(&self.gpu, dx.slice(k..=k)).expect("a value");
                        most = most.max(apart(Sample::bits(host), Sample::bits(gpu)));
                    }
                    println!("inexact {} of {}: {most} ulp", stringify!($name), stringify!($ty));
                    let verdict = u64::from(most > BOUND);
                    self.compare(&format!("{} within {BOUND} ulp", stringify!($name)), &Ok(0), &Ok(verdict));
                })*
            }};
        }
        check!(f32s, f32, exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh cbrt hypot powf powi);
        check!(f64s, f64, exp exp2 exp_m1 ln ln_1p log2 log10 sin cos tan asin acos atan atan2 sinh cosh tanh cbrt hypot powf powi);
    }
}
