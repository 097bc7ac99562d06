//! The heuristic that a [`Spec`](crate::Spec) describes, composed at run time, and searches with it.
//!
//! # How to add a heuristic
//!
//! 1. Write it in a new file: a type that implements [`Heuristic`], built from a grid and the blank's goal
//!    cell, with a `Carry` that is `Copy`. The head of the file states its origin, its cost and why it is
//!    admissible and consistent. If it does not exist for every grid, its constructor returns
//!    [`GridTooLarge`].
//! 2. Add it to [`Term`] and to the names in `spec.rs`, and to `bounds!` and `Composed::new` in this file.
//! 3. Declare the module and export the type in `lib.rs`, and describe it in the table there.
//!
//! Then the heuristic can be parsed, displayed, composed and searched with, and the help and the messages list
//! it. `tests/it/heuristics.rs` checks every heuristic that has a name on whole spaces. A new addition to
//! Manhattan distance is a bit of [`Additions`], and needs a proof that nothing is counted twice.
//!
//! # Speed
//!
//! A single bound has an IDA* compiled for its type, and so have a few common pairs. [`Composed::apply`]
//! chooses the code once, before the search. Any other maximum is an array of bounds, and each move matches
//! each of them by its kind. On 4×4 this would make `max(walking-distance,linear-conflict)` 1.5 times as slow
//! as the compiled pair. Beams and counts of solutions match the kind of single bounds, too. They are up to 1.4
//! times as slow, which saves ten copies of their code.

use taquin_engine::board::{Grid, Metric, Moves, Position};
use taquin_engine::pdb::{BrokenTable, PlainTable};
use taquin_engine::search::{
    Limits, Outcome, SearchError, Solutions, Stop, Unrecorded, Width, beam, ida,
};

use crate::best_first::a_star_by;
use crate::{
    Additions, Additive, EnhancedManhattan, GridTooLarge, Heuristic, LinearConflict, MAX_PATTERNS,
    Manhattan, Max, Misplaced, PartitionTables, Term, Ties, WalkingDistance,
};

/// The reason why a heuristic cannot be composed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError<E> {
    /// A heuristic does not exist for a board this large.
    #[error(transparent)]
    GridTooLarge(#[from] GridTooLarge),
    /// No bound, more than can be composed, or a mirror where there is none.
    #[error("{0}")]
    Refused(String),
    /// The tables cannot be provided.
    #[error(transparent)]
    Tables(E),
}

/// The largest number of bounds of a maximum.
const MOST: usize = 16;

/// A heuristic composed at run time: the largest of some bounds.
///
/// It must be one of the position's goal. With another one a search may panic, not end, or find a solution
/// that is not optimal. [`BrokenTable`] is the error of a table that does not lead to the goal.
///
/// ```
/// use taquin_engine::board::Grid;
/// use taquin_classics::{Composed, Spec};
///
/// let Spec::Bound(bounds) = "max(walking-distance,linear-conflict)".parse()? else { panic!() };
/// let heuristic = Composed::new(&bounds, Grid::new(3, 3)?, 0, |_, _| {
///     Err(std::io::Error::other("no tables"))
/// })?;
/// assert_eq!(heuristic.value(&[0, 8, 7, 6, 5, 4, 3, 2, 1])?, 22);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Composed {
    bounds: Vec<Bound>,
    tables: Vec<PartitionTables>,
}

/// Defines an enum of heuristics that is a heuristic itself.
macro_rules! bounds {
    ($($bound:ident($heuristic:ty),)*) => {
        /// One bound of a [`Composed`] heuristic.
        #[derive(Debug)]
        enum Bound {
            $($bound($heuristic),)*
        }

        /// The value that a search carries for a [`Bound`].
        #[derive(Clone, Copy)]
        enum BoundCarry {
            $($bound(<$heuristic as Heuristic>::Carry),)*
        }

        impl Bound {
            /// Passes the heuristic to code that is compiled for its type.
            fn apply<'a, U: Use<'a>>(&'a self, task: U) -> U::Output {
                match self { $(Bound::$bound(heuristic) => task.with(heuristic),)* }
            }
        }

        impl Heuristic for Bound {
            type Carry = BoundCarry;

            fn start(&self, labels: &[u8]) -> BoundCarry {
                match self {
                    $(Bound::$bound(heuristic) => BoundCarry::$bound(heuristic.start(labels)),)*
                }
            }

            // As calls, these two functions cost some maxima a quarter of their speed.
            #[inline(always)]
            fn moved(&self, carry: &BoundCarry, labels: &[u8], from: usize, to: usize) -> BoundCarry {
                match (self, carry) {
                    $((Bound::$bound(heuristic), BoundCarry::$bound(carry)) => {
                        BoundCarry::$bound(heuristic.moved(carry, labels, from, to))
                    })*
                    _ => unreachable!("a carried value has the kind of its bound"),
                }
            }

            #[inline(always)]
            fn value(&self, carry: &BoundCarry) -> u32 {
                match (self, carry) {
                    $((Bound::$bound(heuristic), BoundCarry::$bound(carry)) => heuristic.value(carry),)*
                    _ => unreachable!("a carried value has the kind of its bound"),
                }
            }
        }
    };
}

