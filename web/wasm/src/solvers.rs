//! Solvers, and the databases that they share.

use std::cell::Cell;
use std::slice::from_ref;
use std::time::Duration;

use serde_json::json;
use taquin::solver::{Event, Posed, SearchEvent, Summary, Target, small_tables};
use taquin::store::{self, Store};
use taquin::{Analysis, Board, Convention, Grid, LabelledBoard, Metric, Moves, Solver, Spec, Stop};
use taquin_engine::board::Canonical;
use taquin_engine::search::{LearnedNumbers, Stage, lessons};

use crate::fault::{Result, fault};
use crate::request::Request;
use crate::{bound, nodes, now, progress, shorter};

/// The most bytes that the building of a table may take here. Nobody waits long for such a table;
/// larger ones are built elsewhere, and inserted.
const BUILD: u64 = 160 << 20;

/// The most cells of a board whose moves are searched without the learned numbers of beams.
const FEW: usize = 16;

/// The milliseconds of an analysis until its next reply.
const SLICE: f64 = 100.0;

/// Solvers, and what they share. There are no folders here, so that the default stores are in memory.
#[derive(Default)]
pub struct Solvers {
    /// The tables of 4×4 boards.
    pub four: Store,
    /// The tables of the other size that was solved last.
    other: (Option<Grid>, Store),
    /// The tables of slides, of all sizes. Whoever asks for them knows how large they are.
    slides: Store,
    /// Whether the host has brought the large tables of 4×4 boards.
    is_large: bool,
    /// The last solver, with its goal, heuristic and metric. Another one is made quickly from the tables.
    pub solver: Option<((Target, Spec, Metric), Solver)>,
    /// The line that was analysed last: its board, goal, moves and metric.
    line: Option<((Board, Target, Moves, Metric), Analysis)>,
}

/// The first stage of a solution line by line that is not done yet: the tiles to be brought home, which are one, the
/// last two of a line, or all that are left; the tiles of the row or column; and the moves.
pub fn lesson(request: &Request) -> Result {
    let (board, goal) = (request.board()?, request.goal()?);
    let canonical = Canonical::of(&goal);
    let position = canonical.position(&board)?;
    let mut stages = Vec::new();
    let path = canonical.path_back(&lessons(&position, |stage| stages.push(stage.clone())));
    // A line ends with two tiles together; the last stage is of all that are left.
    let mut lines = stages.chunk_by(|stage, _| stage.tiles.len() == 1);
    let next = lines.find_map(|line| Some((line, line.iter().find(|stage| stage.moves > 0)?)));
    let (line, stage) = next.map_or((&[][..], &[][..]), |(line, stage)| (line, from_ref(stage)));
    let moves: Moves = path.iter().take(stage.iter().map(|stage| stage.moves).sum()).collect();
    let tiles = |stages: &[Stage]| -> Vec<u8> {
        let labels = stages.iter().flat_map(|stage| &stage.tiles);
        labels.filter_map(|&label| canonical.tile(label)).collect()
    };
    Ok(json!({ "tiles": tiles(stage), "line": tiles(line), "moves": moves }))
}

impl Solvers {
    /// Solves a board.
    pub fn solve(&mut self, request: &Request) -> Result {
        // The time limit is that of a person who waits: it runs while tables are built, too.
        let limits = request.limits();
        let (board, goal, solver) = self.prepared(request)?;
        let start = now();
        let mut bracket = solver.solve_with(&board, &limits)?;
        bracket.effort.time = Duration::from_secs_f64(((now() - start) / 1000.0).max(0.0));
        let summary = Summary::new(Posed::new(&board, &goal), &bracket, Convention::Tile);
        Ok(json!({ "result": summary }))
    }

    /// The values of heuristics for a board: lower bounds on the moves.
    pub fn values(&mut self, request: &Request) -> Result {
        let (board, goal) = (request.board()?, request.goal()?);
        let (_, _, own) = self.prepared(request)?;
        let mut values = vec![own.value(&board)?];
        for name in &request.heuristics {
            let builder = Solver::builder().goal(goal.clone()).heuristic(name.parse()?);
            values.push(builder.store(Store::memory()).build()?.value(&board)?);
        }
        Ok(json!({ "heuristic": &*own.heuristic(board.grid())?, "values": values }))
    }

    /// Counts the optimal solutions of a board, and lists the first of them.
    pub fn solutions(&mut self, request: &Request) -> Result {
        let (board, _, solver) = self.prepared(request)?;
        let limits = request.limits();
        let found = solver.solutions(board, &limits, request.most)?;
        let stopped = |stop| match stop {
            Stop::Method => {
                "boards of more than 25 cells have no count of optimal solutions".to_owned()
            }
            stop => format!("the optimal solutions were not counted {stop}"),
        };
        let count = found.count.map_err(|stop| fault("limit", stopped(stop)))?;
        // Digits: there may be more than a number of JavaScript holds.
        Ok(json!({ "count": count.to_string(), "paths": found.paths }))
    }

