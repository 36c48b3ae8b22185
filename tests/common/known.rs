//! Faults that users of reduction libraries met, as probes of one input in blocks of a given width: what
//! the host, a GPU and the emulated kernels are to give.

use kernels_gen::tree::Tile;

/// A probe, and the public report that it comes from.
#[derive(Debug)]
pub struct Known<T> {
    pub report: &'static str,
    /// The tile's own where none is said.
    pub tile: Option<Tile>,
    /// As many as there is work for where it is not said.
    pub blocks: Option<u32>,
    pub data: Vec<T>,
    pub right: T,
}

fn known<T>(report: &'static str, tile: (u32, u32), data: Vec<T>, right: T) -> Known<T> {
    let (threads, rows) = tile;
    Known {
        report,
        tile: Some(Tile { threads, rows }),
        blocks: None,
        data,
        right,
    }
}

/// Sums of u32.
pub fn sums_of_u32() -> Vec<Known<u32>> {
    let mut all = Vec::new();
    // A block smaller than a warp.
    for tile in [(1, 2), (16, 1)] {
        all.push(known("AMReX-Codes/amrex#640", tile, vec![1; 100], 100));
    }
    // One block alone counts values twice.
    let mut alone = known("diku-dk/futhark#700", (256, 4), vec![1, 2], 3);
    alone.blocks = Some(1);
    all.push(alone);
    // A halving tree on a block that is no power of two.
    for threads in [3, 5, 6, 7, 9, 1023] {
        let (x, sum) = ((1..=threads).collect(), threads * (threads + 1) / 2);
        all.push(known("CanReader/FastNN#9", (threads, 1), x, sum));
    }
    for threads in [1023, 1024] {
        let x = (1..=1025).collect();
        all.push(known(
            "AdaptiveCpp/AdaptiveCpp#1789",
            (threads, 1),
            x,
            525_825,
        ));
    }
    // A mask that is computed inside a branch.
    for n in 1..=64 {
        for threads in [32, 64] {
            let ones = vec![1; n as usize];
            all.push(known("NVIDIA's forum, 265242", (threads, 1), ones, n));
        }
    }
    all
}

/// Sums of f32 that are exact.
pub fn sums_of_f32() -> Vec<Known<f32>> {
    let mut all = Vec::new();
    // A last partial warp.
    for threads in [33u16, 45, 48] {
        let ones = vec![1.0; usize::from(threads)];
        let tile = (u32::from(threads), 1);
        all.push(known(
            "bytedance/lightseq#166",
            tile,
            ones,
            f32::from(threads),
        ));
    }
    // A grid that folds each value twice.
    all.push(known(
        "nativelibs4java/nativelibs4java#28",
        (256, 4),
        vec![1.0; 4097],
        4097.0,
    ));
    // A loop over the tree without a barrier.
    let x = (0..512u16).map(f32::from).collect();
    all.push(known("NVIDIA's forum, 59406", (512, 1), x, 130_816.0));
    // One block alone counts values twice.
    let mut alone = known("diku-dk/futhark#252", (256, 4), vec![1.1, 1.1], 2.2);
    alone.blocks = Some(1);
    all.push(alone);
    all
}

/// Maxima of f32.
pub fn maxima_of_f32() -> Vec<Known<f32>> {
    // With one warp a block, the last step reads lanes outside its mask.
    let negatives = (1..=32u16).map(|k| -f32::from(k)).collect();
    vec![known("NVIDIA/cuda-samples#398", (32, 1), negatives, -1.0)]
}
