//! The results of a run as a table for people.

use std::collections::BTreeMap;
use std::iter;

use super::record::Record;
use super::statistics::{average, width};
use super::suite::Suite;
use super::summary::{Row, effective_branching, widest};
use super::trial::{Trial, Tried};
use super::truth::{Edge, Truth};
use super::values::Values;
use crate::text::{aligned, grouped, megabytes, plural, ratio, seconds};

/// The text of what is known.
fn known<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or("-".to_owned(), text)
}

/// The larger side of an interval as a share.
fn share(middle: f64, interval: Option<(f64, f64)>) -> String {
    let interval = interval.filter(|_| middle > 0.0);
    known(interval, |ends| format!("{:.1}%", 100.0 * width(middle, ends)))
}

/// The side of the 95 % interval of a mean of many values, in standard errors.
const SIDE: f64 = 1.96;

/// The side of an interval as a share.
fn percent(error: f64, of: f64) -> String {
    known((of > 0.0).then_some(of), |of| format!("{:.0}%", 100.0 * (SIDE * error) / of))
}

/// A mean of nodes. Iterations of strong heuristics expand far less than a node on average.
fn number(mean: f64) -> String {
    match mean {
        tiny if tiny > 0.0 && tiny < 0.1 => format!("{tiny:.1e}"),
        small if small < 1000.0 => format!("{small:.1}"),
        large => grouped(large.round() as u64),
    }
}

fn or_none(value: Option<f64>, digits: usize) -> String {
    known(value, |value| format!("{value:.digits$}"))
}

