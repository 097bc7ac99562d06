//! Solvers, and the databases that they share.

use std::cell::Cell;

use serde_json::json;
use taquin::solver::{Event, Posed, Summary, Target};
use taquin::store::{self, Set, Store};
use taquin::{Analysis, Board, Convention, Goal, Grid, Metric, Moves, Solver, Spec};
use taquin_engine::board::Canonical;
use taquin_engine::pdb::{Buffer, Header, Pattern};
use taquin_engine::search::{Stage, staged};

use crate::fault::{Result, database, fault};
use crate::request::{Request, needed};
use crate::{bound, nodes, now, progress, shorter};

/// The most bytes that the building of a table may take here. Nobody waits long for such a table;
/// larger ones are built elsewhere, and inserted.
const BUILD: u64 = 160 << 20;

/// The tables for the first answers on 4×4 boards, built in a few hundredths of a second, and better
/// ones, built in a few tenths.
const FIRST: &str = "4-4-4-3";
const BETTER: &str = "6-6-3";

/// More solvers than this are not kept: they are made quickly from the tables.
const SOLVERS: usize = 16;

/// The milliseconds of an analysis until its next reply.
const SLICE: f64 = 100.0;

/// Goal, heuristic and metric of a solver. `None` is the standard heuristic.
type Key = (Goal, Option<Spec>, Metric);

/// Solvers, and what they share.
pub struct Solvers {
    /// The tables of 4×4 boards.
    four: Store,
    /// The tables of the other size that was solved last.
    other: (Grid, Store),
    /// The tables of slides, of all sizes. Whoever asks for them knows how large they are.
    slides: Store,
    /// Whether the better tables were asked for, so that they are there.
    better: bool,
    /// The patterns that were inserted.
    inserted: Vec<Pattern>,
    solvers: Vec<(Key, Solver)>,
    /// The line that was analysed last: its board, goal and moves.
    line: Option<((Board, Goal, Moves), Analysis)>,
}

impl Default for Solvers {
    fn default() -> Solvers {
        let other = (four(), store());
        Solvers {
            four: store(),
            other,
            slides: Store::memory(),
            better: false,
            inserted: Vec::new(),
            solvers: Vec::new(),
            line: None,
        }
    }
}

fn store() -> Store {
    Store::memory().memory_limit(Some(BUILD))
}

fn four() -> Grid {
    Grid::square(16).expect("4x4 is a size")
}

/// The first stage of a solution line by line that is not done yet: the tiles to be brought home, which are one, the last
/// two of a line, or all that are left; the tiles of the row or column; and the moves.
pub fn lesson(request: &Request) -> Result {
    let (board, goal) = request.pose()?;
    let canonical = Canonical::of(&goal);
    let position = canonical.position(&board)?;
    let mut stages = Vec::new();
    let path = canonical.path_back(&staged(&position, |stage| stages.push(stage.clone())));
    let tiles = |stage: &Stage| -> Vec<u8> {
        stage.tiles.iter().filter_map(|&label| canonical.tile(label)).collect()
    };
    // A line ends with two tiles together; the last stage is of all that are left.
    for line in stages.chunk_by(|stage, _| stage.tiles.len() == 1) {
        if let Some(stage) = line.iter().find(|stage| stage.moves > 0) {
            let moves: Moves = path.iter().take(stage.moves).collect();
            let line: Vec<u8> = line.iter().flat_map(tiles).collect();
            return Ok(json!({ "tiles": tiles(stage), "line": line, "moves": moves }));
        }
    }
    Ok(json!({ "tiles": [], "line": [], "moves": "" }))
}

impl Solvers {
    pub fn solve(&mut self, request: &Request) -> Result {
        let (board, goal) = request.pose()?;
        // The time limit is that of a person who waits: it runs while tables are built, too.
        let limits = request.limits();
        let heuristic = request.heuristic.as_deref();
        let solver = self.prepared(&board, &goal, heuristic, request.metric)?;
        let start = now();
        let mut bracket = solver.solve_with(&board, &limits)?;
        let milliseconds = (now() - start).max(0.0);
        bracket.effort.time = std::time::Duration::from_micros((milliseconds * 1000.0) as u64);
        let (board, goal) = (board.into(), Target::Board(goal));
        let summary = Summary::new(Posed::new(&board, &goal), &bracket, Convention::Tile);
        Ok(json!({ "result": summary }))
    }

    pub fn solutions(&mut self, request: &Request) -> Result {
        let (board, goal) = request.pose()?;
        let solver = self.prepared(&board, &goal, None, Metric::Single)?;
        let most = needed(request.most, "most")?;
        let found = solver.solutions(&board, &request.limits(), most)?;
        let stopped = |stop| format!("the optimal solutions were not counted {stop}");
        let count = found.count.map_err(|stop| fault("limit", stopped(stop)))?;
        // Digits: there may be more than a number of JavaScript holds.
        Ok(json!({ "count": count.to_string(), "paths": found.paths }))
    }

