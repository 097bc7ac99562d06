//! The children to generate, as lists that vectors can be read from.

/// The most lanes of a group: enough to keep the vectors of the children kept nearly full.
pub(crate) const LANES: usize = 16;

/// The most children of a node.
pub(crate) const CHILDREN: usize = 4;

/// The most children that are generated at once: the children of a node in each lane of a group.
pub(crate) const MOST_CHILDREN: usize = CHILDREN * LANES;

/// The room in lists of children: so much that four can be written after the last one, and whole
/// vectors can be read.
pub(crate) const ROOM: usize = MOST_CHILDREN + CHILDREN;

const _: () = assert!(MOST_CHILDREN <= 1 << u8::BITS);

/// The children to generate.
pub(crate) struct Births {
    len: usize,
    /// The addresses of their parents' views, whose provenance is exposed.
    pub parents: [u64; ROOM],
    /// Bits 0 and 1: the move. 2 to 31: the next state, as in the parent's row. Above: the tag.
    pub moves: [u64; ROOM],
    /// The extra words computed so far.
    pub metas: [u64; ROOM],
    /// The place of each before [`Births::retain`].
    pub places: [u8; ROOM],
}

impl Births {
    /// No children.
    pub fn new() -> Births {
        Births {
            len: 0,
            parents: [0; ROOM],
            moves: [0; ROOM],
            metas: [0; ROOM],
            places: std::array::from_fn(|place| place as u8),
        }
    }

    /// The number of children.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Removes all children.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds children of one parent, whose row has zeros at its end. Returns their number.
    #[inline(always)]
    pub fn add<W>(
        &mut self,
        parent: &W,
        row: &[u32; CHILDREN],
        metas: [u64; CHILDREN],
        tag: u32,
    ) -> usize {
        let len = self.len;
        // All four are written. Entries that are not moves are not read.
        self.parents[len..][..CHILDREN].fill((&raw const *parent).expose_provenance() as u64);
        let moves = row.map(|packed| u64::from(packed) | u64::from(tag) << 32);
        self.moves[len..][..CHILDREN].copy_from_slice(&moves);
        self.metas[len..][..CHILDREN].copy_from_slice(&metas);
        let count = number_of_moves(row);
        self.len += count;
        count
    }

    /// Repeats the last child after the end, so that there are whole vectors.
    #[inline(always)]
    pub fn pad(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        let (parent, m) = (self.parents[last], self.moves[last]);
        self.parents[last + 1..][..CHILDREN].fill(parent);
        self.moves[last + 1..][..CHILDREN].fill(m);
    }

    /// Keeps the children whose metas satisfy a condition.
    #[inline(always)]
    pub fn retain(&mut self, keeps: impl Fn(u64) -> bool) {
        let len = std::mem::take(&mut self.len);
        let mut kept = 0;
        for place in 0..len {
            // Which ones are kept is unpredictable, so there is no branch on it.
            let meta = self.metas[place];
            self.parents[kept] = self.parents[place];
            self.moves[kept] = self.moves[place];
            self.metas[kept] = meta;
            self.places[kept] = place as u8;
            kept += usize::from(keeps(meta));
        }
        self.len = kept;
    }

    /// The tag of a child.
    #[inline(always)]
    pub fn tag(&self, place: usize) -> u32 {
        (self.moves[place] >> 32) as u32
    }
}

/// The number of a row's entries that are moves. The others are 0.
#[inline(always)]
pub(crate) fn number_of_moves(row: &[u32; CHILDREN]) -> usize {
    row.iter().map(|&packed| usize::from(packed != 0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_listed_kept_and_repeated() {
        let (a, b) = ([1u64; 5], [2u64; 5]);
        let address = |parent: &[u64; 5]| parent.as_ptr().addr() as u64;
        let mut births = Births::new();
        births.pad();
        assert_eq!(births.len(), 0);
        assert_eq!(births.add(&a, &[4, 5, 0, 0], [10, 11, 0, 0], 7), 2);
        assert_eq!(births.add(&b, &[6, 4, 7, 0], [12, 13, 14, 0], 8), 3);
        assert_eq!(births.len(), 5);
        births.pad();
        assert_eq!(births.parents[5..9], [address(&b); 4]);
        assert_eq!(births.moves[5..9], [8 << 32 | 7; 4]);

        births.retain(|meta| [11, 12, 14].contains(&meta));
        assert_eq!(births.len(), 3);
        assert_eq!(births.metas[..3], [11, 12, 14]);
        assert_eq!(births.places[..3], [1, 2, 4]);
        assert_eq!(births.parents[..3], [address(&a), address(&b), address(&b)]);
        assert_eq!(births.moves[..3], [7 << 32 | 5, 8 << 32 | 6, 8 << 32 | 7]);
        assert_eq!([0, 1, 2].map(|place| births.tag(place)), [7, 8, 8]);
        births.clear();
        assert_eq!(births.len(), 0);
    }

    #[test]
    fn moves_are_counted() {
        for (row, moves) in
            [([0; 4], 0), ([u32::MAX, 0, 0, 0], 1), ([9, 4, 4, 0], 3), ([u32::MAX; 4], 4)]
        {
            assert_eq!(number_of_moves(&row), moves, "{row:?}");
        }
    }
}
