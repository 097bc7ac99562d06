//! The boards of a bench.

use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};

use crate::board::{Goal, Metric};
use crate::cli::args::DatabaseArgs;
use crate::cli::args::values::{count, span};
use crate::cli::input::{BoardArgs, KindArgs, closed};
use crate::cli::interrupt;
use crate::cli::output::Progress;
use crate::cli::process::say;
use crate::lab::{Case, Suite};
use crate::solver::Solver;
use crate::text::grouped;

/// The most random boards.
const MOST: u64 = 10_000_000;

/// The forms of a name.
const FORMS: &str =
    "korf100, antipodes80, hard15, multi43, korf24, random:N:SEED, distance:D:N:SEED or a file";

/// The boards of a set of the library, random boards, or the boards of a file.
///
/// # Errors
/// If a file has no board, or a board is bad or of another size than the first one.
pub fn load(
    name: &str,
    kind: &KindArgs,
    metric: Metric,
    databases: &DatabaseArgs,
) -> anyhow::Result<Suite> {
    if let Some(suite) = Suite::named(name, metric) {
        ensure!(
            kind.goal.is_none() && kind.size.is_none(),
            "{name} has a goal and a size of its own: leave --goal and --size out"
        );
        return Ok(suite);
    }
    if let Some(numbers) = name.strip_prefix("distance:") {
        let mut numbers = numbers.split(':');
        let distances = numbers.next().map(span);
        let (many, seed) = (numbers.next().map(count), numbers.next().unwrap_or("1").parse());
        let (Some(Ok(distances)), Some(Ok(many @ 1..=MOST)), Ok(seed), None) =
            (distances, many, seed, numbers.next())
        else {
            bail!(
                "write distance:D:N or distance:D:N:SEED, as in distance:30:100:1 or distance:20..40:100"
            )
        };
        let options = Solver::builder().goal(kind.goal()?).metric(metric);
        let (solver, progress) = Progress::default().solver(options, databases.store())?;
        let goal = kind.goal()?.sized(kind.size)?.board()?;
        let cancel = interrupt::cancel();
        let suite = Suite::at_distance(&solver, goal, distances, many as usize, seed, &cancel);
        progress.hide();
        return Ok(suite?);
    }
    let Some(numbers) = name.strip_prefix("random:") else {
        return from_file(Path::new(name), kind, metric);
    };
    let (many, seed) = numbers.split_once(':').unwrap_or((numbers, "1"));
    match (count(many), seed.parse()) {
        (Ok(many @ 1..=MOST), Ok(seed)) => Ok(Suite::random(
            kind.checked_goal()?.sized(kind.size)?.board()?,
            metric,
            many as usize,
            seed,
        )),
        _ => bail!(
            "write random:N or random:N:SEED with N from 1 to {}, as in random:1000:1",
            grouped(MOST)
        ),
    }
}

fn from_file(path: &Path, kind: &KindArgs, metric: Metric) -> anyhow::Result<Suite> {
    if !path.exists() {
        bail!(
            "there is no set or file named {:?}: write {FORMS} of boards",
            path.display().to_string()
        );
    }
    let (mut cases, mut left_out) = (Vec::new(), 0);
    let mut first: Option<Goal> = None;
    for question in BoardArgs::of_file(path, kind).open()?.questions {
        let origin = question.place.origin.to_string();
        let bad = || format!("{origin}the set is refused");
        let (board, goal) = question.board.and_then(closed).with_context(bad)?;
        let first = first.get_or_insert(goal);
        if first.board().grid() != board.grid() {
            bail!(
                "{}: a {} board among {} boards: write a file for each size",
                bad(),
                board.grid(),
                first.board().grid()
            );
        }
        let solvability = first.solvability(&board);
        if solvability.is_solvable() {
            cases.push(Case { board, known: None });
        } else {
            left_out += 1;
            say!("{origin}left out, it cannot reach the goal: {solvability}");
        }
    }
    let goal = first.filter(|_| !cases.is_empty());
    let goal =
        goal.ok_or_else(|| anyhow!("there is no board in {} that can be tried", path.display()))?;
    let suite = Suite::new(&path.display().to_string(), goal, metric, cases);
    Ok(Suite { left_out, ..suite })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind() -> KindArgs {
        KindArgs::default()
    }

    fn databases() -> DatabaseArgs {
        DatabaseArgs { pdb_dir: None, no_build: true }
    }

    fn load(text: &str) -> anyhow::Result<Suite> {
        super::load(text, &kind(), Metric::Single, &databases())
    }

    #[test]
    fn names_have_their_boards() {
        assert_eq!(load("random:20").unwrap().name, "random:20:1");
        let far = load("distance:3..4:5:2").unwrap();
        assert_eq!((far.name.as_str(), far.cases.len()), ("distance:3..4:5:2", 5));
        assert!(far.cases.iter().all(|case| [Some(3), Some(4)].contains(&case.known)));
        for wrong in [
            "distance:",
            "distance:3",
            "distance:x:3",
            "distance:3:0",
            "distance:3:1:x",
            "distance:1:3",
        ] {
            assert!(load(wrong).is_err(), "{wrong}");
        }
        for name in Suite::names() {
            let mut other = kind();
            assert_eq!(load(name).unwrap().name, name);
            other.goal = crate::cli::args::values::goal("spiral").ok();
            assert!(super::load(name, &other, Metric::Single, &databases()).is_err());
        }
    }
}
