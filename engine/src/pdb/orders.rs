//! The ranking of the order of a pattern's tiles.
//!
//! A tile that moves sideways keeps its place in the reading order. One that moves up or down
//! passes the tiles in the cells between, at most `width - 1` of them. The rank is laid out so
//! that such a *rotation* of the order moves whole machine words of a k!-bit block:
//!
//! 1. Pair the tiles: 0 with 1, 2 with 3, and so on; an odd tile at the end stays single. One
//!    *flip* bit for each pair is set when the odd tile of the pair comes first. These are the low
//!    bits.
//! 2. The rest is the arrangement: the order of the pairs' names, each of which appears twice.
//!    A group V permutes the names: all 2 or 6 permutations of two or three pairs; of four pairs
//!    the four that swap them two by two (Klein's four-group). Arrangements that V carries into one
//!    another form a *coset*. Its first arrangement in lexicographic order represents it, and the
//!    *element* of an arrangement is the element of V that leads to it from the representative.
//! 3. rank = (coset × |V| + element) × 2^pairs + flips.
//!
//! Flips and V permute *tiles*, a rotation permutes *places*, and the two commute. So a rotation
//! carries all orders of one coset to one other coset, as one word of |V| × 2^pairs ≤ 64 bits. Inside the
//! word it permutes the elements of V and exchanges the bits of at most one pair. The orders of 8 tiles form
//! 630 cosets of 64 bits, the orders of 7 tiles 105 cosets of 48, and the orders of 6 tiles 15 cosets of 48.
//!
//! Flips and V together generate a subgroup H of the permutations of the tiles, and the orders of
//! one word are a coset of H in the group of all k! permutations, hence the name.
//!
//! The build script includes this file, so it uses nothing of the crate.

/// The most tiles that a pattern may have.
pub const MAX_PATTERN: usize = 8;

/// The ranking of the orders of `k` tiles, and the changes of rank that moves make.
pub struct Orders {
    tiles: usize,
    pairs: usize,
    /// The group V: where each of its elements sends the name of each pair.
    group: &'static [[u8; 4]],
    /// The representative of each coset.
    cosets: Vec<Arrangement>,
    /// The amount that a name in each place adds to [`Orders::code`], for each unit of the name.
    weights: [usize; MAX_PATTERN],
    /// coset × |V| + element of an arrangement, by [`Orders::code`].
    number: Vec<u16>,
    /// The rotation of each row of `transitions`: a tile's place before the move, and after it.
    rows: Vec<[usize; 2]>,
    /// The row that takes a tile from one place to another.
    row_of: [[Option<u8>; MAX_PATTERN]; MAX_PATTERN],
    transitions: Vec<u16>,
}

/// The names of the pairs in reading order; a single tile has the name `pairs`.
type Arrangement = [u8; MAX_PATTERN];

