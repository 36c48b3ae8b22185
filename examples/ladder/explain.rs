//! One rung in words: its plan, and its kernel with who takes part in each stage.

use kernels_gen::stage;
use reduce_runtime::Device;
use reduce_runtime::private::grid::GRIDS;
use reduce_runtime::private::sections;
use reduce_runtime::private::strategy::STRATEGIES;

use crate::fault::Fault;
use crate::nearest;
use crate::rung::Rung;
use crate::subject::{SUBJECTS, Subject};

/// The text of the first rung with this strategy, and this grid if one is named.
pub fn text(strategy: &str, grid: Option<&str>, n: u64) -> Result<String, Fault> {
    let rungs = rungs(strategy)?;
    let grids = rungs.iter().map(|rung| rung.grid.name);
    let rung = match grid {
        None => rungs.first(),
        Some(grid) => rungs.iter().find(|rung| rung.grid.name == grid),
    };
    let rung = rung.ok_or_else(|| {
        let grid = grid.unwrap_or_default();
        let advice = nearest::advice(grid, grids);
        Fault::new(format!(
            "{grid:?} is no grid that goes with {strategy}; {advice}"
        ))
    })?;
    Ok(heading(rung) + &plan(rung, n) + &kernel(rung))
}

/// The rungs of the first subject that has this strategy. Auto is none of the ladder's, but has a kernel.
fn rungs(strategy: &str) -> Result<Vec<Rung>, Fault> {
    if let Some(auto) = STRATEGIES
        .iter()
        .find(|row| row.is_auto && row.name == strategy)
    {
        return Ok(vec![Rung {
            subject: &SUBJECTS[0],
            strategy: auto,
            grid: &GRIDS[0],
            timed: None,
            cost: None,
        }]);
    }
    let of = |subject: &'static Subject| {
        let mut rungs = Rung::all(subject);
        rungs.retain(|rung| rung.strategy.name == strategy);
        rungs
    };
    let mut all = SUBJECTS.iter().map(of);
    all.find(|rungs| !rungs.is_empty()).ok_or_else(|| {
        let mut names: Vec<&str> = STRATEGIES.iter().map(|row| row.name).collect();
        names.dedup();
        let advice = nearest::advice(strategy, names);
        Fault::new(format!("{strategy:?} is no strategy; {advice}"))
    })
}

fn heading(rung: &Rung) -> String {
    let (strategy, grid) = (rung.strategy, rung.grid);
    format!(
        "{} with {}, {}\n  {}\n  {}\n\n",
        strategy.name,
        grid.name,
        rung.subject_name(),
        strategy.summary,
        grid.summary,
    )
}

fn plan(rung: &Rung, n: u64) -> String {
    let explained = (rung.subject.explain)(rung.forced(), &Device::auto(), n);
    format!("{explained}\n")
}

fn kernel(rung: &Rung) -> String {
    let sections = sections(&rung.subject.kernel.fragments, rung.strategy, rung.grid);
    let texts = sections.into_iter().filter(|text| !text.is_empty());
    texts.map(annotated).collect()
}

fn annotated(text: &str) -> String {
    let heading = match stage::of_text(text) {
        Some(stage) => format!(
            "{}\n// takes part: {}\n// valid in: {}",
            stage.file, stage.takes_part, stage.valid_in
        ),
        None => "of this reduction alone".to_owned(),
    };
    format!("\n// ==== {heading}\n{}\n", text.trim())
}
