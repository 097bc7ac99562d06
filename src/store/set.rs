//! Sets of databases: the partitions a board is solved with, and their names.

use super::{MAX_OPTIMAL_CELLS, TWO_PATTERN_CELLS};
use crate::board::{Board, Canonical, Goal, Grid, Metric};
use crate::classics::Term;
use crate::pdb::{MAX_SLIDE_CELLS, Partition, Pattern, PatternError, slide_patterns};
use crate::search::is_view;

/// The most cells of a board whose standard partition has three patterns, of up to seven tiles. The
/// partitions of larger boards have four, of up to six: more would take gigabytes.
const THREE_PATTERN_CELLS: usize = 21;

/// The partitions of the 4×4 portfolio.
const PORTFOLIO: [&str; 3] = ["7-8", "7-8b", "7-8c"];

/// A partition, a catalogue of several, or the patterns that count slides, with a name: the
/// databases that are loaded and built together.
///
/// A set belongs to one grid and one goal cell of the blank. Names stand for a class of equivalent
/// goals and give the set of its canonical form; see [`Canonical`].
///
/// ```
/// use taquin_engine::board::Grid;
/// use taquin::store::Set;
///
/// let grid = Grid::new(4, 4)?;
/// let set = Set::standard(grid, 0).expect("4x4 has a standard partition");
/// assert_eq!((set.name(), set.patterns().len()), ("7-8", 2));
/// // The four corners are one by symmetry.
/// assert_eq!(Set::parse(Some("7-8"), grid, 15)?, set);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Set {
    name: String,
    /// None if the tables count slides.
    partitions: Vec<Partition>,
    /// The patterns that have a table.
    patterns: Vec<Pattern>,
}

/// The reason why there is no such set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetError {
    /// A goal cell outside the board, an unknown name, or lists of tiles that make no partition.
    #[error(transparent)]
    Pattern(#[from] PatternError),
    /// A board that is too small or too large for a standard set.
    #[error("there is no standard partition of {0} boards")]
    NoStandard(Grid),
    /// A board that is too large for tables that count slides.
    #[error(
        "{0} boards have no databases that count slides, only boards of up to {MAX_SLIDE_CELLS} cells"
    )]
    NoSlides(Grid),
    /// A catalogue that the board's size does not have.
    #[error("there is no catalogue {name:?} for {grid} boards: only 5x5 has one, small")]
    NoCatalogue {
        /// The name as given.
        name: String,
        /// The board's size.
        grid: Grid,
    },
    /// A catalogue whose partitions are for another goal.
    #[error(
        "the catalogue {name} is for goals with the blank in a corner, not in cell {goal_blank}"
    )]
    NotForGoal {
        /// The catalogue.
        name: String,
        /// The blank's goal cell.
        goal_blank: usize,
    },
}

impl Set {
    /// The set that boards are solved with by default; `None` for more than
    /// [`MAX_OPTIMAL_CELLS`] cells, and for 2×2, where a pattern cannot have two tiles.
    ///
    /// It is a catalogue, [a suggested partition](Partition::suggested) or a named one. Other boards have
    /// - the two halves of the tiles in reading order on up to [`TWO_PATTERN_CELLS`] cells;
    /// - otherwise three patterns, four on more than 21 cells, whose tiles follow each other column by column:
    ///   patterns that are nearly square give better bounds than rows.
    ///
    /// The grid and the cell are taken as they are, not in canonical form.
    pub fn standard(grid: Grid, goal_blank: usize) -> Option<Set> {
        if let Some(name) = Partition::catalogues(grid).next().filter(|_| goal_blank == 0) {
            return Set::catalogue(name, grid, goal_blank).ok();
        }
        if let Some(partition) = Partition::suggested(grid, goal_blank) {
            return Some(partition.into());
        }
        if let Some(name) = Partition::names(grid).next() {
            return Set::named(name, grid, goal_blank).ok();
        }
        let parts = match grid.cells() {
            cells if cells <= TWO_PATTERN_CELLS => return Set::halves(grid, goal_blank),
            cells if cells <= THREE_PATTERN_CELLS => 3,
            cells if cells <= MAX_OPTIMAL_CELLS => 4,
            _ => return None,
        };
        let tiles: Vec<usize> = grid.by_columns().filter(|&cell| cell != goal_blank).collect();
        let mut left = &tiles[..];
        let mut patterns = Vec::new();
        for parts_left in (1..=parts).rev() {
            let size = left.len().div_ceil(parts_left);
            patterns.push(Pattern::new(grid, goal_blank, left[..size].iter().copied()).ok()?);
            left = &left[size..];
        }
        Some(Partition::new(patterns).ok()?.into())
    }

