//! The search of an engine: one threshold after the other, with the views of each.

use super::choice;
use super::engine::{Engine, EngineSearch, Prepared, Spaces, with_space, with_views};
use super::expand::MAX_DEPTH;
use super::frontier::{Frontier, Order};
use super::iteration::{self, Endless};
use super::lanes::Crew;
use super::race::Race;
use super::space::Space;
use super::{Control, Journal, Outcome, Proof, Record, SearchError, Stop, Threshold};
use crate::board::{Metric, Position};
use crate::pdb::BrokenTable;

/// The end of some iterations with the same views.
enum End {
    Done(Outcome),
    /// It is time to try other views.
    Choose,
    Endless(Endless),
}

impl Engine {
    /// An optimal solution of a position, on the current rayon thread pool. `journal` receives the
    /// progress.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn solve(
        &self,
        position: &Position,
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Outcome, BrokenTable> {
        let record =
            Record::new(Threshold { views: self.first_views().to_vec(), ..Threshold::default() });
        with_space!(self, |prepared| self
            .deepen(prepared, position, record, true, control, journal))
    }

    /// An optimal solution, searched with the same views all along. Views are named by their
    /// numbers: the first partition, its mirror image, the second partition, and so on.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position is one of another goal, or unless there are one to four views, each of
    /// them below [`Engine::views`].
    pub fn solve_with(
        &self,
        position: &Position,
        views: &[usize],
        control: &Control,
    ) -> Result<Outcome, BrokenTable> {
        assert!(self.has(views), "there are no such views");
        let record = Record::new(Threshold { views: views.to_vec(), ..Threshold::default() });
        with_space!(self, |prepared| self.deepen(prepared, position, record, false, control, &()))
    }

    /// Goes on with an interrupted [`Engine::solve`] of this position; the empty record begins it.
    /// The answer and the numbers of nodes are those of a search that was not interrupted.
    ///
    /// # Errors
    /// [`SearchError::Record`] if `record` is not one of a search for this position with these
    /// tables; [`SearchError::Broken`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn resume(
        &self,
        position: &Position,
        record: Record,
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Outcome, SearchError> {
        if record == Record::default() {
            return Ok(self.solve(position, control, journal)?);
        }
        self.check_record(position, &record)?;
        Ok(with_space!(self, |prepared| self
            .deepen(prepared, position, record, true, control, journal))?)
    }

    /// The proof that an earlier run of a search left in its threshold. The run vouches for it: the
    /// thresholds below are not searched again.
    ///
    /// # Errors
    /// As [`Engine::resume`].
    ///
    /// # Panics
    /// If the position is one of another goal.
    pub fn proof(&self, position: &Position, threshold: &Threshold) -> Result<Proof, SearchError> {
        self.check_record(position, &Record::new(threshold.clone()))?;
        Ok(Proof::new(position, Metric::Single, threshold.bound))
    }

    /// Refuses a record that is not one of a search for this position.
    pub(super) fn check_record(
        &self,
        position: &Position,
        record: &Record,
    ) -> Result<(), SearchError> {
        let value = self.value(position)?;
        let Threshold { bound, views, .. } = &record.threshold;
        let fitting = record.is_possible() && self.has(views);
        // A bound of 0 means that a search has not begun.
        let bounds = value.max(1)..=MAX_DEPTH as u32;
        let is_past = |history: &[(u32, u64)]| history.iter().all(|(of, _)| of < bound);
        let fitting = fitting && is_past(&record.threshold.history);
        // Thresholds rise by 2 from the value of the position.
        if !fitting || !bounds.contains(bound) || (bound - value) % 2 != 0 {
            return Err(SearchError::Record);
        }
        Ok(())
    }

    /// Returns whether it is time to try other views.
    pub(super) fn choice_is_due(&self, threshold: &Threshold) -> bool {
        self.views() > threshold.views.len() && choice::is_due(threshold) && self.may_choose()
    }

    fn deepen<S: Space>(
        &self,
        prepared: &Prepared<S>,
        position: &Position,
        mut record: Record,
        chooses: bool,
        control: &Control,
        journal: &dyn Journal,
    ) -> Result<Outcome, BrokenTable> {
        let root = self.root(prepared, position, &self.opening(&record.threshold.views))?;
        if record.threshold.bound == 0 {
            record.threshold.bound = root.value();
        }
        let mut search = EngineSearch { prepared, position, root, control, journal };
        loop {
            if chooses && self.choice_is_due(&record.threshold) {
                let threshold = &mut record.threshold;
                let stopped = self.choose(&mut search, threshold)?;
                if stopped.is_some() {
                    return Ok(Outcome { stopped, ..search.begun(threshold) });
                }
            }
            let views = record.threshold.views.clone();
            let end = with_views!(views.as_slice(), |views| {
                self.iterations(views, &search, &mut record, chooses)
            });
            match end {
                End::Done(outcome) => return Ok(outcome),
                End::Choose => {}
                End::Endless(endless) => return Err(self.blame(position, &views, &endless)),
            }
        }
    }

