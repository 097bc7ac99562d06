//! Open goals.
//!
//! 1. If one table can hold the states of the board, in which equal tiles are not told apart, it gives the
//!    distance.
//! 2. Otherwise, if there are few assignments of tiles to cells, each is an ordinary goal. The one with the
//!    least lower bound is searched next, by the search for ordinary goals, until its bound exceeds the bound
//!    of another one. A single assignment is an ordinary board.
//! 3. Otherwise the states are searched.
//! 4. Boards of more than 25 cells with many assignments are solved to one of them, without a proof that
//!    none is nearer.

use std::sync::Arc;

use super::beams::BEAM;
use super::rungs::{WAIT, beams_after, count};
use super::task::{Task, check, position};
use crate::board::{
    Board, Canonical, Goal, GoalError, LabelledBoard, Metric, Moves, OpenError, OpenGoal,
    OpenPosition,
};
use crate::classics::Spec;
use crate::search::{
    Clock, Deepening, Limits, OpenSearch, Outcome, Proof, Search, Searched, Stop, shorten, staged,
};
use crate::solver::options::{Builder, Method};
use crate::solver::results::{Bracket, Error, OPEN, Solutions};
use crate::solver::searches::{Begin, Shared};

/// The most assignments that are searched one by one, including unsolvable ones.
const ASSIGNMENTS: u128 = 240;

/// The widths of the beams for a solution after a search of the states that was stopped.
const BEAMS: [usize; 2] = [200, 5_000];

/// The nodes for which a solution by stages is shortened.
const SHORTEN: u64 = 1_000_000;

/// The position of a board, whose letters are numbers if the goal is an ordinary one.
fn open_position(shared: &Shared, board: &LabelledBoard) -> Result<OpenPosition, GoalError> {
    if let Some(goal) = shared.goal.open() {
        return Ok(OpenPosition::new(goal, board)?);
    }
    let board: Board = match shared.goal.names().filter(|goal| !goal.is_plain()) {
        Some(names) => names.fit(board.clone())?.board().clone(),
        None if board.has_labels() => board.to_string().parse().map_err(OpenError::from)?,
        None => board.board().clone(),
    };
    let goal = OpenGoal::from(&shared.goal.goal(board.grid())?);
    Ok(OpenPosition::new(&goal, &board.into())?)
}

/// Solves a board, and lists some of its optimal solutions if that is asked for.
pub fn solve_open(
    shared: &Arc<Shared>,
    board: &LabelledBoard,
    limits: &Limits,
    most: Option<usize>,
) -> Result<Solutions, Error> {
    let clock = Clock::start();
    let position = open_position(shared, board)?;
    let run = OpenRun { shared, position: &position, limits, clock, most };
    if position.is_reached(position.board()) {
        let proof = Some(Proof::of_distance(&position));
        return run.answer(Outcome { path: Some(Moves::default()), proof, ..Outcome::default() });
    }
    if !position.is_solvable() {
        let (solvability, reachable) = (position.solvability(), Vec::new());
        return Err(Error::Unsolvable { solvability, reachable });
    }
    run.solve()
}

/// The search of one board.
#[derive(Clone, Copy)]
struct OpenRun<'a> {
    shared: &'a Arc<Shared>,
    position: &'a OpenPosition,
    limits: &'a Limits,
    clock: Clock,
    /// The number of solutions that are listed, if they are counted.
    most: Option<usize>,
}

