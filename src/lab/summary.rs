//! The results of an entry over all boards.

use serde::{Deserialize, Serialize};

use super::entry::{About, Entry};
use super::statistics::{average, estimate, mean, median, ratio, width};
use super::trial::{Trial, Tried, number, optional};
use super::truth::distance_errors;

/// An entry's results over all boards.
///
/// Sums and means include the trials that a limit ended, and are lower bounds then. An entry without a search
/// has no nodes and no times. Ratios are over the boards that both entries solved. Intervals hold the true
/// value with a probability of 95 %. They come from a bootstrap over the boards; the bootstrap of a ratio
/// draws a board with both its numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The entry.
    #[serde(flatten)]
    pub about: About,
    /// The boards tried.
    pub boards: usize,
    /// The boards solved.
    pub solved: usize,
    /// The boards whose search a limit ended.
    pub unsolved: usize,
    /// The boards whose optimal length is known.
    pub optima: usize,
    /// The mean of h.
    #[serde(serialize_with = "number")]
    pub average_h: f64,
    /// Optimal length minus h, over the boards whose optimal length is known.
    pub average_gap: Option<f64>,
    /// h divided by the optimal length, on average.
    pub h_over_length: Option<f64>,
    /// The length of the solutions beyond the optimum, on average; for values from outside.
    pub average_excess: Option<f64>,
    /// The nodes of all searches.
    pub nodes: Option<u64>,
    /// The positions expanded in all searches.
    #[serde(default)]
    pub expanded: Option<u64>,
    /// The most positions that a search remembered at once; 0 if none remembers any.
    #[serde(default)]
    pub positions: u64,
    /// The nodes of a search, on average.
    #[serde(serialize_with = "optional")]
    pub average_nodes: Option<f64>,
    /// The standard error of the average.
    pub nodes_error: Option<f64>,
    /// The interval of the average; `None` if a limit ended a search, because the mean is a lower bound then.
    pub nodes_interval: Option<(f64, f64)>,
    /// The median.
    #[serde(serialize_with = "optional")]
    pub median_nodes: Option<f64>,
    /// Nodes per second.
    #[serde(serialize_with = "optional")]
    pub nodes_per_second: Option<f64>,
    /// The seconds of all searches.
    #[serde(serialize_with = "optional")]
    pub seconds: Option<f64>,
    /// The seconds of the longest.
    #[serde(serialize_with = "optional")]
    pub worst_seconds: Option<f64>,
    /// The boards that both this entry and the first one solved.
    pub pairs: usize,
    /// The nodes relative to the first entry, over the pairs.
    pub nodes_ratio: Option<f64>,
    /// Its interval; `None` for fewer than ten pairs.
    pub nodes_ratio_interval: Option<(f64, f64)>,
    /// The time relative to the first entry.
    pub time_ratio: Option<f64>,
    /// Its interval.
    pub time_ratio_interval: Option<(f64, f64)>,
    /// The effective branching factor b*, on average: the branching factor of a uniform tree with the depth
    /// of the solution and the number of nodes generated (Russell & Norvig).
    pub effective_branching: Option<f64>,
}

/// A row for each entry, or none without a board.
pub fn rows(entries: &[Entry], tried: &[Tried]) -> Vec<Row> {
    let row = |(i, entry): (usize, &Entry)| {
        let row = row(tried, i);
        let average_excess = row.average_excess.filter(|_| !entry.is_own());
        Row { about: entry.about.clone(), average_excess, ..row }
    };
    let entries = if tried.is_empty() { &[] } else { entries };
    entries.iter().enumerate().map(row).collect()
}

/// The width of the widest interval of a ratio of nodes to the first entry, as a share of the ratio. It is
/// infinite where a ratio has no interval.
pub(super) fn widest(rows: &[Row]) -> Option<f64> {
    let widths = rows.iter().skip(1).filter_map(|row| {
        let ratio = row.nodes_ratio?;
        Some(row.nodes_ratio_interval.map_or(f64::INFINITY, |ends| width(ratio, ends)))
    });
    widths.max_by(f64::total_cmp)
}

fn row(tried: &[Tried], entry: usize) -> Row {
    let trials = || tried.iter().map(|board| &board.trials[entry]);
    let boards = tried.len();
    let searches = trials().filter(|trial| trial.is_search()).count();
    let of_searches = |number: f64| (searches > 0).then_some(number);
    let solved = trials().filter(|trial| trial.length.is_some()).count();
    let mut nodes: Vec<f64> = trials().map(|trial| trial.generated as f64).collect();
    let (_, nodes_interval) = ratio(&nodes.iter().map(|&nodes| (nodes, 1.0)).collect::<Vec<_>>());
    nodes.sort_by(f64::total_cmp);
    let sum: u64 = trials().map(|trial| trial.generated).sum();
    let seconds: f64 = trials().map(|trial| trial.seconds).sum();
    let errors = distance_errors(tried, entry);
    let excess =
        |board: &Tried| Some(f64::from(board.trials[entry].length?) - f64::from(board.optimal?));
    // The trials on the boards that this entry and the first one solved.
    let both = tried.iter().map(|board| (&board.trials[entry], &board.trials[0]));
    let both = both.filter(|(own, first)| own.length.and(first.length).is_some());
    let pairs: Vec<(&Trial, &Trial)> = both.collect();
    let ratio_of = |of: fn(&Trial) -> f64| {
        let pairs = pairs.iter().map(|(own, first)| (of(own), of(first)));
        ratio(&pairs.collect::<Vec<_>>())
    };
    let (nodes_ratio, nodes_ratio_interval) = ratio_of(|trial| trial.generated as f64);
    let (time_ratio, time_ratio_interval) = ratio_of(|trial| trial.seconds);
    Row {
        boards,
        solved,
        unsolved: searches - solved,
        optima: errors.boards,
        average_h: mean(trials().map(|trial| trial.h)),
        average_gap: errors.average_gap,
        h_over_length: errors.h_over_distance,
        average_excess: average(tried.iter().filter_map(excess)),
        nodes: (searches > 0).then_some(sum),
        expanded: (searches > 0).then(|| trials().map(|trial| trial.expanded).sum()),
        positions: trials().map(|trial| trial.positions).max().unwrap_or(0),
        average_nodes: of_searches(sum as f64 / boards as f64),
        nodes_error: (boards > 1 && searches > 0).then(|| estimate(&nodes).1),
        nodes_interval: nodes_interval.filter(|_| searches > 0 && searches == solved),
        median_nodes: of_searches(median(&nodes)),
        nodes_per_second: of_searches(if seconds > 0.0 { sum as f64 / seconds } else { 0.0 }),
        seconds: of_searches(seconds),
        worst_seconds: of_searches(trials().map(|trial| trial.seconds).fold(0.0, f64::max)),
        pairs: pairs.len(),
        nodes_ratio,
        nodes_ratio_interval,
        time_ratio,
        time_ratio_interval,
        effective_branching: average(
            trials().filter_map(|trial| effective_branching(trial.generated, trial.length?)),
        ),
        ..Row::default()
    }
}

