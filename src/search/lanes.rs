//! The inner loop: depth-first searches in interleaved lanes.
//!
//! A node costs a few dozen instructions, but its table bits lie in 196 MB, and fetching them
//! takes longer than all else. So one thread searches several subtrees in turn, each in a
//! *lane*. A lane's turn:
//!
//! 1. The children generated in its last turn have had their table bits fetched meanwhile: take
//!    them in, and keep those that no view prunes on the lane's stack.
//! 2. Take the top of the stack; if the stack is empty, the subtree is done, begin another.
//! 3. Generate its children, all views of all of them, and start to fetch what step 1 of the
//!    next turn, and step 3 of the turn after, will read.
//!
//! A node keeps no h, but for each view its *slack*: half of what h may still rise in excess of
//! the moves made before the threshold is passed. A move that lowers h leaves the slack, one
//! that raises it takes 1; below 0 the node is pruned.

use super::moves::Moves;
use super::space::Space;
use crate::prefetch::prefetch;

/// A position in a search, with `V` views `W`.
#[derive(Clone, Copy)]
pub(crate) struct Node<W, const V: usize> {
    pub views: [W; V],
    /// Bits 0 to 15: the automaton's state. A byte a view from bit 16: the slack, with the top
    /// bit set as long as it is not negative. Bits 48 to 55: moves from the root of the
    /// subtree; 56 and 57: the last move.
    pub meta: u64,
}

const SLACK_SHIFT: u32 = 16;
const DEPTH_SHIFT: u32 = 48;
const MOVE_SHIFT: u32 = 56;
/// The largest slack a node can have.
pub(crate) const MAX_SLACK: u32 = 127;
/// The most views a node can have.
pub(crate) const MAX_VIEWS: usize = 4;
/// The longest path below the root of a subtree.
pub(crate) const MAX_DEPTH: usize = 255;

impl<W: Copy + Default, const V: usize> Node<W, V> {
    /// The bits that are set as long as no slack is negative.
    const GUARDS: u64 = {
        assert!(V <= MAX_VIEWS);
        let mut guards = 0;
        let mut view = 0;
        while view < V {
            guards |= 0x80 << (SLACK_SHIFT + 8 * view as u32);
            view += 1;
        }
        guards
    };

    /// What fills a stack.
    fn room() -> Node<W, V> {
        Node { views: [W::default(); V], meta: 0 }
    }

    /// The root of a subtree.
    pub fn new(views: [W; V], automaton: u16, slack: [u32; V]) -> Node<W, V> {
        let mut meta = u64::from(automaton) | Self::GUARDS;
        for (view, slack) in slack.into_iter().enumerate() {
            assert!(slack <= MAX_SLACK);
            meta |= u64::from(slack) << (SLACK_SHIFT + 8 * view as u32);
        }
        Node { views, meta }
    }

    /// The same node as the root of a subtree of its own.
    pub fn as_root(mut self) -> Node<W, V> {
        self.meta &= (1 << DEPTH_SHIFT) - 1;
        self
    }

    /// The last move.
    pub fn last(&self) -> usize {
        (self.meta >> MOVE_SHIFT & 3) as usize
    }

    fn depth(&self) -> usize {
        (self.meta >> DEPTH_SHIFT & 0xff) as usize
    }

    #[inline(always)]
    fn pruned(&self) -> bool {
        self.meta & Self::GUARDS != Self::GUARDS
    }
}

/// All that a search reads.
pub(crate) struct Engine<'a, S: Space, const V: usize> {
    pub space: &'a S,
    pub moves: &'a Moves,
    pub views: [S::Tables<'a>; V],
    /// The goal in the first view.
    pub goal: S::View,
}

/// A child of a node that waits for its table bits.
#[derive(Clone, Copy)]
struct Pending<C, const V: usize> {
    views: [C; V],
    meta: u64,
}

