//! Contenders with their heuristics loaded.

use std::sync::Arc;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::contender::{Contender, Search, Source};
use super::foreign::{Batches, Foreign};
use super::program::Program;
use super::suite::Suite;
use super::trial::{Thresholds, Trial};
use super::{Error, Settings, korf};
use crate::board::{Board, Goal, Metric, Moves};
use crate::reference::Spec;
use crate::search::Clock;
use crate::solver::{Bracket, Event, Limits, Method, Solver, TableUse};
use crate::store::{Set, Store};

/// A contender whose heuristic is loaded.
#[non_exhaustive]
pub struct Entry {
    /// The name as it was asked for.
    pub name: String,
    /// The whole name, which has one meaning.
    pub contender: String,
    /// The name of the heuristic that runs, for example the one that `standard` stands for.
    pub ran: String,
    /// The tables that may be used.
    pub tables: Vec<TableRecord>,
    /// The seconds that loading or building them took.
    pub setup_seconds: f64,
    /// Whether tables were built, and not only loaded.
    pub built: bool,
    goal: Goal,
    settings: Settings,
    kind: Kind,
}

/// A table by its checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct TableRecord {
    /// The name of its file. It ends in `:plain` for a table that ignores the blank, which has no file.
    pub table: String,
    /// Its bytes.
    pub bytes: u64,
    /// The hash of its bytes, in hexadecimal, as in `pdb/CHECKSUMS`.
    pub checksum: String,
}

enum Kind {
    /// A heuristic of the library, and whether boards are searched.
    Solver {
        solver: Solver,
        searches: bool,
    },
    Korf(Solver),
    Foreign {
        foreign: Foreign,
        search: Search,
    },
}

impl From<TableUse> for TableRecord {
    fn from(TableUse { name, bytes, checksum }: TableUse) -> TableRecord {
        let checksum = format!("{checksum:016x}");
        TableRecord { table: name, bytes: bytes as u64, checksum }
    }
}

impl Entry {
    /// Loads or builds the databases of a contender, and checks them; reads its file, or starts its program.
    ///
    /// # Errors
    /// The heuristic is not for these boards, its databases cannot be loaded, or its file cannot be read.
    pub fn load(
        contender: &Contender,
        suite: &Suite,
        store: &Store,
        settings: &Settings,
        events: impl Fn(&Event<'_>) + Send + Sync + 'static,
    ) -> Result<Entry, Error> {
        let goal = suite.goal.board();
        let begin = Instant::now();
        let entry = |ran: String, kind| Entry {
            name: contender.name.clone(),
            contender: contender.to_string(),
            ran,
            tables: Vec::new(),
            setup_seconds: 0.0,
            built: false,
            goal: suite.goal.clone(),
            settings: settings.clone(),
            kind,
        };
        let is_single = suite.metric == Metric::Single;
        let is_outside = !matches!(contender.source, Source::Spec(_));
        if !is_single && (is_outside || contender.search == Search::Korf1985) {
            return Err(Error::Metric(contender.to_string()));
        }
        let spec = match &contender.source {
            Source::Spec(spec) => spec,
            Source::File(path) => {
                let foreign = Foreign::read(path, goal.grid())?;
                let search = Search::Values;
                return Ok(entry(contender.source.to_string(), Kind::Foreign { foreign, search }));
            }
            Source::Program(command) => {
                let program = Program::new(command, &suite.goal, settings.answer_time)?;
                let (foreign, search) = (Foreign::Program(program), contender.search);
                return Ok(entry(contender.source.to_string(), Kind::Foreign { foreign, search }));
            }
        };
        let built = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let seen = built.clone();
        let events = move |event: &Event<'_>| {
            if let Event::Store(crate::store::Event::Building { .. }) = event {
                seen.store(true, std::sync::atomic::Ordering::Relaxed);
            }
            events(event);
        };
        let is_standard = *spec == Spec::Standard && contender.search == Search::Solve;
        if is_single && is_standard {
            // A solver would use another heuristic in place of these databases.
            let set = Set::parse(None, goal.grid(), goal.blank()).map_err(|_| Error::NoStandard)?;
            let loaded = store.load(&set, &|event| events(&Event::Store(*event)));
            loaded.map_err(crate::solver::Error::from)?;
        }
        let mut builder =
            Solver::builder().goal(suite.goal.clone()).metric(suite.metric).heuristic(spec.clone());
        builder = match (contender.search, spec) {
            (Search::Ida | Search::Korf1985, _) => builder.method(Method::Plain),
            (Search::AStar(ties), _) => builder.method(Method::AStar(ties)),
            // The values of bounds need no other search.
            (Search::Values, Spec::Bound(_)) => builder.method(Method::Plain),
            (Search::Values | Search::Solve, _) => builder,
        };
        let solver = builder.store(store.clone()).progress(events).build()?;
        // The value waits for the check of the files, which would slow down the first searches.
        solver.value(goal)?;
        let setup_seconds = begin.elapsed().as_secs_f64();
        let ran = solver.heuristic(goal.grid())?.to_string();
        let tables = solver.tables(goal.grid())?.into_iter().map(TableRecord::from).collect();
        let kind = match contender.search {
            Search::Korf1985 => Kind::Korf(solver),
            search => Kind::Solver { solver, searches: search != Search::Values },
        };
        let built = built.load(std::sync::atomic::Ordering::Relaxed);
        Ok(Entry { tables, setup_seconds, built, ..entry(ran, kind) })
    }

