use reduce_runtime::prelude::*;

// `t` in `t * 2.0` is the parameter, though the macro's own `t` is nearer.
macro_rules! shifted {
    ($name:ident, $input:ident, $value:expr) => {
        #[reduction(op = Add)]
        fn $name($input: f32) -> f32 {
            let t = 100.0;
            $value + t
        }
    };
}

shifted!(clear, x, x * 2.0);
shifted!(unclear, t, t * 2.0);

fn main() {}
