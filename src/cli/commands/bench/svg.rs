//! The picture of a bench: the nodes of the boards, and the histogram of the values where they were
//! measured, one below the other.

use std::io::Write;

use super::contest::{Contestant, Tried};
use super::curves::{self, Curve};
use super::suite::Suite;
use super::values::Values;
use crate::cli::args::limits::LimitArgs;
use crate::cli::exit::Failure;
use crate::cli::output::file::Output;
use crate::cli::output::table::grouped;
use crate::picture::plot::Plot;
use crate::picture::shapes::Shapes;
use crate::picture::{Sample, histogram_plot};

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
        Curve::new(&contestant.label(), tried.iter().map(|board| &board.trials[i]))
    };
    let curves: Vec<Curve> = contestants.iter().enumerate().map(curve).collect();
    let mut plots = vec![curves::plot(&subtitle(suite, limits), tried.len(), &curves)];
    if let Some(values) = values {
        let names: Vec<String> = contestants.iter().map(Contestant::label).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let boards = grouped(values.first().map_or(0, |values| values.boards).into());
        let subtitle = format!("{boards} random {} boards", suite.grid());
        let samples: Vec<Sample> = values.iter().map(Values::sample).collect();
        plots.push(histogram_plot(&subtitle, &names, &samples));
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