impl<S: Space, const V: usize> Engine<'_, S, V> {
    const NONE: Pending<S::Child, V> = Pending { views: [S::NONE; V], meta: 0 };

    /// Generates the children of a node, the last move first, and returns their number.
    ///
    /// # Safety
    /// - The node's views are of this engine's space and tables, and its automaton state is that of
    ///   its blank.
    #[inline(always)]
    unsafe fn generate(
        &self,
        node: &Node<S::View, V>,
        children: &mut [Pending<S::Child, V>; 4],
    ) -> usize {
        let row = self.moves.row(node.meta & 0xffff);
        let meta = (node.meta & !0xffff & ((1 << MOVE_SHIFT) - 1)) + (1 << DEPTH_SHIFT);
        let mut count = 0;
        while count < 4 && row[count] != 0 {
            let packed = u64::from(row[count]);
            let (next, m) = (packed >> 2, packed & 3);
            let pending = &mut children[count];
            pending.meta = meta | next | m << MOVE_SHIFT;
            prefetch(self.moves.line(next));
            for view in 0..V {
                let tables = &self.views[view];
                let m = m as usize ^ S::turn(view, tables);
                // SAFETY: the caller vouches for the view; the automaton's moves stay on the
                // board, and so do their transposes in a transposed view.
                let child = unsafe { self.space.child(&node.views[view], m, tables) };
                self.space.fetch(&child);
                pending.views[view] = child;
            }
            count += 1;
        }
        count
    }

    /// # Safety
    /// - The child is from [`Engine::generate`] of this engine.
    #[inline(always)]
    unsafe fn resolve(&self, pending: &Pending<S::Child, V>) -> Node<S::View, V> {
        let mut node = Node { views: [S::View::default(); V], meta: pending.meta };
        let mut rises = 0;
        for view in 0..V {
            // SAFETY: the tables are borrowed as long as the engine is.
            let (resolved, rose) = unsafe { S::resolve(&pending.views[view]) };
            node.views[view] = resolved;
            rises |= rose << (8 * view);
        }
        node.meta = node.meta.wrapping_sub(rises << SLACK_SHIFT);
        node
    }

    /// The children that no view prunes, in the order of [`Move::ALL`], and the number generated.
    ///
    /// # Safety
    /// As for [`Engine::generate`].
    pub unsafe fn children(&self, node: &Node<S::View, V>) -> (Vec<Node<S::View, V>>, usize) {
        let mut pending = [Self::NONE; 4];
        // SAFETY: the caller's.
        let count = unsafe { self.generate(node, &mut pending) };
        // SAFETY: just generated.
        let resolved = pending[..count].iter().rev().map(|p| unsafe { self.resolve(p) });
        (resolved.filter(|n| !n.pruned()).collect(), count)
    }

    /// Whether this is the goal.
    #[inline(always)]
    pub fn is_goal(&self, node: &Node<S::View, V>) -> bool {
        S::same_position(&node.views[0], &self.goal)
    }
}

/// A subtree to search, with the name its owner knows it by.
pub(crate) struct Job<W, const V: usize> {
    pub root: Node<W, V>,
    pub name: usize,
}

/// What came of a subtree.
pub(crate) struct Report<'a> {
    pub name: usize,
    pub generated: u64,
    pub expanded: u64,
    pub end: End<'a>,
}

/// How the search of a subtree ended.
pub(crate) enum End<'a> {
    /// No goal within the threshold.
    Exhausted,
    /// The moves from the subtree's root to the goal.
    Solved(&'a [u8]),
    /// A path longer than any threshold: a table is damaged.
    Endless,
}

/// Where lanes get their subtrees from.
pub(crate) trait Source<W, const V: usize> {
    /// The next subtree, or `None` when there is none now. `idle` says that no lane of this
    /// thread has work, so that `None` ends the run, and waiting hurts nobody.
    fn next(&mut self, idle: bool) -> Option<Job<W, V>>;

