//! The picture: a bar a rung, its costs beside it.

use std::fs;
use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::fault::Fault;
use crate::ladder::Ladder;
use crate::number::{or_dash, power};
use crate::rung::Rung;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

const WIDTH: i32 = 1180;
/// Where bars begin, and where the longest ends.
const LEFT: i32 = 112;
const RIGHT: i32 = 700;
/// Right ends of the columns beside the bars.
const COLUMNS: [(i32, &str, &str); 4] = [
    (860, "barriers", ""),
    (950, "bank", "conflict"),
    (1045, "divergent", "accesses"),
    (1150, "warp", "collectives"),
];
/// Where the strategies' summaries begin.
const SUMMARY: i32 = 206;
const TOP: i32 = 118;
const HEADING: i32 = 34;
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
    /// The value of the longest bar.
    longest: f64,
}

impl<'a> Picture<'a> {
    fn of(ladder: &'a Ladder) -> Picture<'a> {
        let values = ladder.rungs.iter().filter_map(|rung| value(ladder, rung));
        Picture {
            ladder,
            longest: values.fold(1.0, f64::max),
        }
    }

    fn groups(&self) -> impl Iterator<Item = &'a [Rung]> {
        self.ladder.rungs.chunk_by(Rung::shares_heading)
    }

    fn bottom(&self) -> i32 {
        TOP + self.groups().count() as i32 * HEADING + self.ladder.rungs.len() as i32 * BAR
    }

    fn draw(&self, text: &mut String) -> Drawn {
        let size = (WIDTH as u32, self.bottom() as u32 + 64);
        let area = SVGBackend::with_string(text, size).into_drawing_area();
        area.fill(&WHITE)?;
        self.head(&area)?;
        self.scale(&area)?;
        let mut y = TOP;
        for rungs in self.groups() {
            self.heading(&area, &rungs[0], y)?;
            y += HEADING;
            for rung in rungs {
                self.rung(&area, rung, y)?;
                y += BAR;
            }
        }
        self.foot(&area)?;
        area.present()?;
        Ok(())
    }

    fn head(&self, area: &Area<'_>) -> Drawn {
        let n = power(self.ladder.n);
        let (title, device) = if self.ladder.is_timed() {
            (
                format!("GB/s of input, rung by rung: Add of i32 and votes on bool, n = {n}"),
                self.ladder.device.clone(),
            )
        } else {
            (
                "Transactions of shared memory, rung by rung: one block of 256 threads".to_owned(),
                "counted by emulating the kernels; shorter is better".to_owned(),
            )
        };
        write(area, &title, (24, 34), 22, INK, HPos::Left, FontStyle::Bold)?;
        plain(area, &device, (24, 58), 13, GREY, HPos::Left)?;
        let mut x = 24;
        for (grid, colour) in grids(self.ladder)
            .into_iter()
            .map(|grid| (grid, colour(grid)))
        {
            area.draw(&Rectangle::new([(x, 78), (x + 12, 90)], colour.filled()))?;
            plain(area, grid, (x + 18, 89), 13, INK, HPos::Left)?;
            x += 118;
        }
        for (x, first, second) in COLUMNS {
            let lines = if second.is_empty() {
                ["", first]
            } else {
                [first, second]
            };
            plain(area, lines[0], (x, 84), 12, GREY, HPos::Right)?;
            plain(area, lines[1], (x, 99), 12, GREY, HPos::Right)?;
        }
        Ok(())
    }

    fn x(&self, value: f64) -> i32 {
        LEFT + (f64::from(RIGHT - LEFT) * value / self.longest).round() as i32
    }

    /// Light lines at round values, and a dashed one at the ceiling.
    fn scale(&self, area: &Area<'_>) -> Drawn {
        let step = round_step(self.longest);
        let mut value = 0.0;
        while value <= self.longest {
            let x = self.x(value);
            area.draw(&PathElement::new([(x, TOP), (x, self.bottom() + 6)], RULE))?;
            let label = format!("{value:.0}");
            plain(
                area,
                &label,
                (x, self.bottom() + 20),
                11,
                GREY,
                HPos::Center,
            )?;
            value += step;
        }
        if let Some(ceiling) = self.ladder.ceiling() {
            let x = self.x(ceiling);
            for y in (TOP..self.bottom()).step_by(8) {
                area.draw(&PathElement::new([(x, y), (x, y + 4)], INK))?;
            }
            let label = format!("best {ceiling:.0} GB/s");
            plain(area, &label, (x, TOP - 6), 12, INK, HPos::Center)?;
        }
        Ok(())
    }

    fn heading(&self, area: &Area<'_>, rung: &Rung, y: i32) -> Drawn {
        let subject = rung.subject_name();
        let name = match rung.subject.only {
            Some(_) => format!("{}, {subject}", rung.strategy.name),
            None => rung.strategy.name.to_owned(),
        };
        area.draw(&PathElement::new([(24, y + 6), (WIDTH - 24, y + 6)], RULE))?;
        let summary = rung.strategy.summary.replace('`', "");
        write(
            area,
            &name,
            (24, y + 26),
            15,
            INK,
            HPos::Left,
            FontStyle::Bold,
        )?;
        plain(area, &summary, (SUMMARY, y + 26), 13, GREY, HPos::Left)
    }

    fn rung(&self, area: &Area<'_>, rung: &Rung, y: i32) -> Drawn {
        let middle = y + BAR / 2 + 5;
        plain(
            area,
            rung.grid.name,
            (LEFT - 10, middle),
            13,
            INK,
            HPos::Right,
        )?;
        self.bar(area, rung, y)?;
        let cost = rung.cost;
        let cells = [
            cost.map(|cost| cost.block_barriers),
            cost.map(|cost| cost.bank_conflict),
            cost.map(|cost| cost.divergent),
            cost.map(|cost| cost.collectives),
        ];
        for ((x, ..), cell) in COLUMNS.into_iter().zip(cells) {
            plain(area, &or_dash(cell), (x, middle), 13, INK, HPos::Right)?;
        }
        Ok(())
    }

    /// The bar, with its label inside where there is room.
    fn bar(&self, area: &Area<'_>, rung: &Rung, y: i32) -> Drawn {
        let end = self.x(value(self.ladder, rung).unwrap_or(0.0));
        let colour = colour(rung.grid.name);
        let bar = [(LEFT, y + 3), (end, y + BAR - 3)];
        area.draw(&Rectangle::new(bar, colour.filled()))?;
        let (label, y) = (self.label(rung), y + BAR / 2 + 5);
        if end - LEFT > 10 * label.len() as i32 {
            plain(area, &label, (end - 7, y), 13, WHITE, HPos::Right)
        } else {
            plain(area, &label, (end + 7, y), 13, INK, HPos::Left)
        }
    }

    /// What stands at the end of a bar.
    fn label(&self, rung: &Rung) -> String {
        let Some(value) = value(self.ladder, rung) else {
            return "not timed".to_owned();
        };
        match rung.timed {
            Some(timed) if !timed.is_equal => format!("{value:.0}, bits DIFFER"),
            _ => format!("{value:.0}"),
        }
    }

    fn foot(&self, area: &Area<'_>) -> Drawn {
        let text = "Beside the bars: what one block of 256 threads does on one tile, counted by emulating the kernel's unchanged text.";
        plain(area, text, (24, self.bottom() + 48), 12, GREY, HPos::Left)
    }
}

/// How long a rung's bar is: GB/s, or transactions where nothing was timed.
fn value(ladder: &Ladder, rung: &Rung) -> Option<f64> {
    if ladder.is_timed() {
        rung.timed.map(|timed| timed.gbps)
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
