//! Checkpoints, from which an interrupted search continues with its finished subtrees.
//!
//! The file is a [sealed](super::sealed) line. It is replaced as a whole, at most once per second. A killed
//! program therefore leaves a complete file, and loses only the subtrees finished since. The file is locked
//! as long as the search lasts.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::state::{State, unlocked};
use crate::board::Board;
use crate::locked::Locked;
use crate::memo::lock;
use crate::search::{
    Clock, Deepening, Event, Finished, Limits, Outcome, Record, Search, SearchError,
};
use crate::solver::answer::{self, Best, Proving, Task};
use crate::solver::results::{Bracket, CheckpointError, Error};
use crate::solver::solve::Solver;

/// A file that keeps the state of a search. It is written at most once per second, and stays when the search has
/// ended. It has some kilobytes to a few megabytes.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The file.
    pub path: PathBuf,
    /// Whether to continue the search of an existing file. The answer and the node counts are those of an
    /// uninterrupted search. If there is no such file, the search begins. If this is false, the file must not
    /// exist yet.
    pub resume: bool,
}

impl Checkpoint {
    /// Locks the file, which must be empty unless the search goes on.
    fn locked(&self) -> Result<Locked, CheckpointError> {
        let file = Locked::open(&self.path).map_err(|error| unlocked(&self.path, error))?;
        // A run that was killed at its start leaves an empty file.
        if !self.resume && !file.is_empty().map_err(|error| unlocked(&self.path, error))? {
            return Err(CheckpointError::Exists(self.path.clone()));
        }
        Ok(file)
    }
}

/// The number of subtrees of a search with a checkpoint.
#[derive(Debug)]
#[non_exhaustive]
pub struct Subtrees {
    /// The subtrees that are finished.
    pub finished: u64,
    /// The subtrees among them that an earlier run finished, if the search was resumed.
    pub restored: Option<u64>,
    /// The reason if the last state could not be written. The file then has an earlier one.
    pub unwritten: Option<CheckpointError>,
}

/// A checkpoint being written.
struct Keeper {
    path: PathBuf,
    /// The time that earlier runs spent on the search.
    earlier: Duration,
    /// Runs since this run began.
    clock: Clock,
    file: Locked,
    state: State,
    written: Instant,
}

/// The least time between two writes.
const EVERY: Duration = Duration::from_secs(1);

impl Solver {
    /// [`Solver::solve_with`], with the state of the search kept in a file.
    ///
    /// # Errors
    /// As [`Solver::solve`]; [`Error::Checkpoint`] if the file cannot be used. A failure to write
    /// during the search is not an error: see [`Subtrees::unwritten`].
    pub fn solve_with_checkpoint(
        &self,
        board: &Board,
        limits: &Limits,
        checkpoint: &Checkpoint,
    ) -> Result<(Bracket, Subtrees), Error> {
        // Before any database is built.
        let file = checkpoint.locked()?;
        let mut task = Task::recorded(&self.shared, board, None, "checkpoints", limits)?;
        let Some(engine) = task.searcher.prover() else {
            let none = Subtrees { finished: 0, restored: None, unwritten: None };
            return Ok((answer::solve(&mut task, limits, Clock::start())?, none));
        };
        let keeper = Keeper::new(checkpoint, file, State::new(&task))?;
        let (earlier, clock) = (keeper.earlier, keeper.clock);
        let State { record, best, .. } = keeper.state.clone();
        let keeper = Arc::new(Mutex::new(keeper));
        let restored = (record != Record::default()).then(|| record.subtrees());
        let kept = keeper.clone();
        let limits = self.shared.listening(limits, clock).listener(move |event| {
            if let Event::Finished(subtree) = event {
                lock(&kept).add(subtree);
            }
        });
        let prove = |limits: &Limits| -> Result<Outcome, Error> {
            let failed = |error| match error {
                SearchError::Record => CheckpointError::Damaged(checkpoint.path.clone()).into(),
                error => task.searcher.error(error),
            };
            let mut search = engine.resume(&task.position, record).map_err(failed)?;
            let mut proving = Proving::new(&task, limits, best)?;
            let keep = |search: &_, best: &_| lock(&keeper).keep(search, best);
            let end = proving.deepen(&mut search, keep)?;
            Ok(proving.complete(search.outcome(end)))
        };
        let bracket = self.shared.install(|| {
            let outcome = answer::proof_then_beams(&task, &limits, prove)?;
            answer::checked_answer(&task, outcome, &limits)
        });
        // The last state has the time of the answer.
        let (finished, unwritten) = lock(&keeper).close();
        let mut bracket = bracket??;
        bracket.effort.earlier = earlier;
        bracket.solution.iter_mut().for_each(|solution| solution.effort.earlier = earlier);
        Ok((bracket, Subtrees { finished, restored, unwritten }))
    }
}

impl Keeper {
    /// The checkpoint of a search, with the state of an earlier run if there is one.
    fn new(
        Checkpoint { path, .. }: &Checkpoint,
        mut file: Locked,
        mut state: State,
    ) -> Result<Keeper, CheckpointError> {
        if !file.is_empty().map_err(|error| unlocked(path, error))? {
            let other = |what| CheckpointError::Other(path.clone(), what);
            state = State::read_from(file.file(), path)?.of_same_search(&state).map_err(other)?;
        }
        // A file that cannot be written is an error before hours of searching, not after.
        state.write_to(&mut file, path)?;
        let (earlier, clock) = (Duration::from_micros(state.spent), Clock::start());
        let (path, written) = (path.clone(), Instant::now());
        Ok(Keeper { path, earlier, clock, file, state, written })
    }