    /// The two halves of the tiles in reading order, named after the number of tiles in each, as in `7-7`.
    fn halves(grid: Grid, goal_blank: usize) -> Option<Set> {
        let tiles: Vec<usize> = (0..grid.cells()).filter(|&cell| cell != goal_blank).collect();
        let (first, second) = tiles.split_at(tiles.len() / 2);
        let pattern = |tiles: &[usize]| Pattern::new(grid, goal_blank, tiles.iter().copied()).ok();
        let partition = Partition::new(vec![pattern(first)?, pattern(second)?]).ok()?;
        Some(Set::new(format!("{}-{}", first.len(), second.len()), vec![partition]))
    }

    /// A catalogue by its name.
    ///
    /// # Errors
    /// - [`SetError::Pattern`] where the grid has no cell `goal_blank`;
    /// - [`SetError::NoCatalogue`] where the size has no catalogue of that name;
    /// - [`SetError::NotForGoal`] where the catalogue is for another goal.
    pub fn catalogue(name: &str, grid: Grid, goal_blank: usize) -> Result<Set, SetError> {
        let (grid, canonical) = canonical(grid, goal_blank)?;
        let name = name.trim().to_owned();
        match Partition::catalogue(&name, grid) {
            None => Err(SetError::NoCatalogue { name, grid }),
            Some(_) if canonical != 0 => Err(SetError::NotForGoal { name, goal_blank }),
            Some(partitions) => Ok(Set::new(name, partitions)),
        }
    }

    /// The set whose tables count slides, for all goals equivalent to this one. Its name is `multi`.
    ///
    /// # Errors
    /// - [`SetError::Pattern`] where the grid has no cell `goal_blank`;
    /// - [`SetError::NoSlides`] for more than [`MAX_SLIDE_CELLS`] cells.
    pub fn slides(grid: Grid, goal_blank: usize) -> Result<Set, SetError> {
        let (grid, goal_blank) = canonical(grid, goal_blank)?;
        let patterns = slide_patterns(grid, goal_blank).ok_or(SetError::NoSlides(grid))?;
        Ok(Set { name: Metric::Multi.to_string(), partitions: Vec::new(), patterns })
    }

    /// The first `count` sets of the portfolio, the standard one first; `None` where the size has
    /// no portfolio, or none of that number.
    pub fn portfolio(grid: Grid, goal_blank: usize, count: usize) -> Option<Vec<Set>> {
        let names = PORTFOLIO.get(..count)?.iter();
        names.map(|name| Set::named(name, grid, goal_blank).ok()).collect()
    }

    /// A set by the name of its partition, as lists of tiles (`1,2,3/4,5`), or, without a text,
    /// the standard one.
    ///
    /// A name gives the set that works for all goals equivalent to this one. Lists are taken as
    /// they are.
    ///
    /// # Errors
    /// - [`SetError::Pattern`] where the grid has no cell `goal_blank`, or the text is not a partition;
    /// - [`SetError::NoStandard`] where there is neither a text nor a standard set.
    pub fn parse(text: Option<&str>, grid: Grid, goal_blank: usize) -> Result<Set, SetError> {
        let canonical = canonical(grid, goal_blank)?;
        match text.map(str::trim) {
            None => Set::standard(canonical.0, canonical.1).ok_or(SetError::NoStandard(grid)),
            Some(lists) if Partition::is_lists(lists) => {
                Ok(Partition::parse(lists, grid, goal_blank)?.into())
            }
            Some(name) => Set::named(name, canonical.0, canonical.1).or_else(|unknown| {
                let halves = Set::halves(canonical.0, canonical.1);
                halves.filter(|set| set.name == name).ok_or(unknown)
            }),
        }
    }