    /// Goes on with the analysis of a line, or begins it. `done` says that there is nothing more to find out.
    pub fn analyse(&mut self, request: &Request) -> Result {
        let (board, goal) = request.pose()?;
        let solver = self.prepared(&board, &goal, None, Metric::Single)?;
        let key = (board, goal, request.line()?);
        let kept = self.line.take().filter(|(known, _)| *known == key);
        let mut analysis = match kept {
            Some((_, analysis)) => analysis,
            None => solver.analysis(&key.0, &key.2)?,
        };
        if let Some(solution) = &request.solution {
            analysis.prove(&key.0, &solution.parse()?);
        }
        let end = now() + SLICE;
        let mut done = false;
        while !done && now() < end {
            done = !analysis.step(&solver, &request.limits())?;
        }
        let stretch = analysis.longest_stretch();
        let reply = json!({
            "done": done,
            "distances": analysis.distances(),
            "losses": analysis.losses(),
            "lost": analysis.lost(),
            "stretch": [stretch.start, stretch.end],
        });
        self.line = Some((key, analysis));
        Ok(reply)
    }

    pub fn prepare(&mut self, request: &Request) -> Result {
        let (board, goal) = request.pose()?;
        self.prepared(&board, &goal, request.heuristic.as_deref(), request.metric)?;
        Ok(json!({}))
    }

    /// Solves with a table from now on.
    pub fn insert(&mut self, header: &Header, payload: Buffer) -> Result<()> {
        let pattern = header.pattern;
        if pattern.grid() != four() {
            Err(format!("no tables of {} boards are kept", pattern.grid()))?;
        }
        self.four.insert(header, payload).map_err(database)?;
        self.inserted.push(pattern);
        // A solver remembers that a table was too large to be built.
        self.solvers.clear();
        Ok(())
    }

    /// The solver for a board, ready to search.
    fn prepared(
        &mut self,
        board: &Board,
        goal: &Goal,
        heuristic: Option<&str>,
        metric: Metric,
    ) -> Result<Solver> {
        let grid = board.grid();
        let spec = match heuristic {
            None if metric == Metric::Multi => None,
            None | Some("best") => self.best(goal)?,
            Some(name) => Some(name.parse()?),
        };
        if grid != four() && self.other.0 != grid {
            let old = std::mem::replace(&mut self.other, (grid, store())).0;
            self.solvers.retain(|(key, _)| key.0.board().grid() != old);
        }
        let store = match metric {
            Metric::Multi => &self.slides,
            Metric::Single if grid == four() => &self.four,
            Metric::Single => &self.other.1,
        };
        let key = (goal.clone(), spec, metric);
        let kept = self.solvers.iter().find(|(known, _)| *known == key);
        let solver = match kept {
            Some((_, solver)) => solver.clone(),
            None => {
                let mut builder = Solver::builder()
                    .goal(goal.clone())
                    .metric(metric)
                    .store(store.clone())
                    .progress(report);
                if let Some(spec) = &key.1 {
                    builder = builder.heuristic(spec.clone());
                }
                let solver = builder.build()?;
                if self.solvers.len() >= SOLVERS {
                    self.solvers.clear();
                }
                self.solvers.push((key, solver.clone()));
                solver
            }
        };
        // An unsolvable board needs no tables.
        if goal.solvability(board).is_solvable() {
            solver.prepare(grid)?;
            if STATES.replace((1.0, 0.0)).0 > 1.0 {
                progress(1.0);
            }
            self.better |= grid == four() && heuristic.is_some_and(|name| name.starts_with(BETTER));
        }
        Ok(solver)
    }

    /// The heuristic with the best tables that are there, or are built in a moment; `None` for the
    /// standard one.
    fn best(&self, goal: &Goal) -> Result<Option<Spec>> {
        let canonical = Canonical::of(goal);
        let (grid, blank) = (canonical.grid(), canonical.goal_blank());
        let tables = match (grid.width(), grid.height()) {
            (4, 4) if self.has_standard(grid, blank) => return Ok(None),
            (4, 4) => if self.better { BETTER } else { FIRST }.to_owned(),
            (5, 5) => "6-6-6-6".to_owned(),
            _ if (16..=25).contains(&grid.cells()) => lists(&canonical),
            _ => return Ok(None),
        };
        let mirror = if grid.is_mirrored(blank) { ":mirror" } else { "" };
        Ok(Some((tables + mirror).parse()?))
    }

    fn has_standard(&self, grid: Grid, blank: usize) -> bool {
        let standard = Set::standard(grid, blank);
        standard.is_some_and(|set| set.patterns().iter().all(|p| self.inserted.contains(p)))
    }
}

thread_local! {
    /// The states of the tables that are being built, and of those that are finished.
    static STATES: Cell<(f64, f64)> = const { Cell::new((1.0, 0.0)) };
}

/// Tells the host how far a search is, and the tables that it needs.
fn report(event: &Event<'_>) {
    match event {
        Event::Threshold(begun) => bound(begun.bound.into(), begun.generated as f64),
        Event::Nodes(more) => nodes(*more as f64),
        Event::Shorter(moves) => shorter(*moves as f64),
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

/// The tiles in the order of their goal cells, column by column, in lists of at most six. Those of the
/// standard heuristic are longer, and their tables take seconds to build.
fn lists(canonical: &Canonical) -> String {
    let grid = canonical.grid();
    let cells = (0..grid.width()).flat_map(|x| (x..grid.cells()).step_by(grid.width()));
    let tiles = cells.filter_map(|cell| canonical.tile(cell as u8)).filter(|&tile| tile != 0);
    let tiles: Vec<String> = tiles.map(|tile| tile.to_string()).collect();
    let length = tiles.len().div_ceil(if grid.cells() == 16 { 3 } else { 4 });
    tiles.chunks(length).map(|list| list.join(",")).collect::<Vec<_>>().join("/")
}
