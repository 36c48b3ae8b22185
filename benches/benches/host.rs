//! The host engine beside what else sums a slice, and beside the fastest read of the same memory.
//! Compare inside one run, as ratios.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ndarray::ArrayView1;
use rayon::prelude::*;
use reduce_runtime::prelude::*;

#[reduction(op = Add)]
fn sum(x: f32) -> f32 {
    x
}

#[reduction(op = Min)]
fn min(x: f32) -> f32 {
    x
}

#[reduction(op = Add)]
fn dot(x: f32, y: f32) -> f64 {
    x as f64 * y as f64
}

/// 256 MiB.
const LARGE: usize = 1 << 26;

fn values(n: usize) -> Vec<f32> {
    (0..n).map(|i| (i % 1009) as f32 / 7.0 - 70.0).collect()
}

/// Reads every byte and does as little as can be with them.
fn read(data: &[f32]) -> u32 {
    let chunks = data.par_chunks(1 << 14).map(|chunk| {
        let folds = chunk
            .chunks_exact(32)
            .fold([0u32; 32], |mut folds, values| {
                for (fold, value) in folds.iter_mut().zip(values) {
                    *fold ^= value.to_bits();
                }
                folds
            });
        folds.iter().fold(0, |all, fold| all ^ fold)
    });
    chunks.reduce(|| 0, |a, b| a ^ b)
}

/// A sum as one writes it with rayon: chunks in parallel, sixteen running sums in each.
fn rayon_sum(data: &[f32]) -> f32 {
    let chunks = data.par_chunks(1 << 14).map(|chunk| {
        let sums = chunk.chunks_exact(16).fold([0f32; 16], |mut sums, values| {
            for (sum, value) in sums.iter_mut().zip(values) {
                *sum += value;
            }
            sums
        });
        sums.iter().sum::<f32>()
    });
    chunks.sum()
}

fn large(c: &mut Criterion) {
    let host = Device::host();
    let data = values(LARGE);
    let mut group = c.benchmark_group("256 MiB of f32");
    group.sample_size(30);
    group.throughput(Throughput::Bytes((LARGE * 4) as u64));
    group.bench_function("read ceiling", |b| b.iter(|| read(&data)));
    group.bench_function("reduction sum", |b| b.iter(|| sum::reduce(&host, &data)));
    group.bench_function("rayon chunked sum", |b| b.iter(|| rayon_sum(&data)));
    group.bench_function("ndarray sum", |b| b.iter(|| ArrayView1::from(&data).sum()));
    group.bench_function("reduction min", |b| b.iter(|| min::reduce(&host, &data)));
    group.finish();
}

fn small(c: &mut Criterion) {
    let host = Device::host();
    let data = values(4096);
    let mut group = c.benchmark_group("4096 of f32");
    group.throughput(Throughput::Bytes(4096 * 4));
    group.bench_function("reduction sum", |b| b.iter(|| sum::reduce(&host, &data)));
    group.bench_function("reduction dot", |b| {
        b.iter(|| dot::reduce(&host, (&data, &data)))
    });
    group.bench_function("ndarray sum", |b| b.iter(|| ArrayView1::from(&data).sum()));
    group.finish();
}

criterion_group!(benches, large, small);
criterion_main!(benches);
