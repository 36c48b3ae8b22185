//! The strategy and grid that an attribute names, once it is known what they are to fold.

use proc_macro2::Ident;

use crate::grid::GRIDS;
use crate::spec::Spec;
use crate::strategy::{STRATEGIES, Strategy};

use super::args::ReductionArgs;
use super::errors::Errors;

/// Their places in [`STRATEGIES`] and [`GRIDS`]; the first where one was left out or does not fit, which
/// is reported.
pub(crate) fn choose(args: &ReductionArgs, spec: &Spec, errors: &Errors) -> (usize, usize) {
    let features = spec.features();
    let strategy = match &args.strategy {
        Some(word) => named(word, features).unwrap_or_else(|row| {
            refuse(word, row.takes, spec, errors);
            0
        }),
        None => 0,
    };
    let grid = args.grid.as_ref().map_or(0, |word| {
        let place = GRIDS.iter().position(|grid| *word == grid.name);
        place.unwrap_or_default()
    });
    if let Some(word) = &args.grid {
        check_grid(word, grid, &STRATEGIES[strategy], args, spec, errors);
    }
    if let (Some(word), false) = (&args.unordered, GRIDS[grid].demands != 0) {
        errors.at(
            word,
            "`unordered` is for `grid = Atomic`: other grids keep the order; leave it out",
        );
    }
    (strategy, grid)
}

/// The place of the row that fits, or the first row of that name.
fn named(word: &Ident, features: u32) -> Result<usize, &'static Strategy> {
    let rows = || {
        let rows = STRATEGIES.iter().enumerate();
        rows.filter(|(_, row)| *word == row.name)
    };
    match rows().find(|(_, row)| row.fits(features)) {
        Some((place, _)) => Ok(place),
        None => Err(rows().next().map_or(&STRATEGIES[0], |(_, row)| row)),
    }
}

fn refuse(word: &Ident, takes: &str, spec: &Spec, errors: &Errors) {
    errors.at(
        word,
        format!(
            "`{word}` takes {takes}, not {}; write `strategy = {}`, which takes everything",
            described(spec),
            STRATEGIES[0].name
        ),
    );
}

fn check_grid(
    word: &Ident,
    grid: usize,
    strategy: &Strategy,
    args: &ReductionArgs,
    spec: &Spec,
    errors: &Errors,
) {
    let (row, features) = (&GRIDS[grid], spec.features());
    let default = GRIDS[0].name;
    if !row.goes_with(strategy) {
        let name = strategy.name;
        errors.at(
            word,
            format!("`{word}` does not go with `{name}`, which says itself how tiles and blocks meet; write `grid = {default}`"),
        );
    } else if !row.fits(features, true) {
        errors.at(
            word,
            format!(
                "`{word}` takes {}, not {}; write `grid = {default}`",
                row.takes,
                described(spec)
            ),
        );
    } else if !row.fits(features, args.unordered.is_some()) {
        errors.at(
            word,
            format!(
                "with `{word}` blocks meet in any order, and {} then gives other bits from run to run; \
                 write `grid = {default}`, or add `unordered` if you can do with that",
                described(spec)
            ),
        );
    }
}

/// `Add` of f32.
fn described(spec: &Spec) -> String {
    let inputs = spec.inputs().count();
    let of = match inputs {
        0 => ", without inputs",
        _ => "",
    };
    format!("`{}` of {}{of}", spec.operator_name, spec.accumulator())
}