impl OpenRun<'_> {
    fn solve(self) -> Result<Solutions, Error> {
        let OpenRun { shared, position, limits, most, .. } = self;
        let method = most.map(|_| Method::Ida).or(shared.options.method);
        let is_small = position.grid().cells() <= OpenSearch::MAX_CELLS;
        let goals = position.goals(ASSIGNMENTS);
        if let Some([goal]) = goals.as_deref() {
            // An ordinary goal, but equal tiles have other names on each board.
            if shared.goal.open().is_some() && shared.options.heuristic.has_lists() {
                let (what, option) = ("heuristics that name tiles", "heuristic");
                return Err(Error::Without { search: OPEN, what, option });
            }
            return count(&mut self.task(goal, method, Begin::Low)?, limits, most);
        }
        self.refuse(is_small)?;
        if !is_small {
            let mut task = self.task(&position.near_goal(), method, Begin::Low)?;
            let mut found = count(&mut task, limits, None)?;
            let bound = Proof::of_distance(position).bound();
            let bracket = &mut found.bracket;
            (bracket.lower_bound, bracket.effort.h) = (bound, Some(bound));
            if let Some(solution) = &mut bracket.solution {
                (solution.lower_bound, solution.effort.h) = (bound, Some(bound));
            }
            return Ok(found);
        }
        if let Some(goals) = goals.filter(|_| !OpenSearch::is_whole(position)) {
            let tasks = goals.iter().map(|goal| self.task(goal, Some(Method::Ida), Begin::Whole));
            let tasks: Vec<Task> = tasks.collect::<Result<_, _>>()?;
            if tasks.iter().all(|task| task.searcher.prover().is_some()) {
                // To load and build databases does not count.
                let run = OpenRun { clock: Clock::start(), ..self };
                return shared.install(|| run.by_assignments(&tasks))?;
            }
        }
        self.by_states()
    }

    /// Refuses what goals with several assignments do not have.
    fn refuse(&self, is_small: bool) -> Result<(), Error> {
        let Builder { metric, heuristic, method, .. } = &self.shared.options;
        let proves = method.is_some_and(Method::is_optimal);
        let other = method.is_some_and(|method| !method.deepens_by_engine());
        for (is_refused, option, what) in [
            (*metric == Metric::Multi, "metric", "the multi-tile metric"),
            (*heuristic != Spec::Standard, "heuristic", "heuristics other than standard"),
            (is_small && other, "method", "methods other than ida on boards of up to 25 cells"),
            (!is_small && proves, "method", "optimal methods on boards of more than 25 cells"),
            (
                !is_small && self.most.is_some(),
                "count",
                "a count of solutions on boards of more than 25 cells",
            ),
        ] {
            if is_refused {
                return Err(Error::Without { search: OPEN, what, option });
            }
        }
        Ok(())
    }

    /// The board with one of the assignments as its goal.
    fn task(&self, goal: &Goal, method: Option<Method>, begin: Begin) -> Result<Task, Error> {
        let canonical = Arc::new(Canonical::of(goal));
        Task::for_goal(canonical, self.shared, self.position.board(), method, begin, self.limits)
    }

    /// The answer with a solution, if it solves the board.
    fn answer(&self, mut outcome: Outcome<OpenPosition>) -> Result<Solutions, Error> {
        let leads = |path: &Moves| {
            let end = self.position.board().after(path);
            (path.len(), end.is_ok_and(|end| self.position.is_reached(&end)))
        };
        let path = outcome.path.as_ref().map(leads);
        check(&outcome, self.position, Metric::Single, path, true)
            .map_err(|what| Error::Wrong { what, origin: None })?;
        let stopped = outcome.stopped;
        if path.is_some_and(|(length, _)| length == outcome.lower_bound() as usize) {
            outcome.stopped = None;
        }
        let (time, heuristic) = (self.clock.elapsed(), Spec::Standard.to_string().into());
        let moves = outcome.path.clone();
        let bracket = Bracket::of(&outcome, moves, Metric::Single, time, heuristic);
        // A solution may be proved optimal although not all of them are found.
        Ok(Solutions::only(bracket, stopped, self.most.unwrap_or_default()))
    }

    /// Searches the states.
    fn by_states(&self) -> Result<Solutions, Error> {
        let OpenRun { shared, position, .. } = self;
        let limits = shared.listening(self.limits, self.clock);
        let key: Box<[u8]> = position.counts().into();
        let search = match shared.open.get(&key) {
            Some(search) => search,
            None => {
                // Building has no nodes.
                let free = limits.clone().nodes(u64::MAX);
                match shared.install(|| OpenSearch::new(position, OpenSearch::SIZES, &free))? {
                    Ok(search) => shared.open.keep(key, Arc::new(search)),
                    Err(stop) => {
                        let (path, proof) = (self.staged()?, Proof::of_distance(position));
                        return self.answer(Outcome {
                            path: Some(path),
                            proof: Some(proof),
                            stopped: Some(stop),
                            ..Outcome::default()
                        });
                    }
                }
            }
        };
        let (mut outcome, solutions) = shared.install(|| search.solve(position, &limits))?;
        if let Some(stop) = outcome.stopped {
            let wait = match stop {
                Stop::Cancelled => Limits::default().time(WAIT).on(Clock::start()),
                _ => Limits::default().cancel(&limits.cancel),
            };
            let beam = |width: usize| search.beam(position, width, &wait);
            let paths = shared.install(|| BEAMS.map(beam))?;
            let path = paths.into_iter().flatten().min_by_key(Moves::len);
            outcome.path = Some(path.map_or_else(|| self.staged(), Ok)?);
        }
        let answer = self.answer(outcome)?;
        let (Some(most), Some(solutions)) = (self.most, solutions) else { return Ok(answer) };
        Ok(Solutions { count: Ok(solutions.count()), paths: solutions.list(most), ..answer })
    }

    /// A solution to one of the assignments, by stages, shortened a little.
    fn staged(&self) -> Result<Moves, Error> {
        let board = self.position.board();
        let canonical = Canonical::of(&self.position.near_goal());
        let start = position(&canonical, board)?;
        let brief = Limits::default().nodes(SHORTEN);
        let (path, _) = shorten(&start, staged(&start, |_| ()), Metric::Single, &brief);
        Ok(canonical.path_back(&path))
    }

    /// Searches all assignments, always the one with the least bound.
    fn by_assignments(&self, tasks: &[Task]) -> Result<Solutions, Error> {
        let limits = self.shared.listening(self.limits, self.clock);
        let mut all = Vec::new();
        for task in tasks {
            let engine = task.searcher.prover().expect("the engine searches each assignment");
            let search = task.searcher.result(engine.search(&task.position))?;
            all.push(Assignment { task, search, path: None });
        }
        // The length of the optimal solutions, once it is known. Others may have solutions as long as the first.
        let (mut length, mut stopped, mut last) = (None, None, 0);
        let goes_on = |one: &Assignment<'_>, length: Option<u32>| {
            length.is_none_or(|length| self.most.is_some() && one.bound() <= length)
        };
        while stopped.is_none() {
            let spent: u64 = all.iter().map(|one| one.outcome().generated).sum();
            let open = all.iter_mut().enumerate().filter(|(_, one)| one.path.is_none());
            // Of equal ones, the last one goes on.
            let next = open.min_by_key(|(i, one)| (one.bound(), *i != last));
            let Some((place, one)) = next.filter(|(_, one)| goes_on(one, length)) else { break };
            last = place;
            let left = limits.most_nodes().saturating_sub(spent - one.outcome().generated);
            let (bound, searcher) = (one.bound(), &one.task.searcher);
            let end = one.search.next(&searcher.guard(&limits.clone().nodes(left)));
            match searcher.result(end)? {
                Searched::Exhausted => {}
                Searched::Stopped(stop) => stopped = Some(stop),
                Searched::Solved(path) => {
                    (one.path, length) = (Some(one.task.canonical.path_back(&path)), Some(bound));
                }
            }
        }
        for one in &all {
            one.task.searcher.check.wait()?;
        }
        let outcomes: Vec<Outcome> = all.iter().map(Assignment::outcome).collect();
        let proofs: Vec<Proof> = outcomes.iter().filter_map(|one| one.proof.clone()).collect();
        let proof = Proof::of_assignments(self.position, &proofs);
        assert!(proof.is_some(), "each assignment has a proof");
        let mut path = all.iter().find_map(|one| one.path.clone());
        if let (None, Some(stop)) = (&path, stopped) {
            let nearest = all.iter().min_by_key(|one| one.bound()).expect("some goal is solvable");
            let found = nearest.task.some_solution(BEAM, &beams_after(stop, &limits))?;
            path = Some(nearest.task.canonical.path_back(&found));
        }
        let answer = self.answer(Outcome {
            path,
            proof,
            value: outcomes.iter().filter_map(|one| one.value).min(),
            generated: outcomes.iter().map(|one| one.generated).sum(),
            expanded: outcomes.iter().map(|one| one.expanded).sum(),
            positions: 0,
            stopped,
        })?;
        let (Some(most), None) = (self.most, stopped) else { return Ok(answer) };
        let (mut count, mut paths) = (0_u128, Vec::new());
        for Assignment { task, search, .. } in all.iter().filter(|one| one.path.is_some()) {
            match task.count(search.threshold(), &limits, most)? {
                Ok((more, listed)) => {
                    count = count.saturating_add(more);
                    paths.extend(listed);
                }
                Err(stop) => {
                    return Ok(Solutions { count: Err(stop), paths: Vec::new(), ..answer });
                }
            }
        }
        paths.sort_by(|a: &Moves, b| a.0.cmp(&b.0));
        paths.truncate(most);
        Ok(Solutions { count: Ok(count), paths, ..answer })
    }
}

/// An assignment, and its search so far.
struct Assignment<'a> {
    task: &'a Task,
    search: Search<'a>,
    path: Option<Moves>,
}

impl Assignment<'_> {
    /// The outcome so far, without a solution.
    fn outcome(&self) -> Outcome {
        self.search.outcome(Searched::Exhausted)
    }

    fn bound(&self) -> u32 {
        self.search.threshold().bound
    }
}
