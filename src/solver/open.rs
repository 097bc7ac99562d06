//! Goals that leave something open.
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
use std::time::Duration;

use super::searcher::Searcher;
use super::{
    Bracket, Effort, Error, Limits, Method, NotForOpenGoals, Solution, Solutions, Solver, Task,
};
use crate::board::{
    Board, Canonical, Goal, GoalError, LabelledBoard, Metric, Moves, OpenError, OpenGoal,
    OpenPosition,
};
use crate::reference::Spec;
use crate::search::{
    Clock, Control, Deepening, OpenProof, OpenSearch, Outcome, Proof, Record, SearchError,
    Searched, Stop, Threshold, shorten, staged,
};

/// The most assignments that are searched one by one, including unsolvable ones.
const ASSIGNMENTS: u128 = 240;

/// The widths of the beams for a solution after a search of the states that was stopped.
const BEAMS: [usize; 2] = [200, 5_000];

/// The time of these beams after a cancel.
const WAIT: Duration = Duration::from_millis(300);

/// The nodes for which a solution by stages is shortened.
const SHORTEN: u64 = 1_000_000;

/// The way in which a board is solved.
enum Way {
    /// To an ordinary goal, the only assignment.
    One(Task),
    Assignments(Vec<Goal>),
    States,
    /// To one assignment of many.
    Near(Task),
}

/// An answer, and all optimal solutions if they were asked for.
struct Answer {
    bracket: Bracket,
    count: Result<u128, Stop>,
    paths: Vec<Moves>,
}

impl Answer {
    /// An answer whose solutions are not counted.
    fn uncounted(bracket: Bracket) -> Answer {
        Answer { count: bracket.stopped.map_or(Ok(1), Err), bracket, paths: Vec::new() }
    }

    /// The answer after a count that was stopped.
    fn stopped(self, stop: Stop) -> Answer {
        Answer { count: Err(stop), paths: Vec::new(), ..self }
    }
}

impl Solver {
    /// Solves a board with labels, of which some may be equal, within limits.
    ///
    /// The goal leaves something open: it has equal tiles, or cells that do not matter. Boards of up to 25
    /// cells have optimal solutions, if the limits and 2 GiB suffice; otherwise the bracket has a solution
    /// that may be longer. Boards of more cells have a solution to one of the assignments of tiles to cells.
    ///
    /// ```
    /// use taquin::{LabelledBoard, Limits, Solver, Store};
    ///
    /// let solver = Solver::builder().goal("A A A / B * B / C C _").store(Store::memory()).build()?;
    /// let board: LabelledBoard = "C A B / A C _ / D B A".parse()?;
    /// let bracket = solver.solve_labelled(&board, &Limits::default())?;
    /// assert!(bracket.is_optimal());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Goal`] if the labels do not match the goal; [`Error::Open`] for a
    /// metric, a heuristic or a method that such goals do not have.
    pub fn solve_labelled(&self, board: &LabelledBoard, limits: &Limits) -> Result<Bracket, Error> {
        Ok(self.solve_open(board, limits, None)?.bracket)
    }

    /// [`Solver::solutions`] of a board with labels: the sequences of moves, each once, that lead to the
    /// goal.
    ///
    /// # Errors
    /// As [`Solver::solve_labelled`].
    pub fn solutions_labelled(
        &self,
        board: &LabelledBoard,
        limits: &Limits,
        most: usize,
    ) -> Result<Solutions, Error> {
        self.needs_single_tiles("a count of solutions")?;
        let Answer { bracket, count, paths } = self.solve_open(board, limits, Some(most))?;
        Ok(Solutions { count, paths, bracket })
    }

    /// The position of a board, whose letters are numbers if the goal is an ordinary one.
    fn open_position(&self, board: &LabelledBoard) -> Result<OpenPosition, GoalError> {
        if let Some(goal) = self.shared.goal.open() {
            return Ok(OpenPosition::new(goal, board)?);
        }
        let board: Board = match board.has_labels() {
            true => board.to_string().parse().map_err(OpenError::from)?,
            false => board.board().clone(),
        };
        let goal = self.shared.goal.goal(board.grid())?;
        Ok(OpenPosition::new(&OpenGoal::from(&goal), &board.into())?)
    }

