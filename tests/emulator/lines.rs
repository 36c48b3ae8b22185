//! Reports name an instruction by its offset in the object; here it becomes a line of the kernel text.

use std::path::Path;
use std::process::Command;

const MARK: &str = "code+";

/// The report with each `code+0x12ab` as `file:line`, where that can be found.
pub fn with_lines(report: &str, object: &Path) -> String {
    let mut parts = report.split(MARK);
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_alphanumeric());
        let (offset, rest) = part.split_at(end.unwrap_or(part.len()));
        text += &line_of(offset, object).unwrap_or_else(|| format!("{MARK}{offset}"));
        text += rest;
    }
    text
}

/// Where the call is that returns to `offset`: the innermost place that is not in the stand-in for CUDA.
fn line_of(offset: &str, object: &Path) -> Option<String> {
    let after = u64::from_str_radix(offset.strip_prefix("0x")?, 16).ok()?;
    let output = Command::new("addr2line")
        .args(["--inlines", "--basenames", "--exe"])
        .arg(object)
        .arg(format!("{:#x}", after.checked_sub(1)?))
        .output()
        .ok()?;
    let places = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_text = |place: &&str| !place.starts_with("device.h:") && !place.starts_with("??");
    let place = places.lines().find(is_text)?;
    // Without the discriminator that may follow.
    place.split_whitespace().next().map(str::to_owned)
}
