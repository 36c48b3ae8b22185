//! The picture: a bar a rung, the table's columns beside it.

use std::fs;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::column::{COLUMNS, Column};
use crate::fault::Fault;
use crate::ladder::Ladder;
use crate::number::power;
use crate::rung::Rung;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Where bars begin, and how long the longest is.
const LEFT: i32 = 112;
const BARS: i32 = 300;
/// Left and right of all.
const MARGIN: i32 = 24;
/// Where the strategies' summaries begin.
const SUMMARY: i32 = 172;
const TOP: i32 = 118;
const SUBJECT: i32 = 38;
const STRATEGY: i32 = 32;
const BAR: i32 = 24;

const INK: RGBColor = RGBColor(31, 35, 40);
const GREY: RGBColor = RGBColor(101, 109, 118);
const RULE: RGBColor = RGBColor(225, 228, 232);
/// Of the grids, in the order of their table.
const COLOURS: [RGBColor; 4] = [
    RGBColor(47, 109, 179),
    RGBColor(200, 110, 25),
    RGBColor(58, 135, 88),
    RGBColor(142, 93, 166),
];

/// Draws the ladder into a file.
pub fn draw(ladder: &Ladder, file: &Path) -> Result<(), Fault> {
    let failed = |error: &dyn std::fmt::Display| {
        Fault::new(format!("cannot be drawn: {error}")).within(file.display())
    };
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    }
    let mut text = String::new();
    Picture::of(ladder)
        .draw(&mut text)
        .map_err(|error| failed(&error))?;
    fs::write(file, text).map_err(|error| failed(&error))
}

struct Picture<'a> {
    ladder: &'a Ladder,
    /// Those that there is something to show in, with their right ends.
    columns: Vec<(i32, &'static Column)>,
    width: i32,
    /// The value of the longest bar.
    longest: f64,
}

impl<'a> Picture<'a> {
    fn of(ladder: &'a Ladder) -> Picture<'a> {
        let values = ladder.rungs.iter().filter_map(|rung| value(ladder, rung));
        let full = if ladder.is_timed() { FULL } else { 1.0 };
        let mut right = LEFT + BARS;
        let shown = COLUMNS
            .iter()
            .filter(|column| ladder.is_timed() || !column.is_timed());
        let columns = shown
            .map(|column| {
                right += column.width;
                (right, column)
            })
            .collect();
        Picture {
            ladder,
            columns,
            width: right + MARGIN,
            longest: values.fold(full, f64::max),
        }
    }

    fn subjects(&self) -> impl Iterator<Item = &'a [Rung]> {
        self.ladder.rungs.chunk_by(Rung::shares_subject)
    }

    fn bottom(&self) -> i32 {
        let rungs = &self.ladder.rungs;
        let strategies = rungs.chunk_by(Rung::shares_strategy).count() as i32;
        let subjects = self.subjects().count() as i32;
        TOP + subjects * SUBJECT + strategies * STRATEGY + rungs.len() as i32 * BAR
    }

    fn draw(&self, text: &mut String) -> Drawn {
        let size = (self.width as u32, self.bottom() as u32 + 78);
        let area = SVGBackend::with_string(text, size).into_drawing_area();
        area.fill(&WHITE)?;
        self.head(&area)?;
        self.titles(&area)?;
        self.scale(&area)?;
        let mut y = TOP;
        for rungs in self.subjects() {
            self.subject(&area, rungs, y)?;
            y += SUBJECT;
            for rungs in rungs.chunk_by(Rung::shares_strategy) {
                self.strategy(&area, &rungs[0], y)?;
                y += STRATEGY;
                for rung in rungs {
                    self.rung(&area, rung, y)?;
                    y += BAR;
                }
            }
        }
        self.foot(&area)?;
        area.present()?;
        Ok(())
    }

    /// The title, what ran, and the colours.
    fn head(&self, area: &Area<'_>) -> Drawn {
        let n = power(self.ladder.n);
        let (title, below) = if self.ladder.is_timed() {
            (
                format!("Strategy by grid, n = {n}: speed as a share of reading alone"),
                self.ladder.device.clone(),
            )
        } else {
            (
                "Strategy by grid: transactions of shared memory".to_owned(),
                "one block of 256 threads folds one tile; emulated; shorter is better".to_owned(),
            )
        };
        bold(area, &title, (MARGIN, 34), 22)?;
        plain(area, &below, (MARGIN, 58), 13, GREY, HPos::Left)?;
        let mut x = MARGIN;
        for grid in grids(self.ladder) {
            let square = [(x, 88), (x + 12, 100)];
            area.draw(&Rectangle::new(square, colour(grid).filled()))?;
            plain(area, grid, (x + 18, 99), 13, INK, HPos::Left)?;
            x += 100;
        }
        Ok(())
    }

    fn titles(&self, area: &Area<'_>) -> Drawn {
        for (x, column) in &self.columns {
            for (line, y) in column.title.into_iter().zip([84, 99]) {
                plain(area, line, (*x, y), 12, GREY, HPos::Right)?;
            }
        }
        Ok(())
    }

    fn x(&self, value: f64) -> i32 {
        LEFT + (f64::from(BARS) * value / self.longest).round() as i32
    }

    /// Light lines at round values.
    fn scale(&self, area: &Area<'_>) -> Drawn {
        let unit = if self.ladder.is_timed() { "%" } else { "" };
        let step = round_step(self.longest);
        let mut value = 0.0;
        while value <= self.longest {
            let (x, below) = (self.x(value), self.bottom() + 20);
            area.draw(&PathElement::new([(x, TOP), (x, self.bottom() + 6)], RULE))?;
            let label = format!("{value:.0}{unit}");
            plain(area, &label, (x, below), 11, GREY, HPos::Center)?;
            value += step;
        }
        Ok(())
    }