    /// Writes the final state. Returns the number of subtrees finished, and the reason if the state
    /// could not be written: that is not a reason to lose the answer.
    fn close(&mut self) -> (u64, Option<CheckpointError>) {
        (self.state.record.subtrees(), self.write().err())
    }

    /// Keeps the state of a search between two thresholds, or where it was stopped.
    fn keep(&mut self, search: &Search<'_>, best: &Best) {
        self.state.record.clone_from(search.record());
        self.state.best.clone_from(best);
        self.write_if_due();
    }

    /// Keeps a finished subtree.
    fn add(&mut self, subtree: &Finished) {
        self.state.record.add([subtree.clone()]);
        self.write_if_due();
    }

    fn write(&mut self) -> Result<(), CheckpointError> {
        self.written = Instant::now();
        let spent = self.earlier.saturating_add(self.clock.elapsed());
        self.state.spent = u64::try_from(spent.as_micros()).unwrap_or(u64::MAX);
        self.state.write_to(&mut self.file, &self.path)
    }

    fn write_if_due(&mut self) {
        if self.written.elapsed() >= EVERY {
            // A disk may have room again in a second.
            let _ = self.write();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::state::tests::state;
    use super::*;
    use crate::board::{Grid, Position};
    use crate::pdb::{Index, Partition, Table, generate};
    use crate::search::{Cancel, Engine, Threshold};

    fn open_file(path: &Path, resume: bool) -> Result<Keeper, CheckpointError> {
        let checkpoint = Checkpoint { path: path.to_owned(), resume };
        Keeper::new(&checkpoint, checkpoint.locked()?, state())
    }

    #[test]
    fn a_checkpoint_is_not_replaced_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let open = |resume| {
            let keeper = open_file(&path, resume);
            keeper.map(|keeper| keeper.state.record).map_err(|error| error.to_string())
        };
        assert_eq!(open(true), Ok(state().record));
        assert_eq!(open(true), Ok(state().record));
        assert!(open(false).unwrap_err().contains("exists already"));
        std::fs::write(&path, "no state").unwrap();
        assert!(open(true).unwrap_err().contains("not a checkpoint"));
    }

    #[test]
    fn a_failure_to_write_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let open = || open_file(&path, true).unwrap();
        assert!(matches!(open().close(), (0, None)));
        let mut keeper = open();
        folder.close().unwrap();
        assert!(matches!(keeper.close(), (0, Some(CheckpointError::Write(..)))));
    }

    #[test]
    fn one_search_at_a_time_has_a_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let open = |resume| open_file(&path, resume);
        let is_busy = |resume| matches!(open(resume), Err(CheckpointError::InUse(_)));
        let mut keeper = open(false).unwrap();
        let written = || matches!(state().write(&path), Err(CheckpointError::InUse(_)));
        assert!(is_busy(false) && is_busy(true) && written());
        // Written anew, it is still locked.
        assert!(keeper.write().is_ok());
        assert!(is_busy(false) && is_busy(true) && written());
        assert_eq!(State::read(&path).unwrap().record, state().record);
        drop(keeper);
        assert!(!is_busy(true) && !written());
    }

    /// With its numbers replaced by numbers of every size, a checkpoint leads to a search that ends and
    /// blames no table, or is refused.
    #[test]
    fn impossible_numbers_are_survived() {
        let grid = Grid::new(4, 3).unwrap();
        let partition = Partition::parse("1,2,3,4/5,6,7,8/9,10,11", grid, 0).unwrap();
        let tables = partition.patterns().iter().map(|&pattern| {
            let index = Arc::new(Index::new(grid, pattern.len()));
            let bits = generate(&index, &pattern, &Cancel::new(), &mut |_| ()).unwrap().bits;
            Table::new(pattern, index, bits)
        });
        let engine = Engine::new(std::slice::from_ref(&partition), tables.collect());
        let position = Position::new(grid, 0, &[1, 2, 3, 7, 4, 5, 6, 11, 8, 9, 10, 0]).unwrap();
        let mut record =
            Record::new(Threshold { bound: 5, views: vec![0], ..Threshold::default() });
        record.threshold.history = vec![(1, 40), (3, 300)];
        for number in [0, 1, 3] {
            record.add([Finished { number, generated: 5, expanded: 2, solution: None }]);
        }
        let mut sound = state();
        sound.record = record;
        let sound = serde_json::to_string(&sound).unwrap();
        let is_digit = |c: char| c.is_ascii_digit();
        let (mut resumed, mut refused) = (0, 0);
        for place in sound.match_indices(is_digit).map(|(place, _)| place) {
            if sound[..place].ends_with(is_digit) {
                continue;
            }
            let rest = sound[place..].trim_start_matches(is_digit);
            for number in ["0", "1", "2", "7", "130", "65535", "4294967295", "18446744073709551615"]
            {
                let line = format!("{}{number}{rest}", &sound[..place]);
                let Ok(state) = serde_json::from_str::<State>(&line) else { continue };
                let control = Limits::default().nodes(20_000);
                let searched = engine.resume(&position, state.record);
                match searched.and_then(|mut search| Ok(search.run(&control)?)) {
                    Ok(_) => resumed += 1,
                    Err(error) => {
                        assert_eq!(error, SearchError::Record);
                        refused += 1;
                    }
                }
            }
        }
        assert!(resumed > 50 && refused > 20, "{resumed} {refused}");
    }
}
