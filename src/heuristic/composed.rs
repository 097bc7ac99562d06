//! The heuristic that a [`Spec`](super::Spec) describes, put together at run time.
//!
//! What is one bound or a pair that is often wanted has a type of its own here, and a search
//! compiled for it; [`Composed::apply`] chooses once, before the search. Any other maximum is an
//! array of bounds, where each move asks each of them what it is: on 4×4 that makes
//! `max(walking-distance,linear-conflict)` 1.5 times as slow as the compiled pair, so the pair is one
//! of those with a type.

use std::sync::Arc;

use super::additive::{Additive, AdditiveState, Mirror};
use super::{
    EnhancedManhattan, Heuristic, LinearConflict, Manhattan, Max, Term, WalkingDistance,
    WalkingDistanceError,
};
use crate::board::{Grid, transposed};
use crate::pdb::{BrokenTable, PlainTable, Table};

/// Where the tables of a partition come from.
pub trait TableSource<B> {
    /// Why there are none.
    type Error;

    /// The zone-aware tables of a partition, by name or as lists of tiles.
    ///
    /// # Errors
    /// Where there is no such partition, or its tables cannot be had.
    fn zone_aware(&mut self, partition: &str) -> Result<Arc<[Table<B>]>, Self::Error>;

    /// The tables of a partition that ignore the blank.
    ///
    /// # Errors
    /// Where there is no such partition, or its tables cannot be had.
    fn plain(&mut self, partition: &str) -> Result<Arc<[PlainTable]>, Self::Error>;
}

/// Why a heuristic cannot be put together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError<E> {
    /// The board is too large for walking distance.
    #[error(transparent)]
    WalkingDistance(#[from] WalkingDistanceError),
    /// Mirrored tables where a position's mirror image has another goal.
    #[error(
        "{term} has no mirror here: that takes a square board and a goal with the blank on the \
         diagonal from the first cell to the last, or in a corner; leave :mirror out"
    )]
    NoMirror {
        /// The bound.
        term: Term,
    },
    /// More bounds than are compared at a node.
    #[error("a maximum has at most {max} bounds, a mirror being one of its own", max = MOST)]
    TooMany,
    /// No tables.
    #[error(transparent)]
    Tables(E),
}

/// The most bounds of a maximum.
const MOST: usize = 16;

/// A heuristic put together at run time, over tables in memory of type `B`.
pub struct Composed<B> {
    kind: Kind<B>,
    /// The tables that may be damaged, and whether they are looked up mirrored too.
    zone_aware: Vec<(Arc<[Table<B>]>, bool)>,
    grid: Grid,
}

enum Kind<B> {
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    Enhanced(EnhancedManhattan),
    Walking(WalkingDistance),
    WalkingOrConflict(Max<WalkingDistance, LinearConflict>),
    Tables(Additive<Table<B>>),
    TablesMirrored(Max<Additive<Table<B>>, Mirror<Table<B>>>),
    Plain(Additive<PlainTable>),
    PlainMirrored(Max<Additive<PlainTable>, Mirror<PlainTable>>),
    Two(Largest<B, 2>),
    Four(Largest<B, 4>),
    Sixteen(Largest<B, MOST>),
}

/// What is done with a heuristic, whichever it is.
pub trait Use {
    /// What comes of it.
    type Output;

    /// Does it.
    fn with<H: Heuristic>(self, heuristic: &H) -> Self::Output;
}

