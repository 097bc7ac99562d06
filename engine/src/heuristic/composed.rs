//! The heuristic that a [`Spec`](super::Spec) describes, composed at run time.
//!
//! A single bound has a search compiled for its type, and so have a few pairs that are often
//! wanted. [`Composed::apply`] chooses the code once, before the search. Any other maximum is an
//! array of bounds, and each move matches each of them by its kind. On 4×4 this would make
//! `max(walking-distance,linear-conflict)` 1.5 times as slow as the compiled pair.

use std::fmt;
use std::sync::Arc;

use super::{
    Additions, Additive, AdditiveCarry, EnhancedManhattan, GridTooLarge, Heuristic, LinearConflict,
    MAX_PATTERNS, Manhattan, Max, Named, PatternTable, Term, WalkingDistance,
};
use crate::SMALL;
use crate::board::{Grid, transposed};
use crate::pdb::{BrokenTable, PlainTable, Table};

/// The tables of a partition.
pub enum PartitionTables {
    /// Zone-aware tables.
    ZoneAware(Arc<[Table]>),
    /// Tables that ignore the blank.
    Plain(Arc<[PlainTable]>),
}

/// The reason why a heuristic cannot be composed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError<E> {
    /// A heuristic does not exist for a board this large.
    #[error(transparent)]
    GridTooLarge(#[from] GridTooLarge),
    /// Mirrored tables, but the goal is not its own mirror image.
    #[error(
        "{term} has no mirror here: a mirror needs a square board and a goal with the blank on the \
         diagonal from the first cell to the last, or in a corner; leave :mirror out"
    )]
    NoMirror {
        /// The bound.
        term: Term,
    },
    /// No bound.
    #[error("a heuristic has at least one bound")]
    NoBound,
    /// More patterns than can be added up.
    #[error("{term} has too many patterns: at most {max} can be added up")]
    TooManyPatterns {
        /// The bound.
        term: Term,
        /// The largest number of patterns.
        max: usize,
    },
    /// More bounds than a maximum can have.
    #[error("a maximum has at most {max} bounds, and a mirror counts as one", max = MOST)]
    TooMany,
    /// The tables cannot be provided.
    #[error(transparent)]
    Tables(E),
}

/// The largest number of bounds of a maximum.
const MOST: usize = 16;

/// A heuristic composed at run time.
///
/// ```
/// use taquin_engine::board::Grid;
/// use taquin_engine::heuristic::{Composed, Spec};
///
/// let Spec::Bound(bounds) = "max(walking-distance,linear-conflict)".parse()? else { panic!() };
/// let heuristic = Composed::new(&bounds, Grid::new(3, 3)?, 0, |_, _| {
///     Err(std::io::Error::other("no tables"))
/// })?;
/// assert_eq!(heuristic.value(&[0, 8, 7, 6, 5, 4, 3, 2, 1])?, 22);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Composed {
    kind: Kind,
    /// The tables that may be damaged, and whether they are looked up mirrored too.
    zone_aware: Vec<(Arc<[Table]>, bool)>,
    /// The tables that ignore the blank.
    plain: Vec<Arc<[PlainTable]>>,
    grid: Grid,
}

impl fmt::Debug for Composed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            Kind::One(_) => "One",
            Kind::WalkingOrConflict(_) => "WalkingOrConflict",
            Kind::TwoTables(_) => "TwoTables",
            Kind::TwoPlain(_) => "TwoPlain",
            Kind::Two(_) => "Two",
            Kind::Four(_) => "Four",
            Kind::Sixteen(_) => "Sixteen",
        };
        f.debug_struct("Composed")
            .field("grid", &self.grid)
            .field("kind", &kind)
            .finish_non_exhaustive()
    }
}

enum Kind {
    One(Bound),
    WalkingOrConflict(Max<WalkingDistance, LinearConflict>),
    TwoTables(Max<Additive<Table>, Additive<Table>>),
    TwoPlain(Max<Additive<PlainTable>, Additive<PlainTable>>),
    Two(Largest<2>),
    Four(Largest<4>),
    Sixteen(Largest<MOST>),
}

/// A task for a heuristic of any type, such as a search.
pub trait Use {
    /// The result of the task.
    type Output;

