//! A picture of the boards solved within a number of nodes, one curve for each heuristic.
//!
//! It has few lines and labels and must look the same everywhere; a plotting library would add
//! dozens of packages.

use std::fmt::Write as _;
use std::io::Write;

use super::contest::{Contestant, Trial, Tried};
use super::suite::Suite;
use crate::cli::args::limits::LimitArgs;
use crate::cli::exit::Failure;
use crate::cli::output::file::Output;
use crate::cli::output::table::grouped;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 600.0;
/// The frame of the curves.
const LEFT: f64 = 72.0;
const RIGHT: f64 = 890.0;
const TOP: f64 = 76.0;

/// Colours that colour-blind people can distinguish (Okabe & Ito 2008). After the last one they
/// start again, dashed.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00", "#56b4e9"];
const DASHES: [&str; 3] = ["", "9 4", "2 4"];

/// Draws the picture.
pub fn draw(
    mut file: Output,
    suite: &Suite,
    contestants: &[Contestant],
    tried: &[Tried],
    limits: LimitArgs,
) -> Result<(), Failure> {
    let curve = |(i, contestant): (usize, &Contestant)| {
        Curve::new(&contestant.name, tried.iter().map(|board| &board.trials[i]))
    };
    let curves: Vec<Curve> = contestants.iter().enumerate().map(curve).collect();
    let picture = picture(&suite.title(), tried.len(), &curves, limits);
    file.write_all(picture.as_bytes()).map_err(|error| file.failure(error))?;
    file.finish()
}

/// The nodes of the solved boards, in ascending order.
struct Curve {
    name: String,
    nodes: Vec<u64>,
    average: f64,
}

impl Curve {
    fn new<'a>(name: &str, trials: impl Iterator<Item = &'a Trial> + Clone) -> Curve {
        let solved = trials.clone().filter(|trial| trial.length.is_some());
        // A board that is solved at the start has no nodes, but a logarithm needs one.
        let mut nodes: Vec<u64> = solved.map(|trial| trial.generated.max(1)).collect();
        nodes.sort_unstable();
        let average = super::rows::mean(trials.map(|trial| trial.generated as f64));
        Curve { name: name.to_owned(), nodes, average }
    }
}

/// The scales of nodes and boards.
struct Axes {
    decades: std::ops::Range<i32>,
    boards: f64,
    bottom: f64,
}

impl Axes {
    fn x(&self, nodes: f64) -> f64 {
        let span = f64::from(self.decades.end - self.decades.start);
        LEFT + (nodes.log10() - f64::from(self.decades.start)) / span * (RIGHT - LEFT)
    }

    fn y(&self, boards: f64) -> f64 {
        self.bottom - boards / self.boards * (self.bottom - TOP)
    }
}

fn picture(title: &str, boards: usize, curves: &[Curve], limits: LimitArgs) -> String {
    let least = curves.iter().filter_map(|c| c.nodes.first()).min().copied().unwrap_or(1);
    let most = curves.iter().filter_map(|c| c.nodes.last()).max().copied().unwrap_or(10);
    let start = (least as f64).log10().floor() as i32;
    let end = ((most as f64).log10().ceil() as i32).max(start + 1);
    // The legend is below the curves.
    let legend = curves.len() as f64 * 22.0;
    let height = HEIGHT + legend;
    let axes = Axes { decades: start..end, boards: boards as f64, bottom: HEIGHT - 78.0 };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\" font-size=\"14\">\n\
         <title>Boards solved against nodes: {}</title>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        escaped(title)
    );
    text(
        &mut svg,
        (LEFT, 32.0),
        "start",
        "font-size=\"20\" font-weight=\"bold\"",
        "Boards solved within a number of nodes",
    );
    let mut subtitle = title.to_owned();
    if let Some(time) = limits.time_limit {
        let _ = write!(subtitle, ", at most {} s each", time.as_secs_f64());
    }
    if let Some(nodes) = limits.node_limit {
        let _ = write!(subtitle, ", at most {} nodes each", grouped(nodes));
    }
    text(&mut svg, (LEFT, 56.0), "start", "fill=\"#444444\"", &subtitle);
    grid(&mut svg, &axes);
    for (i, curve) in curves.iter().enumerate() {
        draw_curve(&mut svg, &axes, curve, i);
    }
    for (i, curve) in curves.iter().enumerate() {
        let (x, y) = (LEFT, HEIGHT - 8.0 + i as f64 * 22.0);
        let _ = writeln!(
            svg,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" {}/>",
            x + 34.0,
            stroke(i)
        );
        let unsolved = boards - curve.nodes.len();
        let at_least = if unsolved > 0 { "at least " } else { "" };
        let mut label =
            format!("{} ({at_least}{} a board", curve.name, grouped(curve.average.round() as u64));
        if unsolved > 0 {
            let _ = write!(label, ", {} not solved", grouped(unsolved as u64));
        }
        label.push(')');
        text(&mut svg, (x + 42.0, y + 5.0), "start", "", &label);
    }
    svg + "</svg>\n"
}

