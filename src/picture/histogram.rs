//! The values over random boards: how many of the boards have each value.

use std::collections::BTreeMap;

use super::plot::{FAINT, LEFT, Plot, RIGHT, TOP, axes, heading, step};
use super::shapes::{Anchor, Point, Shapes, colour, stroke, text_width};

const HEIGHT: f64 = 320.0;
/// The height of a row of labels.
const ROW: f64 = 24.0;

/// The values of a heuristic on many boards.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sample {
    /// The number of boards.
    pub boards: u64,
    /// The average of the values.
    pub average: f64,
    /// (value, how many of the boards have it), in ascending order.
    pub histogram: Vec<(u32, u64)>,
}

impl Sample {
    /// The sample of these values.
    pub fn of(values: impl IntoIterator<Item = u32>) -> Sample {
        let mut histogram = BTreeMap::new();
        for value in values {
            *histogram.entry(value).or_insert(0) += 1;
        }
        let boards = histogram.values().sum();
        let sum: f64 = histogram.iter().map(|(&value, &n)| f64::from(value) * n as f64).sum();
        let average = if boards == 0 { 0.0 } else { sum / boards as f64 };
        Sample { boards, average, histogram: histogram.into_iter().collect() }
    }
}

/// The histograms of heuristics, each with its name, over the boards that the subtitle describes.
pub fn histogram(subtitle: &str, names: &[&str], samples: &[Sample]) -> String {
    let Plot { shapes, size } = plot(subtitle, names, samples);
    shapes.picture("Values of each heuristic", size)
}

/// Heuristics with the same values, which have one outline.
struct Outline<'a> {
    /// The number of the first of them, which gives the colour.
    number: usize,
    label: String,
    values: &'a Sample,
}

/// Draws the histograms of heuristics. Each label is a flag to the right of its pole, which marks the
/// average. A flag is higher than all flags whose poles it crosses.
pub fn plot(subtitle: &str, names: &[&str], values: &[Sample]) -> Plot {
    let outlines = outlines(names, values);
    let top = TOP + ROW * outlines.len().max(1) as f64;
    let axes = Axes::new(&outlines, top);
    let mut shapes = Shapes::default();
    heading(&mut shapes, "Values of each heuristic", subtitle);
    scales(&mut shapes, &axes);
    let mut right = RIGHT;
    for (outline, row) in outlines.iter().rev().zip(0..) {
        let (colour, stroke) = (colour(outline.number), stroke(outline.number));
        let style = format!("fill=\"{colour}\" fill-opacity=\"0.10\" stroke-width=\"2\" {stroke}");
        shapes.path(&axes.path(outline.values), &style);
        let (x, y) = (axes.x(outline.values.average), top - 10.0 - ROW * f64::from(row));
        let foot = axes.y(axes.share_at(outline.values, outline.values.average));
        shapes.line((x, foot), (x, y - 10.0), &format!("stroke-width=\"1\" {stroke}"));
        shapes.text((x + 5.0, y), Anchor::Start, "", &outline.label);
        right = right.max(x + 12.0 + text_width(&outline.label, 14.0));
    }
    Plot { shapes, size: (right + 20.0, axes.bottom + 68.0) }
}

/// The outlines from the smallest average to the largest.
fn outlines<'a>(names: &[&str], values: &'a [Sample]) -> Vec<Outline<'a>> {
    let mut outlines: Vec<Outline> = Vec::new();
    for (number, (name, values)) in names.iter().zip(values).enumerate() {
        match outlines.iter_mut().find(|outline| outline.values.histogram == values.histogram) {
            Some(outline) => outline.label += &format!(", {name}"),
            None => outlines.push(Outline { number, label: (*name).to_owned(), values }),
        }
    }
    outlines.sort_by(|a, b| a.values.average.total_cmp(&b.values.average));
    for Outline { label, values, .. } in &mut outlines {
        *label += &format!(": {:.2} on average", values.average);
    }
    outlines
}

/// The values with which a histogram begins and ends.
fn ends(outlines: &[Outline]) -> (f64, f64) {
    let seen = || outlines.iter().flat_map(|outline| &outline.values.histogram).map(|(h, _)| *h);
    let (least, most) = (seen().min().unwrap_or(0), seen().max().unwrap_or(1));
    (f64::from(least) - 1.0, f64::from(most) + 1.0)
}

/// The scales of values and shares.
struct Axes {
    ends: (f64, f64),
    /// The share at the top, in percent.
    most: f64,
    top: f64,
    bottom: f64,
}

