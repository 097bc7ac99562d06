//! The picture of a run: the nodes of the boards, and the histogram of the values where they were
//! measured, one below the other.

use super::curves::{self, Curve};
use super::record::Record;
use super::settings::Settings;
use super::suite::Suite;
use super::summary::Row;
use crate::picture::plot::Plot;
use crate::picture::shapes::Shapes;
use crate::picture::{Sample, histogram_plot};
use crate::text::grouped;

/// Draws a run as SVG text. Its metadata are the origin of the record, as JSON.
#[doc(hidden)]
pub fn draw(suite: &Suite, record: &Record) -> String {
    let rows = record.summary.iter().enumerate();
    let curve = |(i, row): (usize, &Row)| {
        Curve::new(&row.label(), record.boards.iter().map(|b| &b.trials[i]))
    };
    let curves: Vec<Curve> = rows.map(curve).collect();
    let mut plots = vec![curves::plot(&subtitle(suite, record), record.boards.len(), &curves)];
    let measured = record.summary.iter().zip(&record.values);
    let measured: Vec<(String, Sample)> = measured
        .filter_map(|(row, values)| Some((row.label(), values.as_ref()?.sample())))
        .collect();
    if let Some((_, first)) = measured.first() {
        let subtitle = format!("{} random {} boards", grouped(first.boards), suite.grid());
        let (names, samples): (Vec<String>, Vec<Sample>) = measured.into_iter().unzip();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        plots.push(histogram_plot(&subtitle, &names, &samples));
    }
    let origin = serde_json::to_string(&record.provenance).unwrap_or_default();
    stacked(&suite.title(), &origin, &plots)
}

fn subtitle(suite: &Suite, record: &Record) -> String {
    let mut text = suite.title();
    let Settings { time_limit, node_limit, .. } = record.provenance.settings;
    if let Some(time) = time_limit {
        text += &format!(", at most {} s each", time.as_secs_f64());
    }
    if let Some(nodes) = node_limit {
        text += &format!(", at most {} nodes each", grouped(nodes));
    }
    text
}

/// The text of a picture with plots one below the other.
fn stacked(title: &str, origin: &str, plots: &[Plot]) -> String {
    let mut shapes = Shapes::default();
    let (mut width, mut height) = (0.0_f64, 0.0);
    for plot in plots {
        shapes.group((0.0, height), &plot.shapes);
        width = width.max(plot.size.0);
        height += plot.size.1;
    }
    shapes.described(&format!("taquin bench: {title}"), origin, (width, height))
}
