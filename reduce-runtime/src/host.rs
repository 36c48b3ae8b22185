//! The fold without a device: the same tree over the host twin, so the same bits.
//!
//! Tiles are folded in parallel, blocks of lanes at a time, which the compiler vectorises; their
//! results are the elements of the next level, as on a GPU. What need not know the reduction is
//! compiled once a type of accumulator.

use kernels_gen::tree::{Meeting, Tile};
use rayon::prelude::*;

use crate::element::Elements;
use crate::operator::Operator;
use crate::reduction::Reduction;

/// Tiles below which threads cost more than they bring.
const PARALLEL_TILES: u64 = 8;

/// Lanes that are folded at once: their accumulators stay in registers over all rows of a tile.
const BLOCK: usize = 16;

/// The fold of `n` elements, at least one; `first` is the index of the first.
pub(crate) fn fold<R: Reduction>(
    slices: <R::Elements as Elements>::Slices<'_>,
    first: u64,
    n: u64,
    uniforms: R::Uniforms,
    tile: Tile,
    meeting: Meeting,
) -> R::Accumulator {
    let shape = R::KERNEL.shape;
    let elements = Mapped::<R> {
        slices,
        first,
        uniforms,
    };
    let combine = R::Operator::combine;
    let level = Level {
        n,
        tile,
        vector: shape.vector,
        meeting,
    };
    let mut partials = level.fold(&|scratch, k| {
        // Known to the compiler here, which then makes one of the vector folds, not five.
        let vector = const { R::KERNEL.shape.vector };
        Level { vector, ..level }.tile_fold(scratch, k, &elements, combine)
    });
    while partials.len() > 1 {
        let n = partials.len() as u64;
        let level = Level {
            n,
            tile,
            vector: shape.partial_vector,
            meeting,
        };
        partials = fold_partials(level, &partials, R::Operator::combine);
    }
    partials[0]
}

/// Folds the partials of the level below. They are few: one function for all operators will do.
fn fold_partials<A: Copy + Send + Sync>(
    level: Level,
    below: &[A],
    combine: fn(A, A) -> A,
) -> Vec<A> {
    level.fold(&|scratch, k| level.tile_fold(scratch, k, &below, combine))
}

/// Accumulators by position: the mapped elements, or the partials of the level below.
trait Source<A> {
    /// The `N` accumulators from `start` on.
    fn block<const N: usize>(&self, start: usize) -> [A; N];
}

/// The inputs of a reduction as a source.
struct Mapped<'a, R: Reduction> {
    slices: <R::Elements as Elements>::Slices<'a>,
    first: u64,
    uniforms: R::Uniforms,
}

impl<R: Reduction> Source<R::Accumulator> for Mapped<'_, R> {
    #[inline(always)]
    fn block<const N: usize>(&self, start: usize) -> [R::Accumulator; N] {
        let cut = R::Elements::cut(self.slices, start, N);
        let index = self.first.wrapping_add(start as u64);
        std::array::from_fn(|k| {
            R::map(
                R::Elements::at(cut, k),
                index.wrapping_add(k as u64),
                &self.uniforms,
            )
        })
    }
}

impl<A: Copy> Source<A> for &[A] {
    #[inline(always)]
    fn block<const N: usize>(&self, start: usize) -> [A; N] {
        let cut = &self[start..][..N];
        std::array::from_fn(|k| cut[k])
    }
}

/// One level of the tree: `n` positions in tiles.
#[derive(Clone, Copy)]
struct Level {
    n: u64,
    tile: Tile,
    vector: u32,
    meeting: Meeting,
}

impl Level {
    /// The fold of each tile, in order: `tile_fold(scratch, k)`.
    fn fold<A: Copy + Send>(
        self,
        tile_fold: &(dyn Fn(&mut Scratch<A>, u64) -> A + Sync),
    ) -> Vec<A> {
        let tiles = self.tile.count(self.n, self.vector);
        let threads = self.tile.threads as usize;
        let scratch = || Scratch::new(threads * self.vector as usize, threads);
        if tiles < PARALLEL_TILES {
            let mut scratch = scratch();
            return (0..tiles).map(|k| tile_fold(&mut scratch, k)).collect();
        }
        let tiles = (0..tiles).into_par_iter();
        tiles.map_init(scratch, tile_fold).collect()
    }

    /// Folds tile `k`: rows, then vectors, then threads.
    #[inline(always)]
    fn tile_fold<A: Copy>(
        self,
        scratch: &mut Scratch<A>,
        k: u64,
        source: &impl Source<A>,
        combine: impl Fn(A, A) -> A + Copy,
    ) -> A {
        let length = self.tile.len(self.vector);
        let start = k * length;
        let count = length.min(self.n - start) as usize;
        scratch.fold_rows(
            source,
            start as usize,
            count,
            (self.tile.threads * self.vector) as usize,
            combine,
        );
        scratch.fold_vectors(self.vector, combine);
        match self.meeting {
            Meeting::FarFirst => {
                scratch.fold_far_first(self.tile.first_distance() as usize, combine)
            }
            Meeting::NearFirst => scratch.fold_near_first(combine),
        }
    }
}