    /// A function from outside, with A*, with IDA*, or for its values alone. It is called from the threads of
    /// a run.
    ///
    /// # Errors
    /// [`Error::Metric`] for a search in the multi-tile metric.
    pub fn of_function(
        name: &str,
        search: Search,
        suite: &Suite,
        settings: &Settings,
        call: impl Fn(&[Board]) -> Result<Vec<f64>, String> + Send + Sync + 'static,
    ) -> Result<Entry, Error> {
        if suite.metric == Metric::Multi && search != Search::Values {
            return Err(Error::Metric("searches with functions".to_owned()));
        }
        let foreign = Foreign::Function { name: name.to_owned(), call: Box::new(call) };
        Ok(Entry {
            name: name.to_owned(),
            contender: format!("{}function:{name}", search.prefix()),
            ran: format!("function:{name}"),
            tables: Vec::new(),
            setup_seconds: 0.0,
            built: false,
            goal: suite.goal.clone(),
            settings: settings.clone(),
            kind: Kind::Foreign { foreign, search },
        })
    }

    /// The name, and the name of the heuristic that runs where it is another one.
    #[doc(hidden)]
    pub fn label(&self) -> String {
        let Entry { name, ran, .. } = self;
        let is_same = ran.ends_with(name) || name.ends_with(&format!(":{ran}"));
        let is_same = is_same || name == "korf1985";
        if is_same { name.clone() } else { format!("{name} ({ran})") }
    }

    /// The values of boards, which can reach the goal of the suite. Of the limits only the handle to cancel
    /// applies.
    ///
    /// # Errors
    /// A damaged table, or a fault of a file or a program; [`Error::Cancelled`].
    pub fn values(&self, boards: &[Board], limits: &Limits) -> Result<Vec<f64>, Error> {
        match &self.kind {
            Kind::Solver { solver, .. } | Kind::Korf(solver) => {
                let values = solver.values(boards, limits)?;
                Ok(values.into_iter().map(f64::from).collect())
            }
            Kind::Foreign { foreign, .. } => {
                foreign.values(boards, &limits.clone().on(Clock::start()))
            }
        }
    }

    /// The value of a board.
    ///
    /// # Errors
    /// As [`Entry::values`].
    pub(super) fn value(&self, board: &Board, limits: &Limits) -> Result<f64, Error> {
        self.values(std::slice::from_ref(board), limits).map(|values| values[0])
    }

    /// Returns whether boards are searched.
    pub(super) fn searches(&self) -> bool {
        match &self.kind {
            Kind::Solver { searches, .. } => *searches,
            Kind::Korf(_) => true,
            Kind::Foreign { search, .. } => *search != Search::Values,
        }
    }

    /// Returns whether it has values for boards that it was not given before.
    pub(super) fn has_any_value(&self) -> bool {
        !matches!(self.kind, Kind::Foreign { foreign: Foreign::File { .. }, .. })
    }

    /// Returns whether the heuristic is called admissible: it is one of the library.
    pub(super) fn is_own(&self) -> bool {
        !matches!(self.kind, Kind::Foreign { .. })
    }

    /// Ends a program.
    ///
    /// # Errors
    /// It wrote more lines than it read boards.
    pub(super) fn finish(&self) -> Result<(), Error> {
        match &self.kind {
            Kind::Foreign { foreign: Foreign::Program(program), .. } => Ok(program.finish()?),
            _ => Ok(()),
        }
    }

    /// Tries a board.
    pub(super) fn attempt(&self, board: &Board, limits: &Limits) -> Result<Trial, Error> {
        self.search(board, limits).map(|(trial, _)| trial)
    }

    /// Searches a board, which can reach the goal of the suite. Returns the moves of a solution, too, which
    /// is optimal if the values never exceed the distance.
    ///
    /// # Errors
    /// A damaged table, or a fault of a file, a program or a function.
    pub fn search(&self, board: &Board, limits: &Limits) -> Result<(Trial, Option<Moves>), Error> {
        let h = self.value(board, limits)?;
        if !self.searches() {
            return Ok((Trial::of_value(h), None));
        }
        let clock = Clock::start();
        let notes = Thresholds::default();
        let limits = notes.noting(limits).on(clock);
        let outcome = match &self.kind {
            Kind::Solver { solver, .. } => {
                let bracket = solver.solve_with(board, &limits)?;
                let is_optimal = bracket.is_optimal();
                let Bracket { lower_bound, stopped, solution, effort, .. } = bracket;
                let trial = Trial {
                    h,
                    length: is_optimal.then_some(lower_bound),
                    bound: Some(lower_bound),
                    stopped: stopped.map(|stop| stop.name().to_owned()),
                    generated: effort.generated,
                    expanded: effort.expanded,
                    seconds: effort.time.as_secs_f64(),
                    thresholds: notes.complete(),
                };
                return Ok((trial, solution.map(|solution| solution.moves().clone())));
            }
            Kind::Korf(_) => {
                let outcome = korf::search(&self.goal, board, &limits);
                outcome.expect("the boards of a suite can reach its goal")
            }
            Kind::Foreign { foreign, search } => {
                let batches = Batches { foreign, goal: &self.goal, settings: &self.settings };
                batches.search(*search, board, &limits)?
            }
        };
        let trial = Trial {
            h,
            length: outcome.path.as_ref().map(|path| path.len() as u32),
            bound: outcome.proof.as_ref().map(|_| outcome.lower_bound()),
            stopped: outcome.stopped.map(|stop| stop.name().to_owned()),
            generated: outcome.generated,
            expanded: outcome.expanded,
            seconds: clock.elapsed().as_secs_f64(),
            thresholds: notes.complete(),
        };
        // Korf's moves are of the board upside down.
        Ok((trial, outcome.path.filter(|_| !matches!(self.kind, Kind::Korf(_)))))
    }
}