    /// Runs the task with a heuristic.
    fn with<H: Heuristic>(self, heuristic: &H) -> Self::Output;
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
        bounds: &[Term],
        grid: Grid,
        blank: usize,
        mut tables: impl FnMut(&str, bool) -> Result<PartitionTables, E>,
    ) -> Result<Composed, ComposeError<E>> {
        check(bounds, grid, blank)?;
        let mut parts = Vec::new();
        let (mut zone_aware, mut ignoring_blank) = (Vec::new(), Vec::new());
        for term in bounds {
            match term {
                Term::Named(named) => parts.push(Bound::named(*named, grid, blank)?),
                Term::Sum(additions) => {
                    parts.push(Bound::Sum(EnhancedManhattan::new(grid, blank, *additions)));
                }
                Term::Tables { partition, plain, mirror } => {
                    match tables(partition, *plain).map_err(ComposeError::Tables)? {
                        PartitionTables::ZoneAware(tables) => {
                            zone_aware.push((tables.clone(), *mirror));
                            parts.extend(views(tables, *mirror, Bound::Tables));
                        }
                        PartitionTables::Plain(tables) => {
                            ignoring_blank.push(tables.clone());
                            parts.extend(views(tables, *mirror, Bound::Plain));
                        }
                    }
                }
            }
        }
        Ok(Composed { kind: Kind::of(parts), zone_aware, plain: ignoring_blank, grid })
    }

    /// The zone-aware tables of the heuristic.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.zone_aware.iter().flat_map(|(tables, _)| tables.iter())
    }

    /// The tables of the heuristic that ignore the blank.
    pub fn plain_tables(&self) -> impl Iterator<Item = &PlainTable> {
        self.plain.iter().flat_map(|tables| tables.iter())
    }

    /// Runs a task with the heuristic, in code that is compiled for the heuristic's type.
    pub fn apply<U: Use>(&self, task: U) -> U::Output {
        match &self.kind {
            Kind::One(part) if SMALL => task.with(part),
            Kind::One(part) => part.apply(task),
            Kind::WalkingOrConflict(heuristic) => task.with(heuristic),
            Kind::TwoTables(heuristic) if !SMALL => task.with(heuristic),
            Kind::TwoPlain(heuristic) if !SMALL => task.with(heuristic),
            Kind::Two(heuristic) if !SMALL => task.with(heuristic),
            Kind::Four(heuristic) => task.with(heuristic),
            Kind::Sixteen(heuristic) => task.with(heuristic),
            _ => unreachable!("a small build puts these into Kind::Four"),
        }
    }

    /// Returns the value of a position.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal. A search would panic then.
    pub fn value(&self, labels: &[u8]) -> Result<u32, BrokenTable> {
        struct Value<'a>(&'a [u8]);

        impl Use for Value<'_> {
            type Output = u32;

            fn with<H: Heuristic>(self, heuristic: &H) -> u32 {
                heuristic.value(&heuristic.start(self.0))
            }
        }

        for (tables, mirror) in &self.zone_aware {
            let image = if *mirror { transposed(self.grid, labels) } else { labels.into() };
            for table in tables.iter() {
                table.value(table.state(labels))?;
                table.value(table.state(&image))?;
            }
        }
        Ok(self.apply(Value(labels)))
    }
}

/// Refuses bounds that cannot be composed, whatever their tables hold.
fn check<E>(bounds: &[Term], grid: Grid, blank: usize) -> Result<(), ComposeError<E>> {
    let mut parts = bounds.len();
    for term in bounds {
        let Term::Tables { partition, mirror, .. } = term else { continue };
        if *mirror && !grid.is_mirrored(blank) {
            return Err(ComposeError::NoMirror { term: term.clone() });
        }
        // No named partition has that many.
        if partition.split('/').count() > MAX_PATTERNS {
            return Err(ComposeError::TooManyPatterns { term: term.clone(), max: MAX_PATTERNS });
        }
        parts += usize::from(*mirror);
    }
    match parts {
        0 => Err(ComposeError::NoBound),
        1..=MOST => Ok(()),
        _ => Err(ComposeError::TooMany),
    }
}

/// The sum of a partition's tables, and if wanted that of its mirror image.
fn views<T: PatternTable, P>(
    tables: Arc<[T]>,
    mirror: bool,
    part: fn(Additive<T>) -> P,
) -> impl Iterator<Item = P> {
    let image = mirror.then(|| part(Additive::new(tables.clone()).mirrored()));
    std::iter::once(part(Additive::new(tables))).chain(image)
}