impl<B: AsRef<[u8]> + Send + Sync> Composed<B> {
    /// The largest of these bounds, for a goal with the blank in cell `blank`.
    ///
    /// # Errors
    /// [`ComposeError`].
    ///
    /// # Panics
    /// Where there is no bound, or the grid has no cell `blank`.
    pub fn new<S: TableSource<B>>(
        bounds: &[Term],
        grid: Grid,
        blank: usize,
        source: &mut S,
    ) -> Result<Composed<B>, ComposeError<S::Error>> {
        assert!(!bounds.is_empty(), "a heuristic has a bound");
        let mut parts = Vec::new();
        let mut zone_aware = Vec::new();
        for term in bounds {
            match term {
                Term::Manhattan(additions) if *additions == super::Additions::NONE => {
                    parts.push(Part::Manhattan(Manhattan::new(grid, blank)));
                }
                Term::Manhattan(additions) if !additions.corner_tiles && !additions.last_move => {
                    parts.push(Part::LinearConflict(LinearConflict::new(grid, blank)));
                }
                Term::Manhattan(additions) => {
                    parts.push(Part::Enhanced(EnhancedManhattan::new(grid, blank, *additions)));
                }
                Term::WalkingDistance => {
                    parts.push(Part::Walking(WalkingDistance::new(grid, blank)?));
                }
                Term::Tables { mirror: true, .. } if !grid.is_mirrored(blank) => {
                    return Err(ComposeError::NoMirror { term: term.clone() });
                }
                Term::Tables { partition, plain: false, mirror } => {
                    let tables = source.zone_aware(partition).map_err(ComposeError::Tables)?;
                    zone_aware.push((tables.clone(), *mirror));
                    parts.push(Part::Tables(Additive::new(tables.clone())));
                    if *mirror {
                        parts.push(Part::MirroredTables(Mirror::new(Additive::new(tables))));
                    }
                }
                Term::Tables { partition, plain: true, mirror } => {
                    let tables = source.plain(partition).map_err(ComposeError::Tables)?;
                    parts.push(Part::Plain(Additive::new(tables.clone())));
                    if *mirror {
                        parts.push(Part::MirroredPlain(Mirror::new(Additive::new(tables))));
                    }
                }
            }
            if parts.len() > MOST {
                return Err(ComposeError::TooMany);
            }
        }
        Ok(Composed { kind: Kind::of(parts), zone_aware, grid })
    }

    /// Has the heuristic used by code compiled for it.
    pub fn apply<U: Use>(&self, task: U) -> U::Output {
        match &self.kind {
            Kind::Manhattan(heuristic) => task.with(heuristic),
            Kind::LinearConflict(heuristic) => task.with(heuristic),
            Kind::Enhanced(heuristic) => task.with(heuristic),
            Kind::Walking(heuristic) => task.with(heuristic),
            Kind::WalkingOrConflict(heuristic) => task.with(heuristic),
            Kind::Tables(heuristic) => task.with(heuristic),
            Kind::TablesMirrored(heuristic) => task.with(heuristic),
            Kind::Plain(heuristic) => task.with(heuristic),
            Kind::PlainMirrored(heuristic) => task.with(heuristic),
            Kind::Two(heuristic) => task.with(heuristic),
            Kind::Four(heuristic) => task.with(heuristic),
            Kind::Sixteen(heuristic) => task.with(heuristic),
        }
    }

    /// The value of a position.
    ///
    /// # Errors
    /// [`BrokenTable`] where a table does not lead to the goal. Then a search would panic.
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

impl<B: AsRef<[u8]> + Send + Sync> Kind<B> {
    fn of(parts: Vec<Part<B>>) -> Kind<B> {
        use Part::{LinearConflict, MirroredPlain, MirroredTables, Plain, Tables, Walking};
        let parts = match <[Part<B>; 1]>::try_from(parts) {
            Ok([Part::Manhattan(heuristic)]) => return Kind::Manhattan(heuristic),
            Ok([LinearConflict(heuristic)]) => return Kind::LinearConflict(heuristic),
            Ok([Part::Enhanced(heuristic)]) => return Kind::Enhanced(heuristic),
            Ok([Walking(heuristic)]) => return Kind::Walking(heuristic),
            Ok([Tables(heuristic)]) => return Kind::Tables(heuristic),
            Ok([Plain(heuristic)]) => return Kind::Plain(heuristic),
            Ok(other) => Vec::from(other),
            Err(parts) => parts,
        };
        let parts = match <[Part<B>; 2]>::try_from(parts) {
            Ok([Walking(a), LinearConflict(b)] | [LinearConflict(b), Walking(a)]) => {
                return Kind::WalkingOrConflict(Max(a, b));
            }
            // Two of the kind stand side by side only where they are of the same tables.
            Ok([Tables(a), MirroredTables(b)]) => return Kind::TablesMirrored(Max(a, b)),
            Ok([Plain(a), MirroredPlain(b)]) => return Kind::PlainMirrored(Max(a, b)),
            Ok(other) => Vec::from(other),
            Err(parts) => parts,
        };
        match parts.len() {
            0..=2 => Kind::Two(Largest(parts.into())),
            3..=4 => Kind::Four(Largest(parts.into())),
            _ => Kind::Sixteen(Largest(parts.into())),
        }
    }
}

/// One bound of a maximum.
enum Part<B> {
    Manhattan(Manhattan),
    LinearConflict(LinearConflict),
    Enhanced(EnhancedManhattan),
    Walking(WalkingDistance),
    Tables(Additive<Table<B>>),
    MirroredTables(Mirror<Table<B>>),
    Plain(Additive<PlainTable>),
    MirroredPlain(Mirror<PlainTable>),
}

/// What a search carries for a [`Part`].
#[derive(Clone, Copy)]
enum PartState {
    /// There are fewer parts than places.
    None,
    Sum(u16),
    Enhanced(<EnhancedManhattan as Heuristic>::Carry),
    Walking(<WalkingDistance as Heuristic>::Carry),
    Additive(AdditiveState),
}

/// The maximum of at most `N` bounds.
struct Largest<B, const N: usize>(Box<[Part<B>]>);

impl<B: AsRef<[u8]> + Send + Sync, const N: usize> Heuristic for Largest<B, N> {
    type Carry = [PartState; N];