    /// Solves a board, and lists some of its optimal solutions if that is asked for.
    fn solve_open(
        &self,
        board: &LabelledBoard,
        limits: &Limits,
        most: Option<usize>,
    ) -> Result<Answer, Error> {
        let clock = Clock::start();
        let position = self.open_position(board)?;
        let run = OpenRun { solver: self, position, limits, clock, most };
        if run.position.is_reached(run.position.board()) {
            let proof = OpenProof::of_distance(&run.position);
            return run.answer(&proof, Some(Moves::default()), None, [0; 2]);
        }
        if !run.position.is_solvable() {
            let (solvability, reachable) = (run.position.solvability(), Vec::new());
            return Err(Error::Unsolvable { solvability, reachable });
        }
        match run.way()? {
            Way::One(task) => match most {
                None => Ok(Answer::uncounted(self.run(&task, limits)?)),
                Some(most) => {
                    let found = self.solutions_of(&task, limits, most)?;
                    let Solutions { count, paths, bracket } = found;
                    Ok(Answer { bracket, count, paths })
                }
            },
            Way::Assignments(goals) => run.by_assignments(&goals),
            Way::States => run.by_states(),
            Way::Near(task) => {
                let mut bracket = self.run(&task, limits)?;
                bracket.lower_bound = OpenProof::of_distance(&run.position).bound();
                if let Some(solution) = &mut bracket.solution {
                    solution.lower_bound = bracket.lower_bound;
                }
                Ok(Answer::uncounted(bracket))
            }
        }
    }
}

/// The search of one board.
struct OpenRun<'a> {
    solver: &'a Solver,
    position: OpenPosition,
    limits: &'a Limits,
    clock: Clock,
    /// The number of solutions that are listed, if they are counted.
    most: Option<usize>,
}