impl Kind {
    fn of(parts: Vec<Bound>) -> Kind {
        use Bound::{LinearConflict, Plain, Tables, WalkingDistance};
        let parts = match <[Bound; 1]>::try_from(parts) {
            Ok([part]) => return Kind::One(part),
            Err(parts) => parts,
        };
        let parts = match <[Bound; 2]>::try_from(parts) {
            Ok(
                [WalkingDistance(a), LinearConflict(b)] | [LinearConflict(b), WalkingDistance(a)],
            ) => {
                return Kind::WalkingOrConflict(Max(a, b));
            }
            Ok(parts) if SMALL => return Kind::Four(Largest(parts.into())),
            // Most often tables and their mirror.
            Ok([Tables(a), Tables(b)]) => return Kind::TwoTables(Max(a, b)),
            Ok([Plain(a), Plain(b)]) => return Kind::TwoPlain(Max(a, b)),
            Ok(other) => return Kind::Two(Largest(other.into())),
            Err(parts) => parts,
        };
        if parts.len() <= 4 {
            Kind::Four(Largest(parts.into()))
        } else {
            Kind::Sixteen(Largest(parts.into()))
        }
    }
}

/// Defines the bounds of a maximum: an enum of heuristics that is a heuristic itself.
macro_rules! bounds {
    ($($part:ident: $heuristic:ty => $carry:ty,)*) => {
        /// One bound of a [`Composed`] heuristic.
        enum Bound {
            $($part($heuristic),)*
        }

        /// The value that a search carries for a [`Bound`].
        #[derive(Clone, Copy)]
        enum BoundCarry {
            /// For the places of an array that are left over.
            None,
            $($part($carry),)*
        }

        impl Bound {
            /// Passes the heuristic to code that is compiled for its type.
            fn apply<U: Use>(&self, task: U) -> U::Output {
                match self { $(Bound::$part(heuristic) => task.with(heuristic),)* }
            }
        }

        impl Heuristic for Bound {
            type Carry = BoundCarry;

            fn start(&self, labels: &[u8]) -> BoundCarry {
                match self {
                    $(Bound::$part(heuristic) => BoundCarry::$part(heuristic.start(labels)),)*
                }
            }

            // As calls, these two functions cost some maxima a quarter of their speed.
            #[inline(always)]
            fn moved(&self, carry: &BoundCarry, labels: &[u8], from: usize, to: usize) -> BoundCarry {
                match (self, carry) {
                    $((Bound::$part(heuristic), BoundCarry::$part(carry)) => {
                        BoundCarry::$part(heuristic.moved(carry, labels, from, to))
                    })*
                    _ => unreachable!("a carried value has the kind of its part"),
                }
            }

            #[inline(always)]
            fn value(&self, carry: &BoundCarry) -> u32 {
                match (self, carry) {
                    $((Bound::$part(heuristic), BoundCarry::$part(carry)) => heuristic.value(carry),)*
                    _ => unreachable!("a carried value has the kind of its part"),
                }
            }
        }
    };
}

bounds! {
    Manhattan: Manhattan => <Manhattan as Heuristic>::Carry,
    LinearConflict: LinearConflict => <LinearConflict as Heuristic>::Carry,
    Sum: EnhancedManhattan => <EnhancedManhattan as Heuristic>::Carry,
    WalkingDistance: WalkingDistance => <WalkingDistance as Heuristic>::Carry,
    Tables: Additive<Table> => AdditiveCarry,
    Plain: Additive<PlainTable> => AdditiveCarry,
}

impl Bound {
    /// The heuristic of this name, for a goal with the blank in this cell.
    fn named(named: Named, grid: Grid, blank: usize) -> Result<Bound, GridTooLarge> {
        let sum = |additions| Bound::Sum(EnhancedManhattan::new(grid, blank, additions));
        Ok(match named {
            Named::Manhattan => Bound::Manhattan(Manhattan::new(grid, blank)),
            Named::LinearConflict => Bound::LinearConflict(LinearConflict::new(grid, blank)),
            Named::CornerTiles => sum(Additions::CORNER_TILES),
            Named::LastMove => sum(Additions::LAST_MOVE),
            Named::WalkingDistance => Bound::WalkingDistance(WalkingDistance::new(grid, blank)?),
        })
    }
}

/// The maximum of at most `N` bounds.
struct Largest<const N: usize>(Box<[Bound]>);

impl<const N: usize> Heuristic for Largest<N> {
    type Carry = [BoundCarry; N];

    fn start(&self, labels: &[u8]) -> Self::Carry {
        let mut carries = [BoundCarry::None; N];
        for (part, carry) in self.0.iter().zip(&mut carries) {
            *carry = part.start(labels);
        }
        carries
    }

    fn moved(&self, carries: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let mut next = [BoundCarry::None; N];
        for ((part, carry), next) in self.0.iter().zip(carries).zip(&mut next) {
            *next = part.moved(carry, labels, from, to);
        }
        next
    }

    fn value(&self, carries: &Self::Carry) -> u32 {
        let values = self.0.iter().zip(carries).map(|(part, carry)| part.value(carry));
        values.max().unwrap_or(0)
    }
}
