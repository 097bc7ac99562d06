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
//! The list is what makes this fast: see `children.rs`. There are two groups, so that one
//! group's table bits have time to arrive while the other is at work.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::children::{Child, Children};
use super::list::LANES;
use super::meta::MAX_DEPTH;
use super::node::{Expander, Node};
use super::processor::{Processor, Scalar};
use super::space::Space;
use crate::search::moves::MOST_STEPS;
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
pub(crate) struct Group<S: Space, P, const V: usize, const EARLY: usize> {
    /// The number of lanes that have work: the first ones.
    running: usize,
    lanes: [Lane; LANES],
    /// The first free place of each lane's stack. The node taken last stays in that place until its children
    /// are pushed, because they are generated from it.
    tops: [usize; LANES],
    stacks: Vec<Node<S::View, V>>,
    /// The room on each lane's stack.
    room: usize,
    /// The children that are generated, with their lanes as tags.
    children: Children<S, P, V, EARLY>,
    /// A lane has run out of work: perhaps the others are no longer wanted.
    poll: bool,
}

impl<S: Space, P: Processor, const V: usize, const EARLY: usize> Group<S, P, V, EARLY> {
    fn new(processor: P) -> Self {
        const { assert!(P::LANES <= LANES) };
        let lane = |_| Lane { base: 0, name: 0, count: Count::default(), path: [0; MAX_DEPTH + 1] };
        let mut group = Group {
            running: 0,
            lanes: std::array::from_fn(lane),
            tops: [0; LANES],
            stacks: Vec::new(),
            room: 0,
            children: Children::new(processor),
            poll: false,
        };
        group.set_room(ROOM);
        group
    }

    /// Gives every lane a stack of this size, and keeps its contents.
    #[cold]
    fn set_room(&mut self, room: usize) {
        let mut stacks = vec![Node::room(); room * P::LANES];
        let lanes = self.lanes[..P::LANES].iter_mut().zip(&mut self.tops);
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
        while self.running < P::LANES {
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
        let push = |lane: u32, child: Child<'_, S, V, EARLY>| {
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
                let depth = node.meta.depth();
                lane.path[depth] = node.meta.last() as u8;
                if expander.is_goal(node) {
                    let path = lane.path;
                    self.end(i, End::Solved(&path[1..=depth]), source)
                } else if depth == MAX_DEPTH {
                    let path = lane.path;
                    self.end(i, End::Endless(&path[1..=depth]), source)
                } else {
                    expander.fetch(node);
                    if top + MOST_STEPS > lane.base + self.room {
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
            let count = self.children.add(node, expander.steps(node), i as u32);
            lane.count.generated += count as u64;
            lane.count.expanded += 1;
        }
        // SAFETY: a node is the root of a subtree or descends from it, and the steps are its own. It stays as
        // it is until step 1 of the next round, and so does the stack.
        unsafe { self.children.begin(expander) };
    }

    /// Steps 1 to 3 of a round: expands a node in every lane.
    ///
    /// # Safety
    /// - Every root that `source` supplies is a node of `expander`, which is the same in each round until
    ///   no lane has work.
    /// - [`Group::sift`] has been called since the last call.
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
    Scalar([Box<Group<S, Scalar, V, V>>; 2]),
    #[cfg(target_arch = "x86_64")]
    Avx2([Box<Group<S, Avx2, V, 1>>; 2]),
}

impl<S: Space, const V: usize> Crew<S, V> {
    /// The most lanes.
    pub const LANES: usize = 2 * LANES;

    /// Idle lanes.
    pub fn new() -> Crew<S, V> {
        #[cfg(target_arch = "x86_64")]
        if let Some(processor) = Avx2::detect() {
            return Crew::Avx2(std::array::from_fn(|_| Box::new(Group::new(processor))));
        }
        Crew::Scalar(std::array::from_fn(|_| Box::new(Group::new(Scalar))))
    }

    /// Searches all subtrees of a source.
    ///
    /// Each is searched depth-first, the moves in the order of [`StepTable`](crate::search::moves::StepTable), up
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
            // SAFETY: the caller vouches for the roots.
            Crew::Scalar(groups) => unsafe { run(groups, expander, source) },
            // SAFETY: these groups exist only where the processor has AVX2, and the caller vouches for the roots.
            #[cfg(target_arch = "x86_64")]
            Crew::Avx2(groups) => unsafe { run_with_avx2(groups, expander, source) },
        }
    }
}

/// Runs code compiled for AVX2.
///
/// # Safety
/// - As for [`Crew::run`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
unsafe fn run_with_avx2<S: Space, J: Source<S::View, V>, const V: usize, const EARLY: usize>(
    groups: &mut [Box<Group<S, Avx2, V, EARLY>>; 2],
    expander: &Expander<'_, S, V>,
    source: &mut J,
) {
    // SAFETY: the caller's.
    unsafe { run(groups, expander, source) };
}

/// Searches all subtrees of a source.
///
/// # Safety
/// - As for [`Crew::run`].
#[inline(always)]
unsafe fn run<S: Space, P: Processor, J: Source<S::View, V>, const V: usize, const EARLY: usize>(
    groups: &mut [Box<Group<S, P, V, EARLY>>; 2],
    expander: &Expander<'_, S, V>,
    source: &mut J,
) {
    for rounds in (0u64..).step_by(REFILL as usize) {
        for turn in 0..2 {
            let others = groups[1 - turn].running;
            groups[turn].fill(source, others == 0);
        }
        if groups.iter().all(|group| group.running == 0) {
            return;
        }
        if rounds.is_multiple_of(POLL) {
            groups.iter_mut().for_each(|group| group.poll = true);
        }
        for _ in 0..REFILL {
            for turn in 0..2 {
                // SAFETY: the caller's. All groups were sifted in the last round.
                unsafe { groups[turn].expand(expander, source) };
                groups[1 - turn].poll |= groups[turn].poll;
            }
            for group in &mut *groups {
                // SAFETY: the caller's. Both groups have just been expanded.
                unsafe { group.sift(expander) };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fast::masks::Masks;
    use crate::search::fast::meta::MAX_VIEWS;

    /// Many searches may wait on one stack.
    #[test]
    fn a_crew_takes_little_of_the_stack() {
        assert!(size_of::<Crew<Masks, MAX_VIEWS>>() <= 64);
    }
}
