//! The table, a row a rung.

use std::fmt;

use crate::column::COLUMNS;
use crate::ladder::Ladder;
use crate::number::power;
use crate::rung::Rung;

/// The ladder for a terminal.
#[derive(Debug)]
pub struct Table<'a>(pub &'a Ladder);

/// The names, then the columns.
const NAMES: [&str; 2] = ["strategy", "grid"];

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table(ladder) = self;
        writeln!(f, "n = {} on {}", power(ladder.n), ladder.device)?;
        let rows: Vec<Vec<String>> = ladder.rungs.iter().map(cells).collect();
        let widths = widths(&rows);
        let mut rows = rows.iter();
        for rungs in ladder.rungs.chunk_by(Rung::shares_subject) {
            writeln!(f, "\n{}", rungs[0].subject_name())?;
            if let Some(ceiling) = ladder.ceiling(rungs) {
                writeln!(f, "{ceiling}")?;
            }
            line(f, &heads(), &widths)?;
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
us, GB/s: on the GPU, median; of ceiling: of the speed of a kernel that reads the same input and does
nothing else; bits: whether the result is the host's.
The rest is of one block of 256 threads that folds one tile, counted by emulating the kernel's text:
divergent accesses of warps to memory, the worst bank conflict, barriers of the block, shuffles (with votes
and reductions of warps), transactions of shared memory, bytes of it that the entry points declare.
";

fn heads() -> Vec<String> {
    let columns = COLUMNS.iter().map(|column| column.head);
    NAMES
        .into_iter()
        .chain(columns)
        .map(str::to_owned)
        .collect()
}

fn cells(rung: &Rung) -> Vec<String> {
    let names = [rung.strategy.name, rung.grid.name].map(str::to_owned);
    let columns = COLUMNS.iter().map(|column| column.text(rung));
    names.into_iter().chain(columns).collect()
}

fn widths(rows: &[Vec<String>]) -> Vec<usize> {
    let mut widths: Vec<usize> = heads().iter().map(String::len).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.len());
        }
    }
    widths
}

/// Names to the left, numbers to the right.
fn line(f: &mut fmt::Formatter<'_>, cells: &[String], widths: &[usize]) -> fmt::Result {
    let padded = cells.iter().zip(widths).enumerate();
    let padded = padded.map(|(k, (cell, &width))| {
        if k < NAMES.len() {
            format!("{cell:width$}")
        } else {
            format!("{cell:>width$}")
        }
    });
    writeln!(f, "{}", padded.collect::<Vec<_>>().join("  "))
}
