use reduce_runtime::prelude::*;

// Each fault is one message: callers add none, and neither do reductions with the operator.

#[reduction(op = Add)]
fn counted(x: usize) -> f32 {
    x as f32
}

#[reduction(op = Add)]
fn scaled(x: usize, #[uniform] by: f32) -> f64 {
    x as f64 * by as f64
}

#[reduction(op = Add)]
fn unknown(x: f32) -> usize {
    x as usize
}

#[operator]
fn sum(a: f32, _b: usize) -> f32 {
    a
}

#[reduction(op = sum)]
fn summed(x: f32) -> f32 {
    x
}

fn main() -> Result<()> {
    let device = Device::host();
    let mean = counted::reduce(&device, &[1, 2])? / 2.0;
    counted::reduce_into(&device, &[1, 2], &mut [0.0])?;
    println!("{mean} {} {}", counted::CUDA, counted::explain(&device, 2));
    let plan = counted::plan(&device, 2)?;
    plan.launch(&[1, 2], &mut [0.0])?;
    let total = scaled::with(0.5).reduce(&device, &[1, 2])? + 1.0;
    let all: usize = unknown::reduce(&device, &[1.0])?;
    println!("{total} {all} {}", summed::reduce(&device, &[1.0])?);
    Ok(())
}