    /// Chooses the views of a threshold. Returns the reason if the search must end: too few nodes are left
    /// for the choice, or it has reached a limit.
    pub(super) fn choose<S: Space>(
        &self,
        search: &mut EngineSearch<'_, S>,
        threshold: &mut Threshold,
    ) -> Result<Option<Stop>, BrokenTable> {
        let all: Vec<usize> = (0..self.views()).collect();
        search.root = self.root(search.prepared, search.position, &all)?;
        let left = search.control.nodes().saturating_sub(threshold.generated);
        let measure = |views: &[usize], bound, cap| {
            with_views!(views, |views| self.measure(views, search, bound, cap))
        };
        let chosen = choice::choose(threshold, self.views(), self.first_views(), left, measure)?;
        if chosen {
            threshold.bound = threshold.bound.max(search.root.value());
        }
        let limit = (!chosen).then_some(Stop::Nodes);
        Ok(search.control.check(threshold.generated).or(limit))
    }

    /// Iterations with the same views, until it is time to try others if the search `chooses`.
    fn iterations<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        search: &EngineSearch<'_, S>,
        record: &mut Record,
        chooses: bool,
    ) -> End {
        let EngineSearch { prepared, root, control, journal, .. } = search;
        let expander = self.expander(prepared, views);
        let mut crew = Crew::new();
        loop {
            let threshold = &record.threshold;
            let mut outcome = search.begun(threshold);
            let Some(node) = root.node(views, threshold.bound) else {
                outcome.stopped = Some(Stop::Moves);
                return End::Done(outcome);
            };
            journal.reached(threshold);
            // The nodes are counted with those of subtrees that are finished already.
            outcome.stopped = control.check(0);
            if outcome.stopped.is_some() {
                return End::Done(outcome);
            }
            let (last, order) = (threshold.last(), self.order(threshold));
            // SAFETY: the root is a position of this engine's goal in these views.
            let frontier = unsafe { Frontier::split(&expander, node, root.symmetric, last, order) };
            let mut race = Race::new(frontier.branches, frontier.above, control, *journal);
            race.restore(record);
            let subtrees = race.len();
            journal.begins(threshold, subtrees);
            let left = control.nodes().saturating_sub(outcome.generated);
            // SAFETY: the subtrees were split with this expander.
            let end = unsafe {
                iteration::search(&mut race, &expander, &mut crew, last, left, None, &mut outcome)
            };
            if let Err(endless) = end {
                return End::Endless(endless);
            }
            if outcome.path.is_none() && outcome.stopped.is_none() {
                // A limit may be reached all the same; the bound is then not used.
                outcome.stopped = control.check(outcome.generated);
            }
            if outcome.path.is_some() || outcome.stopped.is_some() {
                return End::Done(outcome);
            }
            record.advance(outcome.generated, outcome.expanded, subtrees);
            if chooses && self.choice_is_due(&record.threshold) {
                return End::Choose;
            }
        }
    }

    /// The nodes that an iteration with these views generates, at most `cap`, on the calling
    /// thread alone.
    fn measure<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        search: &EngineSearch<'_, S>,
        bound: u32,
        cap: u64,
    ) -> Result<u64, BrokenTable> {
        let EngineSearch { prepared, position, root, control, .. } = search;
        let Some(node) = root.node(views, bound) else { return Ok(cap) };
        let expander = self.expander(prepared, views);
        let mut outcome = Outcome::default();
        // SAFETY: the root is a position of this engine's goal in these views, and the subtrees
        // are searched with the expander that they were split with.
        let end = unsafe {
            let order = Order::DepthFirst;
            let frontier = Frontier::split(&expander, node, root.symmetric, 0, order);
            let mut race = Race::new(frontier.branches, frontier.above, control, &());
            iteration::search(&mut race, &expander, &mut Crew::new(), 0, cap, None, &mut outcome)
        };
        end.map_err(|endless| self.blame(position, &views, &endless))?;
        Ok(outcome.generated.min(cap))
    }
}
