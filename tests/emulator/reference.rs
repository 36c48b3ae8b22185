//! The tree as its description has it, one element at a time: what a kernel must give to the bit.

use kernels_gen::tree::{Shape, Tile};

/// The fold of all elements; there is at least one.
pub fn fold<T: Copy>(elements: &[T], tile: Tile, shape: Shape, combine: &impl Fn(T, T) -> T) -> T {
    let mut level = fold_level(elements, tile, shape.vector as usize, combine);
    while level.len() > 1 {
        level = fold_level(&level, tile, shape.partial_vector as usize, combine);
    }
    level[0]
}

fn fold_level<T: Copy>(
    elements: &[T],
    tile: Tile,
    vector: usize,
    combine: &impl Fn(T, T) -> T,
) -> Vec<T> {
    let (threads, rows) = (tile.threads as usize, tile.rows as usize);
    let tiles = elements.chunks(threads * rows * vector);
    tiles
        .map(|tile| fold_tile(tile, threads, vector, combine))
        .collect()
}

fn fold_tile<T: Copy>(
    elements: &[T],
    threads: usize,
    vector: usize,
    combine: &impl Fn(T, T) -> T,
) -> T {
    // What is not there is not combined.
    let meet = |a: Option<T>, b: Option<T>| match (a, b) {
        (Some(a), Some(b)) => Some(combine(a, b)),
        (a, b) => a.or(b),
    };
    let mut places = vec![None; threads * vector];
    for row in elements.chunks(threads * vector) {
        for (place, &element) in places.iter_mut().zip(row) {
            *place = meet(*place, Some(element));
        }
    }
    while places.len() > threads {
        places = places
            .chunks(2)
            .map(|pair| meet(pair[0], pair[1]))
            .collect();
    }
    let mut distance = threads.next_power_of_two() / 2;
    while distance > 0 {
        for thread in 0..distance.min(threads - distance) {
            places[thread] = meet(places[thread], places[thread + distance]);
        }
        distance /= 2;
    }
    places[0].expect("a tile has elements")
}