/// The accumulators of a tile, reused from one tile to the next. Those past the end of the input are
/// left out, never padded: a missing operand is not combined.
struct Scratch<A> {
    lanes: Vec<A>,
    /// Those of the threads, while they are made from the lanes.
    threads: Vec<A>,
}

impl<A: Copy> Scratch<A> {
    fn new(lanes: usize, threads: usize) -> Scratch<A> {
        Scratch {
            lanes: Vec::with_capacity(lanes),
            threads: Vec::with_capacity(threads),
        }
    }

    /// Folds the rows of the tile of `count` positions from `start` on, each `width` long, into lanes.
    #[inline(always)]
    fn fold_rows(
        &mut self,
        source: &impl Source<A>,
        start: usize,
        count: usize,
        width: usize,
        combine: impl Fn(A, A) -> A + Copy,
    ) {
        let (rows, tail) = (count / width, count % width);
        self.lanes.clear();
        let whole_blocks = if rows > 0 { width / BLOCK } else { 0 };
        for block in 0..whole_blocks {
            let first = start + block * BLOCK;
            let mut lanes = source.block::<BLOCK>(first);
            for row in 1..rows {
                let values = source.block::<BLOCK>(first + row * width);
                for k in 0..BLOCK {
                    lanes[k] = combine(lanes[k], values[k]);
                }
            }
            self.lanes.extend(lanes);
        }
        // What is left, element by element: lanes beyond the blocks, and the row that is cut short.
        for row in 0..rows {
            let rest = whole_blocks * BLOCK..width;
            self.fold_singly(source, start + row * width, rest, combine);
        }
        self.fold_singly(source, start + rows * width, 0..tail, combine);
    }

    /// Folds the positions of one row into some of the lanes: few of a large input, so one copy of it
    /// is enough.
    #[inline(never)]
    fn fold_singly(
        &mut self,
        source: &impl Source<A>,
        row: usize,
        lanes: std::ops::Range<usize>,
        combine: impl Fn(A, A) -> A,
    ) {
        for k in lanes {
            let [value] = source.block(row + k);
            match self.lanes.get_mut(k) {
                Some(lane) => *lane = combine(*lane, value),
                None => self.lanes.push(value),
            }
        }
    }

    /// Folds the lanes of each vector: neighbours, then neighbours of those.
    #[inline(always)]
    fn fold_vectors(&mut self, vector: u32, combine: impl Fn(A, A) -> A + Copy) {
        match vector {
            1 => {}
            2 => self.fold_vectors_of::<2>(combine),
            4 => self.fold_vectors_of::<4>(combine),
            8 => self.fold_vectors_of::<8>(combine),
            16 => self.fold_vectors_of::<16>(combine),
            _ => unreachable!("a step is 16 bytes at most"),
        }
    }

    /// The same with a length that the compiler knows, which is several times as fast.
    #[inline(always)]
    fn fold_vectors_of<const N: usize>(&mut self, combine: impl Fn(A, A) -> A + Copy) {
        let (vectors, rest) = self.lanes.as_chunks::<N>();
        self.threads.clear();
        self.threads.extend(vectors.iter().map(|vector| {
            let mut lanes = *vector;
            fold_neighbours(&mut lanes, combine);
            lanes[0]
        }));
        if !rest.is_empty() {
            let mut lanes = [rest[0]; N];
            lanes[..rest.len()].copy_from_slice(rest);
            fold_neighbours(&mut lanes[..rest.len()], combine);
            self.threads.push(lanes[0]);
        }
        std::mem::swap(&mut self.lanes, &mut self.threads);
    }

    /// Folds the threads: thread t meets t + distance, for distances from 1 up.
    #[inline(never)]
    fn fold_near_first(&mut self, combine: impl Fn(A, A) -> A) -> A {
        fold_neighbours(&mut self.lanes, combine);
        self.lanes[0]
    }

    /// Folds the threads: thread t meets t + distance, for distances from `first` down to 1.
    fn fold_far_first(&mut self, first: usize, combine: impl Fn(A, A) -> A) -> A {
        let mut distance = first;
        while distance > 0 {
            if self.lanes.len() > distance {
                let (near, far) = self.lanes.split_at_mut(distance);
                for (a, b) in near.iter_mut().zip(far) {
                    *a = combine(*a, *b);
                }
                self.lanes.truncate(distance);
            }
            distance /= 2;
        }
        self.lanes[0]
    }
}

/// Folds neighbours, then neighbours of those, into the first.
#[inline(always)]
fn fold_neighbours<A: Copy>(lanes: &mut [A], combine: impl Fn(A, A) -> A) {
    let mut distance = 1;
    while distance < lanes.len() {
        for k in (0..lanes.len() - distance).step_by(2 * distance) {
            lanes[k] = combine(lanes[k], lanes[k + distance]);
        }
        distance *= 2;
    }
}
