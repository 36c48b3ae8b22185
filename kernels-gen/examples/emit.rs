//! Prints a kernel.
use kernels_gen::*;
use expr::*;
fn main() {
    let dt = std::env::args().nth(1).unwrap_or("f32".into());
    let op = std::env::args().nth(2).unwrap_or("Add".into());
    let st = std::env::args().nth(3).unwrap_or("Shuffle".into());
    let gr = std::env::args().nth(4).unwrap_or("LastBlock".into());
    let d = dtype::find(&dt).unwrap();
    let ty = Type::Scalar(d);
    let x = Expr::local("x", ty.clone());
    let spec = spec::Spec { name: "sum_sq".into(), operator_name: op.clone(), built_in: op::find(&op),
        parameters: vec![spec::Parameter { name: "x".into(), dtype: d, role: spec::Role::Input }],
        map: Function { parameters: vec![("x".into(), ty.clone())], result: ty, body: Block::of(Expr::binary(BinaryOp::Mul, x.clone(), x)) } };
    let t = spec.texts();
    let l = |s: String| -> &'static str { Box::leak(s.into_boxed_str()) };
    let f = kernel::Fragments { title: l(t.title), accumulator: l(t.accumulator), operator: l(t.operator.unwrap()), map: l(t.map), source: l(t.source), needs: t.needs };
    print!("{}", kernel::sections(&f, strategy::find(&st).unwrap(), grid::find(&gr).unwrap()).concat());
}