/// The axes with their labels.
fn grid(svg: &mut String, axes: &Axes) {
    let bottom = axes.bottom;
    for decade in axes.decades.start..=axes.decades.end {
        let x = axes.x(10_f64.powi(decade));
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#d8d8d8\"/>"
        );
        let label = match decade {
            0..=3 => grouped(10_u64.pow(decade as u32)),
            4..=5 => format!("{} thousand", grouped(10_u64.pow(decade as u32 - 3))),
            6..=8 => format!("{} million", 10_u64.pow(decade as u32 - 6)),
            _ => format!("{} billion", grouped(10_u64.pow((decade - 9) as u32))),
        };
        text(svg, (x, bottom + 22.0), "middle", "", &label);
        if decade == axes.decades.end {
            break;
        }
        for tenth in 2..10 {
            let x = axes.x(10_f64.powi(decade) * f64::from(tenth));
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{}\" x2=\"{x:.1}\" y2=\"{bottom}\" stroke=\"#999999\"/>",
                bottom - 4.0
            );
        }
    }
    let step = step(axes.boards);
    let mut boards = 0.0;
    while boards <= axes.boards {
        let y = axes.y(boards);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{RIGHT}\" y2=\"{y:.1}\" stroke=\"#d8d8d8\"/>"
        );
        text(svg, (LEFT - 8.0, y + 5.0), "end", "", &grouped(boards as u64));
        boards += step;
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#444444\"/>",
        RIGHT - LEFT,
        bottom - TOP
    );
    text(
        svg,
        ((LEFT + RIGHT) / 2.0, bottom + 44.0),
        "middle",
        "",
        "nodes generated for a board (logarithmic)",
    );
    let middle = (TOP + bottom) / 2.0;
    text(
        svg,
        (20.0, middle),
        "middle",
        &format!("transform=\"rotate(-90 20 {middle})\""),
        "boards solved",
    );
}

/// A round step that divides the boards into at most ten parts.
fn step(boards: f64) -> f64 {
    let power = 10_f64.powf((boards / 10.0).log10().floor().max(0.0));
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|f| f * power)
        .find(|s| boards / s <= 10.0)
        .unwrap_or(boards)
}

/// Draws a step up for each solved board, and then a line to the right.
fn draw_curve(svg: &mut String, axes: &Axes, curve: &Curve, number: usize) {
    let Some(&first) = curve.nodes.first() else { return };
    let mut path = format!("M{:.1} {:.1}", axes.x(first as f64), axes.y(0.0));
    // No more points than the eye can distinguish.
    let mut drawn = f64::NEG_INFINITY;
    for (i, &nodes) in curve.nodes.iter().enumerate() {
        let x = axes.x(nodes as f64);
        if x - drawn >= 0.4 || i + 1 == curve.nodes.len() {
            let _ = write!(path, "H{x:.1}V{:.1}", axes.y(i as f64 + 1.0));
            drawn = x;
        }
    }
    let _ = write!(path, "H{RIGHT}");
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke-linejoin=\"round\" {}/>",
        stroke(number)
    );
}

fn stroke(number: usize) -> String {
    let colour = COLOURS[number % COLOURS.len()];
    let dash = DASHES[number / COLOURS.len() % DASHES.len()];
    let dash =
        if dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{dash}\"") };
    format!("stroke=\"{colour}\" stroke-width=\"2.2\"{dash}")
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, more: &str, content: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\" {more}>{}</text>",
        escaped(content)
    );
}

fn escaped(text: &str) -> String {
    let allowed = |c: char| !c.is_control() || c == ' ';
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace(|c| !allowed(c), "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        for (boards, expected) in
            [(1.0, 1.0), (7.0, 1.0), (17.0, 2.0), (100.0, 10.0), (1000.0, 100.0), (340.0, 50.0)]
        {
            assert_eq!(step(boards), expected, "{boards}");
        }
    }

    #[test]
    fn curves_stay_within_the_frame() {
        let curve = |name: &str, nodes: &[u64]| Curve {
            name: name.to_owned(),
            nodes: nodes.to_vec(),
            average: 5.0,
        };
        let curves = [curve("a", &[1, 40, 1_000_000]), curve("<&>", &[]), curve("one", &[12])];
        let svg = picture("set", 3, &curves, LimitArgs::default());
        assert!(svg.contains("&lt;&amp;&gt; (at least 5 a board, 3 not solved)"), "{svg}");
        assert!(svg.contains("1 million") && svg.ends_with("</svg>\n"));
        for path in svg.lines().filter(|line| line.starts_with("<path")) {
            let path = path.split('"').nth(1).unwrap();
            for part in path.split(['M', 'H', ' ', 'V']).filter(|part| !part.is_empty()) {
                let place: f64 = part.parse().unwrap();
                assert!((TOP.min(LEFT)..=RIGHT).contains(&place), "{path}");
            }
        }
        // No board, no solution, or all solved at the start.
        for curves in [&[][..], &[curve("none", &[])], &[curve("start", &[1])]] {
            assert!(!picture("set", 1, curves, LimitArgs::default()).contains("NaN"));
        }
    }
}
