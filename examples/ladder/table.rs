//! The table, a row a rung.

use std::fmt;

use crate::ladder::Ladder;
use crate::number::{or_dash, power};
use crate::rung::Rung;

/// The ladder for a terminal.
#[derive(Debug)]
pub struct Table<'a>(pub &'a Ladder);

const HEADS: [&str; 12] = [
    "strategy",
    "grid",
    "us",
    "GB/s",
    "of best",
    "bits",
    "divergent",
    "conflict",
    "barriers",
    "collectives",
    "transactions",
    "shared",
];

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table(ladder) = self;
        writeln!(f, "n = {} on {}", power(ladder.n), ladder.device)?;
        let ceiling = ladder.ceiling();
        let rows: Vec<[String; 12]> = ladder
            .rungs
            .iter()
            .map(|rung| cells(rung, ceiling))
            .collect();
        let widths = widths(&rows);
        let is_one = |a: &Rung, b: &Rung| a.subject.operator == b.subject.operator;
        let mut rows = rows.iter();
        for rungs in ladder.rungs.chunk_by(is_one) {
            writeln!(f, "\n{}", rungs[0].subject_name())?;
            line(f, &HEADS.map(str::to_owned), &widths)?;
            for row in rows.by_ref().take(rungs.len()) {
                line(f, row, &widths)?;
            }
        }
        f.write_str(LEGEND)?;
        ladder
            .notes
            .iter()
            .try_for_each(|note| writeln!(f, "note: {note}"))
    }
}

const LEGEND: &str = "
us, GB/s: on the GPU, median; of best: of the fastest rung; bits: whether the result is the host's.
The rest is of one block of 256 threads that folds one tile, counted by emulating the kernel's text:
divergent accesses of warps, the worst bank conflict, barriers of the block, collectives (shuffles, votes,
reductions of warps), transactions of shared memory, bytes of it that the entry points declare.
";

fn cells(rung: &Rung, ceiling: Option<f64>) -> [String; 12] {
    let (timed, cost) = (rung.timed, rung.cost);
    let share = timed
        .zip(ceiling)
        .map(|(timed, best)| 100.0 * timed.gbps / best);
    let bits = timed.map(|timed| if timed.is_equal { "equal" } else { "DIFFER" });
    [
        rung.strategy.name.to_owned(),
        rung.grid.name.to_owned(),
        or_dash(timed.map(|timed| format!("{:.2}", timed.us))),
        or_dash(timed.map(|timed| format!("{:.0}", timed.gbps))),
        or_dash(share.map(|share| format!("{share:.1}%"))),
        or_dash(bits),
        or_dash(cost.map(|cost| cost.divergent)),
        or_dash(cost.map(|cost| cost.bank_conflict)),
        or_dash(cost.map(|cost| cost.block_barriers)),
        or_dash(cost.map(|cost| cost.collectives)),
        or_dash(cost.map(|cost| cost.shared_transactions)),
        or_dash(cost.map(|cost| cost.shared_bytes)),
    ]
}

fn widths(rows: &[[String; 12]]) -> [usize; 12] {
    let mut widths = HEADS.map(str::len);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    widths
}

/// Names to the left, numbers to the right.
fn line(f: &mut fmt::Formatter<'_>, cells: &[String; 12], widths: &[usize; 12]) -> fmt::Result {
    let padded = cells.iter().zip(widths).enumerate();
    let padded = padded.map(|(k, (cell, &width))| match k {
        0 | 1 => format!("{cell:width$}"),
        _ => format!("{cell:>width$}"),
    });
    writeln!(f, "{}", padded.collect::<Vec<_>>().join("  "))
}
