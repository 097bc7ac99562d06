//! Ranking the order of a pattern's tiles.
//!
//! A tile that moves sideways keeps its place in the reading order; one that moves up or down
//! passes the tiles in the cells between, at most `width - 1` of them. The rank is laid out so
//! that such a *rotation* of the order moves whole machine words of a k!-bit block:
//!
//! 1. Pair the tiles: 0 with 1, 2 with 3, …; a last odd tile stays single. One *flip* bit a
//!    pair says whether the odd tile of the pair comes first. These are the low bits.
//! 2. What is left is the order of the pairs' names, each named twice. A group V permutes the
//!    names: all 2 or 6 permutations of two or three pairs, of four pairs the four that swap
//!    them two by two (Klein's group). Arrangements that V carries into one another form a
//!    class; the first of a class in lexicographic order represents it, and the *lane* is the
//!    element of V that leads from the representative to the arrangement.
//! 3. rank = (class × |V| + lane) × 2^pairs + flips.
//!
//! Flips and V permute *tiles*, a rotation permutes *places*, and the two commute. So all orders
//! of one class go together, as one word of |V| × 2^pairs ≤ 64 bits, to one other class, and
//! inside the word a rotation only exchanges lanes and at most one pair's bit. For 8 tiles there
//! are 630 classes of 64 bits, for 7 there are 105 of 48, for 6 there are 15 of 48.

use super::MAX_PATTERN;

/// How the orders of `k` tiles are ranked, and where rotations take them.
pub struct Orders {
    tiles: usize,
    pairs: usize,
    /// V: where each of its elements sends each pair's name.
    group: &'static [[u8; 4]],
    /// The number of the product, `product[a][b]` = first b, then a.
    product: Vec<Vec<u8>>,
    /// The representatives, by class.
    classes: Vec<Arrangement>,
    /// class × |V| + lane of an arrangement, by [`Orders::code`].
    number: Vec<u16>,
    /// The first row of `transitions` for rotations by 1, 2, … places.
    rows: Vec<Rotation>,
    /// The row that takes a tile from one place to another.
    row_of: [[Option<u8>; MAX_PATTERN]; MAX_PATTERN],
    transitions: Vec<u16>,
}

/// The names of the pairs in reading order; a single tile has the name `pairs`.
type Arrangement = [u8; MAX_PATTERN];

/// One way in which a tile's move permutes the reading order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rotation {
    /// The tile's place before the move.
    pub from: usize,
    /// Its place after it.
    pub to: usize,
}

/// What a rotation does to the word of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WordMove {
    /// The class the word becomes.
    pub class: u16,
    /// The pair of the representative whose flip bit changes.
    pub flipped: Option<u8>,
    /// The lane that lane 0 becomes.
    pub lane: u8,
}

const S1: [[u8; 4]; 1] = [[0, 1, 2, 3]];
const S2: [[u8; 4]; 2] = [[0, 1, 2, 3], [1, 0, 2, 3]];
const S3: [[u8; 4]; 6] =
    [[0, 1, 2, 3], [0, 2, 1, 3], [1, 0, 2, 3], [1, 2, 0, 3], [2, 0, 1, 3], [2, 1, 0, 3]];
const KLEIN: [[u8; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]];

impl Orders {
    /// The orders of `tiles` tiles on a board `width` cells wide.
    ///
    /// # Panics
    /// Unless there are 1 to [`MAX_PATTERN`] tiles.
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