impl OpenRun<'_> {
    fn way(&self) -> Result<Way, Error> {
        let shared = &self.solver.shared;
        let position = &self.position;
        let is_small = position.grid().cells() <= OpenSearch::MAX_CELLS;
        let goals = position.goals(ASSIGNMENTS);
        if let Some([goal]) = goals.as_deref() {
            let method = if self.most.is_some() { Some(Method::Ida) } else { shared.method };
            return Ok(Way::One(self.task(goal, method)?));
        }
        let uses = |what| Err(Error::Open(what));
        match shared.method {
            _ if shared.metric == Metric::Multi => return uses(NotForOpenGoals::Metric),
            _ if shared.heuristic != Spec::Standard => {
                return uses(NotForOpenGoals::Heuristic);
            }
            None => {}
            Some(Method::Ida) if is_small => {}
            Some(method) if !is_small && !method.is_optimal() => {}
            Some(_) if is_small => {
                return uses(NotForOpenGoals::Method);
            }
            Some(_) => return uses(NotForOpenGoals::Proof),
        }
        if !is_small {
            if self.most.is_some() {
                return uses(NotForOpenGoals::Count);
            }
            return Ok(Way::Near(self.task(&position.near_goal(), shared.method)?));
        }
        Ok(match goals {
            Some(goals) if !OpenSearch::is_whole(position) => Way::Assignments(goals),
            _ => Way::States,
        })
    }

    /// The board with one of the assignments as its goal.
    fn task(&self, goal: &Goal, method: Option<Method>) -> Result<Task, Error> {
        let canonical = Arc::new(Canonical::of(goal));
        let method = method.unwrap_or_else(|| self.solver.method_for(&canonical));
        self.solver.task_by(self.position.board(), canonical, method, self.limits)
    }

    /// The answer with a solution, if it solves the board.
    fn answer(
        &self,
        proof: &OpenProof,
        path: Option<Moves>,
        stopped: Option<Stop>,
        [generated, expanded]: [u64; 2],
    ) -> Result<Answer, Error> {
        let wrong = |what| Err(Error::Wrong { what, origin: None });
        if !proof.is_of(&self.position) {
            return wrong("the proof is one of another board");
        }
        let lower_bound = proof.bound();
        if let Some(path) = &path {
            let end = self.position.board().after(path);
            if !end.is_ok_and(|end| self.position.is_reached(&end)) {
                return wrong("the moves found do not lead to the goal");
            }
            if path.len() < lower_bound as usize {
                return wrong("the solution is shorter than the bound proved");
            }
        }
        let is_optimal = path.as_ref().is_some_and(|path| path.len() == lower_bound as usize);
        if !is_optimal && stopped.is_none() {
            return wrong("the search ended without an optimal solution");
        }
        // A solution may be proved optimal although not all of them are found.
        let count = stopped.map_or(Ok(1), Err);
        let stopped = stopped.filter(|_| !is_optimal);
        let (metric, time) = (Metric::Single, self.clock.elapsed());
        let heuristic = Spec::Standard.to_string().into();
        let effort = Effort { generated, expanded, time, earlier: Duration::ZERO, heuristic };
        let solution =
            path.map(|moves| Solution { moves, metric, lower_bound, effort: effort.clone() });
        let paths = match self.most.filter(|_| count.is_ok()) {
            Some(1..) => solution.iter().map(|solution| solution.moves.clone()).collect(),
            _ => Vec::new(),
        };
        let falls_short = stopped.is_some();
        let bracket = Bracket { metric, lower_bound, solution, stopped, falls_short, effort };
        Ok(Answer { bracket, count, paths })
    }

    /// Searches the states.
    fn by_states(&self) -> Result<Answer, Error> {
        let shared = &self.solver.shared;
        let journal = self.solver.journal();
        let limits = self.limits.reporting_to(journal);
        let key: Box<[u8]> = self.position.counts().into();
        let search = match shared.open.get(&key) {
            Some(search) => search,
            None => {
                // Building has no nodes.
                let control = limits.without_nodes().control(self.clock);
                let built = self.solver.install(|| OpenSearch::new(&self.position, &control))?;
                match built {
                    Ok(search) => shared.open.keep(key, Arc::new(search)),
                    Err(stop) => {
                        let proof = OpenProof::of_distance(&self.position);
                        return self.answer(&proof, Some(self.staged()?), Some(stop), [0; 2]);
                    }
                }
            }
        };
        let control = limits.control(self.clock);
        let outcome = self.solver.install(|| search.solve(&self.position, &control))?;
        let nodes = [outcome.generated, outcome.expanded];
        let Some(solutions) = outcome.solutions else {
            let wait = match outcome.stopped {
                Some(Stop::Cancelled) => Limits::default().time(WAIT).control(Clock::start()),
                _ => limits.until_cancelled(),
            };
            let beam = |width: usize| search.beam(&self.position, width, &wait);
            let paths = self.solver.install(|| BEAMS.map(beam))?;
            let path = match paths.into_iter().flatten().min_by_key(Moves::len) {
                Some(path) => path,
                None => self.staged()?,
            };
            return self.answer(&outcome.proof, Some(path), outcome.stopped, nodes);
        };
        let first = solutions.list(1).pop();
        let answer = self.answer(&outcome.proof, first, None, nodes)?;
        Ok(match self.most {
            Some(most) => {
                Answer { count: Ok(solutions.count()), paths: solutions.list(most), ..answer }
            }
            None => answer,
        })
    }

    /// A solution to one of the assignments, by stages, shortened a little.
    fn staged(&self) -> Result<Moves, Error> {
        let board = self.position.board();
        let canonical = Canonical::of(&self.position.near_goal());
        let start = canonical.position(board).map_err(|error| Error::of_board(board, error))?;
        let brief = Control::default().with_nodes(SHORTEN);
        let (path, _) = shorten(&start, staged(&start, |_| ()), Metric::Single, &brief);
        Ok(canonical.path_back(&path))
    }

    /// Searches all assignments, the one with the least bound first.
    fn by_assignments(mut self, goals: &[Goal]) -> Result<Answer, Error> {
        let mut all = Vec::new();
        for goal in goals {
            let task = self.task(goal, Some(Method::Ida))?;
            all.push(Assignment::new(task)?);
        }
        // To load and build databases does not count.
        self.clock = Clock::start();
        let mut stopped = None;
        // The length of the optimal solutions, once it is known.
        let mut length = u32::MAX;
        while stopped.is_none() {
            let bound = |assignment: &Assignment| assignment.bound();
            let open = all.iter().enumerate().filter(|(_, one)| one.solution.is_none());
            let Some((place, least)) = open.map(|(i, one)| (i, bound(one))).min_by_key(|one| one.1)
            else {
                break;
            };
            // Others may have solutions as long as the first.
            if least > length || length < u32::MAX && self.most.is_none() {
                break;
            }
            let others = all.iter().enumerate().filter(|&(i, _)| i != place);
            let limit = others.map(|(_, one)| bound(one)).min().unwrap_or(u32::MAX);
            let limit = limit.max(least).min(length);
            let spent = all.iter().map(|one| one.nodes[0]).sum();
            stopped = self.advance(&mut all[place], limit, spent)?;
            if all[place].solution.is_some() {
                length = length.min(all[place].bound());
            }
        }
        for one in &all {
            one.searcher()?.wait_for_check()?;
        }
        let nodes = [0, 1].map(|kind| all.iter().map(|one| one.nodes[kind]).sum());
        let proofs: Vec<Proof> = all.iter().map(|one| one.proof.clone()).collect();
        let Some(proof) = OpenProof::of_assignments(&self.position, &proofs) else {
            return Err(Error::Wrong { what: "an assignment has no proof", origin: None });
        };
        let solved = all.iter().find(|one| one.solution.is_some() && one.bound() == length);
        let path = match (solved, stopped) {
            (Some(one), _) => one.solution.clone(),
            (None, Some(_)) => {
                let nearest = all.iter().min_by_key(|one| one.bound());
                nearest.map(|one| one.first()).transpose()?
            }
            (None, None) => None,
        };
        let answer = self.answer(&proof, path, stopped, nodes)?;
        let (Some(most), None) = (self.most, stopped) else {
            return Ok(match stopped {
                Some(stop) => answer.stopped(stop),
                None => answer,
            });
        };
        let (mut count, mut paths) = (0_u128, Vec::new());
        for one in all.iter().filter(|one| one.solution.is_some() && one.bound() == length) {
            match self.count(one, most)? {
                Ok((more, listed)) => {
                    count = count.saturating_add(more);
                    paths.extend(listed);
                }
                Err(stop) => return Ok(answer.stopped(stop)),
            }
        }
        paths.sort_by(|a: &Moves, b| a.0.cmp(&b.0));
        paths.truncate(most);
        Ok(Answer { count: Ok(count), paths, ..answer })
    }

    /// Searches an assignment until it is solved or its bound exceeds `limit`. Returns the reason if
    /// another limit ends it. `spent` are the nodes of all assignments so far.
    fn advance(&self, one: &mut Assignment, limit: u32, spent: u64) -> Result<Option<Stop>, Error> {
        let searcher = one.searcher()?.clone();
        // The engine goes on, and counts the nodes before. A plain search begins again at the first
        // threshold, which takes a part of the time of the last.
        let before = if searcher.engine().is_some() { [0; 2] } else { one.nodes };
        let spent = spent - one.nodes[0] + before[0];
        let limits = self.limits.reporting_to(self.solver.journal());
        let control = searcher.guard(limits.control(self.clock));
        let control = match control.nodes() {
            u64::MAX => control,
            nodes => control.with_nodes(nodes.saturating_sub(spent)),
        };
        let step = |search: &mut dyn Deepening| {
            let mut end = Searched::Exhausted;
            while end == Searched::Exhausted && search.threshold().bound <= limit {
                end = search.next(&control)?;
            }
            Ok((search.outcome(end), search.threshold().clone()))
        };
        let position = &one.task.position;
        let threshold = one.threshold.take();
        let found = self.solver.install(|| match (searcher.engine(), threshold) {
            (Some(engine), Some(threshold)) => {
                Ok(step(&mut engine.resume(position, Record::new(threshold))?)?)
            }
            _ => searcher.deepening(position, step).map_err(SearchError::from),
        })?;
        let (outcome, threshold) = found.map_err(|error| one.error(error))?;
        let length = outcome.path.as_ref().map(Moves::len);
        if length.is_some_and(|length| length != outcome.lower_bound() as usize) {
            return Err(one.wrong("the solution is not as long as the bound proved"));
        }
        one.threshold = Some(threshold);
        let stopped = outcome.stopped;
        one.take(outcome)?;
        one.nodes = [0, 1].map(|kind| one.nodes[kind] + before[kind]);
        Ok(stopped)
    }

    /// The number of optimal solutions of an assignment, and the first of them.
    fn count(
        &self,
        one: &Assignment,
        most: usize,
    ) -> Result<Result<(u128, Vec<Moves>), Stop>, Error> {
        let searcher = one.searcher()?;
        let control = self.limits.reporting_to(self.solver.journal()).control(self.clock);
        let Some(threshold) = &one.threshold else {
            return Err(one.wrong("there is no last threshold"));
        };
        let threshold = Threshold { bound: one.bound(), ..threshold.clone() };
        let search = || searcher.solutions(&one.task.position, &threshold, &control);
        match self.solver.install(search)? {
            Ok(found) => {
                let paths = found.list(most);
                let paths = paths.iter().map(|path| one.task.canonical.path_back(path));
                Ok(Ok((found.count(), paths.collect())))
            }
            Err(SearchError::Stopped(stop)) => Ok(Err(stop)),
            Err(error) => Err(one.error(error)),
        }
    }
}

