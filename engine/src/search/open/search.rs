//! The thresholds of a search for an open goal.

use std::sync::OnceLock;

use super::beam;
use super::heuristic::{ClassTables, TablePlan, TableSizes};
use super::layers::StateSpace;
use crate::board::{Metric, Moves, OpenGoal, OpenPosition};
use crate::search::run::{Event, Limits, Meter, Outcome, Stop, Threshold};
use crate::search::solutions::{MAX_CELLS, PackedState, Solutions};

/// A search for a goal, for boards with the same number of tiles in each class.
pub struct OpenSearch {
    goal: OpenGoal,
    counts: Box<[u8]>,
    tables: ClassTables,
    /// The tables of long searches, built by the first of them.
    large: OnceLock<ClassTables>,
    /// The plan of these tables, if they are others.
    plan: Option<TablePlan>,
}

/// The nodes of a search after which it uses large tables.
const GROWS: u64 = 30_000_000;

impl OpenSearch {
    /// The most cells of a board.
    pub const MAX_CELLS: usize = MAX_CELLS;

    /// Returns whether one table holds the whole space of a position's goal, so that its values are the
    /// distances.
    pub fn is_whole(position: &OpenPosition) -> bool {
        position.grid().cells() <= OpenSearch::MAX_CELLS
            && TablePlan::of(position, TableSizes::SMALL).is_whole
    }

    /// The sizes of the tables of short searches and of long ones.
    pub const SIZES: [TableSizes; 2] = [TableSizes::SMALL, TableSizes::LARGE];

    /// Builds the tables for a goal and boards like this one, on the current rayon thread pool: of
    /// [these sizes](OpenSearch::SIZES) some megabytes, in some tenths of a second on two cores. A search of
    /// more than 30 million nodes builds larger ones, up to 60 MB in some seconds.
    ///
    /// # Errors
    /// The reason if `limits` stop it, or [`Stop::Memory`].
    ///
    /// # Panics
    /// If the board has more than [`OpenSearch::MAX_CELLS`] cells.
    pub fn new(
        position: &OpenPosition,
        sizes: [TableSizes; 2],
        limits: &Limits,
    ) -> Result<OpenSearch, Stop> {
        let cells = position.grid().cells();
        assert!(cells <= OpenSearch::MAX_CELLS, "a board of {cells} cells is too large");
        let (goal, counts) = (position.goal().clone(), position.counts().into());
        let [small, large] = sizes.map(|sizes| TablePlan::of(position, sizes));
        let tables = ClassTables::build(&small, &goal, limits)?;
        let plan = (small != large && !small.is_whole).then_some(large);
        Ok(OpenSearch { goal, counts, tables, large: OnceLock::new(), plan })
    }

    /// The lower bound with which a search begins.
    ///
    /// # Panics
    /// If the position has a different goal, or its board has other numbers of tiles in the classes.
    pub fn value(&self, position: &OpenPosition) -> u32 {
        self.check(position);
        StateSpace::new(position, &self.tables).bound()
    }

    fn check(&self, position: &OpenPosition) {
        let is_own = self.goal == *position.goal() && *self.counts == *position.counts();
        assert!(is_own, "the position has a different goal than the tables");
    }

    /// Searches for the optimal solutions of a position, on the current rayon thread pool. Unless `limits`
    /// limits the memory, states take up to 2 GiB. Generates some ten million states a second on two cores.
    ///
    /// The solutions and the numbers of nodes do not depend on the number of threads.
    ///
    /// # Panics
    /// If the position has a different goal, its board has other numbers of tiles in the classes, or moves
    /// cannot reach the goal.
    pub fn solve(
        &self,
        position: &OpenPosition,
        limits: &Limits,
    ) -> (Outcome<OpenPosition>, Option<Solutions>) {
        let mut outcome = Outcome::new(position, Metric::Single, self.value(position));
        let mut meter = Meter::new(limits);
        let solutions = self.deepen(position, limits, &mut outcome, &mut meter);
        (outcome.generated, outcome.expanded) = (meter.generated, meter.expanded);
        match solutions {
            Ok(solutions) => {
                outcome.path = solutions.list(1).pop();
                (outcome, Some(solutions))
            }
            Err(stop) => (Outcome { stopped: Some(stop), ..outcome }, None),
        }
    }