bounds! {
    Misplaced(Misplaced),
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    Sum(EnhancedManhattan),
    WalkingDistance(WalkingDistance),
    Tables(Additive),
    Mirrored(Max<Additive, Additive>),
    Plain(Additive<PlainTable>),
    PlainMirrored(Max<Additive<PlainTable>, Additive<PlainTable>>),
}

/// A task for a heuristic of any type, such as a search.
pub trait Use<'a> {
    /// The result of the task.
    type Output;

    /// Runs the task with a heuristic.
    fn with(self, heuristic: impl Heuristic + 'a) -> Self::Output;
}

impl Composed {
    /// Composes the largest of these bounds, for a goal with the blank in cell `blank`.
    ///
    /// `tables` returns the tables of a partition, which is given by name or as lists of tiles: plain
    /// ones if the flag is set. It is called only if all bounds can be composed.
    ///
    /// # Errors
    /// [`ComposeError`].
    ///
    /// # Panics
    /// If the grid has no cell `blank`, or `tables` returns tables that cannot be added up: see
    /// [`Additive::new`].
    pub fn new<E>(
        terms: &[Term],
        grid: Grid,
        blank: usize,
        mut tables: impl FnMut(&str, bool) -> Result<PartitionTables, E>,
    ) -> Result<Composed, ComposeError<E>> {
        check(terms, grid, blank)?;
        let (mut bounds, mut used) = (Vec::new(), Vec::new());
        for term in terms {
            bounds.push(match term {
                Term::Misplaced => Bound::Misplaced(Misplaced::new(grid, blank)),
                Term::WalkingDistance => Bound::WalkingDistance(WalkingDistance::new(grid, blank)?),
                Term::Sum(Additions::NONE) => Bound::Manhattan(Manhattan::new(grid, blank)),
                Term::Sum(Additions::LINEAR_CONFLICT) => {
                    Bound::LinearConflict(LinearConflict::new(grid, blank))
                }
                Term::Sum(additions) => Bound::Sum(EnhancedManhattan::new(grid, blank, *additions)),
                Term::Tables { partition, plain, mirror } => {
                    let tables = tables(partition, *plain).map_err(ComposeError::Tables)?;
                    used.push(tables.clone());
                    match (tables, mirror) {
                        (PartitionTables::ZoneAware(of), false) => Bound::Tables(Additive::new(of)),
                        (PartitionTables::ZoneAware(of), true) => {
                            Bound::Mirrored(Max::mirrored(of))
                        }
                        (PartitionTables::Plain(of), false) => Bound::Plain(Additive::new(of)),
                        (PartitionTables::Plain(of), true) => {
                            Bound::PlainMirrored(Max::mirrored(of))
                        }
                    }
                }
            });
        }
        Ok(Composed { bounds, tables: used })
    }

    /// The tables of the heuristic, by partition.
    pub fn tables(&self) -> &[PartitionTables] {
        &self.tables
    }

    /// Runs a task with the heuristic, in code that is compiled for the heuristic's type.
    pub fn apply<'a, U: Use<'a>>(&'a self, task: U) -> U::Output {
        use Bound::{LinearConflict, WalkingDistance};
        match &self.bounds[..] {
            [bound] => bound.apply(task),
            [WalkingDistance(a), LinearConflict(b)] | [LinearConflict(b), WalkingDistance(a)] => {
                task.with(Max(a, b))
            }
            [a, b] => task.with(Max(a, b)),
            _ => self.apply_by_kind(task),
        }
    }

    /// Runs a task with the heuristic, in code that matches each bound by its kind at each move.
    fn apply_by_kind<'a, U: Use<'a>>(&'a self, task: U) -> U::Output {
        match &self.bounds[..] {
            [bound] => task.with(bound),
            bounds if bounds.len() <= 4 => task.with(Largest::<4>(bounds)),
            bounds => task.with(Largest::<MOST>(bounds)),
        }
    }

    /// Returns the value of a position.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal. A search would panic then.
    pub fn value(&self, labels: &[u8]) -> Result<u32, BrokenTable> {
        self.check(labels)?;
        Ok(self.checked_value(labels))
    }

    fn checked_value(&self, labels: &[u8]) -> u32 {
        let values = self.bounds.iter().map(|bound| bound.value(&bound.start(labels)));
        values.max().unwrap_or(0)
    }