    fn start(&self, labels: &[u8]) -> Self::Carry {
        let mut states = [PartState::None; N];
        for (part, state) in self.0.iter().zip(&mut states) {
            *state = match part {
                Part::Manhattan(heuristic) => PartState::Sum(heuristic.start(labels)),
                Part::LinearConflict(heuristic) => PartState::Sum(heuristic.start(labels)),
                Part::Enhanced(heuristic) => PartState::Enhanced(heuristic.start(labels)),
                Part::Walking(heuristic) => PartState::Walking(heuristic.start(labels)),
                Part::Tables(heuristic) => PartState::Additive(heuristic.start(labels)),
                Part::MirroredTables(heuristic) => PartState::Additive(heuristic.start(labels)),
                Part::Plain(heuristic) => PartState::Additive(heuristic.start(labels)),
                Part::MirroredPlain(heuristic) => PartState::Additive(heuristic.start(labels)),
            };
        }
        states
    }

    fn moved(&self, states: &Self::Carry, labels: &[u8], from: usize, to: usize) -> Self::Carry {
        let mut next = [PartState::None; N];
        for ((part, state), next) in self.0.iter().zip(states).zip(&mut next) {
            macro_rules! moved {
                ($kind:ident, $heuristic:expr, $state:expr) => {
                    PartState::$kind($heuristic.moved($state, labels, from, to))
                };
            }
            *next = match (part, state) {
                (Part::Manhattan(h), PartState::Sum(s)) => moved!(Sum, h, s),
                (Part::LinearConflict(h), PartState::Sum(s)) => moved!(Sum, h, s),
                (Part::Enhanced(h), PartState::Enhanced(s)) => moved!(Enhanced, h, s),
                (Part::Walking(h), PartState::Walking(s)) => moved!(Walking, h, s),
                (Part::Tables(h), PartState::Additive(s)) => moved!(Additive, h, s),
                (Part::MirroredTables(h), PartState::Additive(s)) => moved!(Additive, h, s),
                (Part::Plain(h), PartState::Additive(s)) => moved!(Additive, h, s),
                (Part::MirroredPlain(h), PartState::Additive(s)) => moved!(Additive, h, s),
                _ => unreachable!("a state has the kind of its part"),
            };
        }
        next
    }

    fn value(&self, states: &Self::Carry) -> u32 {
        let value = |(part, state): (&Part<B>, &PartState)| match (part, state) {
            (_, PartState::Sum(sum)) => (*sum).into(),
            (Part::Enhanced(heuristic), PartState::Enhanced(state)) => heuristic.value(state),
            (Part::Walking(heuristic), PartState::Walking(state)) => heuristic.value(state),
            (_, PartState::Additive(state)) => state.sum(),
            _ => 0,
        };
        self.0.iter().zip(states).map(value).max().unwrap_or(0)
    }
}
