//! From a board with its search to its answer, by every method.

use std::time::Duration;

use super::beams::{BEAM, BEAM_NODES, HASTY, Series, Way};
use super::proof::{Best, Proving};
use super::short::Short;
use super::task::Task;
use crate::board::Moves;
use crate::search::{Clock, LaneEnd, Limits, Outcome, Stop, Threshold};
use crate::solver::results::{Bracket, Error, Solutions};

/// The longest time in which beams look for a better solution after a cancel. They take a tenth of the
/// time of the search.
pub const WAIT: Duration = Duration::from_millis(300);

/// The most nodes for which beams are planned after a search that a limit ended.
const AFTER_LIMIT: u64 = 300_000;

/// The share of the time in which a long search looks for a proof. In the rest, beams look for a
/// short solution.
const PROOF: f64 = 0.75;

/// Solves a board, whose clock runs.
pub fn solve(task: &mut Task, limits: &Limits, clock: Clock) -> Result<Bracket, Error> {
    let shared = task.shared.clone();
    let limits = shared.listening(limits, clock);
    loop {
        match shared.install(|| try_rung(task, &limits))?? {
            Some(bracket) => return Ok(bracket),
            // Not by a thread of the pool, which must not wait for another one that builds.
            None => task.climb(&limits)?,
        }
    }
}

/// The answer that follows from the end in a lane, with limits on the board's clock, which runs; `None` for a board
/// that is to be searched alone.
pub fn of_lane(task: &Task, end: LaneEnd, limits: &Limits) -> Option<Result<Bracket, Error>> {
    let answer = |outcome| checked_answer(task, outcome, limits);
    Some(match end {
        LaneEnd::Hard => return None,
        // It may look for a solution, in the board's own time.
        LaneEnd::Done(outcome) if outcome.path.is_none() => {
            task.shared.install(|| answer(outcome)).flatten()
        }
        LaneEnd::Done(outcome) => answer(outcome),
        LaneEnd::Broken(broken) => Err(task.searcher.error(broken)),
    })
}

/// Solves a board, and if that is asked for, counts its optimal solutions and lists up to `most` of them.
pub fn count(task: &mut Task, limits: &Limits, most: Option<usize>) -> Result<Solutions, Error> {
    let bracket = solve(task, limits, Clock::start())?;
    let counted = most.filter(|_| bracket.is_optimal() && !task.position.is_goal());
    let Some(most) = counted else {
        let stopped = bracket.stopped;
        return Ok(Solutions::only(bracket, stopped, most.unwrap_or_default()));
    };
    let clock = Clock::after(bracket.effort.time).run();
    let limits = task.shared.listening(limits, clock);
    let threshold = Threshold { bound: bracket.lower_bound, ..task.last.clone() };
    match task.shared.install(|| task.count(&threshold, &limits, most))?? {
        Err(stop) => Ok(Solutions::only(bracket, Some(stop), 0)),
        Ok((0, _)) => {
            let what = "the solution found is not among all solutions";
            Err(Error::Wrong { what, origin: task.searcher.files() })
        }
        Ok((count, paths)) => Ok(Solutions { count: Ok(count), paths, bracket }),
    }
}

/// Solves the board on the current rayon thread pool, within limits whose clock runs. `None` where the next rung of
/// the ladder is due.
pub fn try_rung(task: &mut Task, limits: &Limits) -> Result<Option<Bracket>, Error> {
    let outcome = match task.within {
        _ if task.position.is_goal() => {
            Outcome { path: Some(Moves::default()), ..Outcome::default() }
        }
        Some(moves) => task.searcher.within(&task.position, moves, &task.searcher.guard(limits))?,
        None if task.searcher.method.is_optimal() => return proved(task, limits),
        None => Short::new(task, limits).run()?,
    };
    checked_answer(task, outcome, limits).map(Some)
}

/// Searches for an optimal solution, up to the price of the next rung.
fn proved(task: &mut Task, limits: &Limits) -> Result<Option<Bracket>, Error> {
    let before = task.before.clone();
    if before.stopped.is_some() {
        return checked_answer(task, before, limits).map(Some);
    }
    let price = task.price_within(limits.most_nodes());
    let mut last = Threshold::default();
    let outcome = proof_then_beams(task, &of_rung(task, price, limits), |limits| {
        let mut proving = Proving::new(task, limits, Best::default())?;
        let outcome = proving.run(before.proof.as_ref())?;
        last = proving.last;
        Ok(outcome)
    })?;
    task.last = last;
    let generated = outcome.generated + before.generated;
    let expanded = outcome.expanded + before.expanded;
    let outcome = Outcome { generated, expanded, ..outcome };
    if price.is_some() && outcome.stopped == Some(Stop::Nodes) {
        task.before = Outcome { stopped: None, ..outcome };
        return Ok(None);
    }
    checked_answer(task, outcome, limits).map(Some)
}