const S1: [[u8; 4]; 1] = [[0, 1, 2, 3]];
const S2: [[u8; 4]; 2] = [[0, 1, 2, 3], [1, 0, 2, 3]];
const S3: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [2, 1, 0, 3]];
const KLEIN: [[u8; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];

impl Orders {
    /// The ranking of the orders of `tiles` tiles on a board `width` cells wide.
    ///
    /// # Panics
    /// Unless `tiles` is 1 to [`MAX_PATTERN`].
    pub fn new(tiles: usize, width: usize) -> Orders {
        assert!((1..=MAX_PATTERN).contains(&tiles), "{tiles} tiles");
        let pairs = tiles / 2;
        let group: &[[u8; 4]] = match pairs {
            0 | 1 => &S1,
            2 => &S2,
            3 => &S3,
            _ => &KLEIN,
        };
        // Row 0 changes nothing. A rotation by one place is the same in both directions, a longer
        // one is not.
        let mut rows = vec![[0, 0]];
        let mut row_of = [[None; MAX_PATTERN]; MAX_PATTERN];
        for (place, to) in row_of.iter_mut().enumerate() {
            to[place] = Some(0);
        }
        for length in 1..width.min(tiles) {
            for (first, last) in (length..tiles).enumerate() {
                row_of[first][last] = Some(rows.len() as u8);
                rows.push([first, last]);
                if length > 1 {
                    rows.push([last, first]);
                }
                row_of[last][first] = Some(rows.len() as u8 - 1);
            }
        }
        let names = (pairs + tiles % 2).max(1);
        let mut orders = Orders {
            tiles,
            pairs,
            group,
            cosets: Vec::new(),
            weights: std::array::from_fn(|place| {
                names.pow((tiles - 1).saturating_sub(place) as u32)
            }),
            number: vec![u16::MAX; names.pow(tiles as u32)],
            rows,
            row_of,
            transitions: Vec::new(),
        };
        let mut left = [0; 5];
        left[..pairs].fill(2);
        left[pairs] = tiles % 2;
        orders.enumerate([0; MAX_PATTERN], 0, &mut left);
        orders.transitions = orders.transitions_of_rows();
        orders
    }

    /// Extends a partial arrangement in all possible ways, in lexicographic order. `left` counts
    /// how often each name is still to come.
    fn enumerate(&mut self, mut arrangement: Arrangement, place: usize, left: &mut [usize; 5]) {
        if place == self.tiles {
            if self.number[self.code(&arrangement)] == u16::MAX {
                for element in 0..self.group.len() {
                    let code = self.code(&self.renamed(&arrangement, element));
                    self.number[code] = (self.cosets.len() * self.group.len() + element) as u16;
                }
                self.cosets.push(arrangement);
            }
            return;
        }
        for name in 0..left.len() {
            if left[name] > 0 {
                left[name] -= 1;
                arrangement[place] = name as u8;
                self.enumerate(arrangement, place + 1, left);
                left[name] += 1;
            }
        }
    }

    /// The arrangement that an element of V makes of another.
    fn renamed(&self, arrangement: &Arrangement, element: usize) -> Arrangement {
        arrangement.map(|name| {
            if usize::from(name) < self.pairs {
                self.group[element][usize::from(name)]
            } else {
                name
            }
        })
    }

    /// The arrangement as a number in base `names`.
    fn code(&self, arrangement: &Arrangement) -> usize {
        let digits = arrangement.iter().zip(self.weights);
        digits.take(self.tiles).map(|(&name, weight)| usize::from(name) * weight).sum()
    }

    fn transitions_of_rows(&self) -> Vec<u16> {
        let elements = self.group.len();
        let mut transitions = Vec::with_capacity(self.rows.len() * self.cosets.len() * elements);
        // The number of the product of two elements, first b, then a.
        let product = |a: &[u8; 4], b: &[u8; 4]| {
            let product = b.map(|name| a[usize::from(name)]);
            self.group.iter().position(|g| *g == product).expect("a group is closed")
        };
        let products =
            self.group.iter().map(|a| self.group.iter().map(|b| product(a, b)).collect());
        let products: Vec<Vec<usize>> = products.collect();
        for row in 0..self.rows.len() {
            for coset in 0..self.cosets.len() {
                // The other orders of the coset go where the first one goes, with their names changed by V.
                let moved = self.rotated(row, coset * self.word_bits());
                let (number, flip) = (moved >> self.pairs, moved & ((1 << self.pairs) - 1));
                // The tile passes the other one of its pair, or it does not.
                let pair = (flip != 0).then(|| flip.ilog2() as usize);
                for (element, names) in self.group.iter().enumerate() {
                    let number = number - number % elements + products[element][number % elements];
                    let flip = pair.map_or(0, |pair| 1 << names[pair]);
                    transitions.push((number << self.pairs | flip) as u16);
                }
            }
        }
        transitions
    }

    /// The rank after a rotation, calculated from the order.
    fn rotated(&self, row: usize, rank: usize) -> usize {
        let [from, to] = self.rows[row];
        let mut order = self.unrank(rank);
        if from <= to {
            order[from..=to].rotate_left(1);
        } else {
            order[to..=from].rotate_right(1);
        }
        self.rank(&order[..self.tiles])
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The number of orders, k!.
    #[allow(clippy::len_without_is_empty, reason = "there is at least one order")]
    pub fn len(&self) -> usize {
        (1..=self.tiles).product()
    }

    /// The number of flip bits, the low bits of a rank.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// The number of cosets, each of which fills one word.
    pub fn cosets(&self) -> usize {
        self.cosets.len()
    }

    /// The bits of a word, one for each order of the coset.
    pub(crate) fn word_bits(&self) -> usize {
        self.group.len() << self.pairs
    }

    /// The number of rows of the transition table. Row 0 changes nothing.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The row for a tile that goes from one place of the reading order to another.
    ///
    /// # Panics
    /// When no move of a tile on a board of this width does that.
    #[inline]
    pub fn row(&self, from: usize, to: usize) -> usize {
        let row = self.row_of[from][to];
        row.expect("a vertical move passes fewer tiles than the board is wide").into()
    }

    /// The transition table, row by row. In each row there is an entry for each `rank >> pairs`;
    /// the new rank is the entry, XORed with the flip bits of the old rank.
    pub fn transitions(&self) -> &[u16] {
        &self.transitions
    }

    /// The rank after a move, by a row of [`Orders::transitions`].
    #[inline]
    pub fn after(&self, row: usize, rank: usize) -> usize {
        let row_length = self.cosets.len() * self.group.len();
        let entry = self.transitions[row * row_length + (rank >> self.pairs)];
        usize::from(entry) ^ (rank & ((1 << self.pairs) - 1))
    }

    /// The rank of an order. `order` holds the tiles 0 to k - 1 in reading order.
    pub fn rank(&self, order: &[u8]) -> usize {
        debug_assert_eq!(order.len(), self.tiles);
        let mut arrangement = [0; MAX_PATTERN];
        let mut flips = 0;
        let mut seen = 0u32;
        for (name, &tile) in arrangement.iter_mut().zip(order) {
            *name = tile / 2;
            let first = seen & (1 << *name) == 0;
            seen |= 1 << *name;
            if first && tile % 2 == 1 {
                flips |= 1 << *name;
            }
        }
        (usize::from(self.number[self.code(&arrangement)]) << self.pairs) | flips
    }

    /// The order of a rank. The first k places hold the tiles 0 to k - 1 in reading order.
    pub fn unrank(&self, rank: usize) -> [u8; MAX_PATTERN] {
        let number = rank >> self.pairs;
        let representative = &self.cosets[number / self.group.len()];
        let mut order = self.renamed(representative, number % self.group.len());
        let mut seen = 0u32;
        for place in &mut order[..self.tiles] {
            let name = usize::from(*place);
            let second = (seen >> name) & 1;
            seen |= 1 << name;
            let odd = if name < self.pairs { second as usize ^ ((rank >> name) & 1) } else { 0 };
            *place = (2 * name + odd) as u8;
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_a_bijection() {
        for tiles in 1..=if cfg!(miri) { 5 } else { MAX_PATTERN } {
            let orders = Orders::new(tiles, 4);
            assert!(orders.word_bits() <= 64);
            assert_eq!(orders.cosets() * orders.word_bits(), orders.len());
            for rank in 0..orders.len() {
                let order = orders.unrank(rank);
                let mut sorted = order[..tiles].to_vec();
                sorted.sort_unstable();
                assert!(sorted.iter().enumerate().all(|(i, &t)| i == usize::from(t)));
                assert_eq!(orders.rank(&order[..tiles]), rank);
            }
        }
    }

    #[test]
    fn transitions_are_rotations_of_the_order() {
        let cases = [(1, 4), (2, 2), (3, 4), (4, 3), (5, 5), (6, 5), (7, 4), (8, 4)];
        for &(tiles, width) in if cfg!(miri) { &cases[..4] } else { &cases[..] } {
            let orders = Orders::new(tiles, width);
            for from in 0..tiles {
                for to in 0..tiles {
                    if from.abs_diff(to) >= width {
                        continue;
                    }
                    let row = orders.row(from, to);
                    for rank in 0..orders.len() {
                        let mut order = orders.unrank(rank)[..tiles].to_vec();
                        let tile = order.remove(from);
                        order.insert(to, tile);
                        assert_eq!(orders.after(row, rank), orders.rank(&order));
                    }
                }
            }
        }
    }
}
