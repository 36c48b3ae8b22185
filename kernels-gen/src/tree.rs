//! The one tree: which elements meet in which order. The host fold, the kernels and the plans all
//! read it here, so that they give the same bits.
//!
//! Elements are cut into tiles of `threads * rows * vector` consecutive elements. Element
//! `(r * threads + t) * vector + v` of a tile goes to accumulator `(t, v)`, rows ascending; then
//! neighbours meet within a thread's vector; then thread `t` meets `t + s`, for s from half the
//! threads down to 1 (or, for the two strategies that say so, from 1 up). A missing operand is not combined. The results of the tiles are the elements of
//! the next level, until one is left.

/// The shape of a tile, but for its vector, which differs between the elements and the partials.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// Threads of a block; each has one place in every row.
    pub threads: u32,
    /// Vectors that each thread takes.
    pub rows: u32,
}

/// In which order the threads of a tile meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// Half the threads apart, then a quarter, down to neighbours.
    FarFirst,
    /// Neighbours, then two apart, up to half the threads.
    NearFirst,
}

/// What the tree of a reduction depends on, besides the number of elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Consecutive elements that a thread takes at once.
    pub vector: u32,
    /// Consecutive partials that a thread takes at once.
    pub partial_vector: u32,
    /// Bytes of input in one such step, over all inputs.
    pub step_bytes: u32,
}

/// The widest load of a thread, in bytes.
const LOAD_BYTES: u32 = 16;

/// The most a thread's accumulators may take, in bytes.
const ACCUMULATOR_BYTES: u32 = 64;

/// One load of `bytes` each, unless the width does not divide it; fewer where accumulators are wide.
fn vector(widest: u32, accumulator: u32) -> u32 {
    let mut vector = if widest.is_power_of_two() {
        (LOAD_BYTES / widest).max(1)
    } else {
        1
    };
    while vector > 1 && vector * accumulator > ACCUMULATOR_BYTES {
        vector /= 2;
    }
    vector
}

impl Shape {
    /// The shape for inputs of these widths and an accumulator of that width, in bytes.
    /// Without inputs (an index alone) the index counts as one of 8 bytes.
    pub fn new(inputs: &[u32], accumulator: u32) -> Shape {
        let widest = inputs.iter().copied().max().unwrap_or(8);
        let vector_len = vector(widest, accumulator);
        Shape {
            vector: vector_len,
            partial_vector: vector(accumulator, accumulator),
            step_bytes: inputs.iter().sum::<u32>() * vector_len,
        }
    }

    /// The tile for `n` elements.
    ///
    /// Measured on an H200, f32 sum, in microseconds (`tests/gpu/results/2026-11-30-h200-tiles.csv`):
    ///
    /// | n = | 2^14 | 2^16 | 2^20 | 2^22 | 2^24 | 2^26 | 2^28 |
    /// | --- | --- | --- | --- | --- | --- | --- | --- |
    /// | 256 x 4 | 2.7 | 3.0 | 4.3 | 7.1 | 19.0 | 65.9 | 249.5 |
    /// | 256 x 8 | 3.1 | 3.3 | 4.5 | 7.4 | 19.2 | 62.8 | 242.0 |
    /// | 512 x 8 | 1.9 | 4.3 | 5.4 | 8.8 | 22.9 | 76.4 | 267.1 |
    ///
    /// Several inputs take fewer rows, so that a thread's loads still fit its registers.
    pub const fn tile(&self, n: u64) -> Tile {
        let steps = n / self.vector as u64;
        let bytes_in_flight = if steps <= 1 << 22 { 64 } else { 128 };
        let rows = match self.step_bytes {
            0..=16 => bytes_in_flight / 16,
            17..=32 => bytes_in_flight / 32,
            _ => bytes_in_flight / 64,
        };
        Tile { threads: 256, rows }
    }
}

impl Tile {
    /// Elements of a whole tile whose steps are `vector` wide.
    pub const fn len(self, vector: u32) -> u64 {
        self.threads as u64 * self.rows as u64 * vector as u64
    }

    /// Tiles that `n` elements are cut into.
    pub const fn count(self, n: u64, vector: u32) -> u64 {
        n.div_ceil(self.len(vector))
    }

    /// The first distance at which threads meet: half the threads, rounded up to a power of two.
    pub const fn first_distance(self) -> u32 {
        self.threads.next_power_of_two() / 2
    }

    /// How many partials each level leaves, the elements' first; the last is 1.
    pub fn levels(self, n: u64, shape: Shape) -> Vec<u64> {
        let mut levels = vec![self.count(n, shape.vector)];
        while let Some(&last) = levels.last()
            && last > 1
        {
            levels.push(self.count(last, shape.partial_vector));
        }
        levels
    }
}