    /// Refuses tables that do not lead to the goal from here.
    fn check(&self, labels: &[u8]) -> Result<(), BrokenTable> {
        let start = |sum: &Additive| sum.checked_start(labels).map(drop);
        self.bounds.iter().try_for_each(|bound| match bound {
            Bound::Tables(sum) => start(sum),
            Bound::Mirrored(Max(sum, mirror)) => start(sum).and(start(mirror)),
            Bound::Misplaced(_) | Bound::Manhattan(_) | Bound::LinearConflict(_) => Ok(()),
            Bound::Sum(_) | Bound::WalkingDistance(_) => Ok(()),
            // They have values, which are not followed to the goal.
            Bound::Plain(_) | Bound::PlainMirrored(_) => Ok(()),
        })
    }

    /// [`ida`] with this heuristic.
    ///
    /// # Errors
    /// [`BrokenTable`].
    pub fn ida<'a>(&'a self, position: &'a Position) -> Result<Unrecorded<'a>, BrokenTable> {
        struct Ida<'a>(&'a Position);

        impl<'a> Use<'a> for Ida<'a> {
            type Output = Unrecorded<'a>;

            fn with(self, heuristic: impl Heuristic + 'a) -> Unrecorded<'a> {
                ida(self.0, heuristic)
            }
        }

        self.check(position.labels())?;
        Ok(self.apply(Ida(position)))
    }

    /// [`a_star`](crate::a_star()) with this heuristic.
    ///
    /// # Errors
    /// [`BrokenTable`].
    pub fn a_star(
        &self,
        position: &Position,
        ties: Ties,
        limits: &Limits,
    ) -> Result<Outcome, BrokenTable> {
        self.check(position.labels())?;
        Ok(a_star_by(position, |labels| self.checked_value(labels), ties, limits))
    }

    /// [`beam`](beam()) with this heuristic.
    ///
    /// # Errors
    /// [`BrokenTable`].
    pub fn beam(
        &self,
        position: &Position,
        width: Width,
        below: usize,
        limits: &Limits,
    ) -> Result<Option<Moves>, BrokenTable> {
        struct Beam<'a>(&'a Position, Width, usize, &'a Limits);

        impl Use<'_> for Beam<'_> {
            type Output = Option<Moves>;

            fn with(self, heuristic: impl Heuristic) -> Option<Moves> {
                beam(self.0, &heuristic, Metric::Single, self.1, self.2, self.3)
            }
        }

        self.check(position.labels())?;
        Ok(self.apply_by_kind(Beam(position, width, below, limits)))
    }

    /// [`Solutions::search`] with this heuristic.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn solutions(
        &self,
        position: &Position,
        length: u32,
        limits: &Limits,
    ) -> Result<Solutions, SearchError> {
        struct All<'a>(&'a Position, u32, &'a Limits);

        impl Use<'_> for All<'_> {
            type Output = Result<Solutions, Stop>;

            fn with(self, heuristic: impl Heuristic) -> Self::Output {
                Solutions::search(self.0, self.1, &heuristic, self.2)
            }
        }

        self.check(position.labels())?;
        self.apply_by_kind(All(position, length, limits)).map_err(SearchError::Stopped)
    }
}

/// Refuses bounds that cannot be composed, whatever their tables hold.
fn check<E>(terms: &[Term], grid: Grid, blank: usize) -> Result<(), ComposeError<E>> {
    let refused = |text: String| Err(ComposeError::Refused(text));
    let mut bounds = terms.len();
    for term in terms {
        let Term::Tables { partition, mirror, .. } = term else { continue };
        if *mirror && !grid.is_mirrored(blank) {
            return refused(format!(
                "{term} has no mirror here: a mirror needs a square board and a goal with the blank on the \
                 diagonal from the first cell to the last, or in a corner; leave :mirror out"
            ));
        }
        // No named partition has that many.
        if partition.split('/').count() > MAX_PATTERNS {
            return refused(format!(
                "{term} has too many patterns: at most {MAX_PATTERNS} can be added up"
            ));
        }
        bounds += usize::from(*mirror);
    }
    match bounds {
        1..=MOST => Ok(()),
        0 => refused("a heuristic has at least one bound".to_owned()),
        _ => refused(format!("a maximum has at most {MOST} bounds, and a mirror counts as one")),
    }
}

/// The maximum of at most `N` bounds.
struct Largest<'a, const N: usize>(&'a [Bound]);

impl<const N: usize> Heuristic for Largest<'_, N> {
    type Carry = [BoundCarry; N];

    fn start(&self, labels: &[u8]) -> Self::Carry {
        // The unused places repeat the first one.
        std::array::from_fn(|i| self.0.get(i).unwrap_or(&self.0[0]).start(labels))
    }

    fn moved(&self, carries: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let mut next = *carries;
        for ((bound, carry), next) in self.0.iter().zip(carries).zip(&mut next) {
            *next = bound.moved(carry, labels, from, to);
        }
        next
    }

    fn value(&self, carries: &Self::Carry) -> u32 {
        let values = self.0.iter().zip(carries).map(|(bound, carry)| bound.value(carry));
        values.max().unwrap_or(0)
    }
}
