//! Orders by rows and by columns.
//!
//! A slide along a row keeps the order in which the tiles are met row by row. A slide along a column keeps
//! the order column by column. The search of [`super::generate`] keeps the states of each direction in the
//! order that its slides keep. Between two levels the orders of each set are permuted. The permutation
//! depends on the set, but many sets share one.
//!
//! Orders that differ only in the last tiles have consecutive ranks. They are a *part* of all
//! orders. A permutation takes whole parts to parts, and the orders in a part by one of a few
//! permutations, which fit in the fastest cache.

use std::collections::BTreeMap;

use super::placements::Placements;
use crate::board::Grid;

/// The permutations of the orders of each set, in parts of `N` orders.
pub(super) struct Reorder<const N: usize> {
    /// The permutation of each set, for each direction in which the states are wanted.
    of_set: [Vec<u32>; 2],
    /// The source from which each permutation takes each part.
    sources: Vec<Vec<Source>>,
    /// The rank of the same order in the other direction, for each rank within a part.
    within: Vec<[u8; N]>,
}

/// The place of the orders of a part in the other direction.
#[derive(Clone, Copy)]
struct Source {
    part: u16,
    /// The number of the permutation of its orders.
    within: u16,
}

impl<const N: usize> Reorder<N> {
    /// The permutations for parts of all orders of the last `inner` tiles, of which there are `N`.
    pub fn new(grid: Grid, placements: &Placements, inner: u32) -> Reorder<N> {
        let mut numbers = Numbers::default();
        let mut of_set = [Vec::new(), Vec::new()];
        for &set in placements.sets() {
            let is_in_set = |cell: &usize| set >> cell & 1 == 1;
            let by_rows: Vec<usize> = (0..grid.cells()).filter(is_in_set).collect();
            let by_columns: Vec<usize> = grid.by_columns().filter(is_in_set).collect();
            for (of_set, [wanted, given]) in
                of_set.iter_mut().zip([[&by_rows, &by_columns], [&by_columns, &by_rows]])
            {
                let place = |cell| given.iter().position(|other| other == cell);
                let places = wanted.iter().map(|cell| place(cell).expect("the same cells") as u8);
                of_set.push(numbers.number(places.collect()));
            }
        }
        let mut sources = vec![Vec::new(); placements.orders() / N];
        let mut within = Numbers::default();
        for places in numbers.in_order() {
            let mut parts = sources.iter_mut();
            permute(&places, inner, &mut |part, left| {
                let names = (0..places.len()).filter(|place| left >> place & 1 == 1);
                let names: Vec<u8> = names.map(|place| places[place]).collect();
                let place = |name| names.iter().filter(|&other| other < name).count() as u8;
                let within = within.number(names.iter().map(place).collect());
                let source = Source { part: part as u16, within: within as u16 };
                parts.next().expect("one for each source").push(source);
            });
        }
        let within = within.in_order().into_iter().map(|places| {
            let mut ranks = [0; N];
            let mut next = ranks.iter_mut();
            permute(&places, 0, &mut |rank, _| *next.next().expect("N orders") = rank as u8);
            ranks
        });
        Reorder { of_set, sources, within: within.collect() }
    }

    /// The number of the part of a set, ordered in the other direction, that becomes `part` in
    /// `direction`, and the permutation of its orders for [`permuted`].
    #[inline]
    pub fn source(&self, direction: usize, set: usize, part: usize) -> (usize, &[u8; N]) {
        let Source { part, within } = self.sources[part][self.of_set[direction][set] as usize];
        (part.into(), &self.within[usize::from(within)])
    }
}

/// The masks of a part in the order of a permutation.
#[inline(always)]
pub(super) fn permuted<const N: usize>(masks: &[u16; N], ranks: &[u8; N]) -> [u16; N] {
    // With a place for every byte, no index needs to be checked.
    let mut all = [0; 1 << u8::BITS];
    all[..N].copy_from_slice(masks);
    ranks.map(|rank| all[usize::from(rank)])
}

/// Numbers for permutations, in the order in which they are met.
#[derive(Default)]
struct Numbers(BTreeMap<Vec<u8>, u32>);

impl Numbers {
    fn number(&mut self, places: Vec<u8>) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(places).or_insert(next)
    }

    fn in_order(self) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new(); self.0.len()];
        self.0.into_iter().for_each(|(places, number)| all[number as usize] = places);
        all
    }
}

/// Visits the orders of all but the last `rest` tiles, by ascending ranks. Each visit is given the rank of
/// the order in which place `i` is called `places[i]`, and the remaining places.
fn permute(places: &[u8], rest: u32, visit: &mut impl FnMut(u32, u32)) {
    let all = (1 << places.len()) - 1;
    extend(places, rest, [all, all], 0, visit);
}

/// Visits the orders of the remaining tiles. `left` are the places without a tile, and `renamed` the
/// same places by their other names.
fn extend(
    places: &[u8],
    rest: u32,
    [left, renamed]: [u32; 2],
    rank: u32,
    visit: &mut impl FnMut(u32, u32),
) {
    if left.count_ones() == rest {
        return visit(rank, left);
    }
    for place in (0..places.len()).filter(|place| left >> place & 1 == 1) {
        let name = 1u32 << places[place];
        let digit = (renamed & (name - 1)).count_ones();
        let rank = rank * left.count_ones() + digit;
        extend(places, rest, [left & !(1 << place), renamed & !name], rank, visit);
    }
}