    /// Goes on with the analysis of a line, or begins it. `done` says that there is nothing more to find out.
    pub fn analyse(&mut self, request: &Request) -> Result {
        let (board, goal, solver) = self.prepared(request)?;
        if matches!(goal, Target::Open(_)) {
            Err("moves toward an open goal are not analysed: choose a goal of one board")?;
        }
        let key = (board.board().clone(), goal, request.line.parse()?, request.metric);
        let mut analysis = match self.line.take() {
            Some((known, analysis)) if known == key => analysis,
            _ => solver.analysis(&key.0, &key.2)?,
        };
        if let Some(solution) = &request.solution {
            analysis.prove(&key.0, &solution.parse()?);
        }
        let end = now() + SLICE;
        let mut done = false;
        while !done && now() < end {
            done = !analysis.step(&solver, &request.limits())?;
        }
        let reply = json!({
            "done": done,
            "distances": analysis.distances(),
            "losses": analysis.losses(),
            "lost": analysis.lost(),
            "stretch": analysis.longest_stretch(),
        });
        self.line = Some((key, analysis));
        Ok(reply)
    }

    /// The board and the goal of a request, and a solver that is ready to search.
    pub fn prepared(&mut self, request: &Request) -> Result<(LabelledBoard, Target, Solver)> {
        let (board, goal) = (request.labelled()?, request.target()?);
        let (grid, metric) = (board.board().grid(), request.metric);
        if (grid.cells() > FEW || metric == Metric::Multi) && LearnedNumbers::get().is_none() {
            Err(fault("numbers", "the learned numbers of beams are missing"))?;
        }
        let is_four = (grid.width(), grid.height()) == (4, 4);
        self.is_large |= request.large;
        let single = metric == Metric::Single && request.heuristic.is_none();
        // The large tables are for goals with the blank in a corner.
        let is_corner = |goal| Canonical::of(goal).goal_blank() == 0;
        let is_large =
            is_four && self.is_large && matches!(&goal, Target::Board(goal) if is_corner(goal));
        // A search of 4×4 boards begins without tables, and makes those that it needs. Analyses and values need some.
        let searches = ["solve", "solutions", "prepare"].contains(&&*request.kind);
        let climbs = is_four && single && searches && !is_large;
        let spec = match (&request.heuristic, &goal) {
            (Some(name), _) => name.parse()?,
            (_, Target::Board(goal)) if single && !climbs && !is_large => small_tables(goal),
            _ => Spec::Standard,
        };
        if metric == Metric::Single && !is_four && self.other.0 != Some(grid) {
            self.other = (Some(grid), Store::default());
        }
        let (store, limit) = match metric {
            Metric::Multi => (&self.slides, None),
            Metric::Single if is_four => (&self.four, Some(BUILD)),
            Metric::Single => (&self.other.1, Some(BUILD)),
        };
        let key = (goal.clone(), spec, metric);
        let solver = match self.solver.take() {
            Some((known, solver)) if known == key => solver,
            _ => {
                let builder = match &goal {
                    Target::Board(goal) => Solver::builder().goal(goal.clone()),
                    Target::Open(_) => Solver::builder().goal(&*request.goal),
                };
                let builder = builder.heuristic(key.1.clone());
                let store = store.clone().memory_limit(limit);
                builder.metric(metric).store(store).progress(report).build()?
            }
        };
        self.solver = Some((key, solver.clone()));
        // An unsolvable board needs no tables, and an open goal chooses them by its assignments.
        let Target::Board(one) = &goal else { return Ok((board, goal, solver)) };
        if !climbs && one.solvability(board.board()).is_solvable() {
            solver.prepare(grid)?;
            if STATES.replace((1.0, 0.0)).0 > 1.0 {
                progress(1.0);
            }
        }
        Ok((board, goal, solver))
    }
}

thread_local! {
    /// The states of the tables that are being built, and of those that are finished.
    static STATES: Cell<(f64, f64)> = const { Cell::new((1.0, 0.0)) };
}

/// Tells the host how far a search is, and the tables that it needs.
fn report(event: &Event<'_>) {
    match event {
        Event::Search(SearchEvent::Threshold(begun)) => {
            bound(begun.bound.into(), begun.generated as f64)
        }
        Event::Search(SearchEvent::Nodes(more)) => nodes(*more as f64),
        Event::Search(SearchEvent::Shorter(moves)) => shorter(*moves as f64),
        // A state takes one bit of the file.
        Event::Store(store::Event::Building { bytes, .. }) => {
            STATES.set((8.0 * *bytes as f64, 0.0));
        }
        Event::Store(store::Event::Level { progress: level, .. }) => {
            let (all, before) = STATES.get();
            progress(((before + level.reached as f64) / all).min(0.99));
            if level.reached == level.states {
                STATES.set((all, before + level.states as f64));
            }
        }
        _ => {}
    }
}