    /// The set with which [`Engine`](crate::search::Engine) searches the largest of these bounds;
    /// `None` where that takes a search with a [`Composed`](crate::classics::Composed) heuristic.
    ///
    /// The engine covers one bound: the zone-aware tables of a partition of all tiles, mirrored
    /// exactly where the goal has a mirror image. The partition is one that [`is_view`] accepts.
    pub(crate) fn for_engine(bounds: &[Term], grid: Grid, goal_blank: usize) -> Option<Set> {
        let [Term::Tables { partition, plain: false, mirror }] = bounds else { return None };
        let set = Set::parse(Some(partition), grid, goal_blank).ok()?;
        let is_view = set.partitions().iter().all(is_view);
        (is_view && *mirror == grid.is_mirrored(goal_blank)).then_some(set)
    }

    fn named(name: &str, grid: Grid, goal_blank: usize) -> Result<Set, SetError> {
        Ok(Set::new(name.to_owned(), vec![Partition::parse(name, grid, goal_blank)?]))
    }

    fn new(name: String, partitions: Vec<Partition>) -> Set {
        let patterns = match &partitions[..] {
            [partition] => partition.patterns().to_vec(),
            several => {
                let patterns = several.iter().flat_map(|partition| partition.patterns());
                let mut shapes: Vec<_> = patterns.map(|p| p.representative()).collect();
                shapes.sort_unstable();
                shapes.dedup();
                shapes
            }
        };
        Set { name, partitions, patterns }
    }

    /// The metric of the tables.
    pub fn metric(&self) -> Metric {
        if self.partitions.is_empty() { Metric::Multi } else { Metric::Single }
    }

    /// The name: `7-8`, `small`, `multi`, or lists of tiles.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The board's shape.
    pub fn grid(&self) -> Grid {
        self.patterns[0].grid()
    }

    /// The blank's goal cell.
    pub fn goal_blank(&self) -> usize {
        self.patterns[0].blank()
    }

    /// Returns whether the set is a catalogue, in which patterns of the same shape share a table.
    pub fn is_catalogue(&self) -> bool {
        self.partitions.len() > 1
    }

    /// All partitions, in order: several for a catalogue, none for tables that count slides.
    pub fn partitions(&self) -> &[Partition] {
        &self.partitions
    }

    /// The patterns with databases: all of the partition, or one for each shape of a catalogue. Where they
    /// count slides, the last ones may be of the mirrored goal.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }
}

/// The set of a partition, named by its lists of tiles.
impl From<Partition> for Set {
    fn from(partition: Partition) -> Set {
        Set::new(partition.to_string(), vec![partition])
    }
}

