//! Depth-first searches in interleaved lanes.
//!
//! The table bits of a node lie in hundreds of megabytes, and fetching them takes long. One
//! thread therefore searches several subtrees in turn, each in a *lane*. A round of some lanes, a
//! *group*:
//!
//! 1. Read the last table bits of the children generated in the last round, and push the children
//!    that no view prunes on their lane's stack.
//! 2. Pop the top of each lane's stack. If a stack is empty, its subtree is done: begin another.
//! 3. List the children of all these nodes, generate their first views, and prefetch the table bits of
//!    these views.
//! 4. Read these table bits. Generate the other views of the children that are not pruned yet, and
//!    prefetch their table bits.
//!
//! The list is what makes this fast: see [`super::children`]. There are two groups, so that one
//! group's table bits have time to arrive while the other is at work.

#[cfg(target_arch = "x86_64")]
use super::children::has_avx2;
use super::children::{Child, Children, OneByOne};
use super::list::{CHILDREN, LANES};
use super::node::{Expander, MAX_DEPTH, Node};
use super::space::{Batch, Space};
use crate::search::run::Count;

/// The end of the search of a subtree.
pub(crate) enum End<'a> {
    /// No goal within the threshold.
    Exhausted,
    /// The moves from the subtree's root to the goal.
    Solved(&'a [u8]),
    /// A path longer than any threshold: a table is damaged.
    Endless(&'a [u8]),
}

/// Supplies lanes with subtrees.
pub(crate) trait Source<W, const V: usize> {
    /// The name and the root of the next subtree, or `None` if there is none now. `idle` means that no lane of this thread
    /// has work: `None` then ends the run, and the source may wait.
    fn next(&mut self, idle: bool) -> Option<(usize, Node<W, V>)>;

    /// Takes the result of a subtree, with its nodes. Returns whether its search goes on, which it can only
    /// after a solution. Otherwise the lane asks for its next subtree.
    fn done(&mut self, name: usize, count: Count, end: End<'_>) -> bool;

    /// Returns whether a subtree is no longer wanted; asked every few thousand nodes. Such a
    /// subtree is dropped without a report. `generated` is the number of its nodes so far.
    fn dropped(&mut self, name: usize, generated: u64) -> bool;
}

/// The rounds between two calls of [`Source::dropped`].
const POLL: u64 = 4096;

/// Rounds between two attempts to find work for idle lanes.
const REFILL: u32 = 64;

/// The initial room on a lane's stack: enough for most boards, and quick to set up.
const ROOM: usize = 96;

/// The state of a lane, except its stack.
struct Lane {
    /// The start of its stack.
    base: usize,
    name: usize,
    count: Count,
    path: [u8; MAX_DEPTH + 1],
}

/// Lanes that go through their rounds together.
pub(crate) struct Group<S: Space, B, const V: usize, const EARLY: usize> {
    /// The number of lanes that have work: the first ones.
    running: usize,
    lanes: [Lane; LANES],
    /// By lane: the first free place of its stack. The node that was there last is the one whose
    /// children are on their way.
    tops: [usize; LANES],
    stacks: Vec<Node<S::View, V>>,
    /// The room on each lane's stack.
    room: usize,
    /// The children that are generated, with their lanes as tags.
    children: Children<S, B, V, EARLY>,
    /// A lane has run out of work: perhaps the others are no longer wanted.
    poll: bool,
}

impl<S: Space, B: Batch<S>, const V: usize, const EARLY: usize> Group<S, B, V, EARLY> {
    fn new() -> Self {
        const { assert!(B::LANES <= LANES) };
        let lane = |_| Lane { base: 0, name: 0, count: Count::default(), path: [0; MAX_DEPTH + 1] };
        let mut group = Group {
            running: 0,
            lanes: std::array::from_fn(lane),
            tops: [0; LANES],
            stacks: Vec::new(),
            room: 0,
            children: Children::new(),
            poll: false,
        };
        group.set_room(ROOM);
        group
    }

    /// Gives every lane a stack of this size, and keeps its contents.
    #[cold]
    fn set_room(&mut self, room: usize) {
        let mut stacks = vec![Node::room(); room * B::LANES];
        let lanes = self.lanes[..B::LANES].iter_mut().zip(&mut self.tops);
        for (i, (lane, top)) in lanes.enumerate() {
            // The node above the top is in use.
            let old = lane.base..(*top + 1).min(self.stacks.len());
            let height = *top - lane.base;
            stacks[i * room..][..old.len()].copy_from_slice(&self.stacks[old]);
            lane.base = i * room;
            *top = lane.base + height;
        }
        self.stacks = stacks;
        self.room = room;
    }

    fn begin(&mut self, i: usize, (name, root): (usize, Node<S::View, V>)) {
        let lane = &mut self.lanes[i];
        (lane.name, lane.count) = (name, Count::default());
        self.stacks[lane.base] = root;
        self.tops[i] = lane.base + 1;
    }

    /// Finds work for idle lanes.
    fn fill<J: Source<S::View, V>>(&mut self, source: &mut J, idle: bool) {
        while self.running < B::LANES {
            let Some(next) = source.next(idle && self.running == 0) else { break };
            self.begin(self.running, next);
            self.running += 1;
        }
    }

    /// Ends the subtrees that are no longer wanted.
    #[cold]
    fn drop_unwanted<J: Source<S::View, V>>(&mut self, source: &mut J) {
        self.poll = false;
        for i in (0..self.running).rev() {
            let Lane { name, count, .. } = self.lanes[i];
            if source.dropped(name, count.generated) {
                self.restart(i, source);
            }
        }
    }

    /// Gives a lane new work, or removes it. Returns whether it has work.
    #[cold]
    fn restart<J: Source<S::View, V>>(&mut self, i: usize, source: &mut J) -> bool {
        if let Some(next) = source.next(false) {
            self.begin(i, next);
            return true;
        }
        self.running -= 1;
        self.lanes.swap(i, self.running);
        self.tops.swap(i, self.running);
        // Perhaps because a solution was found: then the other lanes may be done too.
        self.poll = true;
        false
    }

    #[cold]
    fn end<J: Source<S::View, V>>(&mut self, i: usize, end: End<'_>, source: &mut J) -> bool {
        let Lane { name, count, .. } = self.lanes[i];
        source.done(name, count, end) || self.restart(i, source)
    }

    /// Step 1 of a round.
    ///
    /// # Safety
    /// - As for [`Group::expand`].
    #[inline(always)]
    unsafe fn take_in(&mut self) {
        let Group { children, tops, stacks, .. } = self;
        let push = |lane: u32, child: Child<'_, S, B, V, EARLY>| {
            let top = &mut tops[lane as usize % LANES];
            debug_assert!(*top < stacks.len());
            // SAFETY: before a lane's node was taken there was room for its children.
            child.write(unsafe { stacks.get_unchecked_mut(*top) });
            *top += usize::from(!child.pruned());
        };
        // SAFETY: they were generated in steps 3 and 4 of the last round, by the same expander.
        unsafe { children.finish(push) };
    }

    /// Takes a lane's next node. Returns whether the lane has one.
    #[inline(always)]
    fn take<J: Source<S::View, V>>(
        &mut self,
        i: usize,
        expander: &Expander<'_, S, V>,
        source: &mut J,
    ) -> bool {
        loop {
            let lane = &mut self.lanes[i];
            let end = if self.tops[i] == lane.base {
                self.end(i, End::Exhausted, source)
            } else {
                let top = self.tops[i] - 1;
                self.tops[i] = top;
                let node = &self.stacks[top];
                let depth = node.depth();
                lane.path[depth] = node.last() as u8;
                if expander.is_goal(node) {
                    let path = lane.path;
                    self.end(i, End::Solved(&path[1..=depth]), source)
                } else if depth == MAX_DEPTH {
                    let path = lane.path;
                    self.end(i, End::Endless(&path[1..=depth]), source)
                } else {
                    expander.fetch(node);
                    if top + CHILDREN > lane.base + self.room {
                        self.set_room(2 * self.room);
                    }
                    return true;
                }
            };
            if !end {
                return false;
            }
        }
    }

    /// Step 2 of a round. The nodes taken stay where they are until step 1 of the next round.
    #[inline(always)]
    fn take_nodes<J: Source<S::View, V>>(&mut self, expander: &Expander<'_, S, V>, source: &mut J) {
        let mut i = 0;
        while i < self.running {
            i += usize::from(self.take(i, expander, source));
        }
    }

    /// Step 3 of a round.
    ///
    /// # Safety
    /// - As for [`Group::expand`].
    #[inline(always)]
    unsafe fn begin_children(&mut self, expander: &Expander<'_, S, V>) {
        for (i, lane) in self.lanes[..self.running].iter_mut().enumerate() {
            let node = &self.stacks[self.tops[i]];
            let count = self.children.add(node, expander.row(node), i as u32);
            lane.count.generated += count as u64;
            lane.count.expanded += 1;
        }
        // SAFETY: a node is the root of a subtree or descends from it, and the moves are all of its row. It
        // stays as it is until step 1 of the next round, and so does the stack. The processor is the
        // caller's.
        unsafe { self.children.begin(expander) };
    }

    /// Steps 1 to 3 of a round: expands a node in every lane.
    ///
    /// # Safety
    /// - Every root that `source` supplies is a node of `expander`, which is the same in each round until
    ///   no lane has work.
    /// - [`Group::sift`] has been called since the last call.
    /// - The processor has what `B` asks for.
    #[inline(always)]
    unsafe fn expand<J: Source<S::View, V>>(
        &mut self,
        expander: &Expander<'_, S, V>,
        source: &mut J,
    ) {
        // SAFETY: the caller's.
        unsafe { self.take_in() };
        // Now no children are on their way, and lanes may end and stacks may grow.
        if self.poll {
            self.drop_unwanted(source);
        }
        self.take_nodes(expander, source);
        // SAFETY: the caller's.
        unsafe { self.begin_children(expander) };
    }

    /// Step 4 of a round.
    ///
    /// # Safety
    /// - [`Group::expand`] has been called since the last call, with the same expander.
    /// - The processor has what `B` asks for.
    #[inline(always)]
    unsafe fn sift(&mut self, expander: &Expander<'_, S, V>) {
        // SAFETY: the children were begun in step 3, by the same expander.
        unsafe { self.children.sift(expander) };
    }
}

/// The lanes of one thread, kept from one run to the next. They are not on the stack: a thread of a
/// pool that waits for the others of its search may begin another search above it.
///
/// There are two groups. With vectors it pays to sift the children by their first view.
pub(crate) enum Crew<S: Space, const V: usize> {
    OneByOne([Box<Group<S, OneByOne<S>, V, V>>; 2]),
    #[cfg(target_arch = "x86_64")]
    Vectors([Box<Group<S, S::Vectors, V, 1>>; 2]),
}

impl<S: Space, const V: usize> Crew<S, V> {
    /// The most lanes.
    pub const LANES: usize = 2 * LANES;

    /// Idle lanes.
    pub fn new() -> Crew<S, V> {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            return Crew::Vectors(std::array::from_fn(|_| Box::new(Group::new())));
        }
        Crew::OneByOne(std::array::from_fn(|_| Box::new(Group::new())))
    }

    /// Searches all subtrees of a source.
    ///
    /// Each is searched depth-first, the moves in the order of [`MoveRows`](crate::search::moves::MoveRows), up
    /// to the first goal. The result of each does not depend on the number of lanes.
    ///
    /// # Safety
    /// - Every root that `source` supplies is a node of `expander`.
    pub unsafe fn run<J: Source<S::View, V>>(
        &mut self,
        expander: &Expander<'_, S, V>,
        source: &mut J,
    ) {
        match self {
            // SAFETY: the caller vouches for the roots, and nothing is asked of the processor.
            Crew::OneByOne(groups) => unsafe { run(groups, expander, source) },
            // SAFETY: these groups are made where the processor has these instructions, and the caller
            // vouches for the roots.
            #[cfg(target_arch = "x86_64")]
            Crew::Vectors(groups) => unsafe { run_with_avx2(groups, expander, source) },
        }
    }
}