impl Axes {
    fn new(outlines: &[Outline], top: f64) -> Axes {
        let shares = outlines.iter().flat_map(|outline| {
            let boards = outline.values.boards.max(1) as f64;
            outline.values.histogram.iter().map(move |(_, n)| 100.0 * *n as f64 / boards)
        });
        let most = shares.fold(1.0, f64::max);
        Axes { ends: ends(outlines), most: most * 1.05, top, bottom: top + HEIGHT }
    }

    fn x(&self, value: f64) -> f64 {
        let (least, most) = self.ends;
        LEFT + (value - least) / (most - least) * (RIGHT - LEFT)
    }

    fn y(&self, share: f64) -> f64 {
        self.bottom - share / self.most * (self.bottom - self.top)
    }

    /// The share of the boards whose value is this one, rounded.
    fn share_at(&self, values: &Sample, value: f64) -> f64 {
        let found = values.histogram.iter().find(|(h, _)| f64::from(*h) == value.round());
        100.0 * found.map_or(0, |(_, n)| *n) as f64 / values.boards.max(1) as f64
    }

    /// The outline of the bars.
    fn path(&self, values: &Sample) -> String {
        let mut path = String::new();
        let mut last: Option<u32> = None;
        for (h, n) in &values.histogram {
            let [left, right] = [-0.5, 0.5].map(|half| self.x(f64::from(*h) + half));
            let y = self.y(100.0 * *n as f64 / values.boards.max(1) as f64);
            if last.is_none_or(|last| last + 1 != *h) {
                let ground: Point = (left, self.bottom);
                let before =
                    if last.is_some() { format!("V{:.1}", self.bottom) } else { String::new() };
                path += &format!("{before}M{:.1} {:.1}", ground.0, ground.1);
            }
            path += &format!("V{y:.1}H{right:.1}");
            last = Some(*h);
        }
        path + &format!("V{:.1}", self.bottom)
    }
}

fn scales(shapes: &mut Shapes, of: &Axes) {
    let (least, most) = of.ends;
    let every = step(most - least);
    let mut value = (least / every).ceil() * every;
    while value <= most {
        shapes.line((of.x(value), of.top), (of.x(value), of.bottom), FAINT);
        shapes.text((of.x(value), of.bottom + 22.0), Anchor::Middle, "", &format!("{value}"));
        value += every;
    }
    let every = step(of.most);
    let mut share = 0.0;
    while share <= of.most {
        shapes.line((LEFT, of.y(share)), (RIGHT, of.y(share)), FAINT);
        shapes.text((LEFT - 8.0, of.y(share) + 5.0), Anchor::End, "", &format!("{share} %"));
        share += every;
    }
    axes(shapes, of.top, of.bottom, "value of the board", "share of the boards");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(average: f64, histogram: &[(u32, u64)]) -> Sample {
        let boards = histogram.iter().map(|(_, n)| *n).sum();
        Sample { boards, average, histogram: histogram.to_vec() }
    }

    #[test]
    fn a_sample_counts_values() {
        let sample = Sample::of([3, 5, 3, 1]);
        assert_eq!(sample, values(3.0, &[(1, 1), (3, 2), (5, 1)]));
        assert_eq!(Sample::of([]), values(0.0, &[]));
        assert!(!histogram("none", &[], &[]).contains("NaN"));
        assert!(!histogram("no boards", &["a"], &[Sample::of([])]).contains("NaN"));
    }

    #[test]
    fn heuristics_with_the_same_values_share_a_label() {
        let same = values(5.0, &[(4, 10), (6, 10)]);
        let other = values(3.0, &[(2, 5), (3, 10), (4, 5)]);
        let plot = plot("20 random 3x3 boards", &["a", "b", "<c>"], &[same.clone(), same, other]);
        let svg = plot.shapes.picture("values", plot.size);
        assert!(svg.contains(">a, b: 5.00 on average<"), "{svg}");
        assert!(
            svg.contains(">&lt;c&gt;: 3.00 on average<") && svg.contains(">20 random 3x3 boards<")
        );
        assert!(!svg.contains("NaN"));
        // The bars of 4 and 6 do not touch, so their outline goes down to the ground between them.
        let outline =
            svg.lines().find(|line| line.starts_with("<path") && line.matches('M').count() == 2);
        assert!(outline.is_some(), "{svg}");
    }
}
