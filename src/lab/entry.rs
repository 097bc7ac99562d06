//! Contenders with their heuristics loaded.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::contender::{Contender, Search, Source};
use super::error::Error;
use super::foreign::{Foreign, named, position};
use super::korf;
use super::settings::Settings;
use super::suite::Suite;
use super::trial::{Trial, number};
use crate::board::{Board, Goal, Metric, Moves};
use crate::classics::{Spec, batch_a_star, batch_ida_star};
use crate::search::Clock;
use crate::solver::{Event, Limits, Method, Solver, TableUse};
use crate::store::{self, Set, Store};

/// A contender whose heuristic is loaded.
#[non_exhaustive]
pub struct Entry {
    /// Its description.
    pub about: About,
    pub(super) search: Search,
    goal: Goal,
    settings: Settings,
    origin: Origin,
}

/// The description of an entry, and the cost of loading it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct About {
    /// The name as it was asked for.
    pub heuristic: String,
    /// The whole name, which has one meaning.
    pub contender: String,
    /// The name of the heuristic that runs, for example the one that `standard` stands for.
    pub ran: String,
    /// The tables that may be used.
    pub tables: Vec<TableRecord>,
    /// Their bytes.
    pub table_bytes: u64,
    /// The seconds that loading or building them took.
    #[serde(serialize_with = "number")]
    pub setup_seconds: f64,
    /// Whether tables were built, and not only loaded.
    pub built: bool,
}

