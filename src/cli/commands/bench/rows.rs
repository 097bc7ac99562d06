//! The results of a heuristic over all boards.

use serde::Serialize;

use super::contest::{Contestant, Trial, Tried};

/// A heuristic's results over all boards.
///
/// Sums and means include the trials that a limit ended, and are lower bounds then. Ratios are over
/// the boards that both heuristics solved.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    #[serde(skip)]
    pub label: String,
    /// As it was asked for.
    pub heuristic: String,
    /// The name of what ran.
    pub ran: String,
    pub boards: usize,
    pub solved: usize,
    pub unsolved: usize,
    pub average_h: f64,
    /// Optimal length minus h, over the boards whose optimal length is known.
    pub average_gap: Option<f64>,
    pub nodes: u64,
    pub average_nodes: f64,
    /// The standard error of the average.
    pub nodes_error: Option<f64>,
    pub median_nodes: f64,
    pub nodes_per_second: f64,
    pub seconds: f64,
    pub worst_seconds: f64,
    pub nodes_ratio: Option<f64>,
    pub time_ratio: Option<f64>,
}

/// A row for each heuristic, over one board or more.
pub fn rows(contestants: &[Contestant], tried: &[Tried]) -> Vec<Row> {
    let column = |i: usize| tried.iter().map(move |board| board.trials[i]).collect::<Vec<_>>();
    let first = column(0);
    let optima: Vec<_> = tried.iter().map(|board| board.optimal).collect();
    let row = |(i, contestant): (usize, &Contestant)| Row {
        label: contestant.label(),
        ran: contestant.ran.clone(),
        ..row(&contestant.name, &column(i), &first, &optima)
    };
    contestants.iter().enumerate().map(row).collect()
}

fn row(name: &str, trials: &[Trial], first: &[Trial], optima: &[Option<u32>]) -> Row {
    let boards = trials.len();
    let solved = trials.iter().filter(|trial| trial.length.is_some()).count();
    let nodes: u64 = trials.iter().map(|trial| trial.generated).sum();
    let seconds = |trial: &Trial| trial.time.as_secs_f64();
    let total: f64 = trials.iter().map(seconds).sum();
    let gaps: Vec<f64> = trials
        .iter()
        .zip(optima)
        .filter_map(|(trial, optimum)| {
            optimum.map(|optimum| f64::from(optimum) - f64::from(trial.h))
        })
        .collect();
    let mut sorted: Vec<u64> = trials.iter().map(|trial| trial.generated).collect();
    sorted.sort_unstable();
    let both: Vec<(&Trial, &Trial)> = trials
        .iter()
        .zip(first)
        .filter(|(trial, first)| trial.length.is_some() && first.length.is_some())
        .collect();
    let ratio = |of: &dyn Fn(&Trial) -> f64| {
        let sum = |side: fn(&(&Trial, &Trial)) -> Trial| -> f64 {
            both.iter().map(|pair| of(&side(pair))).sum()
        };
        let (own, first) = (sum(|pair| *pair.0), sum(|pair| *pair.1));
        (first > 0.0).then(|| own / first)
    };
    let spread = deviation(trials.iter().map(|trial| trial.generated as f64));
    Row {
        label: name.to_owned(),
        heuristic: name.to_owned(),
        ran: name.to_owned(),
        boards,
        solved,
        unsolved: boards - solved,
        average_h: mean(trials.iter().map(|trial| f64::from(trial.h))),
        average_gap: (!gaps.is_empty()).then(|| mean(gaps.iter().copied())),
        nodes,
        average_nodes: nodes as f64 / boards as f64,
        nodes_error: spread.map(|spread| spread / (boards as f64).sqrt()),
        median_nodes: (sorted[(boards - 1) / 2] as f64 + sorted[boards / 2] as f64) / 2.0,
        nodes_per_second: if total > 0.0 { nodes as f64 / total } else { 0.0 },
        seconds: total,
        worst_seconds: trials.iter().map(seconds).fold(0.0, f64::max),
        nodes_ratio: ratio(&|trial| trial.generated as f64),
        time_ratio: ratio(&seconds),
    }
}

pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

/// The standard deviation of the distribution of a sample; `None` for fewer than two values.
pub fn deviation(values: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = values.clone().count();
    let mean = mean(values.clone());
    let squares: f64 = values.map(|value| (value - mean) * (value - mean)).sum();
    (count > 1).then(|| (squares / (count as f64 - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn trial(generated: u64, length: Option<u32>) -> Trial {
        Trial {
            h: 40,
            length,
            generated,
            expanded: generated / 2,
            time: Duration::from_secs(generated),
        }
    }

    #[test]
    fn unsolved_boards_are_counted() {
        let first =
            [trial(10, Some(42)), trial(20, Some(44)), trial(1000, None), trial(5, Some(40))];
        let own = [trial(1, Some(42)), trial(300, None), trial(7, Some(46)), trial(2, Some(40))];
        let optima = [Some(42), Some(44), Some(46), Some(40)];
        let row = row("own", &own, &first, &optima);
        assert_eq!((row.boards, row.solved, row.unsolved), (4, 3, 1));
        assert_eq!((row.nodes, row.average_nodes, row.median_nodes), (310, 77.5, 4.5));
        assert_eq!((row.seconds, row.worst_seconds, row.nodes_per_second), (310.0, 300.0, 1.0));
        assert_eq!((row.average_h, row.average_gap), (40.0, Some(3.0)));
        // Over the first and the last board alone.
        assert_eq!((row.nodes_ratio, row.time_ratio), (Some(0.2), Some(0.2)));
        let error = row.nodes_error.unwrap();
        assert!((error - 74.2).abs() < 0.1, "{error}");
    }

    #[test]
    fn unknown_numbers_are_left_out() {
        let none = row("none", &[trial(3, None)], &[trial(4, Some(1))], &[None]);
        assert_eq!((none.nodes_ratio, none.average_gap, none.nodes_error), (None, None, None));
    }
}
