//! The rows as CSV, written and read.

use std::fs::{self, File};
use std::path::Path;

use csv::StringRecord;
use reduce_runtime::private::{grid, strategy};

use crate::emulator::Counters;
use crate::fault::Fault;
use crate::ladder::Ladder;
use crate::rung::{Rung, Timed};
use crate::subject;

const HEADS: [&str; 16] = [
    "operator",
    "strategy",
    "grid",
    "n",
    "device",
    "us",
    "GBps",
    "ceiling_us",
    "equal",
    "divergent",
    "bank_conflict",
    "barriers",
    "collectives",
    "shared_accesses",
    "shared_transactions",
    "shared_bytes",
];

/// Writes all rows to a file.
pub fn write(ladder: &Ladder, file: &Path) -> Result<(), Fault> {
    let failed = |error: &dyn std::error::Error| {
        Fault::new(format!("cannot be written: {error}")).within(file.display())
    };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    }
    let out = File::create(file).map_err(|error| failed(&error))?;
    let mut writer = csv::Writer::from_writer(out);
    let rows = ladder.rungs.iter().map(|rung| cells(ladder, rung));
    for row in [HEADS.map(str::to_owned)].into_iter().chain(rows) {
        writer.write_record(&row).map_err(|error| failed(&error))?;
    }
    writer.flush().map_err(|error| failed(&error))
}

fn cells(ladder: &Ladder, rung: &Rung) -> [String; 16] {
    let timed = |of: fn(Timed) -> String| rung.timed.map_or_else(String::new, of);
    let cost = |of: fn(Counters) -> u64| {
        rung.cost
            .map_or_else(String::new, |cost| of(cost).to_string())
    };
    [
        rung.subject.operator.to_owned(),
        rung.strategy.name.to_owned(),
        rung.grid.name.to_owned(),
        ladder.n.to_string(),
        ladder.device.clone(),
        timed(|timed| format!("{:.3}", timed.us)),
        timed(|timed| format!("{:.1}", timed.gbps)),
        timed(|timed| format!("{:.3}", timed.ceiling_us)),
        timed(|timed| timed.is_equal.to_string()),
        cost(|cost| cost.divergent),
        cost(|cost| cost.bank_conflict),
        cost(|cost| cost.block_barriers),
        cost(|cost| cost.collectives),
        cost(|cost| cost.shared_accesses),
        cost(|cost| cost.shared_transactions),
        cost(|cost| cost.shared_bytes),
    ]
}

/// Reads the rows of a file that [`write`] wrote.
pub fn read(file: &Path) -> Result<Ladder, Fault> {
    parse(file).map_err(|fault| fault.within(file.display()))
}

fn parse(file: &Path) -> Result<Ladder, Fault> {
    let failed = |error: csv::Error| Fault::new(format!("cannot be read: {error}"));
    let mut reader = csv::Reader::from_path(file).map_err(failed)?;
    heads_are_ours(reader.headers().map_err(failed)?)?;
    let mut ladder = Ladder {
        device: String::new(),
        n: 0,
        rungs: Vec::new(),
        notes: Vec::new(),
    };
    for (k, row) in reader.records().enumerate() {
        let row = Row(row.map_err(failed)?);
        let of_line = |fault: Fault| fault.within(format!("row {}", k + 1));
        ladder.rungs.push(row.rung().map_err(of_line)?);
        ladder.n = row.wanted("n").map_err(of_line)?;
        row.text("device").clone_into(&mut ladder.device);
    }
    if ladder.rungs.is_empty() {
        return Err(Fault::new("has no rows"));
    }
    Ok(ladder)
}

/// A file of an earlier version lacks columns; of another program, most of them.
fn heads_are_ours(found: &StringRecord) -> Result<(), Fault> {
    let is_found = |head: &&str| found.iter().any(|each| each == *head);
    let missing = HEADS.iter().find(|head| !is_found(head));
    match missing {
        Some(head) => Err(Fault::new(format!(
            "has no column {head}, which the CSV of a ladder has; write one anew with --csv"
        ))),
        None if *found != HEADS[..] => Err(Fault::new(
            "has other columns than the CSV of a ladder; write one anew with --csv",
        )),
        None => Ok(()),
    }
}

struct Row(StringRecord);

impl Row {
    fn text(&self, head: &str) -> &str {
        let place = HEADS.iter().position(|each| *each == head);
        place
            .and_then(|place| self.0.get(place))
            .unwrap_or_default()
    }

    /// What a cell says, if it is not empty.
    fn value<T: std::str::FromStr>(&self, head: &str) -> Result<Option<T>, Fault> {
        match self.text(head) {
            "" => Ok(None),
            text => text.parse().map(Some).map_err(|_| wrong(head, text)),
        }
    }

    fn wanted<T: std::str::FromStr>(&self, head: &str) -> Result<T, Fault> {
        self.value(head)?.ok_or_else(|| wrong(head, ""))
    }

    fn rung(&self) -> Result<Rung, Fault> {
        let cell = |head| move || wrong(head, self.text(head));
        let subject = subject::find(self.text("operator")).ok_or_else(cell("operator"))?;
        let features = subject.kernel.features;
        let strategy = strategy::find(self.text("strategy"), features);
        let strategy = strategy.ok_or_else(cell("strategy"))?;
        let grid = grid::find(self.text("grid"))
            .filter(|grid| grid.fits(features, false) && grid.goes_with(strategy))
            .ok_or_else(cell("grid"))?;
        let (timed, cost) = (self.timed()?, self.cost()?);
        Ok(Rung {
            subject,
            strategy,
            grid,
            timed,
            cost,
        })
    }

    fn timed(&self) -> Result<Option<Timed>, Fault> {
        if self.text("us").is_empty() {
            return Ok(None);
        }
        Ok(Some(Timed {
            us: self.positive("us")?,
            gbps: self.positive("GBps")?,
            ceiling_us: self.positive("ceiling_us")?,
            is_equal: self.wanted("equal")?,
        }))
    }

    fn positive(&self, head: &str) -> Result<f64, Fault> {
        let value: f64 = self.wanted(head)?;
        if value.is_finite() && value > 0.0 {
            Ok(value)
        } else {
            Err(wrong(head, self.text(head)))
        }
    }

    fn cost(&self) -> Result<Option<Counters>, Fault> {
        let Some(divergent) = self.value("divergent")? else {
            return Ok(None);
        };
        Ok(Some(Counters {
            divergent,
            bank_conflict: self.wanted("bank_conflict")?,
            block_barriers: self.wanted("barriers")?,
            collectives: self.wanted("collectives")?,
            shared_accesses: self.wanted("shared_accesses")?,
            shared_transactions: self.wanted("shared_transactions")?,
            shared_bytes: self.wanted("shared_bytes")?,
        }))
    }
}

fn wrong(head: &str, text: &str) -> Fault {
    Fault::new(format!("{text:?} is no value of the column {head}"))
}
