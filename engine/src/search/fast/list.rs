//! The children to generate, as lists that vectors can be read from.

use super::meta::{MAX_VIEWS, Meta};
use super::processor::{MAX_WIDTH, Processor};
use crate::search::bits::{Field, Numbers};
use crate::search::moves::{MOST_STEPS, Step, Steps, number_of_steps};

/// The most lanes of a group. A vector holds four children, and the last one of a list is padded. The children of 16
/// nodes form so long a list that the padding hardly costs, even when the first view has pruned half of them.
pub(crate) const LANES: usize = 16;

/// The most children that are generated at once: the children of a node in each lane of a group.
pub(crate) const MOST_CHILDREN: usize = MOST_STEPS * LANES;

/// The room in lists of children: so much that four can be written after the last one, and whole
/// vectors can be read.
const ROOM: usize = MOST_CHILDREN + MOST_STEPS;

const _: () = assert!(MOST_CHILDREN <= 1 << u8::BITS);
// The lists of children are whole vectors, and a vector at their end is filled.
const _: () = assert!(MOST_CHILDREN.is_multiple_of(MAX_WIDTH) && ROOM.is_multiple_of(MAX_WIDTH));
const _: () = assert!(MAX_WIDTH <= MOST_STEPS + 1);

/// The children to generate.
pub(crate) struct List {
    len: usize,
    /// The addresses of their parents' views, whose provenance is exposed.
    parents: [u64; ROOM],
    /// The steps to them, and their [tags](TAG).
    steps: [u64; ROOM],
    /// The word of each, as far as it is known.
    metas: [u64; ROOM],
    /// The place of each before [`List::retain`].
    places: [u8; ROOM],
}

/// A name for a child, above its step.
const TAG: Field = Field::new(32, 32);

/// A number of a child in each view, in the order of the list.
#[repr(align(64))]
pub(crate) struct PerChild([[u64; MOST_CHILDREN]; MAX_VIEWS]);

impl Default for PerChild {
    fn default() -> PerChild {
        PerChild([[0; MOST_CHILDREN]; MAX_VIEWS])
    }
}

impl PerChild {
    /// The number of a child.
    #[inline(always)]
    pub fn of(&self, view: usize, child: usize) -> u64 {
        self.0[view][child]
    }

    /// The numbers of the children of vector `i`, in memory.
    #[inline(always)]
    pub fn part<P: Processor>(&self, view: usize, i: usize) -> &[u64] {
        &self.0[view][i * P::WIDTH..][..P::WIDTH]
    }

    /// The numbers of the children of vector `i`.
    #[inline(always)]
    pub fn load<P: Processor>(&self, p: P, view: usize, i: usize) -> P::Numbers {
        p.load(self.part::<P>(view, i))
    }

    /// Sets the numbers of the children of vector `i`.
    #[inline(always)]
    pub fn store<P: Processor>(&mut self, p: P, view: usize, i: usize, numbers: P::Numbers) {
        p.store(numbers, &mut self.0[view][i * P::WIDTH..][..P::WIDTH]);
    }
}

impl List {
    /// No children.
    pub fn new() -> List {
        List {
            len: 0,
            parents: [0; ROOM],
            steps: [0; ROOM],
            metas: [0; ROOM],
            places: std::array::from_fn(|place| place as u8),
        }
    }

    /// The number of children.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The number of vectors that the children fill.
    #[inline(always)]
    pub fn vectors<P: Processor>(&self) -> usize {
        // The compiler sees that no list is longer.
        self.len.div_ceil(P::WIDTH).min(MOST_CHILDREN / P::WIDTH)
    }

    /// Removes all children.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Adds the children of one parent by its steps. Returns their number.
    #[inline(always)]
    pub fn add<W>(&mut self, parent: &W, meta: Meta, steps: &Steps, tag: u32) -> usize {
        let len = self.len;
        // All four are written. Steps that are none are not read.
        self.parents[len..][..MOST_STEPS].fill((&raw const *parent).expose_provenance() as u64);
        let tagged = steps.map(|step| u64::from(step.0) | TAG.word(u64::from(tag)));
        self.steps[len..][..MOST_STEPS].copy_from_slice(&tagged);
        self.metas[len..][..MOST_STEPS].copy_from_slice(&meta.after(steps));
        let count = number_of_steps(steps);
        self.len += count;
        count
    }

    /// Repeats the last child after the end, so that there are whole vectors.
    #[inline(always)]
    pub fn pad(&mut self) {
        let Some(last) = self.len.checked_sub(1) else { return };
        let (parent, step) = (self.parents[last], self.steps[last]);
        self.parents[last + 1..][..MOST_STEPS].fill(parent);
        self.steps[last + 1..][..MOST_STEPS].fill(step);
    }