    /// Takes the result of a subtree. The lane then asks for the next one.
    fn done(&mut self, report: Report<'_>);

    /// Whether a subtree is not wanted any more; asked every [`POLL`] turns. Such a one is
    /// dropped without a report. `generated` is what it has generated so far.
    fn dropped(&mut self, name: usize, generated: u64) -> bool;
}

/// Turns of a lane between two calls of [`Source::dropped`].
const POLL: u64 = 4096;

/// Rounds of all lanes between two attempts to find work for idle ones.
const REFILL: u32 = 64;

/// The room on a lane's stack at first: enough for most boards, and quick to set up. A path of
/// the greatest depth leaves at most three siblings a level.
const STACK: usize = 96;

struct Lane<S: Space, const V: usize> {
    pending: [Pending<S::Child, V>; 4],
    count: usize,
    height: usize,
    name: usize,
    generated: u64,
    expanded: u64,
    path: [u8; MAX_DEPTH + 1],
    stack: Vec<Node<S::View, V>>,
}

impl<S: Space, const V: usize> Lane<S, V> {
    fn new() -> Lane<S, V> {
        Lane {
            pending: [Engine::<S, V>::NONE; 4],
            count: 0,
            height: 0,
            name: 0,
            generated: 0,
            expanded: 0,
            path: [0; MAX_DEPTH + 1],
            stack: vec![Node::room(); STACK],
        }
    }

    fn begin(&mut self, job: Job<S::View, V>) {
        self.name = job.name;
        self.stack[0] = job.root;
        self.height = 1;
        self.count = 0;
        self.generated = 0;
        self.expanded = 0;
    }

    /// One turn. Returns whether the lane has work left.
    #[inline(always)]
    fn turn<J: Source<S::View, V>>(&mut self, engine: &Engine<'_, S, V>, source: &mut J) -> bool {
        for pending in &self.pending[..self.count] {
            // SAFETY: generated in this lane's last turn, by the same engine.
            let node = unsafe { engine.resolve(pending) };
            self.stack[self.height] = node;
            self.height += usize::from(!node.pruned());
        }
        self.count = 0;
        if self.height == 0 {
            return self.end(End::Exhausted, source);
        }
        self.height -= 1;
        let node = self.stack[self.height];
        let depth = node.depth();
        self.path[depth] = node.last() as u8;
        if engine.is_goal(&node) {
            let path = self.path;
            return self.end(End::Solved(&path[1..=depth]), source);
        }
        if depth == MAX_DEPTH {
            return self.end(End::Endless, source);
        }
        if self.height + self.pending.len() > self.stack.len() {
            self.grow();
        }
        // SAFETY: the node is the root of a job or descends from it.
        self.count = unsafe { engine.generate(&node, &mut self.pending) };
        self.generated += self.count as u64;
        self.expanded += 1;
        !self.expanded.is_multiple_of(POLL)
            || !source.dropped(self.name, self.generated)
            || self.restart(source)
    }

    #[cold]
    fn grow(&mut self) {
        self.stack.resize(2 * self.stack.len(), Node::room());
    }

    #[cold]
    fn end<J: Source<S::View, V>>(&mut self, end: End<'_>, source: &mut J) -> bool {
        let Lane { name, generated, expanded, .. } = *self;
        source.done(Report { name, generated, expanded, end });
        self.restart(source)
    }

    #[cold]
    fn restart<J: Source<S::View, V>>(&mut self, source: &mut J) -> bool {
        let job = source.next(false);
        job.map(|job| self.begin(job)).is_some()
    }
}

/// The lanes of one thread, kept from one run to the next.
pub(crate) struct Crew<S: Space, const V: usize> {
    lanes: Vec<Lane<S, V>>,
}

impl<S: Space, const V: usize> Crew<S, V> {
    /// This many lanes.
    pub fn new(lanes: usize) -> Crew<S, V> {
        Crew { lanes: (0..lanes).map(|_| Lane::new()).collect() }
    }

    /// Searches all subtrees of a source.
    ///
    /// Each is searched depth-first, the moves in the order of [`Move::ALL`], up to the first
    /// goal; the result of each is the same whatever the number of lanes.
    pub fn run<J: Source<S::View, V>>(&mut self, engine: &Engine<'_, S, V>, source: &mut J) {
        // The lanes with work are the first ones.
        let mut running = 0;
        loop {
            while let Some(lane) = self.lanes.get_mut(running) {
                let Some(job) = source.next(running == 0) else { break };
                lane.begin(job);
                running += 1;
            }
            if running == 0 {
                return;
            }
            for _ in 0..REFILL {
                let mut i = 0;
                while i < running {
                    if self.lanes[i].turn(engine, source) {
                        i += 1;
                    } else {
                        running -= 1;
                        self.lanes.swap(i, running);
                    }
                }
            }
        }
    }
}
