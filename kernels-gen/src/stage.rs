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
    BLOCK_SHUFFLE,
    "block_shuffle.cuh",
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
    TILE_FOLD,
    "tile_fold.cuh",
    "all threads of the block",
    "thread 0"
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

/// The parts of Rust's arithmetic that a text may need, as bits of a set.
pub mod needs {
    /// Integers: wrapping, division, shifts and methods.
    pub const INTEGER: u32 = 1;
    /// `f32` and `f64`: methods and casts to integers.
    pub const FLOAT: u32 = 2;
    /// `f16` and `bf16`.
    pub const HALF: u32 = 4;
}