/// The limits of a rung, where the next one is due at this price, among those of the board.
fn of_rung(task: &Task, price: Option<u64>, limits: &Limits) -> Limits {
    let mut rung = limits.clone();
    if price.is_some() || limits.is_limited() {
        let most = price.unwrap_or(limits.most_nodes());
        rung = rung.nodes(most.saturating_sub(task.before.generated));
    }
    // Beams are for the highest rung.
    if task.price().is_some() { rung.gap(0) } else { rung }
}

/// Searches for a proof by `prove`, in a long search within a part of the time. In the rest, beams look for a short
/// solution.
pub fn proof_then_beams(
    task: &Task,
    limits: &Limits,
    prove: impl FnOnce(&Limits) -> Result<Outcome, Error>,
) -> Result<Outcome, Error> {
    let Task { position, searcher, .. } = task;
    let long = searcher.is_long(position);
    let share = if long { PROOF } else { 1.0 };
    let outcome = prove(&limits.clone().share_of_time(share))?;
    let rest = searcher.guard(limits);
    if !long || outcome.stopped != Some(Stop::Time) || rest.check(0).is_some() {
        return Ok(outcome);
    }
    // A solution as long as the bound is optimal.
    let enough = outcome.lower_bound().saturating_add(limits.gap) as usize;
    let path = match outcome.path {
        Some(path) => path,
        None => task.some_solution(BEAM, &rest)?,
    };
    let series = Series { narrowest: 4 * BEAM, enough, plan: rest.clone(), limits: rest };
    let path = task.shorter(&Way::FromBoard, path, &series)?;
    Ok(Outcome { path: Some(path), ..outcome })
}

/// The bracket that a search gives, if its solution does solve the board and the databases are as they
/// were built.
pub fn checked_answer(task: &Task, outcome: Outcome, limits: &Limits) -> Result<Bracket, Error> {
    task.searcher.check.wait()?;
    let outcome = with_solution(task, outcome, limits)?;
    bracket_of(task, outcome, limits)
}

/// The outcome of a search, with the best solution that can be found soon where a limit ended it without one.
fn with_solution(task: &Task, outcome: Outcome, limits: &Limits) -> Result<Outcome, Error> {
    let falls_back = task.within.is_none() && task.searcher.method.deepens_by_engine();
    let Some(stop) = outcome.stopped.filter(|_| falls_back && outcome.path.is_none()) else {
        return Ok(outcome);
    };
    let (took, brief) = (limits.clock.elapsed(), beams_after(stop, limits));
    // The beams after a first solution take no longer than the search did.
    let most = match stop {
        Stop::Cancelled => Some(WAIT.min(took / 10)),
        Stop::Time => Some(took),
        Stop::Nodes => None,
        _ => {
            let path = Some(task.some_solution(BEAM, &brief)?);
            return Ok(Outcome { path, ..outcome });
        }
    };
    let path = task.some_solution(HASTY, &brief)?;
    let more = match most {
        Some(time) => brief.time(time).on(Clock::start()),
        None => brief,
    };
    let enough = outcome.lower_bound() as usize;
    let series = Series { narrowest: BEAM, enough, plan: more.clone(), limits: more };
    let path = Some(task.shorter(&Way::FromBoard, path, &series)?);
    Ok(Outcome { path, ..outcome })
}

/// The bracket of an outcome, whose solution is replayed.
fn bracket_of(task: &Task, outcome: Outcome, limits: &Limits) -> Result<Bracket, Error> {
    let (metric, method) = (task.searcher.metric, task.searcher.method);
    let (bound, gap) = (outcome.lower_bound(), limits.gap);
    let near = bound.saturating_add(gap) as usize;
    let length = outcome.path.as_ref().map(|path| path.length(metric));
    let stopped = match outcome.stopped {
        // The solution need not be optimal, and there may be none.
        stopped if task.within.is_some() => stopped.or(Some(Stop::Moves)),
        // The bound proves it.
        _ if length == Some(bound as usize) => None,
        // A beam that followed the search came near enough.
        Some(_) if gap > 0 && length.is_some_and(|length| length <= near) => Some(Stop::Gap),
        stopped => stopped,
    };
    let mut bracket = task.bracket(&Outcome { stopped, ..outcome }, limits)?;
    let heeds_gap = method.heeds_gap() && gap > 0;
    bracket.falls_short &= task.within.is_some() || method.is_optimal() || heeds_gap;
    Ok(bracket)
}