/// Runs code compiled for the instructions that [`has_avx2`] asks for.
///
/// # Safety
/// - The processor has them.
/// - As for [`Crew::run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn run_with_avx2<
    S: Space,
    B: Batch<S>,
    J: Source<S::View, V>,
    const V: usize,
    const EARLY: usize,
>(
    groups: &mut [Box<Group<S, B, V, EARLY>>; 2],
    expander: &Expander<'_, S, V>,
    source: &mut J,
) {
    // SAFETY: the processor has AVX2, and the caller vouches for the roots.
    unsafe { run(groups, expander, source) };
}

/// Searches all subtrees of a source.
///
/// # Safety
/// - As for [`Crew::run`].
/// - The processor has what the batches ask for.
#[inline(always)]
unsafe fn run<S: Space, B: Batch<S>, J: Source<S::View, V>, const V: usize, const EARLY: usize>(
    [first, second]: &mut [Box<Group<S, B, V, EARLY>>; 2],
    expander: &Expander<'_, S, V>,
    source: &mut J,
) {
    for rounds in (0u64..).step_by(REFILL as usize) {
        first.fill(source, second.running == 0);
        second.fill(source, first.running == 0);
        if first.running + second.running == 0 {
            return;
        }
        let poll = rounds.is_multiple_of(POLL);
        first.poll |= poll;
        second.poll |= poll;
        for _ in 0..REFILL {
            // SAFETY: the caller's. All groups were sifted in the last turn.
            unsafe { first.expand(expander, source) };
            second.poll |= first.poll;
            // SAFETY: as above.
            unsafe { second.expand(expander, source) };
            first.poll |= second.poll;
            // SAFETY: the caller's. Both groups have just been expanded.
            unsafe {
                first.sift(expander);
                second.sift(expander);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fast::masks::Masks;
    use crate::search::fast::space::MAX_VIEWS;

    /// Many searches may wait on one stack.
    #[test]
    fn a_crew_takes_little_of_the_stack() {
        assert!(size_of::<Crew<Masks, MAX_VIEWS>>() <= 64);
    }
}
