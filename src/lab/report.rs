//! The results of a run as a table for people.

use super::record::Record;
use super::suite::Suite;
use super::summary::Row;
use super::truth::{Edge, Truth};
use super::values::Values;
use crate::text::{aligned, grouped, megabytes, ratio, seconds};

/// The larger side of an interval as a share.
fn share(middle: f64, interval: Option<(f64, f64)>) -> String {
    let side = |(low, high): (f64, f64)| (high - middle).max(middle - low) / middle;
    interval.filter(|_| middle > 0.0).map_or("-".to_owned(), |i| format!("{:.1}%", 100.0 * side(i)))
}

/// Two standard errors as a share.
fn percent(error: f64, of: f64) -> String {
    format!("{:.0}%", 200.0 * error / of.max(1e-9))
}

fn or_none(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

/// A table, followed by the values and the comparison with distances where they were measured.
#[doc(hidden)]
pub fn table(suite: &Suite, record: &Record) -> String {
    let rows = &record.summary;
    let mut text = suite.title();
    let tried = record.boards.len();
    if tried < suite.cases.len() {
        text += &format!(", {tried} of them tried");
        if let Some(budget) = record.provenance.budget {
            text += &format!(" within {}", seconds(budget));
        }
    }
    text += "\n\n";
    let head = [
        "heuristic",
        "solved",
        "unsolved",
        "h",
        "opt-h",
        "nodes",
        "mean",
        "+-",
        "median",
        "nodes/s",
        "time",
        "worst",
        "nodes x",
        "+-",
        "time x",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for row in rows {
        let searches = row.solved + row.unsolved > 0;
        // Without the limit the number could only be larger.
        let at_least = |text: String| match row.unsolved {
            _ if !searches => "-".to_owned(),
            0 => text,
            _ => format!(">={text}"),
        };
        lines.push(vec![
            row.label.clone(),
            row.solved.to_string(),
            row.unsolved.to_string(),
            format!("{:.2}", row.average_h),
            or_none(row.average_gap, 2),
            at_least(grouped(row.nodes)),
            at_least(grouped(row.average_nodes.round() as u64)),
            share(row.average_nodes, row.nodes_interval),
            at_least(grouped(row.median_nodes.round() as u64)),
            grouped(row.nodes_per_second.round() as u64),
            at_least(seconds(row.seconds)),
            at_least(seconds(row.worst_seconds)),
            row.nodes_ratio.map_or("-".to_owned(), ratio),
            share(row.nodes_ratio.unwrap_or(0.0), row.nodes_ratio_interval),
            row.time_ratio.map_or("-".to_owned(), ratio),
        ]);
    }
    text += &aligned(&lines);
    text += &legend(&rows[0].label, rows.iter().any(|row| row.unsolved > 0));
    for row in rows {
        if let Some(excess) = row.average_excess {
            text +=
                &format!("{}: solutions are {excess:.3} moves longer than optimal\n", row.label);
        }
    }
    let measured = |i: usize| record.values.get(i).and_then(Option::as_ref);
    let values: Vec<(&Row, &Values)> =
        rows.iter().enumerate().filter_map(|(i, row)| Some((row, measured(i)?))).collect();
    if !values.is_empty() {
        text += &values_text(&values);
    }
    if !record.truth.is_empty() {
        text += &truth_text(rows, &record.truth);
    }
    text
}

/// The meaning of the columns, and of numbers that are lower bounds.
fn legend(first: &str, cut: bool) -> String {
    let mut text = format!(
        "
h         the value of a board, on average; opt-h: the optimal length minus h
nodes     generated in all searches; mean, median: for a board; +-: 95 % interval of what precedes it
time      of all searches; worst: of the longest one
nodes x   the nodes relative to {first}, over the boards that both solved; time x: the time
"
    );
    if cut {
        text += ">=        includes searches that a limit ended, whose boards are unsolved\n";
    }
    text
}

/// Averages, qualities, predictions, and the histograms side by side.
fn values_text(values: &[(&Row, &Values)]) -> String {
    let first = values[0].1;
    let boards = grouped(first.boards.into());
    let mut text = format!("\nvalues over {boards} uniform boards\n\n");
    let mut lines =
        vec![["heuristic", "average h", "quality", "quality x"].map(str::to_owned).to_vec()];
    for (row, of) in values {
        lines.push(vec![
            row.label.clone(),
            format!("{:.3} +- {:.3}", of.average_h, of.error),
            format!("{:.3e} +- {:.0} %", of.quality, 100.0 * of.quality_error / of.quality),
            ratio(of.quality / first.quality),
        ]);
    }
    text += &aligned(&lines);
    let base = first.branching_factor;
    text +=
        &format!("\nquality is the mean of {base:.4}^-h over all positions; smaller is better.\n");
    if values.iter().any(|(_, of)| !of.predictions.is_empty()) {
        text += "\nnodes expanded in a complete iteration that does not stop at the goal, on average over all boards,\nand their prediction (Korf, Reid & Edelkamp 2001)\n\n";
        let head = [
            "heuristic",
            "threshold",
            "boards",
            "measured",
            "+-",
            "predicted",
            "+-",
            "ratio",
            "+-",
        ];
        let number = |mean: f64| match mean {
            small if small < 1000.0 => format!("{small:.1}"),
            large => grouped(large.round() as u64),
        };
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        for (row, of) in values {
            lines.extend(of.predictions.iter().map(|p| {
                vec![
                    row.label.clone(),
                    p.threshold.to_string(),
                    p.boards.to_string(),
                    number(p.measured),
                    percent(p.measured_error, p.measured),
                    number(p.predicted),
                    percent(p.error, p.predicted),
                    ratio(p.predicted / p.measured.max(1e-9)),
                    share(p.predicted / p.measured.max(1e-9), p.ratio_interval),
                ]
            }));
        }
        text += &aligned(&lines);
    }
    text.push('\n');
    let mut lines = vec![vec!["h".to_owned()]];
    lines[0].extend(values.iter().map(|(row, _)| row.label.clone()));
    let seen = || values.iter().flat_map(|(_, of)| of.histogram.iter().map(|(h, _)| *h));
    for h in seen().min().unwrap_or(0)..=seen().max().unwrap_or(0) {
        let count =
            |of: &Values| of.histogram.iter().find(|(value, _)| *value == h).map(|(_, n)| *n);
        if values.iter().all(|(_, of)| count(of).is_none()) {
            continue;
        }
        let mut line = vec![h.to_string()];
        line.extend(values.iter().map(|(_, of)| count(of).map_or(String::new(), grouped)));
        lines.push(line);
    }
    text + &aligned(&lines)
}

/// What true distances show.
fn truth_text(rows: &[Row], truth: &[Truth]) -> String {
    let mut text = "\nvalues against true distances\n\n".to_owned();
    let head = [
        "heuristic",
        "boards",
        "h > d",
        "h/d",
        "error",
        "correlation",
        "moves",
        "jumps",
        "tables",
        "loaded in",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for (row, of) in rows.iter().zip(truth) {
        lines.push(vec![
            row.label.clone(),
            of.boards.to_string(),
            of.violations.to_string(),
            or_none(of.h_over_distance, 3),
            or_none(of.average_error, 2),
            or_none(of.correlation, 3),
            of.edges.to_string(),
            of.inconsistent.to_string(),
            megabytes(row.table_bytes),
            seconds(row.setup_seconds),
        ]);
    }
    text += &aligned(&lines);
    text += "
h > d     boards whose value is above the distance: with one, a heuristic is not admissible
h/d       value divided by distance; error: the size of their difference; both on average
jumps     moves, of those on random walks, that change the value by more than 1: with one, a
          heuristic is not consistent
tables    the size of the databases; loaded in: the time to load them, or to build them
";
    for (row, of) in rows.iter().zip(truth) {
        let label = &row.label;
        if let Some((board, h, d)) = &of.worst {
            text +=
                &format!("{label}: not admissible: h is {h} at {board}, but the distance {d}\n");
        }
        if let Some(edge) = &of.worst_edge {
            let Edge { from, to, h_from, h_to, .. } = edge;
            text +=
                &format!("{label}: not consistent: h is {h_from} at {from}, but {h_to} at {to}\n");
        }
    }
    text
}
