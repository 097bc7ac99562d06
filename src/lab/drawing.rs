//! The picture of a run: the nodes of the boards, and the histogram of the values where they were
//! measured, one below the other.
//!
//! The nodes are a curve for each heuristic, with its boards in the order of their nodes.

use std::cmp::Reverse;

use super::record::Record;
use super::settings::Settings;
use super::suite::Suite;
use super::summary::Row;
use super::values::Values;
use crate::picture::plot::{FAINT, GREY, LEFT, Plot, RIGHT, TOP, axes, heading, step};
use crate::picture::shapes::{Anchor, Shapes, colour, stroke, text_width};
use crate::picture::{Sample, histogram_plot};
use crate::text::grouped;

/// Draws a run as SVG text. Its metadata are the origin of the record, as JSON.
pub fn draw(suite: &Suite, record: &Record) -> String {
    let curve = |(i, row): (usize, &Row)| {
        let trials = record.boards.iter().map(|board| &board.trials[i]);
        let solved = trials.filter(|trial| trial.length.is_some());
        // A board that is solved at the start has no nodes, but a logarithm needs one.
        let mut nodes: Vec<u64> = solved.map(|trial| trial.generated.max(1)).collect();
        nodes.sort_unstable();
        Curve { name: row.about.label(), nodes, average: row.average_nodes.unwrap_or_default() }
    };
    let curves: Vec<Curve> = record.summary.iter().enumerate().map(curve).collect();
    let Settings { time_limit, node_limit, .. } = record.provenance.settings;
    let time = time_limit.map(|time| format!(", at most {} s each", time.as_secs_f64()));
    let nodes = node_limit.map(|nodes| format!(", at most {} nodes each", grouped(nodes)));
    let subtitle = suite.title() + &time.unwrap_or_default() + &nodes.unwrap_or_default();
    let mut plots = vec![plot(&subtitle, record.boards.len(), &curves)];
    let measured = |(row, of): (&Row, &Option<Values>)| {
        let Values { boards, average_h: average, histogram, .. } = of.clone()?;
        Some((row.about.label(), Sample { boards: boards.into(), average, histogram }))
    };
    let measured = record.summary.iter().zip(&record.values).filter_map(measured);
    let (names, samples): (Vec<String>, Vec<Sample>) = measured.unzip();
    if let Some(first) = samples.first() {
        let subtitle = format!("{} random {} boards", grouped(first.boards), suite.grid());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        plots.push(histogram_plot(&subtitle, &names, &samples));
    }
    let mut shapes = Shapes::default();
    let (mut width, mut height) = (0.0_f64, 0.0);
    for plot in &plots {
        shapes.group((0.0, height), &plot.shapes);
        width = width.max(plot.size.0);
        height += plot.size.1;
    }
    let origin = serde_json::to_string(&record.provenance).unwrap_or_default();
    shapes.described(&format!("taquin bench: {}", suite.title()), &origin, (width, height))
}

/// The least height of the frame.
const HEIGHT: f64 = 420.0;
/// The left end of the labels of the curves.
const LABELS: f64 = RIGHT + 44.0;
/// The height of a label, which has two lines.
const LABEL: f64 = 40.0;

/// The nodes of the solved boards, in ascending order.
struct Curve {
    name: String,
    nodes: Vec<u64>,
    average: f64,
}

/// The scales of boards and nodes.
struct Axes {
    boards: f64,
    decades: std::ops::Range<i32>,
    bottom: f64,
}

impl Axes {
    fn x(&self, boards: f64) -> f64 {
        LEFT + boards / self.boards * (RIGHT - LEFT)
    }

    fn y(&self, nodes: f64) -> f64 {
        let span = f64::from(self.decades.end - self.decades.start);
        let share = (nodes.log10() - f64::from(self.decades.start)) / span;
        self.bottom - share * (self.bottom - TOP)
    }
}

/// Draws the curves of `n` boards.
fn plot(subtitle: &str, boards: usize, curves: &[Curve]) -> Plot {
    let least = curves.iter().filter_map(|curve| curve.nodes.first()).min().copied().unwrap_or(1);
    let most = curves.iter().filter_map(|curve| curve.nodes.last()).max().copied().unwrap_or(10);
    let start = (least as f64).log10().floor() as i32;
    let end = ((most as f64).log10().ceil() as i32).max(start + 1);
    let bottom = TOP + HEIGHT.max(curves.len() as f64 * LABEL);
    let axes = Axes { boards: boards as f64, decades: start..end, bottom };
    let mut shapes = Shapes::default();
    heading(&mut shapes, "Nodes that each heuristic needs", subtitle);
    scales(&mut shapes, &axes);
    for (i, curve) in curves.iter().enumerate() {
        draw_curve(&mut shapes, &axes, curve, i);
    }
    let width = labels(&mut shapes, curves, boards);
    Plot { shapes, size: (LABELS + width + 20.0, axes.bottom + 68.0) }
}

