//! What is shown of a rung beside its name, a column each, in the table and in the picture.

use crate::emulator::Counters;
use crate::number::or_dash;
use crate::rung::{Rung, Timed};

/// A column.
#[derive(Debug)]
pub struct Column {
    /// In the table.
    pub head: &'static str,
    /// In the picture, in two lines.
    pub title: [&'static str; 2],
    /// Pixels of the picture.
    pub width: i32,
    cell: Cell,
}

/// Where a cell comes from.
#[derive(Debug)]
enum Cell {
    /// A GPU.
    Timed(fn(Timed) -> String),
    /// The emulator.
    Counted(fn(Counters) -> u64),
}

impl Column {
    /// What stands there for a rung.
    pub fn text(&self, rung: &Rung) -> String {
        match self.cell {
            Cell::Timed(of) => or_dash(rung.timed.map(of)),
            Cell::Counted(of) => or_dash(rung.cost.map(of)),
        }
    }

    /// Whether it needs a GPU.
    pub fn is_timed(&self) -> bool {
        matches!(self.cell, Cell::Timed(_))
    }
}

const fn timed(
    head: &'static str,
    title: [&'static str; 2],
    width: i32,
    of: fn(Timed) -> String,
) -> Column {
    let cell = Cell::Timed(of);
    Column {
        head,
        title,
        width,
        cell,
    }
}

const fn counted(
    head: &'static str,
    title: [&'static str; 2],
    width: i32,
    of: fn(Counters) -> u64,
) -> Column {
    let cell = Cell::Counted(of);
    Column {
        head,
        title,
        width,
        cell,
    }
}

/// The table.
pub static COLUMNS: [Column; 10] = [
    timed("us", ["", "us"], 62, |timed| format!("{:.2}", timed.us)),
    timed("GB/s", ["", "GB/s"], 62, |timed| {
        format!("{:.0}", timed.gbps)
    }),
    timed("of ceiling", ["of the", "ceiling"], 66, |timed| {
        format!("{:.1}%", 100.0 * timed.share())
    }),
    timed("bits", ["", "bits"], 62, |timed| bits(timed).to_owned()),
    counted("divergent", ["divergent", "warp steps"], 92, |cost| {
        cost.divergent
    }),
    counted("conflict", ["bank", "conflict"], 72, |cost| {
        cost.bank_conflict
    }),
    counted("barriers", ["", "barriers"], 70, |cost| cost.block_barriers),
    counted("shuffles", ["shuffles", "and votes"], 76, |cost| {
        cost.collectives
    }),
    counted("transactions", ["shared", "transactions"], 96, |cost| {
        cost.shared_transactions
    }),
    counted("shared", ["shared", "bytes"], 66, |cost| cost.shared_bytes),
];

fn bits(timed: Timed) -> &'static str {
    if timed.is_equal { "equal" } else { "DIFFER" }
}
