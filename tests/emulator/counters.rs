//! What a launch did, in numbers that explain its speed.

use std::ops::AddAssign;

/// The costs of one launch, or of several together. The instructions are those of the C++ compiler: what
/// a GPU executes may be split or joined otherwise.
///
/// The lanes of a warp that execute the same instruction for the k-th time since the block's last
/// barrier count as one access of the warp.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// How often a block waited for all of its threads: the most of any block.
    pub block_barriers: u64,
    /// Shuffles, votes and reductions, each once for the lanes that meet in it; of all warps.
    pub collectives: u64,
    /// Accesses of warps to shared memory, of at most 16 bytes a lane.
    pub shared_accesses: u64,
    /// What these took: each at least one transaction, 2 where lanes move 8 bytes and 4 where they move
    /// 16, and more where lanes meet in a bank.
    pub shared_transactions: u64,
    /// The most distinct words that lanes served together asked of one of the 32 banks; 1 is the best.
    pub bank_conflict: u64,
    /// Accesses to any memory in which some lanes of the warp took part and others did not.
    pub divergent: u64,
    /// The shared memory of a block, in bytes: its variables and what the launch adds.
    pub shared_bytes: u64,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.block_barriers += other.block_barriers;
        self.collectives += other.collectives;
        self.shared_accesses += other.shared_accesses;
        self.shared_transactions += other.shared_transactions;
        self.bank_conflict = self.bank_conflict.max(other.bank_conflict);
        self.divergent += other.divergent;
        self.shared_bytes = self.shared_bytes.max(other.shared_bytes);
    }
}
