//! A rung: a strategy with a grid, and what became known of it.

use reduce_runtime::private::{Forced, grid, strategy};

use crate::emulator::Counters;
use crate::subject::{SUBJECTS, Subject};

/// The order in which the patterns are taught; others follow.
const TAUGHT: &[&str] = &[
    "Interleaved",
    "Strided",
    "Sequential",
    "Shuffle",
    "Redux",
    "Cluster",
    "Bulk",
];

/// A row of the ladder.
#[derive(Clone, Debug)]
pub struct Rung {
    /// What is reduced.
    pub subject: &'static Subject,
    /// How a block folds.
    pub strategy: &'static strategy::Strategy,
    /// How blocks meet.
    pub grid: &'static grid::Grid,
    /// How fast it was on a GPU.
    pub timed: Option<Timed>,
    /// What one block did in the emulator.
    pub cost: Option<Counters>,
}

/// How fast a rung was.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// Microseconds a reduction.
    pub us: f64,
    /// Gigabytes of input a second.
    pub gbps: f64,
    /// Microseconds in which a kernel that does nothing else reads the same input.
    pub ceiling_us: f64,
    /// Whether the result was the host's, to the bit.
    pub is_equal: bool,
}

impl Timed {
    /// Of the ceiling's speed.
    pub fn share(self) -> f64 {
        self.ceiling_us / self.us
    }
}

impl Rung {
    /// All rungs of a subject, as they are taught.
    pub fn all(subject: &'static Subject) -> Vec<Rung> {
        let pairs = grid::pairs(subject.kernel.features);
        let pairs =
            pairs.filter(|(strategy, _)| subject.only.is_none_or(|only| only == strategy.name));
        let mut rungs: Vec<Rung> = pairs
            .map(|(strategy, grid)| Rung {
                subject,
                strategy,
                grid,
                timed: None,
                cost: None,
            })
            .collect();
        // Stable: rungs of one strategy keep the order of the grids.
        rungs.sort_by_key(|rung| rank(rung.strategy.name));
        rungs
    }

    /// The rungs of all subjects.
    pub fn every() -> Vec<Rung> {
        SUBJECTS.iter().flat_map(Rung::all).collect()
    }

    /// The choices that make a plan this rung.
    pub fn forced(&self) -> Forced {
        Forced {
            strategy: Some(self.strategy),
            grid: Some(self.grid),
            ..Forced::default()
        }
    }

    /// For messages and tables.
    pub fn subject_name(&self) -> String {
        let Subject {
            operator, element, ..
        } = self.subject;
        format!("{operator} of {element}")
    }

    /// Whether both reduce the same.
    pub fn shares_subject(&self, other: &Rung) -> bool {
        self.subject.operator == other.subject.operator
    }

    /// Whether both fold a block alike as well.
    pub fn shares_strategy(&self, other: &Rung) -> bool {
        self.shares_subject(other) && self.strategy.name == other.strategy.name
    }
}

fn rank(name: &str) -> usize {
    let place = TAUGHT.iter().position(|taught| *taught == name);
    place.unwrap_or(TAUGHT.len())
}
