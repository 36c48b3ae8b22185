//! The table: a column's statistics, what computed them, and how fast.

use std::fmt;
use std::time::Duration;

use reduce_runtime::Device;

use crate::measure::Measured;

/// The table, a name and a value a line.
#[derive(Debug)]
pub struct Report {
    rows: Vec<(&'static str, String)>,
}

impl Report {
    /// The table of `column` in the file called `file`.
    pub fn new(device: &Device, file: &str, column: &str, measured: &Measured) -> Report {
        let element = measured.element;
        let mut rows = vec![("data", format!("{column}, {element} of {file}"))];
        rows.extend(measured.summary.rows());
        rows.push(("device", device.to_string()));
        rows.push(("time", time(measured)));
        rows.push(("GB/s", speed(measured)));
        Report { rows }
    }
}

fn time(measured: &Measured) -> String {
    let Measured {
        time,
        passes,
        bytes,
        ..
    } = measured;
    let copy = measured
        .copy
        .map(|copy| format!(", copied to the GPU in {copy:.3?}"));
    format!(
        "{time:.3?} for {passes} passes over {bytes} bytes{}",
        copy.unwrap_or_default()
    )
}

fn speed(measured: &Measured) -> String {
    let bytes = measured.bytes as f64 * f64::from(measured.passes);
    let time = measured.time.max(Duration::from_nanos(1));
    format!("{:.3}", bytes / time.as_secs_f64() / 1e9)
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.rows.iter().map(|(name, _)| name.len());
        let width = widths.max().unwrap_or_default();
        let mut rows = self.rows.iter();
        rows.try_for_each(|(name, value)| writeln!(f, "{name:width$}  {value}"))
    }
}
