use reduce_runtime::prelude::*;

#[reduction(op = Ad, strategy = Suffle, speed = 9)]
async fn wrong_in_many_ways(x: f32, y: &f32, n: usize) -> f32 {
    let z = x.sqart();
    for k in 0..n {}
    println!("{z}");
    z + unknown(y)
}

fn main() {}