    fn deepen(
        &self,
        position: &OpenPosition,
        limits: &Limits,
        outcome: &mut Outcome<OpenPosition>,
        meter: &mut Meter<'_>,
    ) -> Result<Solutions, Stop> {
        let mut space = StateSpace::new(position, &self.tables);
        if space.is_goal(space.start) {
            return Ok(Solutions::new(space.states, vec![vec![space.start]]));
        }
        assert!(position.is_solvable(), "moves cannot reach the goal");
        let room = limits.most_memory() / size_of::<PackedState>() as u64;
        let mut threshold = Threshold { bound: outcome.lower_bound(), ..Threshold::default() };
        let mut plan = self.plan.as_ref();
        loop {
            meter.check()?;
            limits.report(&Event::Threshold(&threshold));
            let most = plan.map_or(u64::MAX, |_| GROWS);
            if let Some((mut layers, beyond)) =
                space.layers(threshold.bound, most, room as usize, meter)?
            {
                let last = layers.get(threshold.bound as usize);
                if last.is_some_and(|layer| layer.iter().any(|&state| space.is_goal(state))) {
                    space.keep_solutions(&mut layers);
                    return Ok(Solutions::new(space.states, layers));
                }
                // States with a lower bound of 0 that are not goals need one more move.
                let more = if last.is_some() || beyond == u32::MAX { 1 } else { beyond };
                let next = space.of_parity(threshold.bound + more);
                threshold.advance(next, meter.generated, meter.expanded);
            } else if let Some(plan) = plan.take() {
                // Larger tables pay.
                space.tables = self.large(plan, limits)?;
                threshold.bound = threshold.bound.max(space.bound());
            }
            outcome.raise(threshold.bound);
        }
    }

    /// The tables of long searches.
    fn large(&self, plan: &TablePlan, limits: &Limits) -> Result<&ClassTables, Stop> {
        if let Some(tables) = self.large.get() {
            return Ok(tables);
        }
        // No lock is held meanwhile: see `memo`.
        let limits = limits.clone().nodes(u64::MAX);
        let tables = ClassTables::build(plan, &self.goal, &limits)?;
        Ok(self.large.get_or_init(|| tables))
    }

    /// A solution of a position that may be longer than necessary, by a beam of this width. `None` if the
    /// beam ends without one, or is stopped.
    ///
    /// # Panics
    /// If the position has a different goal, or its board has other numbers of tiles in the classes.
    pub fn beam(&self, position: &OpenPosition, width: usize, limits: &Limits) -> Option<Moves> {
        self.check(position);
        let tables = self.large.get().unwrap_or(&self.tables);
        beam::beam(&StateSpace::new(position, tables), width, limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::run::Proof;

    fn position(goal: &str, board: &str) -> OpenPosition {
        let goal = OpenGoal::parse(goal, None).unwrap();
        OpenPosition::new(&goal, &goal.read(board).unwrap()).unwrap()
    }

    #[test]
    fn limits_leave_a_bound() {
        let position = position(
            "A A A A / B B B B / C C C C / D D D _",
            "D D D _ / C C C C / B B B B / A A A A",
        );
        let search = OpenSearch::new(&position, OpenSearch::SIZES, &Limits::default()).unwrap();
        let value = search.value(&position);
        for (limits, stop) in [
            (Limits::default().nodes(0), Stop::Nodes),
            (Limits::default().nodes(10_000), Stop::Nodes),
            (Limits::default().memory(1 << 16), Stop::Memory),
        ] {
            let (outcome, solutions) = search.solve(&position, &limits);
            assert_eq!((outcome.stopped, solutions.is_none()), (Some(stop), true));
            assert!(outcome.lower_bound() >= value);
            assert!(outcome.proof.unwrap().is_of(&position, Metric::Single));
        }
        assert!(
            OpenSearch::new(&position, OpenSearch::SIZES, &Limits::default().nodes(0)).is_err()
        );
    }

    #[test]
    fn proofs_of_all_assignments_are_one_of_the_goal() {
        use crate::board::Canonical;
        use crate::heuristic::Manhattan;
        use crate::search::ida::ida_star;

        let position = position("1 1 2 / 3 4 0", "4 1 1 / 3 0 2");
        let proofs = || {
            position.goals(2).unwrap().into_iter().map(|goal| {
                let canonical = Canonical::of(&goal);
                let start = canonical.position(position.board()).unwrap();
                let manhattan = Manhattan::new(start.grid(), start.goal_blank());
                ida_star(&start, &manhattan, &Limits::default()).proof.unwrap()
            })
        };
        let proofs: Vec<Proof> = proofs().collect();
        let proof = Proof::of_assignments(&position, &proofs).unwrap();
        assert_eq!(proof.bound(), 13);
        assert_eq!(Proof::of_assignments(&position, &[]), None);
        let twice = [&proofs[..], &proofs[..]].concat();
        assert_eq!(Proof::of_assignments(&position, &twice), None);
    }
}
