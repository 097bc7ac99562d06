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
    /// The number of the product: `product[a][b]` is first b, then a.
    product: Vec<Vec<u8>>,
    /// The representative of each coset.
    cosets: Vec<Arrangement>,
    /// The amount that a name in each place adds to [`Orders::code`], for each unit of the name.
    weights: [usize; MAX_PATTERN],
    /// coset × |V| + element of an arrangement, by [`Orders::code`].
    number: Vec<u16>,
    /// The rotation of each row of `transitions`.
    rows: Vec<Rotation>,
    /// The row that takes a tile from one place to another.
    row_of: [[Option<u8>; MAX_PATTERN]; MAX_PATTERN],
    transitions: Vec<u16>,
}

/// The names of the pairs in reading order; a single tile has the name `pairs`.
type Arrangement = [u8; MAX_PATTERN];

/// The change of the reading order that the move of a tile makes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation {
    /// The tile's place before the move.
    pub from: usize,
    /// Its place after it.
    pub to: usize,
}

/// The effect of a rotation on the word of one coset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordMove {
    /// The coset that the word moves to.
    pub coset: u16,
    /// The pair of the representative whose flip bit changes.
    pub flipped: Option<u8>,
    /// The element that element 0, the identity, becomes.
    pub element: u8,
}

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
        let find = |a: &[u8; 4], b: &[u8; 4]| {
            let product = b.map(|name| a[usize::from(name)]);
            group.iter().position(|g| *g == product).expect("a group is closed") as u8
        };
        let product = group.iter().map(|a| group.iter().map(|b| find(a, b)).collect()).collect();

        // Row 0 changes nothing. A rotation by one place is the same in both directions, a longer
        // one is not.
        let mut rows = vec![Rotation { from: 0, to: 0 }];
        for length in 1..width.min(tiles) {
            for first in 0..tiles - length {
                rows.push(Rotation { from: first, to: first + length });
                if length > 1 {
                    rows.push(Rotation { from: first + length, to: first });
                }
            }
        }
        let mut row_of = [[None; MAX_PATTERN]; MAX_PATTERN];
        for (row, rotation) in rows.iter().enumerate() {
            row_of[rotation.from][rotation.to] = Some(row as u8);
            if rotation.from.abs_diff(rotation.to) == 1 {
                row_of[rotation.to][rotation.from] = Some(row as u8);
            }
        }
        for (place, to) in row_of.iter_mut().enumerate() {
            to[place] = Some(0);
        }
        let names = (pairs + tiles % 2).max(1);
        let mut orders = Orders {
            tiles,
            pairs,
            group,
            product,
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
        orders.fill_transitions();
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

    fn fill_transitions(&mut self) {
        let elements = self.group.len();
        self.transitions.reserve(self.rows.len() * self.cosets.len() * elements);
        for row in 0..self.rows.len() {
            for coset in 0..self.cosets.len() {
                let moved = self.word_move(row, coset);
                for element in 0..elements {
                    let number = usize::from(moved.coset) * elements
                        + usize::from(self.product[element][usize::from(moved.element)]);
                    let flip = moved.flipped.map_or(0, |pair| 1 << self.pair_under(pair, element));
                    self.transitions.push(((number << self.pairs) | flip) as u16);
                }
            }
        }
    }

    /// The pair that an element of V makes of pair `q` of the representative.
    pub(crate) fn pair_under(&self, q: u8, element: usize) -> usize {
        usize::from(self.group[element][usize::from(q)])
    }

    /// The element that `element` becomes in a move that takes the identity to `moved`.
    pub(crate) fn element_after(&self, element: usize, moved: u8) -> usize {
        usize::from(self.product[element][usize::from(moved)])
    }

    /// The effect of a rotation on the word of a coset.
    pub(crate) fn word_move(&self, row: usize, coset: usize) -> WordMove {
        let Rotation { from, to } = self.rows[row];
        let mut places: [u8; MAX_PATTERN] = std::array::from_fn(|place| place as u8);
        if from <= to {
            places[from..=to].rotate_right(1);
        } else {
            places[to..=from].rotate_left(1);
        }
        let (mut code, mut flipped, mut last) = (0, None, [None; MAX_PATTERN]);
        for (&name, to) in self.cosets[coset].iter().zip(places).take(self.tiles) {
            code += usize::from(name) * self.weights[usize::from(to)];
            // The second tile of a pair comes before the first.
            if last[usize::from(name)].replace(to).is_some_and(|first| to < first) {
                flipped = Some(name);
            }
        }
        let number = usize::from(self.number[code]);
        // `number` gives the element v of V with arrangement = v · representative. The flipped
        // pair has its name in the old representative, as `pair_under` expects.
        WordMove {
            coset: (number / self.group.len()) as u16,
            flipped,
            element: (number % self.group.len()) as u8,
        }
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

    /// The number of elements of V.
    pub(crate) fn elements(&self) -> usize {
        self.group.len()
    }

    /// The bits of a word, one for each order of the coset.
    pub(crate) fn word_bits(&self) -> usize {
        self.elements() << self.pairs
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