        // No tile stays put; then a passing of one place, in either direction the same; then
        // longer ways forward and back.
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
        let names = pairs + tiles % 2;
        let mut orders = Orders {
            tiles,
            pairs,
            group,
            product,
            classes: Vec::new(),
            number: vec![u16::MAX; names.max(1).pow(tiles as u32)],
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

    /// Extends a partial arrangement in all ways, in lexicographic order.
    fn enumerate(&mut self, mut arrangement: Arrangement, place: usize, left: &mut [usize; 5]) {
        if place == self.tiles {
            if self.number[self.code(&arrangement)] == u16::MAX {
                for lane in 0..self.group.len() {
                    let code = self.code(&self.renamed(&arrangement, lane));
                    self.number[code] = (self.classes.len() * self.group.len() + lane) as u16;
                }
                self.classes.push(arrangement);
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

    fn renamed(&self, arrangement: &Arrangement, lane: usize) -> Arrangement {
        arrangement.map(|name| {
            if usize::from(name) < self.pairs { self.group[lane][usize::from(name)] } else { name }
        })
    }

    /// The arrangement as a number in base `names`.
    fn code(&self, arrangement: &Arrangement) -> usize {
        let names = (self.pairs + self.tiles % 2).max(1);
        arrangement[..self.tiles].iter().fold(0, |code, &name| code * names + usize::from(name))
    }

    fn fill_transitions(&mut self) {
        let lanes = self.group.len();
        self.transitions.reserve(self.rows.len() * self.classes.len() * lanes);
        for row in 0..self.rows.len() {
            for class in 0..self.classes.len() {
                let moved = self.word_move(row, class);
                for lane in 0..lanes {
                    let number = usize::from(moved.class) * lanes
                        + usize::from(self.product[lane][usize::from(moved.lane)]);
                    let flip = moved.flipped.map_or(0, |q| 1 << self.pair_in_lane(q, lane));
                    self.transitions.push(((number << self.pairs) | flip) as u16);
                }
            }
        }
    }

    /// The pair that pair `q` of the representative is in another lane.
    pub(crate) fn pair_in_lane(&self, q: u8, lane: usize) -> usize {
        usize::from(self.group[lane][usize::from(q)])
    }

    /// The lane that `lane` becomes in a move that takes lane 0 to `moved`.
    pub(crate) fn lane_after(&self, lane: usize, moved: u8) -> usize {
        usize::from(self.product[lane][usize::from(moved)])
    }

    /// What a rotation does to the word of a class.
    pub(crate) fn word_move(&self, row: usize, class: usize) -> WordMove {
        let Rotation { from, to } = self.rows[row];
        let mut arrangement = self.classes[class];
        let name = arrangement[from];
        let passed = if from <= to {
            arrangement[from..=to].rotate_left(1);
            &arrangement[from..to]
        } else {
            arrangement[to..=from].rotate_right(1);
            &arrangement[to + 1..=from]
        };
        let flipped = (usize::from(name) < self.pairs && passed.contains(&name)).then_some(name);
        let number = usize::from(self.number[self.code(&arrangement)]);
        // `number` names the lane v0 with arrangement = v0 · representative. The flipped pair is
        // named as in the old representative, as `pair_in_lane` wants it.
        WordMove {
            class: (number / self.group.len()) as u16,
            flipped,
            lane: (number % self.group.len()) as u8,
        }
    }

    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The number of orders, k!.
    pub fn len(&self) -> usize {
        (1..=self.tiles).product()
    }

    /// Never: there is always an order.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of flip bits, the low bits of a rank.
    pub fn pairs(&self) -> usize {
        self.pairs
    }

    /// The number of classes, each of which fills one word.
    pub(crate) fn classes(&self) -> usize {
        self.classes.len()
    }

    /// |V|.
    pub(crate) fn lanes(&self) -> usize {
        self.group.len()
    }

    /// The bits of a word, one an order of the class.
    pub(crate) fn word_bits(&self) -> usize {
        self.lanes() << self.pairs
    }

    /// The number of rows of the transition table. Row 0 changes nothing.
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The row for a tile that goes from one place of the reading order to another.
    ///
    /// # Panics
    /// Where no vertical move does that.
    pub fn row(&self, from: usize, to: usize) -> usize {
        let row = self.row_of[from][to];
        row.expect("a vertical move passes fewer tiles than the board is wide").into()
    }

    /// Row by row, `rank >> pairs` gives an entry; the new rank is the entry with the old
    /// rank's flip bits added modulo 2.
    pub fn transitions(&self) -> &[u16] {
        &self.transitions
    }

    /// The rank after a move: see [`Orders::transitions`].
    pub fn after(&self, row: usize, rank: usize) -> usize {
        let row_length = self.classes.len() * self.group.len();
        let entry = self.transitions[row * row_length + (rank >> self.pairs)];
        usize::from(entry) ^ (rank & ((1 << self.pairs) - 1))
    }

    /// The rank of an order: `order` holds the tiles 0 to k - 1 in reading order.
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

    /// The order of a rank: the first k places hold the tiles 0 to k - 1 in reading order.
    pub fn unrank(&self, rank: usize) -> [u8; MAX_PATTERN] {
        let number = rank >> self.pairs;
        let class = &self.classes[number / self.group.len()];
        let mut order = self.renamed(class, number % self.group.len());
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
        for tiles in 1..=MAX_PATTERN {
            let orders = Orders::new(tiles, 4);
            assert!(orders.word_bits() <= 64);
            assert_eq!(orders.classes() * orders.word_bits(), orders.len());
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
        for (tiles, width) in [(1, 4), (2, 2), (3, 4), (4, 3), (5, 5), (6, 5), (7, 4), (8, 4)] {
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