/// An assignment, and its search so far.
struct Assignment {
    task: Task,
    proof: Proof,
    /// The threshold with which the search goes on.
    threshold: Option<Threshold>,
    solution: Option<Moves>,
    /// Generated and expanded.
    nodes: [u64; 2],
}

impl Assignment {
    fn new(task: Task) -> Result<Assignment, Error> {
        let wrong = |what| Error::Wrong { what, origin: None };
        let searcher = task.searcher.clone().ok_or_else(|| wrong("the board is solved"))?;
        let none = Control::default().with_nodes(0);
        let outcome = searcher.solve(&task.position, None, &none);
        let outcome =
            outcome.map_err(|broken| Error::Broken { broken, origin: searcher.origin() })?;
        let proof = outcome.proof.ok_or_else(|| wrong("an assignment has no proof"))?;
        let (threshold, solution, nodes) = (None, None, [0; 2]);
        Ok(Assignment { task, proof, threshold, solution, nodes })
    }

    fn searcher(&self) -> Result<&Arc<Searcher>, Error> {
        self.task.searcher.as_ref().ok_or_else(|| self.wrong("the board is solved"))
    }

    fn bound(&self) -> u32 {
        self.proof.bound()
    }

    fn take(&mut self, outcome: Outcome) -> Result<(), Error> {
        let Outcome { path, proof, generated, expanded, .. } = outcome;
        self.proof = proof.ok_or_else(|| self.wrong("an assignment has no proof"))?;
        self.solution = path.map(|path| self.task.canonical.path_back(&path));
        self.nodes = [generated, expanded];
        Ok(())
    }

    /// Some solution, found quickly.
    fn first(&self) -> Result<Moves, Error> {
        let searcher = self.searcher()?;
        let path = searcher.first(&self.task.position, super::task::BEAM);
        let path = path.map_err(|broken| self.error(SearchError::Broken(broken)))?;
        Ok(self.task.canonical.path_back(&path))
    }

    fn error(&self, error: SearchError) -> Error {
        match error {
            SearchError::Stopped(stop) => Error::Stopped(stop),
            SearchError::Broken(broken) => {
                let origin = self.task.searcher.as_ref().map(|searcher| searcher.origin());
                Error::Broken { broken, origin: origin.unwrap_or_default() }
            }
            _ => self.wrong("a search does not go on from its own threshold"),
        }
    }

    fn wrong(&self, what: &'static str) -> Error {
        let origin = self.task.searcher.as_ref().and_then(|searcher| searcher.files());
        Error::Wrong { what, origin }
    }
}