impl About {
    /// For people: the name, and the name of the heuristic that ran where it is another one.
    pub(super) fn label(&self) -> String {
        let About { heuristic: name, ran, .. } = self;
        let is_same = ran.ends_with(name) || name.ends_with(&format!(":{ran}"));
        if is_same || name == "korf1985" { name.clone() } else { format!("{name} ({ran})") }
    }
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

/// The origin of the values.
enum Origin {
    Own(Solver),
    Foreign(Foreign),
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
        let Contender { search, source, name } = contender;
        let is_outside = !matches!(source, Source::Spec(_));
        if suite.metric == Metric::Multi && (is_outside || *search == Search::Korf1985) {
            return Err(no_slides(contender));
        }
        let begin = Instant::now();
        let built = Arc::new(AtomicBool::new(false));
        let seen = built.clone();
        let events = move |event: &Event<'_>| {
            let is_built = matches!(event, Event::Store(store::Event::Building { .. }));
            seen.fetch_or(is_built, Ordering::Relaxed);
            events(event);
        };
        let (mut ran, mut tables) = (source.to_string(), Vec::new());
        let origin = match source {
            Source::File(path) => Origin::Foreign(Foreign::file(path, suite.grid())?),
            Source::Program(command) => {
                let program = Foreign::program(command, &suite.goal, settings.answer_time)?;
                program.check_goal(&suite.goal)?;
                Origin::Foreign(program)
            }
            Source::Spec(spec) => {
                let solver = solver(*search, spec, suite, store, events)?;
                ran = solver.heuristic(suite.grid())?.to_string();
                let record = |TableUse { name: table, bytes, checksum }| {
                    let checksum = format!("{checksum:016x}");
                    TableRecord { table, bytes: bytes as u64, checksum }
                };
                tables.extend(solver.tables(suite.grid())?.into_iter().map(record));
                Origin::Own(solver)
            }
        };
        let about = About {
            heuristic: name.clone(),
            contender: contender.to_string(),
            ran,
            table_bytes: tables.iter().map(|table| table.bytes).sum(),
            tables,
            setup_seconds: begin.elapsed().as_secs_f64(),
            built: built.load(Ordering::Relaxed),
        };
        let (goal, settings) = (suite.goal.clone(), settings.clone());
        Ok(Entry { about, search: *search, goal, settings, origin })
    }

    /// A function from outside, with A*, with IDA*, or only for its values. It is called from the threads of
    /// a run.
    ///
    /// # Errors
    /// [`Error::Refused`] for a search in the multi-tile metric.
    pub fn of_function(
        name: &str,
        search: Search,
        suite: &Suite,
        settings: &Settings,
        call: impl Fn(&[Board]) -> Result<Vec<f64>, String> + Send + Sync + 'static,
    ) -> Result<Entry, Error> {
        if suite.metric == Metric::Multi && search != Search::Values {
            return Err(no_slides("searches with functions"));
        }
        let ran = format!("function:{name}");
        let (heuristic, contender) = (name.to_owned(), format!("{}{ran}", search.prefix()));
        let about = About { heuristic, contender, ran, ..About::default() };
        let (goal, settings) = (suite.goal.clone(), settings.clone());
        let origin = Origin::Foreign(Foreign::function(name, call));
        Ok(Entry { about, search, goal, settings, origin })
    }

    /// The values of boards, which can reach the goal of the suite. Of the limits only the handle to cancel
    /// applies.
    ///
    /// # Errors
    /// A damaged table, or a fault of a file or a program; [`Error::Cancelled`].
    pub fn values(&self, boards: &[Board], limits: &Limits) -> Result<Vec<f64>, Error> {
        match &self.origin {
            Origin::Own(solver) => {
                Ok(solver.values(boards, limits)?.into_iter().map(f64::from).collect())
            }
            Origin::Foreign(foreign) => foreign.values(boards, &limits.clone().on(Clock::start())),
        }
    }

    /// The value of a board.
    ///
    /// # Errors
    /// As [`Entry::values`].
    pub(super) fn value(&self, board: &Board, limits: &Limits) -> Result<f64, Error> {
        self.values(std::slice::from_ref(board), limits).map(|values| values[0])
    }

    /// Returns whether it has values for boards that it was not given before.
    pub(super) fn has_any_value(&self) -> bool {
        !matches!(&self.origin, Origin::Foreign(foreign) if !foreign.has_any_value)
    }

    /// Returns whether the heuristic is called admissible: it is one of the library.
    pub(super) fn is_own(&self) -> bool {
        matches!(self.origin, Origin::Own(_))
    }

    /// Searches a board, which can reach the goal of the suite. Returns the moves of a solution, too, which
    /// is optimal if the values never exceed the distance.
    ///
    /// # Errors
    /// A damaged table, or a fault of a file, a program or a function.
    pub fn search(&self, board: &Board, limits: &Limits) -> Result<(Trial, Option<Moves>), Error> {
        let h = self.value(board, limits)?;
        if self.search == Search::Values {
            return Ok((Trial::of_value(h), None));
        }
        let clock = Clock::start();
        let limits = limits.clone().on(clock);
        let (trial, moves) = match &self.origin {
            Origin::Own(solver) if self.search != Search::Korf1985 => {
                let found = solver.solve_with(board, &limits)?;
                let trial = Trial {
                    length: found.is_optimal().then_some(found.lower_bound),
                    bound: Some(found.lower_bound),
                    generated: found.effort.generated,
                    expanded: found.effort.expanded,
                    positions: found.effort.positions,
                    ..Trial::stopped(found.stopped)
                };
                (trial, found.solution.map(|solution| solution.moves().clone()))
            }
            // Korf's moves are of the board upside down.
            Origin::Own(_) => (Trial::from(&korf::search(&self.goal, board, &limits)), None),
            Origin::Foreign(foreign) => {
                let position = position(&self.goal, board);
                let mut evaluate = |positions: &[Box<[u8]>]| {
                    let named = positions.iter().map(|labels| named(&self.goal, labels));
                    foreign.values(&named.collect::<Vec<_>>(), &limits)
                };
                let Settings { batch, weight, .. } = self.settings;
                let found = match self.search {
                    Search::By(Method::AStar(_)) => {
                        batch_a_star(&position, batch, weight, &limits, &mut evaluate)?
                    }
                    _ => batch_ida_star(&position, batch, &limits, &mut evaluate)?,
                };
                (Trial::from(&found), found.path)
            }
        };
        Ok((Trial { h, seconds: clock.elapsed().as_secs_f64(), ..trial }, moves))
    }
}

/// The error of what only the single-tile metric has.
fn no_slides(what: impl Display) -> Error {
    Error::Refused(format!("the multi-tile metric does not support {what}"))
}

/// The solver for a search with a heuristic of the library, whose databases are loaded and checked.
fn solver(
    search: Search,
    spec: &Spec,
    suite: &Suite,
    store: &Store,
    events: impl Fn(&Event<'_>) + Send + Sync + 'static,
) -> Result<Solver, Error> {
    let goal = suite.goal.board();
    if suite.metric == Metric::Single
        && (spec, search) == (&Spec::Standard, Search::By(Method::Ida))
    {
        Set::parse(None, goal.grid(), goal.blank()).map_err(|_| Error::NoStandard)?;
    }
    let builder =
        Solver::builder().goal(suite.goal.clone()).metric(suite.metric).heuristic(spec.clone());
    let builder = match (search, spec) {
        (Search::Korf1985, _) => builder.method(Method::Plain),
        // The values of bounds need no other search.
        (Search::Values, Spec::Bound(_)) => builder.method(Method::Plain),
        (Search::Values | Search::By(Method::Ida), _) => builder,
        (Search::By(method), _) => builder.method(method),
    };
    let solver = builder.store(store.clone()).progress(events).build()?;
    // The value waits for the check of the files, which would slow down the first searches.
    solver.value(goal)?;
    Ok(solver)
}