    /// What the rungs below reduce, and the ceiling of them.
    fn subject(&self, area: &Area<'_>, rungs: &[Rung], y: i32) -> Drawn {
        let rule = [(MARGIN, y + 6), (self.width - MARGIN, y + 6)];
        area.draw(&PathElement::new(rule, GREY))?;
        bold(area, &rungs[0].subject_name(), (MARGIN, y + 28), 17)?;
        let ceiling = self.ladder.ceiling(rungs).unwrap_or_default();
        plain(area, &ceiling, (SUMMARY, y + 28), 13, INK, HPos::Left)
    }

    fn strategy(&self, area: &Area<'_>, rung: &Rung, y: i32) -> Drawn {
        let rule = [(MARGIN, y + 4), (self.width - MARGIN, y + 4)];
        area.draw(&PathElement::new(rule, RULE))?;
        bold(area, rung.strategy.name, (MARGIN, y + 23), 15)?;
        let summary = rung.strategy.summary.replace('`', "");
        plain(area, &summary, (SUMMARY, y + 23), 13, GREY, HPos::Left)
    }

    fn rung(&self, area: &Area<'_>, rung: &Rung, y: i32) -> Drawn {
        let middle = y + BAR / 2 + 5;
        let name = rung.grid.name;
        plain(area, name, (LEFT - 10, middle), 13, INK, HPos::Right)?;
        match value(self.ladder, rung) {
            Some(value) => {
                let bar = [(LEFT, y + 3), (self.x(value), y + BAR - 3)];
                area.draw(&Rectangle::new(bar, colour(name).filled()))?;
            }
            None => {
                let why = if self.ladder.is_timed() {
                    "not timed"
                } else {
                    "not emulated"
                };
                plain(area, why, (LEFT + 7, middle), 13, GREY, HPos::Left)?;
            }
        }
        if self.ladder.is_timed() {
            self.full(area, y)?;
        }
        for (x, column) in &self.columns {
            plain(area, &column.text(rung), (*x, middle), 13, INK, HPos::Right)?;
        }
        Ok(())
    }

    /// A dashed line at the ceiling, beside one bar: it would cross the words between bars.
    fn full(&self, area: &Area<'_>, y: i32) -> Drawn {
        let x = self.x(FULL);
        for y in (y..y + BAR).step_by(8) {
            area.draw(&PathElement::new([(x, y), (x, y + 4)], INK))?;
        }
        Ok(())
    }

    fn foot(&self, area: &Area<'_>) -> Drawn {
        for (line, y) in FOOT.into_iter().zip([46, 62]) {
            let place = (MARGIN, self.bottom() + y);
            plain(area, line, place, 12, GREY, HPos::Left)?;
        }
        Ok(())
    }
}

/// The share of the ceiling at which a rung is as fast as reading alone, in percent.
const FULL: f64 = 100.0;

const FOOT: [&str; 2] = [
    "The columns from divergent warp steps on: what one block of 256 threads does on one tile, counted by emulating the kernel's text.",
    "A step is an access to memory, divergent where only some lanes of the warp take part. Reductions of a warp count as votes.",
];

/// How long a rung's bar is: its share of the ceiling, or transactions where nothing was timed.
fn value(ladder: &Ladder, rung: &Rung) -> Option<f64> {
    if ladder.is_timed() {
        rung.timed.map(|timed| FULL * timed.share())
    } else {
        rung.cost.map(|cost| cost.shared_transactions as f64)
    }
}

/// The grids that are drawn, each once.
fn grids(ladder: &Ladder) -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for rung in &ladder.rungs {
        if !names.contains(&rung.grid.name) {
            names.push(rung.grid.name);
        }
    }
    names
}

fn colour(grid: &str) -> RGBColor {
    let mut rows = reduce_runtime::private::grid::GRIDS.iter();
    let place = rows.position(|row| row.name == grid).unwrap_or_default();
    COLOURS[place % COLOURS.len()]
}

/// 1, 2 or 5 times a power of ten, for about six lines.
fn round_step(longest: f64) -> f64 {
    let rough = longest / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power);
    steps
        .filter(|step| *step >= rough)
        .fold(10.0 * power, f64::min)
        .max(1.0)
}

fn bold(area: &Area<'_>, text: &str, at: (i32, i32), size: i32) -> Drawn {
    write(area, text, at, size, INK, HPos::Left, FontStyle::Bold)
}

fn plain(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    size: i32,
    colour: RGBColor,
    side: HPos,
) -> Drawn {
    write(area, text, at, size, colour, side, FontStyle::Normal)
}

/// The place is that of the text's baseline, which the backend puts half an ex higher; the size is of
/// pixels, of which the backend makes 1.24 times fewer.
fn write(
    area: &Area<'_>,
    text: &str,
    (x, y): (i32, i32),
    size: i32,
    colour: RGBColor,
    side: HPos,
    style: FontStyle,
) -> Drawn {
    let pixels = f64::from(size) * 1.24;
    let font = ("Helvetica, Arial, sans-serif", pixels, style).into_font();
    let style = font.color(&colour).pos(Pos::new(side, VPos::Bottom));
    area.draw(&Text::new(text, (x, y + size / 4), style))?;
    Ok(())
}
