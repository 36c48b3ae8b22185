use reduce_runtime::prelude::*;

#[reduction(op = Add, strategy = Auto, grid = Auto)]
fn auto(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = Interleaved)]
fn interleaved(x: f32) -> f32 {
    x
}

#[reduction(op = Min, strategy = Redux, grid = Atomic)]
fn redux(x: i32) -> i32 {
    x
}

#[reduction(op = Count, strategy = Vote)]
fn vote(x: f32) -> bool {
    x > 1.0
}

#[reduction(op = Add, grid = Atomic, unordered)]
fn unordered(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = Cluster, grid = LastBlock)]
fn cluster(x: f32) -> f32 {
    x
}

#[reduction(op = Add, strategy = Bulk, grid = TwoPass)]
fn bulk(x: f32, y: f64) -> f64 {
    x as f64 * y
}

fn main() {
    let host = Device::host();
    let x = [1.5f32, 2.5];
    assert_eq!(auto::reduce(&host, &x).unwrap(), 4.0);
    assert_eq!(interleaved::reduce(&host, &x).unwrap(), 4.0);
    assert_eq!(redux::reduce(&host, &[3, -4]).unwrap(), -4);
    assert_eq!(vote::reduce(&host, &x).unwrap(), 2);
    assert_eq!(unordered::reduce(&host, &x).unwrap(), 4.0);
    assert_eq!(cluster::reduce(&host, &x).unwrap(), 4.0);
    assert_eq!(bulk::reduce(&host, (&x, &[2.0, 2.0])).unwrap(), 8.0);
    assert!(redux::CUDA.contains("__reduce_min_sync"));
    assert!(!auto::CUDA.contains("__reduce_min_sync"));
}
