//! The search from the goal to the position.
//!
//! The moves of a solution, backwards, lead from the goal to the position. Named by the cells that they
//! have there, the tiles then come from some other position to their goal: the *reverse* position, which
//! is as far from its goal, and whose solutions are those of the position backwards. This is the dual
//! state of Felner, Zahavi, Schaeffer & Holte (2005). The heuristic has other values there, and on most
//! boards one of the two searches takes a fraction of the nodes of the other.
//!
//! The goal of a reverse position has its blank where the position has it. A symmetry of the board brings
//! that cell to one of six on 5×5. The partitions are those of the search, with the blank in that cell. A
//! pattern whose zone is the same for both blanks has its table already. The tables of the others, up to
//! nine on 5×5, are built in memory when a search asks for them, and kept until one asks for another cell.

use std::sync::Arc;

use super::engine::{Engine, EngineSearch, Spaces, lookup, views_of};
use super::masks::Masks;
use super::{Control, Journal, Outcome, Proof, Solutions, Stop};
use crate::Cancel;
use crate::board::{Metric, Moves, Position, Symmetry};
use crate::memo::lock;
use crate::pdb::{BrokenTable, Index, Partition, Pattern, Table, generate};

/// The reverse of a position.
pub(super) struct Reverse {
    /// `None` if it is the search's own engine.
    engine: Option<Arc<Engine>>,
    /// Through the symmetry.
    position: Position,
    symmetry: Symmetry,
}

impl Reverse {
    /// The engine that searches the position, of a search with the engine `own`.
    pub fn engine<'a>(&'a self, own: &'a Engine) -> &'a Engine {
        self.engine.as_deref().unwrap_or(own)
    }

    /// The position in these views, of a search with the engine `own`.
    pub fn search<'a>(
        &'a self,
        own: &'a Engine,
        views: &[usize],
        control: &'a Control,
        journal: &'a dyn Journal,
    ) -> Result<EngineSearch<'a, Masks>, BrokenTable> {
        let (engine, position) = (self.engine(own), &self.position);
        let Spaces::Masks(prepared) = &engine.spaces else {
            unreachable!("other engines are not reversible")
        };
        let root = engine.root(prepared, position, views)?;
        Ok(EngineSearch { prepared, position, root, control, journal })
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The solution of the position of which this is the reverse.
    pub fn moves(&self, moves: &Moves) -> Moves {
        moves.reversed().iter().map(|m| self.symmetry.original_move(m)).collect()
    }

    /// All solutions of the position of which this is the reverse, from those of the reverse.
    pub fn solutions(&self, of: &Position, found: Solutions) -> Solutions {
        let (grid, labels) = (of.grid(), of.labels());
        let image: Vec<usize> = (0..grid.cells()).map(|c| self.symmetry.cell(grid, c)).collect();
        // The label in `of` of each label here, which is the image of a cell of `of`.
        let mut named = vec![0; grid.cells()];
        for (&image, &label) in image.iter().zip(labels) {
            named[image] = label;
        }
        found.backwards(of, |position| {
            let here = position.to_owned();
            for (label, &image) in position.iter_mut().zip(&image) {
                *label = named[usize::from(here[image])];
            }
        })
    }

    /// The outcome for the position of which this is the reverse.
    pub fn outcome(&self, of: &Position, outcome: Outcome) -> Outcome {
        let path = outcome.path.as_ref().map(|path| self.moves(path));
        let proof = Some(Proof::new(of, Metric::Single, outcome.lower_bound()));
        Outcome { path, proof, ..outcome }
    }
}

impl Engine {
    /// The number of views of the reverse search of a position. They are numbered after those of the
    /// engine.
    pub(super) fn reverse_views(&self, position: &Position) -> usize {
        match self.reverse_goal(position) {
            Some((_, blank)) => views_of(&self.reverse_partitions(blank)).len(),
            None => 0,
        }
    }

    /// The symmetry through which a reverse position is seen, and the blank's goal cell then. `None`
    /// if there is no reverse search.
    fn reverse_goal(&self, position: &Position) -> Option<(Symmetry, usize)> {
        self.check(position);
        if !self.is_reversible() {
            return None;
        }
        let grid = position.grid();
        let symmetries = Symmetry::ALL.into_iter().filter(|symmetry| symmetry.grid(grid) == grid);
        let images = symmetries.map(|s| (s, s.cell(grid, position.blank())));
        // The goal of the search has its tables already.
        images.min_by_key(|&(_, blank)| (blank != position.goal_blank(), blank))
    }

    /// The partitions for the goals of reverse positions.
    fn reverse_partitions(&self, blank: usize) -> Vec<Partition> {
        // Where the goal has a mirror image, so has each partition.
        let mirrored = self.goal().grid().is_mirrored(blank);
        let wanted =
            self.partitions().filter(|(_, is_mirror_image)| !(mirrored && *is_mirror_image));
        wanted.map(|(partition, _)| partition.with_blank(blank)).collect()
    }