/// The grid and the blank's goal cell of the canonical form of a goal.
fn canonical(grid: Grid, goal_blank: usize) -> Result<(Grid, usize), PatternError> {
    if goal_blank >= grid.cells() {
        return Err(PatternError::Blank { grid, blank: goal_blank });
    }
    let mut tiles: Vec<u8> = (0..grid.cells()).map(|cell| cell as u8).collect();
    tiles.swap(0, goal_blank);
    let goal = Goal::from(Board::from_permutation(grid, tiles.into()));
    let canonical = Canonical::of(&goal);
    Ok((canonical.grid(), canonical.goal_blank()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classics::Spec;

    fn grid(width: usize, height: usize) -> Grid {
        Grid::new(width, height).unwrap()
    }

    #[test]
    fn standard_sets_have_all_tiles() {
        for (width, height) in [(3, 2), (4, 2), (3, 3), (5, 3), (7, 2), (8, 2), (4, 4)] {
            let grid = grid(width, height);
            for blank in 0..grid.cells() {
                let set = Set::standard(grid, blank).unwrap();
                let masks: Vec<u64> = set.patterns().iter().map(|p| p.mask()).collect();
                assert_eq!(masks.len(), 2);
                assert_eq!(masks[0] + masks[1], (1 << grid.cells()) - 1 - (1 << blank));
            }
        }
        assert!(Set::standard(grid(6, 5), 0).is_none());
        assert!(Set::standard(grid(2, 2), 0).is_none());
        let four = Set::standard(grid(4, 4), 0).unwrap();
        assert_eq!(four.name, "7-8");
        assert_eq!(four.partitions()[0].to_string(), "1,2,3,4,5,6,7/8,9,10,11,12,13,14,15");
        let three = Set::standard(grid(3, 3), 0).unwrap();
        assert_eq!(three.partitions()[0].to_string(), "1,2,4,5/3,6,7,8");
    }

    #[test]
    fn names_stand_for_all_equivalent_goals() {
        let standard = Set::standard(grid(4, 4), 0);
        for corner in [0, 3, 12, 15] {
            assert_eq!(Set::parse(Some("7-8"), grid(4, 4), corner).ok(), standard);
            assert_eq!(Set::parse(None, grid(4, 4), corner).ok(), standard);
        }
        let upright = Set::parse(None, grid(3, 4), 11).unwrap();
        assert_eq!((upright.grid(), upright.goal_blank()), (grid(4, 3), 0));
        assert_eq!(Set::parse(Some("5-6"), grid(3, 4), 0).unwrap(), upright);
        let lists = Set::parse(Some("1,2/3"), grid(3, 4), 11).unwrap();
        assert_eq!((lists.grid(), lists.goal_blank()), (grid(3, 4), 11));
        let large = Set::parse(None, grid(5, 5), 24).unwrap();
        assert_eq!((large.name.as_str(), large.partitions().len()), ("small", 7));
        assert_eq!(Set::parse(None, grid(5, 5), 12).unwrap().name, "6-6-6-6");
    }

    #[test]
    fn larger_boards_have_patterns_of_few_tiles() {
        for (width, height) in [(6, 3), (5, 4), (7, 3), (6, 4), (12, 2), (5, 5)] {
            let grid = grid(width, height);
            for blank in 0..grid.cells() {
                let set = Set::standard(grid, blank).unwrap();
                for partition in set.partitions() {
                    let patterns = partition.patterns();
                    assert!(patterns.len() <= 4 && patterns.iter().all(|p| p.len() <= 7));
                    let all: u64 = patterns.iter().map(|p| p.mask()).sum();
                    assert_eq!(all, (1 << grid.cells()) - 1 - (1 << blank), "{set:?}");
                }
            }
        }
        let small = Set::standard(grid(5, 5), 0).unwrap();
        assert_eq!(small.patterns().len(), 11);
        assert_eq!((small.name(), small.is_catalogue()), ("small", true));
        assert_eq!(Set::portfolio(grid(4, 4), 0, 3).map(|sets| sets.len()), Some(3));
        assert!(Set::portfolio(grid(4, 4), 0, 4).is_none());
        assert!(Set::portfolio(grid(3, 3), 0, 2).is_none());
    }

    #[test]
    fn the_engine_covers_partitions_of_all_tiles_and_their_mirror() {
        let covers = |text: &str, (width, height): (usize, usize), goal_blank| {
            let Ok(Spec::Bound(bounds)) = text.parse() else { panic!("{text}") };
            Set::for_engine(&bounds, grid(width, height), goal_blank).is_some()
        };
        // Those with ! are not covered. Without a mirror image of the goal the engine has one view of a partition.
        for (size, goal_blank, texts) in [
            ((4, 4), 0, "7-8:mirror 6-6-3:mirror 4-4-4-3:mirror !7-8 !6-6-3 !7-8:plain:mirror"),
            ((4, 4), 0, "!max(7-8:mirror,7-8b:mirror) !7-9:mirror !manhattan"),
            ((4, 4), 5, "7-8b:mirror"),
            ((4, 4), 1, "7-8 5-5-5 !7-8:mirror"),
            ((4, 3), 0, "5-6"),
            ((3, 3), 0, "4-4:mirror 1,2,3,4/5,6,7,8:mirror"),
            ((3, 3), 0, "!1,2,3/4,5,6,7:mirror !1,2/3,4/5,6/7/8:mirror"),
            ((5, 5), 0, "6-6-6-6:mirror 7-7-7-3:mirror !6-6-6-6"),
            ((5, 5), 0, "!1,2,3,4,5,6,7,8/9,10,11,12,13/14,15,16,17,18/19,20,21,22,23,24:mirror"),
            ((6, 3), 0, "!1,2,3,4,5,6,7/8,9,10,11,12,13,14/15,16,17:mirror"),
        ] {
            for text in texts.split(' ') {
                let is_covered = covers(text.trim_start_matches('!'), size, goal_blank);
                assert_eq!(is_covered, !text.starts_with('!'), "{text}");
            }
        }
    }
}