    /// Keeps the children that no view prunes so far.
    #[inline(always)]
    pub fn retain<const V: usize>(&mut self) {
        let len = std::mem::take(&mut self.len);
        let mut kept = 0;
        for place in 0..len {
            // Which ones are kept is unpredictable, so there is no branch on it.
            let meta = self.metas[place];
            self.parents[kept] = self.parents[place];
            self.steps[kept] = self.steps[place];
            self.metas[kept] = meta;
            self.places[kept] = place as u8;
            kept += usize::from(!Meta(meta).is_pruned::<V>());
        }
        self.len = kept;
    }

    /// The addresses of the views of the parents of vector `i`.
    #[inline(always)]
    pub fn parents<P: Processor>(&self, i: usize) -> &[u64] {
        &self.parents[i * P::WIDTH..][..P::WIDTH]
    }

    /// The moves to the children of vector `i`.
    #[inline(always)]
    pub fn moves<P: Processor>(&self, p: P, i: usize) -> P::Numbers {
        Step::MOVE.of(p.load(&self.steps[i * P::WIDTH..][..P::WIDTH]))
    }

    /// The states of the children.
    #[inline(always)]
    pub fn states(&self) -> impl Iterator<Item = u64> {
        self.steps[..self.len].iter().map(|&step| Step::STATE.of(step))
    }

    /// Lowers the slack of a view for the children of vector `i` whose h rose there: `rose` has 1 for these
    /// and 0 for the others.
    #[inline(always)]
    pub fn lower<P: Processor>(&mut self, p: P, view: usize, i: usize, rose: P::Numbers) {
        let metas = &mut self.metas[i * P::WIDTH..][..P::WIDTH];
        p.store(p.load(metas).minus(Meta::slack(view).word(rose)), metas);
    }

    /// The word of a child.
    #[inline(always)]
    pub fn meta(&self, place: usize) -> Meta {
        Meta(self.metas[place])
    }

    /// The place of a child before [`List::retain`].
    #[inline(always)]
    pub fn place(&self, place: usize) -> usize {
        self.places[place].into()
    }

    /// The tag of a child.
    #[inline(always)]
    pub fn tag(&self, place: usize) -> u32 {
        TAG.of(self.steps[place]) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_are_listed_kept_and_repeated() {
        let (a, b) = ([1u64; 5], [2u64; 5]);
        let address = |parent: &[u64; 5]| parent.as_ptr().addr() as u64;
        let steps = |steps: [u32; 4]| steps.map(Step);
        let mut list = List::new();
        list.pad();
        assert_eq!(list.len(), 0);
        let [wide, narrow] = [1, 0].map(|slack| Meta::new(9, [slack]));
        assert_eq!(list.add(&a, wide, &steps([4, 5, 0, 0]), 7), 2);
        assert_eq!(list.add(&b, narrow, &steps([6, 4, 7, 0]), 8), 3);
        assert_eq!(list.len(), 5);
        list.pad();
        assert_eq!(list.parents[5..9], [address(&b); 4]);
        assert_eq!(list.steps[5..9], [8 << 32 | 7; 4]);
        assert_eq!(list.states().collect::<Vec<_>>(), [1; 5]);

        // h rose for the last child but one of each.
        for (place, rose) in [1, 0, 0, 1, 0].into_iter().enumerate() {
            list.lower(crate::search::fast::processor::Scalar, 0, place, rose);
        }
        list.retain::<1>();
        assert_eq!(list.len(), 4);
        assert_eq!([0, 1, 2, 3].map(|place| list.place(place)), [0, 1, 2, 4]);
        assert_eq!([0, 1, 2].map(|place| list.meta(place).slack_of(0)), [0, 1, 0]);
        assert_eq!(list.parents[..4], [address(&a), address(&a), address(&b), address(&b)]);
        assert_eq!(
            [1, 2, 3].map(|place| list.steps[place]),
            [7 << 32 | 5, 8 << 32 | 6, 8 << 32 | 7]
        );
        assert_eq!([0, 1, 2, 3].map(|place| list.tag(place)), [7, 7, 8, 8]);
        list.clear();
        assert_eq!(list.len(), 0);
    }

    #[test]
    fn steps_are_counted() {
        for (steps, count) in
            [([0; 4], 0), ([u32::MAX, 0, 0, 0], 1), ([9, 4, 4, 0], 3), ([u32::MAX; 4], 4)]
        {
            assert_eq!(number_of_steps(&steps.map(Step)), count, "{steps:?}");
        }
    }
}