/// The b with b + b² + … + b^depth = nodes, by bisection; `None` for a board that is solved.
pub(super) fn effective_branching(nodes: u64, depth: u32) -> Option<f64> {
    let tree = |b: f64| (1..=depth).fold(0.0, |sum, _| (sum + 1.0) * b);
    let (mut low, mut high) = (0.0, 4.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if tree(middle) < nodes as f64 { low = middle } else { high = middle }
    }
    (depth > 0 && nodes > 0).then_some(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(generated: u64, length: Option<u32>) -> Trial {
        let seconds = generated as f64;
        Trial { h: 40.0, length, generated, expanded: generated / 2, seconds, ..Trial::default() }
    }

    fn of(own: &[Trial], first: &[Trial], optima: &[Option<u32>]) -> Row {
        let tried = |((own, first), optimal): ((&Trial, &Trial), &Option<u32>)| Tried {
            number: 1,
            board: String::new(),
            optimal: *optimal,
            trials: vec![first.clone(), own.clone()],
        };
        row(&own.iter().zip(first).zip(optima).map(tried).collect::<Vec<_>>(), 1)
    }

    #[test]
    fn unsolved_boards_are_counted() {
        let first =
            [trial(10, Some(42)), trial(20, Some(44)), trial(1000, None), trial(5, Some(40))];
        let own = [trial(1, Some(42)), trial(300, None), trial(7, Some(46)), trial(2, Some(40))];
        let row = of(&own, &first, &[Some(42), Some(44), Some(46), Some(40)]);
        assert_eq!((row.boards, row.solved, row.unsolved), (4, 3, 1));
        assert_eq!(row.nodes, Some(310));
        assert_eq!((row.average_nodes, row.median_nodes), (Some(77.5), Some(4.5)));
        assert_eq!((row.seconds, row.worst_seconds), (Some(310.0), Some(300.0)));
        assert_eq!(row.nodes_per_second, Some(1.0));
        assert_eq!((row.average_h, row.average_gap), (40.0, Some(3.0)));
        // Over the first and the last board alone.
        assert_eq!((row.nodes_ratio, row.time_ratio), (Some(0.2), Some(0.2)));
        let error = row.nodes_error.unwrap();
        assert!((error - 74.2).abs() < 0.1, "{error}");
        // A limit cut the mean off, and two pairs are too few.
        assert_eq!((row.pairs, row.nodes_interval, row.nodes_ratio_interval), (2, None, None));
        let solved: Vec<Trial> = (1..=12).map(|nodes| trial(nodes, Some(42))).collect();
        let row = of(&solved, &solved, &[Some(42); 12]);
        let (low, high) = row.nodes_interval.unwrap();
        assert!(low < 6.5 && 6.5 < high);
        assert_eq!((row.pairs, row.optima, row.nodes_ratio_interval), (12, 12, Some((1.0, 1.0))));
    }

    #[test]
    fn unknown_numbers_are_left_out() {
        let none = of(&[trial(3, None)], &[trial(4, Some(1))], &[None]);
        assert_eq!((none.nodes_ratio, none.average_gap, none.nodes_error), (None, None, None));
        let values = Trial { stopped: Some("values".to_owned()), ..trial(0, None) };
        let values =
            of(&[values.clone(), values], &[trial(4, Some(1)), trial(4, None)], &[None; 2]);
        assert_eq!((values.solved, values.unsolved, values.nodes_interval), (0, 0, None));
        let json = serde_json::to_value(&values).unwrap();
        for name in ["nodes", "average_nodes", "nodes_error", "median_nodes", "seconds"] {
            assert!(json[name].is_null(), "{name}: {}", json[name]);
        }
    }

    #[test]
    fn effective_branching_factors_are_those_of_uniform_trees() {
        // 2 + 4 + 8 and 3 + 9.
        for (nodes, depth, expected) in [(14, 3, 2.0), (12, 2, 3.0), (5, 5, 1.0)] {
            let found = effective_branching(nodes, depth).unwrap();
            assert!((found - expected).abs() < 1e-9, "{found}");
        }
        assert_eq!(effective_branching(0, 0), None);
    }
}