/// The lines and numbers of both scales.
fn scales(shapes: &mut Shapes, of: &Axes) {
    for decade in of.decades.clone().chain([of.decades.end]) {
        let y = of.y(10_f64.powi(decade));
        shapes.line((LEFT, y), (RIGHT, y), FAINT);
        shapes.text((LEFT - 8.0, y + 5.0), Anchor::End, "", &power(decade));
    }
    let every = step(of.boards) as usize;
    for boards in (0..=of.boards as usize).step_by(every.max(1)) {
        let x = of.x(boards as f64);
        shapes.line((x, TOP), (x, of.bottom), FAINT);
        shapes.text((x, of.bottom + 22.0), Anchor::Middle, "", &grouped(boards as u64));
    }
    let below = "boards, those with the fewest nodes first";
    axes(shapes, TOP, of.bottom, below, "nodes generated (logarithmic)");
}

/// A power of ten in words.
fn power(exponent: i32) -> String {
    let digits = |zeros: i32| grouped(10_u64.pow(zeros.clamp(0, 18) as u32));
    match exponent {
        ..=5 => digits(exponent),
        6..=8 => format!("{} million", digits(exponent - 6)),
        _ => format!("{} billion", digits(exponent - 9)),
    }
}

/// Draws a step for each solved board, and a dot at the end of a curve that does not reach the last board.
fn draw_curve(shapes: &mut Shapes, axes: &Axes, curve: &Curve, number: usize) {
    let Some(&first) = curve.nodes.first() else { return };
    let mut path = format!("M{:.1} {:.1}", axes.x(0.0), axes.y(first as f64));
    // No more points than the eye can distinguish.
    let mut end = (f64::NEG_INFINITY, 0.0);
    for (i, &nodes) in curve.nodes.iter().enumerate() {
        let (x, y) = (axes.x(i as f64 + 1.0), axes.y(nodes as f64));
        if x - end.0 >= 0.4 || i + 1 == curve.nodes.len() {
            path += &format!("V{y:.1}H{x:.1}");
            end = (x, y);
        }
    }
    let line = "fill=\"none\" stroke-linejoin=\"round\" stroke-width=\"2.2\"";
    shapes.path(&path, &format!("{line} {}", stroke(number)));
    if (curve.nodes.len() as f64) < axes.boards {
        shapes.dot(end, 4.0, &format!("fill=\"{}\"", colour(number)));
    }
}

/// Writes the labels one below the other, those of the fewest boards and the most nodes first, and returns their
/// width.
fn labels(shapes: &mut Shapes, curves: &[Curve], boards: usize) -> f64 {
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by_key(|&i| (curves[i].nodes.len(), Reverse(curves[i].nodes.last())));
    let mut width = 0.0_f64;
    for (place, i) in order.into_iter().enumerate() {
        let Curve { name, nodes, average } = &curves[i];
        let [solved, all] = [nodes.len(), boards].map(|number| grouped(number as u64));
        let average = grouped(average.round() as u64);
        let note = match solved == all {
            true => format!("{average} nodes per board"),
            false => format!("{solved} of {all} solved, >={average} nodes per board"),
        };
        let y = TOP + (place as f64 + 0.5) * LABEL;
        let style = format!("stroke-width=\"3\" {}", stroke(i));
        shapes.line((LABELS - 20.0, y), (LABELS - 6.0, y), &style);
        shapes.text((LABELS, y), Anchor::Start, "font-weight=\"bold\"", name);
        shapes.text((LABELS, y + 16.0), Anchor::Start, &format!("font-size=\"12\" {GREY}"), &note);
        width = width.max(text_width(name, 15.0)).max(text_width(&note, 12.0));
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(name: &str, nodes: &[u64]) -> Curve {
        Curve { name: name.to_owned(), nodes: nodes.to_vec(), average: 5.0 }
    }

    #[test]
    fn curves_stay_within_the_frame() {
        let curves = [curve("few", &[1, 40, 1_000_000]), curve("<&>", &[]), curve("one", &[12])];
        let plot = plot("set", 3, &curves);
        let svg = plot.shapes.picture("set", plot.size);
        assert!(svg.contains("&lt;&amp;&gt;") && svg.contains("0 of 3 solved, &gt;=5 nodes"));
        assert!(svg.contains(">5 nodes per board<") && svg.contains(">1 million<"), "{svg}");
        assert_eq!(svg.matches("<path ").count(), 2);
        for path in svg.lines().filter(|line| line.starts_with("<path")) {
            let path = path.split('"').nth(1).unwrap();
            for part in path.split(['M', 'H', ' ', 'V']).filter(|part| !part.is_empty()) {
                let place: f64 = part.parse().unwrap();
                assert!((TOP.min(LEFT)..=RIGHT).contains(&place), "{path}");
            }
        }
        // The heuristic that solved the fewest boards comes first.
        let place = |name: &str| svg.find(&format!(">{name}<")).unwrap();
        assert!(place("one") < place("few"));
        // Among the heuristics that solved all, the one that needs the most nodes comes first.
        let plot = super::plot("set", 1, &[curve("a", &[5]), curve("b", &[70])]);
        let svg = plot.shapes.picture("set", plot.size);
        assert!(svg.find(">b<") < svg.find(">a<"));
        // No board, no solution, or all solved at the start.
        for curves in [&[][..], &[curve("none", &[])], &[curve("start", &[1])]] {
            let plot = super::plot("set", 1, curves);
            assert!(!plot.shapes.picture("set", plot.size).contains("NaN"));
        }
    }
}
