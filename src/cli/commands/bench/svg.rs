//! The picture of a bench: the nodes of the boards, and the histogram of the values where they were
//! measured, one below the other.

use std::io::Write;

use super::contest::{Contestant, Tried};
use super::curves::{self, Curve};
use super::histogram;
use super::suite::Suite;
use super::values::Values;
use crate::cli::args::limits::LimitArgs;
use crate::cli::exit::Failure;
use crate::cli::output::file::Output;
use crate::cli::output::svg::{Anchor, Point, Shapes};
use crate::cli::output::table::grouped;

/// The frame of a plot, without what is around it.
pub const LEFT: f64 = 130.0;
pub const RIGHT: f64 = 770.0;
pub const TOP: f64 = 76.0;

/// The style of the lines behind the curves, and of their frame.
pub const FAINT: &str = "stroke=\"#d8d8d8\"";
pub const FRAME: &str = "fill=\"none\" stroke=\"#444444\"";
/// The style of text that explains.
pub const GREY: &str = "fill=\"#444444\"";

/// A plot, and its size.
pub struct Plot {
    pub shapes: Shapes,
    pub size: Point,
}

/// Draws the picture.
pub fn draw(
    mut file: Output,
    suite: &Suite,
    contestants: &[Contestant],
    tried: &[Tried],
    values: Option<&[Values]>,
    limits: LimitArgs,
) -> Result<(), Failure> {
    let curve = |(i, contestant): (usize, &Contestant)| {
        Curve::new(&contestant.name, tried.iter().map(|board| &board.trials[i]))
    };
    let curves: Vec<Curve> = contestants.iter().enumerate().map(curve).collect();
    let mut plots = vec![curves::plot(&subtitle(suite, limits), tried.len(), &curves)];
    if let Some(values) = values {
        let names: Vec<&str> = contestants.iter().map(|c| c.name.as_str()).collect();
        plots.push(histogram::plot(suite.grid(), &names, values));
    }
    let picture = stacked(&suite.title(), &plots);
    file.write_all(picture.as_bytes()).map_err(|error| file.failure(error))?;
    file.finish()
}

fn subtitle(suite: &Suite, limits: LimitArgs) -> String {
    let mut text = suite.title();
    if let Some(time) = limits.time_limit {
        text += &format!(", at most {} s each", time.as_secs_f64());
    }
    if let Some(nodes) = limits.node_limit {
        text += &format!(", at most {} nodes each", grouped(nodes));
    }
    text
}

/// The text of a picture with plots one below the other.
fn stacked(title: &str, plots: &[Plot]) -> String {
    let mut shapes = Shapes::default();
    let (mut width, mut height) = (0.0_f64, 0.0);
    for plot in plots {
        shapes.group((0.0, height), &plot.shapes);
        width = width.max(plot.size.0);
        height += plot.size.1;
    }
    shapes.picture(&format!("taquin bench: {title}"), (width, height))
}

/// Writes the heading of a plot.
pub fn heading(shapes: &mut Shapes, title: &str, subtitle: &str) {
    shapes.text((LEFT, 32.0), Anchor::Start, "font-size=\"20\" font-weight=\"bold\"", title);
    shapes.text((LEFT, 56.0), Anchor::Start, GREY, subtitle);
}

/// Writes the names of both axes of a frame.
pub fn axes(shapes: &mut Shapes, top: f64, bottom: f64, below: &str, beside: &str) {
    shapes.rectangle((LEFT, top), (RIGHT - LEFT, bottom - top), FRAME);
    shapes.text(((LEFT + RIGHT) / 2.0, bottom + 46.0), Anchor::Middle, "", below);
    let middle = (top + bottom) / 2.0;
    let turned = format!("transform=\"rotate(-90 20 {middle:.1})\"");
    shapes.text((20.0, middle), Anchor::Middle, &turned, beside);
}

/// A round step, of 1 or more, that divides a range into at most ten parts.
pub fn step(range: f64) -> f64 {
    let power = 10_f64.powf((range / 10.0).log10().floor().max(0.0));
    let steps = [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power);
    steps.into_iter().find(|step| range / step <= 10.0).unwrap_or(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (range, expected) in
            [(1.0, 1.0), (7.0, 1.0), (17.0, 2.0), (100.0, 10.0), (1000.0, 100.0), (340.0, 50.0)]
        {
            assert_eq!(step(range), expected, "{range}");
        }
    }
}