    /// The reverse of a position, made at the first call.
    ///
    /// # Errors
    /// The reason if the tables cannot be built.
    pub(super) fn reverse<'a>(
        &self,
        made: &'a mut Option<Reverse>,
        position: &Position,
        control: &Control,
    ) -> Result<&'a Reverse, Stop> {
        let reverse = match made.take() {
            Some(reverse) => reverse,
            None => self.make_reverse(position, control)?,
        };
        Ok(made.insert(reverse))
    }

    /// The reverse of a position.
    ///
    /// # Errors
    /// As [`Engine::reverse`].
    pub(super) fn make_reverse(
        &self,
        position: &Position,
        control: &Control,
    ) -> Result<Reverse, Stop> {
        let (symmetry, blank) = self.reverse_goal(position).ok_or(Stop::Method)?;
        let goal = self.goal();
        let position = goal.toward(position).image(symmetry);
        if blank == goal.blank() {
            return Ok(Reverse { engine: None, position, symmetry });
        }
        // Those of another cell are not kept while the next ones are built.
        lock(self.kept()).take_if(|(of, _)| *of != blank);
        let kept = lock(self.kept()).clone();
        let engine = match kept {
            Some((_, engine)) => engine,
            None => {
                let partitions = self.reverse_partitions(blank);
                let tables = self.reverse_tables(&partitions, control)?;
                let engine = Engine::new(&partitions, tables);
                let engine = Arc::new(engine.expect("the partitions are like those of this one"));
                *lock(self.kept()) = Some((blank, engine.clone()));
                engine
            }
        };
        Ok(Reverse { engine: Some(engine), position, symmetry })
    }

    /// The tables of partitions for another goal. They are built one after the other, each on all threads.
    fn reverse_tables(
        &self,
        partitions: &[Partition],
        control: &Control,
    ) -> Result<Vec<Table>, Stop> {
        let own = self.tables();
        let (mut tables, mut missing): (Vec<Table>, Vec<Pattern>) = Default::default();
        for pattern in views_of(partitions).iter().flat_map(|(view, _)| view.patterns()) {
            let shares = |of: &Pattern| {
                Symmetry::ALL.into_iter().any(|symmetry| pattern.shares_table(*of, symmetry))
            };
            match lookup(*pattern, own, None) {
                _ if lookup(*pattern, &tables, None).is_ok() => {}
                Ok((table, _)) => tables.push(own[table].clone()),
                Err(_) if missing.iter().any(shares) => {}
                Err(_) => missing.push(*pattern),
            }
        }
        for (built, pattern) in missing.iter().enumerate() {
            control.journal().builds(built, missing.len());
            tables.push(self.built(*pattern, control)?);
        }
        if !missing.is_empty() {
            control.journal().builds(missing.len(), missing.len());
        }
        Ok(tables)
    }

    /// The table of a pattern, built in memory.
    fn built(&self, pattern: Pattern, control: &Control) -> Result<Table, Stop> {
        let mut indexes = self.tables().iter().map(|table| table.index());
        let fits = |index: &&Arc<Index>| {
            (index.grid(), index.orders().tiles()) == (pattern.grid(), pattern.len())
        };
        let index = indexes.find(fits).cloned();
        let index = index.unwrap_or_else(|| Index::new(pattern.grid(), pattern.len()).into());
        let (cancel, mut stopped) = (Cancel::new(), None);
        let built = generate(&index, &pattern, &cancel, |_| {
            stopped = stopped.or_else(|| control.check(0));
            if stopped.is_some() {
                cancel.cancel();
            }
        });
        let table = built.ok().and_then(|built| Table::new(pattern, index, built.bits).ok());
        table.ok_or(stopped.unwrap_or(Stop::Memory))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::board::{Grid, Move};
    use crate::search::masks::tests::tables;
    use crate::search::{Content, Finished, Record, SearchError, Stretch, Threshold};

    /// Two partitions of 4×4 in three patterns, and their mirror images.
    fn engine() -> Engine {
        let grid = Grid::new(4, 4).unwrap();
        let texts = ["1,2,4,5,8/3,6,7,10,11/9,12,13,14,15", "1,2,3,6,7/4,5,8,9,12/10,11,13,14,15"];
        let partitions = texts.map(|text| Partition::parse(text, grid, 0).unwrap());
        let tables = partitions.iter().flat_map(tables).collect();
        Engine::new(&partitions, tables).unwrap()
    }

    /// Positions some `moves` from the goal, at most.
    fn positions(number: usize, moves: usize) -> Vec<Position> {
        let mut random = 1u64;
        let mut position = || {
            let mut position = Position::goal(Grid::new(4, 4).unwrap(), 0);
            for _ in 0..moves {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position.make(Move::ALL[(random >> 62) as usize]);
            }
            position
        };
        (0..number).map(|_| position()).collect()
    }

    /// Keeps the record of a search, and cancels it after some subtrees.
    #[derive(Default)]
    struct Keeper {
        record: Mutex<Record>,
        left: Mutex<usize>,
        cancel: Cancel,
    }

    /// Keeps how many tables are built, and of how many.
    #[derive(Default)]
    struct Tables(Mutex<Vec<(usize, usize)>>);

    impl Journal for Tables {
        fn builds(&self, built: usize, tables: usize) {
            lock(&self.0).push((built, tables));
        }
    }

    impl Journal for Keeper {
        fn reached(&self, threshold: &Threshold) {
            lock(&self.record).begin(threshold);
        }

        fn finished(&self, subtree: Finished) {
            lock(&self.record).add(subtree);
            let mut left = lock(&self.left);
            *left = left.saturating_sub(1);
            if *left == 0 {
                self.cancel.cancel();
            }
        }
    }

    #[test]
    fn both_directions_have_the_same_lengths() {
        let (engine, control) = (engine(), Control::default());
        let (own, mut cells) = (engine.views(), 0u32);
        for position in positions(if cfg!(miri) { 1 } else { 60 }, 90) {
            let forward = engine.solve_with(&position, &[0, 1], &control).unwrap();
            let views: Vec<usize> = (own..own + engine.reverse_views(&position)).collect();
            let back = engine.solve_with(&position, &views[..3], &control).unwrap();
            let mut end = position.clone();
            let path = back.path.unwrap();
            assert!(path.into_iter().all(|m| end.make(m).is_some()) && end.is_goal());
            assert_eq!(path.len(), forward.path.unwrap().len());
            assert_eq!(back.proof, forward.proof);
            cells |= 1 << position.blank();
        }
        assert!(cfg!(miri) || cells == 0xFFFF, "{cells:b}");
    }

    #[test]
    fn both_directions_have_the_same_solutions() {
        if cfg!(miri) {
            return;
        }
        let (engine, control) = (engine(), Control::default());
        let own = engine.views();
        let mut many = 0;
        for position in positions(40, 60) {
            let length = engine.solve(&position, &control, &()).unwrap().lower_bound();
            let found = |views: Vec<usize>| {
                let threshold = Threshold { bound: length, views, ..Threshold::default() };
                let found = engine.solutions(&position, &threshold, &control, &()).unwrap();
                (found.count(), found.list(100))
            };
            let forward = found(vec![0, 1]);
            assert_eq!(found(vec![own, own + 1]), forward);
            many += usize::from(forward.0 > 1);
        }
        assert!(many > 10, "{many}");
    }

    #[test]
    fn a_reverse_search_that_is_interrupted_goes_on() {
        if cfg!(miri) {
            return;
        }
        let engine = engine();
        // The blank is in no corner, so tables are built.
        let positions = positions(20, 400);
        let inner = |position: &&Position| [5, 6, 9, 10].contains(&position.blank());
        let position = positions.iter().find(inner).unwrap();
        let bound = engine.value(position).unwrap();
        let views = vec![engine.views(), engine.views() + 1];
        let start =
            || Record::new(Threshold { bound, views: views.clone(), ..Threshold::default() });
        let (mut record, built) = (start(), Arc::new(Tables::default()));
        for _ in 0..3 {
            let (left, before) = (Mutex::new(20), Mutex::new(record.clone()));
            let kept = Keeper { record: before, left, ..Keeper::default() };
            let control = Control::default().with_cancel(&kept.cancel).with_journal(built.clone());
            let outcome = engine.resume(position, record, &control, &kept).unwrap();
            assert_eq!(outcome.stopped, Some(Stop::Cancelled));
            record = kept.record.into_inner().unwrap();
        }
        let pieced = engine.resume(position, record, &Control::default(), &()).unwrap();
        // The first run builds each table once.
        let built = lock(&built.0);
        let tables = built[0].1;
        assert!(built.iter().copied().eq((0..=tables).map(|built| (built, tables))), "{built:?}");
        let whole = engine.resume(position, start(), &Control::default(), &()).unwrap();
        assert_eq!(pieced, whole);
    }

    #[test]
    fn a_reverse_search_has_parts() {
        if cfg!(miri) {
            return;
        }
        let (engine, control) = (engine(), Control::default());
        for position in positions(20, 200) {
            let views = vec![engine.views(), engine.views() + 1];
            let bound = engine.solve(&position, &control, &()).unwrap().lower_bound();
            let threshold = Threshold { bound, views, ..Threshold::default() };
            let record = Record::new(threshold.clone());
            let whole = engine.resume(&position, record, &control, &()).unwrap();
            let roots = engine.split(&position, &threshold, &control).unwrap();
            let rows = [roots.prefixes.into_iter().map(|(prefix, _)| prefix).collect()];
            let parts = engine.search_part(&position, &threshold, &rows, None, &control, &());
            let [Stretch { content: Content::Searched(part), .. }] = &parts.unwrap()[0][..] else {
                panic!("not one part")
            };
            assert_eq!(part.solution.as_ref().map(|found| &found.moves), whole.path.as_ref());
        }
    }

    #[test]
    fn views_of_two_directions_are_refused() {
        let engine = engine();
        let position = &positions(1, 90)[0];
        let (own, bound) = (engine.views(), engine.value(position).unwrap());
        let reverse = engine.reverse_views(position);
        for views in [vec![0, own], vec![own + reverse], vec![]] {
            let record = Record::new(Threshold { bound, views, ..Threshold::default() });
            let outcome = engine.resume(position, record, &Control::default(), &());
            assert_eq!(outcome.unwrap_err(), SearchError::Record);
        }
    }

    /// Records that no search has written: reverse views before both directions are tried, and thresholds
    /// beyond this one.
    #[test]
    fn a_forged_choice_is_survived() {
        if cfg!(miri) {
            return;
        }
        let engine = engine();
        let position = &positions(1, 400)[0];
        let bound = engine.value(position).unwrap() + 6;
        let resumed = |before: [u32; 3]| {
            let history = before.into_iter().zip([1_000, 10_000, 1_000_000]).collect();
            let views = vec![engine.views()];
            let threshold = Threshold { bound, views, history, ..Threshold::default() };
            engine.resume(position, Record::new(threshold), &Control::default(), &())
        };
        assert!(resumed([bound - 6, bound - 4, bound - 2]).unwrap().path.is_some());
        for before in [[300, 302, 304], [bound - 4, bound - 2, bound]] {
            assert_eq!(resumed(before).unwrap_err(), SearchError::Record);
        }
    }

    /// A search in parts chooses the direction as one that is not divided does.
    #[test]
    fn parts_choose_the_same_direction() {
        if cfg!(miri) {
            return;
        }
        let (engine, control) = (engine(), Control::default());
        let mut chosen = [0, 0];
        for position in positions(40, 400) {
            let bound = engine.value(&position).unwrap() + 6;
            let history = [(bound - 6, 1_000), (bound - 4, 10_000), (bound - 2, 1_000_000)].into();
            let threshold =
                Threshold { bound, views: vec![0, 1], history, trials: 2, ..Threshold::default() };
            let record = Record { row: 7, generated: 400_000_000, ..Record::new(threshold) };
            let next = engine.exhausted(&position, record.clone(), 7, [5, 3], &control).unwrap();
            let mut advanced = record;
            advanced.advance(400_000_005, 3, 7);
            let kept = Keeper { left: Mutex::new(1), ..Keeper::default() };
            let limits = Control::default().with_cancel(&kept.cancel);
            engine.resume(&position, advanced, &limits, &kept).unwrap();
            assert_eq!(kept.record.into_inner().unwrap().threshold, next);
            assert_eq!(next.trials, 3);
            chosen[usize::from(next.views[0] >= engine.views())] += 1;
        }
        assert!(chosen.iter().all(|&times| times > 0), "{chosen:?}");
    }

    /// Large thresholds are made up, so that the choice is due.
    #[test]
    fn the_direction_is_chosen() {
        if cfg!(miri) {
            return;
        }
        let engine = engine();
        let mut chosen = [0, 0];
        for position in positions(40, 400) {
            let forward = engine.solve_with(&position, &[0, 1], &Control::default()).unwrap();
            let (length, value) = (forward.lower_bound(), engine.value(&position).unwrap());
            if length < value + 8 {
                continue;
            }
            let history = [(0, 1_000), (2, 10_000), (4, 1_000_000), (6, 400_000_000)];
            let history = history.map(|(more, nodes)| (value + more, nodes)).into();
            let views = vec![0, 1];
            let threshold =
                Threshold { bound: value + 8, views, history, trials: 2, ..Threshold::default() };
            let kept = Keeper { left: Mutex::new(usize::MAX), ..Keeper::default() };
            let record = Record::new(threshold);
            let outcome = engine.resume(&position, record, &Control::default(), &kept).unwrap();
            assert_eq!(outcome.path.unwrap().len() as u32, length);
            let threshold = kept.record.into_inner().unwrap().threshold;
            assert_eq!(threshold.trials, 3);
            chosen[usize::from(threshold.views[0] >= engine.views())] += 1;
        }
        assert!(chosen.iter().all(|&times| times > 0), "{chosen:?}");
    }
}
