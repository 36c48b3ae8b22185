//! The fixed parts of a kernel, a row each: a `.cuh` file with one contract.

/// A row of the stage table: one file of fixed kernel text.
#[derive(Debug)]
pub struct Stage {
    /// The file's name, which compiler messages show.
    pub file: &'static str,
    /// Its text, after a `#line` that names the file.
    pub text: &'static str,
    /// Who takes part.
    pub takes_part: &'static str,
    /// Where the result is valid.
    pub valid_in: &'static str,
}

macro_rules! stage {
    ($constant:ident, $file:literal, $takes_part:literal, $valid_in:literal) => {
        #[doc = concat!("`cuda/", $file, "`: ", $takes_part, "; valid in ", $valid_in, ".")]
        pub const $constant: Stage = Stage {
            file: $file,
            text: concat!(
                "\n#line 1 \"",
                $file,
                "\"\n",
                include_str!(concat!("../cuda/", $file))
            ),
            takes_part: $takes_part,
            valid_in: $valid_in,
        };
    };
}

stage!(TYPES, "types.cuh", "no thread", "declarations only");
stage!(
    INTRINSICS,
    "intrinsics.cuh",
    "as each function says",
    "as each function says"
);
stage!(
    INTRINSICS_VOTE,
    "intrinsics_vote.cuh",
    "the lanes that the mask names",
    "each of them"
);
stage!(
    INTRINSICS_REDUX,
    "intrinsics_redux.cuh",
    "the lanes that the mask names",
    "each of them"
);
stage!(
    INTRINSICS_ATOMIC,
    "intrinsics_atomic.cuh",
    "one thread",
    "memory"
);
stage!(
    INTRINSICS_CLUSTER,
    "intrinsics_cluster.cuh",
    "as each function says",
    "as each function says"
);
stage!(
    INTRINSICS_BULK,
    "intrinsics_bulk.cuh",
    "as each function says",
    "as each function says"
);
stage!(
    RUST_INTEGER,
    "rust_integer.cuh",
    "one thread",
    "that thread"
);
stage!(RUST_FLOAT, "rust_float.cuh", "one thread", "that thread");
stage!(RUST_HALF, "rust_half.cuh", "one thread", "that thread");
stage!(LOAD, "load.cuh", "one thread", "that thread");
stage!(THREAD_FOLD, "thread_fold.cuh", "one thread", "that thread");
stage!(
    THREAD_BALLOT,
    "thread_ballot.cuh",
    "all threads of the block",
    "lane 0 of each warp; zero in the others"
);
stage!(
    BLOCK_INTERLEAVED,
    "block_interleaved.cuh",
    "all threads of the block",
    "thread 0"
);
stage!(
    BLOCK_STRIDED,
    "block_strided.cuh",
    "all threads of the block",
    "thread 0"
);
stage!(
    BLOCK_SEQUENTIAL,
    "block_sequential.cuh",
    "all threads of the block",
    "thread 0"
);
stage!(
    BLOCK_SHUFFLE,
    "block_shuffle.cuh",
    "all threads of the block",
    "thread 0"
);
stage!(
    BLOCK_INSTRUCTION,
    "block_instruction.cuh",
    "all threads of the block",
    "thread 0"
);
stage!(
    TILE_FOLD,
    "tile_fold.cuh",
    "all threads of the block",
    "thread 0"
);
stage!(
    TILE_LOOP,
    "tile_loop.cuh",
    "all threads of the block",
    "the partials that thread 0 stored"
);
stage!(
    TILE_BULK,
    "tile_bulk.cuh",
    "all threads of the block",
    "the partials that thread 0 stored"
);
stage!(
    LEVELS,
    "levels.cuh",
    "all threads of the last block",
    "the output"
);
stage!(
    ATOMIC_EXCHANGE,
    "atomic_exchange.cuh",
    "one thread of each block",
    "the value of all"
);
stage!(
    GRID_LAST_BLOCK,
    "grid_last_block.cuh",
    "all blocks",
    "the output, after the launch"
);
stage!(
    GRID_TWO_PASS,
    "grid_two_pass.cuh",
    "all blocks",
    "the output, after the last launch"
);
stage!(
    GRID_ATOMIC,
    "grid_atomic.cuh",
    "all blocks",
    "the output, after the last launch"
);
stage!(
    GRID_CLUSTER,
    "grid_cluster.cuh",
    "all blocks, in clusters",
    "the output, after the launch"
);

/// The table.
pub static STAGES: &[Stage] = &[
    TYPES,
    INTRINSICS,
    INTRINSICS_VOTE,
    INTRINSICS_REDUX,
    INTRINSICS_ATOMIC,
    INTRINSICS_CLUSTER,
    INTRINSICS_BULK,
    RUST_INTEGER,
    RUST_FLOAT,
    RUST_HALF,
    LOAD,
    THREAD_FOLD,
    THREAD_BALLOT,
    BLOCK_INTERLEAVED,
    BLOCK_STRIDED,
    BLOCK_SEQUENTIAL,
    BLOCK_SHUFFLE,
    BLOCK_INSTRUCTION,
    TILE_FOLD,
    TILE_LOOP,
    TILE_BULK,
    LEVELS,
    ATOMIC_EXCHANGE,
    GRID_LAST_BLOCK,
    GRID_TWO_PASS,
    GRID_ATOMIC,
    GRID_CLUSTER,
];

/// The stage whose text this is.
pub fn of_text(text: &str) -> Option<&'static Stage> {
    STAGES.iter().find(|stage| stage.text == text)
}

/// The stages that a text may need for its arithmetic, as bits of a set.
pub mod needs {
    /// Integers: wrapping, division, shifts and methods.
    pub const INTEGER: u32 = 1;
    /// `f32` and `f64`: methods and casts to integers.
    pub const FLOAT: u32 = 2;
    /// `f16` and `bf16`.
    pub const HALF: u32 = 4;
    /// An atomic fold that the hardware does not have.
    pub const EXCHANGE: u32 = 8;
}

/// What a reduction offers to the strategies and grids that ask for it, as bits of a set.
pub mod features {
    /// An instruction folds a warp's accumulators: 32-bit integers.
    pub const REDUX: u32 = 1;
    /// A vote folds a warp's accumulators: conditions.
    pub const VOTE: u32 = 2;
    /// Elements are counted.
    pub const COUNT: u32 = 4;
    /// There are inputs to copy.
    pub const INPUTS: u32 = 8;
    /// Accumulators are folded in memory: 4 or 8 bytes, by a built-in operator.
    pub const ATOMIC: u32 = 16;
    /// Any order gives the same bits.
    pub const EXACT: u32 = 32;
}

#[cfg(test)]
mod tests {
    use super::STAGES;
    use std::collections::BTreeSet;
    use std::fs;

    #[test]
    fn every_file_has_a_row() {
        let folder = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/cuda"));
        let files = folder.expect("the folder is there").map(|entry| {
            let name = entry.expect("an entry").file_name();
            name.into_string().expect("a name")
        });
        let rows = STAGES.iter().map(|stage| stage.file.to_owned());
        assert_eq!(files.collect::<BTreeSet<_>>(), rows.collect());
    }
}