/// The limits of the beams for a first solution, after a search that was stopped.
pub fn beams_after(stop: Stop, limits: &Limits) -> Limits {
    let brief = Limits::default().time(WAIT).on(Clock::start());
    match stop {
        // Without a clock the nodes end it.
        Stop::Cancelled => brief.nodes(BEAM_NODES),
        Stop::Time => brief.nodes(AFTER_LIMIT).cancel(&limits.cancel),
        _ => limits.clone().silent().nodes(limits.most_nodes().min(AFTER_LIMIT)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::board::{Board, Move};
    use crate::classics::Manhattan;
    use crate::search::{Cancel, ida_star};
    use crate::solver::options::Builder;
    use crate::solver::searches::{Begin, Shared};
    use crate::store::Store;

    /// A board of 18 cells whose search may take long, with tables that are built in a moment.
    fn long() -> Task {
        let tables = "1,2,3,4/5,6,7,8/9,10,11,12/13,14,15,16,17";
        let options = Builder::default().heuristic(tables.parse().unwrap()).store(Store::memory());
        let shared = Arc::new(Shared::new(options).unwrap());
        let board: Board = "2 13 3 12 6 4 / 0 1 14 10 11 17 / 7 8 15 9 5 16".parse().unwrap();
        let task = Task::new(&shared, &board, None, Begin::Whole, &Limits::default()).unwrap();
        assert!(task.searcher.is_long(&task.position));
        task
    }

    #[test]
    fn a_beam_as_short_as_the_bound_ends_a_search() {
        let (task, hour) = (long(), Duration::from_secs(3600));
        let limits = Limits::default().time(hour).on(Clock::start());
        let prove = |limits: &Limits| -> Result<Outcome, Error> {
            let outcome = Proving::new(&task, limits, Best::default())?.run(None)?;
            // As if the time had ended in the last iteration.
            Ok(Outcome { path: None, stopped: Some(Stop::Time), ..outcome })
        };
        let outcome = proof_then_beams(&task, &limits, prove).unwrap();
        assert_eq!(outcome.path.as_ref().unwrap().len(), outcome.lower_bound() as usize);
        assert!(limits.clock.elapsed() < hour / 4);
        let bracket = bracket_of(&task, outcome, &limits).unwrap();
        assert!(bracket.is_optimal() && bracket.stopped.is_none());
    }

    #[test]
    fn a_first_solution_looks_at_the_clock_and_the_cancel() {
        let task = long();
        let first = |limits: &Limits| task.some_solution(BEAM, limits).unwrap();
        let cancel = Cancel::new();
        cancel.cancel();
        let stages = crate::search::staged(&task.position, |_| ());
        assert_eq!(first(&Limits::default().cancel(&cancel)), stages);
        assert_eq!(first(&Limits::default().time(Duration::ZERO).on(Clock::start())), stages);
        assert!(first(&Limits::default()).len() < stages.len());
    }

    #[test]
    fn every_answer_is_replayed() {
        let options = Builder::default().heuristic("manhattan".parse().unwrap());
        let options = options.store(Store::memory());
        let board: Board = "1 2 3 / 0 4 5".parse().unwrap();
        let shared = Arc::new(Shared::new(options).unwrap());
        let task = Task::new(&shared, &board, None, Begin::Low, &Limits::default()).unwrap();
        let manhattan = Manhattan::new(task.position.grid(), task.position.goal_blank());
        let proof = |position| ida_star(position, &manhattan, &Limits::default()).proof;
        let proof_of_two = proof(&task.position);
        let outcome = |path: &str, proof| {
            let path = Some(path.parse().unwrap());
            Outcome { path, proof, ..Outcome::default() }
        };
        let replayed = |outcome: &Outcome| task.replayed(outcome);
        // On the canonical board, which is rotated by half a turn, left is right.
        assert_eq!(replayed(&outcome("RR", proof_of_two.clone())), Ok(Some("LL".parse().unwrap())));
        assert!(replayed(&outcome("LL", proof_of_two.clone())).is_err());
        assert!(replayed(&outcome("R", proof_of_two)).is_err());
        assert!(replayed(&outcome("RR", None)).is_err());
        let mut other = task.position.clone();
        let _ = other.make(Move::Up).or_else(|| other.make(Move::Down));
        let other = replayed(&outcome("RR", proof(&other)));
        assert_eq!(other, Err("the proof belongs to another board"));
        assert!(replayed(&Outcome::default()).is_err());
        let stopped = Outcome { stopped: Some(Stop::Time), ..Outcome::default() };
        assert_eq!(replayed(&stopped), Ok(None));
        // Not proved to be optimal, but a solution.
        let stopped = Outcome { stopped: Some(Stop::Time), ..outcome("RR", None) };
        assert_eq!(replayed(&stopped), Ok(Some("LL".parse().unwrap())));
        let stopped = Outcome { stopped: Some(Stop::Time), ..outcome("R", None) };
        let wrong = bracket_of(&task, stopped, &Limits::default());
        // Without tables no database is blamed.
        let message = wrong.unwrap_err().to_string();
        assert_eq!(message, "internal error: the moves found do not lead to the goal");
    }
}