/// A line of a table: its columns, each with its head.
type Columns = Vec<(&'static str, String)>;

/// A table of lines with the same columns.
fn tabled(lines: impl IntoIterator<Item = Columns>) -> String {
    aligned(&cells(lines))
}

/// The cells of lines with the same columns, after a line of their heads.
fn cells(lines: impl IntoIterator<Item = Columns>) -> Vec<Vec<String>> {
    let lines: Vec<Columns> = lines.into_iter().collect();
    let heads =
        lines.iter().take(1).map(|line| line.iter().map(|cell| cell.0.to_owned()).collect());
    let cells = lines.iter().map(|line| line.iter().map(|cell| cell.1.clone()).collect());
    heads.chain(cells).collect()
}

/// A table with a line for each entry, or by depth with a line for each optimal length, in Markdown.
pub fn markdown(record: &Record, by_depth: bool) -> String {
    let lines = match by_depth {
        true => depths(record),
        false => cells(record.summary.iter().map(columns)),
    };
    let line = |cells: &Vec<String>| format!("| {} |\n", cells.join(" | "));
    let mut text: Vec<String> = lines.iter().map(line).collect();
    let columns = lines.first().map_or(0, Vec::len);
    text.insert(1.min(text.len()), format!("|---|{}\n", "---:|".repeat(columns.saturating_sub(1))));
    text.concat()
}

/// A table with a line for each optimal length of the boards, and for each entry the mean nodes and b*, as textbooks
/// have it.
pub fn by_depth(record: &Record) -> String {
    format!(
        "\n{}\nnodes     generated, on average over the boards of a depth that were solved (in brackets how many, \
         if not all);\n          b*: the effective branching factor\n",
        aligned(&depths(record))
    )
}

/// The lines of a table by depth.
fn depths(record: &Record) -> Vec<Vec<String>> {
    let mut by_depth: BTreeMap<u32, Vec<&Tried>> = BTreeMap::new();
    for tried in &record.boards {
        // A length that is not optimal is not a depth.
        let proved = |trial: &Trial| trial.length.filter(|length| trial.bound == Some(*length));
        let depth = tried.optimal.or_else(|| tried.trials.iter().find_map(proved));
        depth.into_iter().for_each(|depth| by_depth.entry(depth).or_default().push(tried));
    }
    let mut heads = vec!["depth".to_owned(), "boards".to_owned()];
    for row in &record.summary {
        heads.extend([row.about.label(), "b*".to_owned()]);
    }
    let lines = by_depth.into_iter().map(|(depth, boards)| {
        let mut line = vec![depth.to_string(), boards.len().to_string()];
        for entry in 0..record.summary.len() {
            let trials = boards.iter().map(|tried| &tried.trials[entry]);
            let solved: Vec<&Trial> = trials.filter(|trial| trial.length.is_some()).collect();
            let nodes = average(solved.iter().map(|trial| trial.generated as f64));
            let factors = solved.iter().filter_map(|trial| {
                effective_branching(trial.generated, trial.length.unwrap_or(depth))
            });
            let nodes = known(nodes, |mean| grouped(mean.round() as u64));
            let some = solved.len() < boards.len() && !solved.is_empty();
            let nodes = if some { format!("{nodes} ({})", solved.len()) } else { nodes };
            line.extend([nodes, or_none(average(factors), 3)]);
        }
        line
    });
    std::iter::once(heads).chain(lines).collect()
}

/// A table, followed by the values and the comparison with distances where they were measured.
pub fn table(suite: &Suite, record: &Record) -> String {
    let rows = &record.summary;
    let mut text = suite.title();
    let tried = record.boards.len();
    if tried < suite.cases.len() {
        text += &format!(", {tried} of them tried");
        if let Some(budget) = record.provenance.settings.budget {
            text += &format!(" within {}", seconds(budget.as_secs_f64()));
        }
    }
    text += "\n\n";
    let Some(first) = rows.first() else { return text };
    text += &tabled(rows.iter().map(columns));
    text += &legend(&first.about.label(), rows.iter().any(|row| row.unsolved > 0));
    let longer = |row: &Row| {
        let (label, excess) = (row.about.label(), row.average_excess?);
        Some(format!("{label}: solutions are {excess:.3} moves longer than optimal\n"))
    };
    text.extend(rows.iter().filter_map(longer));
    let measured = rows.iter().zip(&record.values);
    let values = measured.filter_map(|(row, values)| Some((row.about.label(), values.as_ref()?)));
    text += &values_text(&values.collect::<Vec<_>>());
    text + &truth_text(rows, &record.truth, tried)
}

/// The columns of a row, each with its head.
fn columns(row: &Row) -> Columns {
    let searches = row.solved + row.unsolved > 0;
    let of_search = |text: String| known(searches.then_some(text), |text| text);
    // Without the limit the number could only be larger.
    let sign = if row.unsolved > 0 { ">=" } else { "" };
    let at_least = |text: String| format!("{sign}{text}");
    let nodes = |nodes: f64| at_least(grouped(nodes.round() as u64));
    let time = |time: f64| at_least(seconds(time));
    // The mean of a column over fewer boards than were tried has their number.
    let over = |text: String, boards: usize| match boards == row.boards || text == "-" {
        true => text,
        false => format!("{text} ({boards})"),
    };
    vec![
        ("heuristic", row.about.label()),
        ("solved", of_search(row.solved.to_string())),
        ("unsolved", of_search(row.unsolved.to_string())),
        ("h", format!("{:.2}", row.average_h)),
        ("opt-h", over(or_none(row.average_gap, 2), row.optima)),
        ("nodes", known(row.nodes, |count| at_least(grouped(count)))),
        ("expanded", known(row.expanded, |count| at_least(grouped(count)))),
        ("held", known((row.positions > 0).then_some(row.positions), grouped)),
        ("mean", known(row.average_nodes, nodes)),
        ("+-", share(row.average_nodes.unwrap_or(0.0), row.nodes_interval)),
        ("median", known(row.median_nodes, nodes)),
        ("b*", over(or_none(row.effective_branching, 3), row.solved)),
        ("nodes/s", known(row.nodes_per_second, |speed| grouped(speed.round() as u64))),
        ("time", known(row.seconds, time)),
        ("worst", known(row.worst_seconds, time)),
        ("pairs", of_search(row.pairs.to_string())),
        ("nodes x", known(row.nodes_ratio, ratio)),
        ("+-", share(row.nodes_ratio.unwrap_or(0.0), row.nodes_ratio_interval)),
        ("time x", known(row.time_ratio, ratio)),
    ]
}

/// A note that the boards ran out before the 95 % interval of each ratio was within a share of the ratio.
pub fn not_narrow(record: &Record, share: f64) -> Option<String> {
    let boards = grouped(record.boards.len() as u64);
    let reached = match widest(&record.summary) {
        Some(widest) if widest <= share => return None,
        Some(widest) if widest.is_finite() => {
            format!("the widest interval is within {:.1}% of its ratio", 100.0 * widest)
        }
        _ => "no ratio has an interval".to_owned(),
    };
    // 0.07 is 7%, not 7.000000000000001%.
    let asked = (share * 1e8).round() / 1e6;
    Some(format!("--until {asked}% is not reached after {boards} boards: {reached}"))
}

/// The meaning of the columns, and of numbers that are lower bounds.
fn legend(first: &str, cut: bool) -> String {
    let mut text = format!(
        "
h         the value of a board, on average; opt-h: the optimal length minus h, over the boards solved
          (their number is in brackets if it is not all); b*: the effective branching factor, over these boards
nodes     generated in all searches; expanded: of these, those whose children were generated; held: the
          most positions that a search remembered at once; mean, median: nodes of a board; +-: half
          of the 95 % interval of the number before it
time      of all searches; worst: of the longest one
nodes x   the nodes relative to {first}, over the pairs: the boards that both solved; time x: the time
"
    );
    if cut {
        text += ">=        includes searches that a limit ended, whose boards are unsolved. Boards that both solved \
                 within a\n          limit are the easy ones, so ratios over all boards may differ.\n";
    }
    text
}

/// Averages, qualities, predictions, and the histograms side by side.
fn values_text(values: &[(String, &Values)]) -> String {
    let Some((_, first)) = values.first() else { return String::new() };
    let boards = grouped(first.boards.into());
    let mut text = format!("\nvalues over {boards} uniform boards\n\n");
    text += &tabled(values.iter().map(|(label, of)| {
        vec![
            ("heuristic", label.clone()),
            ("average h", format!("{:.3} +- {:.3}", of.average_h, SIDE * of.error)),
            ("quality", format!("{:.3e} +- {}", of.quality, percent(of.quality_error, of.quality))),
            ("quality x", ratio(of.quality / first.quality)),
        ]
    }));
    let base = first.branching_factor;
    text += &format!(
        "\nquality is the mean of {base:.4}^-h over all positions; smaller is better. +- is the 95 % interval.\n"
    );
    if values.iter().any(|(_, of)| !of.predictions.is_empty()) {
        text += "\nnodes expanded in a complete iteration that does not stop at the goal, on average over all boards,\nand their prediction (Korf, Reid & Edelkamp 2001)\n\n";
        let predictions =
            values.iter().flat_map(|(label, of)| of.predictions.iter().map(move |p| (label, p)));
        text += &tabled(predictions.map(|(label, p)| {
            let by_measured = (p.measured > 0.0).then_some(p.predicted / p.measured);
            vec![
                ("heuristic", label.clone()),
                ("threshold", p.threshold.to_string()),
                ("boards", p.boards.to_string()),
                ("measured", number(p.measured)),
                ("+-", percent(p.measured_error, p.measured)),
                ("predicted", number(p.predicted)),
                ("+-", percent(p.error, p.predicted)),
                ("ratio", known(by_measured, ratio)),
                ("+-", share(by_measured.unwrap_or(0.0), p.ratio_interval)),
            ]
        }));
    }
    text.push('\n');
    let mut lines = BTreeMap::new();
    for (i, (_, of)) in values.iter().enumerate() {
        for &(h, boards) in &of.histogram {
            let line = lines.entry(h).or_insert_with(|| vec![String::new(); values.len() + 1]);
            (line[0], line[i + 1]) = (h.to_string(), grouped(boards));
        }
    }
    let heads = iter::once("h".to_owned()).chain(values.iter().map(|(label, _)| label.clone()));
    let lines: Vec<Vec<String>> = iter::once(heads.collect()).chain(lines.into_values()).collect();
    text + &aligned(&lines)
}

/// The comparison with true distances.
fn truth_text(rows: &[Row], truth: &[Truth], tried: usize) -> String {
    let Some(known_boards) = truth.iter().map(|of| of.boards).min() else { return String::new() };
    let mut text = "\nvalues against true distances".to_owned();
    let unknown = tried.saturating_sub(known_boards);
    if unknown > 0 {
        let boards = plural(unknown as u64, "board");
        text += &format!(", without {boards} whose distance is not proved within the limits");
    }
    text += "\n\n";
    text += &tabled(rows.iter().zip(truth).map(|(row, of)| {
        vec![
            ("heuristic", row.about.label()),
            ("boards", of.boards.to_string()),
            ("h > d", of.violations.to_string()),
            ("h/d", or_none(of.h_over_distance, 3)),
            ("error", or_none(of.average_error, 2)),
            ("correlation", or_none(of.correlation, 3)),
            ("moves", of.edges.to_string()),
            ("jumps", known((of.edges > 0).then_some(of.inconsistent), |jumps| jumps.to_string())),
            ("tables", megabytes(row.about.table_bytes)),
            ("loaded in", seconds(row.about.setup_seconds)),
        ]
    }));
    text += "
h > d     boards whose value is above the distance: with one, a heuristic is not admissible
h/d       value divided by distance; error: the size of their difference; both on average
jumps     moves, of those on random walks, that change the value by more than 1: with one, a
          heuristic is not consistent
tables    the size of the databases; loaded in: the time to load them, or to build them
";
    for (row, of) in rows.iter().zip(truth) {
        let label = row.about.label();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_means_are_not_rounded_to_nothing() {
        for (mean, text) in
            [(0.0, "0.0"), (3.21e-5, "3.2e-5"), (0.12, "0.1"), (999.9, "999.9"), (1234.4, "1,234")]
        {
            assert_eq!(number(mean), text);
        }
        assert_eq!((percent(1e-12, 1e-11), percent(0.0, 0.0)), ("20%".to_owned(), "-".to_owned()));
    }
}
