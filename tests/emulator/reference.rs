//! The tree as its description has it, one element at a time: what a kernel must give to the bit.

use kernels_gen::tree::{Meeting, Shape, Tile};

/// The fold of all elements; there is at least one.
pub fn fold<T: Copy>(
    elements: &[T],
    (tile, shape, meeting): (Tile, Shape, Meeting),
    combine: &impl Fn(T, T) -> T,
) -> T {
    let fold_level = |elements: &[T], vector: u32| -> Vec<T> {
        let threads = tile.threads as usize;
        let tiles = elements.chunks(threads * tile.rows as usize * vector as usize);
        tiles
            .map(|tile| fold_tile(tile, threads, vector as usize, meeting, combine))
            .collect()
    };
    let mut level = fold_level(elements, shape.vector);
    while level.len() > 1 {
        level = fold_level(&level, shape.partial_vector);
    }
    level[0]
}

fn fold_tile<T: Copy>(
    elements: &[T],
    threads: usize,
    vector: usize,
    meeting: Meeting,
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
    let steps = threads.next_power_of_two().ilog2();
    for step in 0..steps {
        let (distance, apart) = match meeting {
            Meeting::FarFirst => (1 << (steps - 1 - step), 1),
            Meeting::NearFirst => (1 << step, 2 << step),
        };
        let working = match meeting {
            Meeting::FarFirst => distance,
            Meeting::NearFirst => threads,
        };
        for thread in (0..working).step_by(apart) {
            if thread + distance < threads {
                places[thread] = meet(places[thread], places[thread + distance]);
            }
        }
    }
    places[0].expect("a tile has elements")
}
