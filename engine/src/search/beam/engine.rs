//! Beams of the engine's nodes, whose children cost as much as in its search.

use super::ranking::{ByBound, ByBoundAndLearned, Ranking};
use super::select::{Grouped, Ranked, group_count, select};
use super::{Learned, Origins, PART, Width};
use crate::SMALL;
use crate::board::{Moves, Position};
use crate::parallel::{fill_chunks, map_chunks};
use crate::pdb::BrokenTable;
use crate::prefetch::prefetch;
use crate::search::Control;
use crate::search::births::{CHILDREN, MOST_CHILDREN};
#[cfg(target_arch = "x86_64")]
use crate::search::children::has_avx2;
use crate::search::children::{Children, OneByOne};
use crate::search::engine::{Engine, Prepared, Spaces, with_space};
use crate::search::expand::{Expander, MAX_DEPTH, MAX_SLACK, Node};
use crate::search::moves::MoveRows;
use crate::search::space::{Batch, Space};

impl Engine {
    /// Finds a solution by a beam of `width` positions a level, on the current rayon thread pool; `None` if
    /// it finds none of less than `below` moves and within 254, or `control` stops the search. If the width is
    /// fixed, the number of threads changes nothing. It looks at its limits once a level.
    ///
    /// The tables guide it alone, or together with learned weights. With weights, a node costs about
    /// twice as much. Without them, a beam on 5×5 has to be several times as wide for solutions as
    /// short.
    ///
    /// Takes some 400 bytes a position of a level on 5×5, and 4 bytes a position of all levels.
    ///
    /// # Errors
    /// [`BrokenTable`] if a table does not lead to the goal.
    ///
    /// # Panics
    /// If the position or the weights are of another goal, or the width is 0 or more than 2³⁰.
    pub fn beam(
        &self,
        position: &Position,
        width: impl Into<Width>,
        below: usize,
        learned: Option<&Learned>,
        control: &Control,
    ) -> Result<Option<Moves>, BrokenTable> {
        let width = width.into();
        assert!((1..=1 << 30).contains(&width.most()));
        let request = Request { position, width, below, control };
        match learned {
            Some(learned) if !SMALL => {
                learned.assert_goal_of(position);
                self.beam_by(&request, ByBoundAndLearned(learned))
            }
            _ => self.beam_by(&request, ByBound),
        }
    }

    fn beam_by(
        &self,
        request: &Request<'_>,
        ranking: impl Ranking,
    ) -> Result<Option<Moves>, BrokenTable> {
        // More views would cost more than they add.
        with_space!(self, |prepared| match *self.first_views() {
            [a, b, ..] => self.beam_with([a, b], prepared, request, ranking),
            [a] => self.beam_with([a], prepared, request, ranking),
            [] => Ok(None),
        })
    }

    fn beam_with<S: Space, const V: usize>(
        &self,
        views: [usize; V],
        prepared: &Prepared<S>,
        request: &Request<'_>,
        ranking: impl Ranking,
    ) -> Result<Option<Moves>, BrokenTable> {
        let position = request.position;
        let root = self.root(prepared, position, views)?;
        // The automaton would forbid a way to a position whose other ways are not in the beam.
        let moves = MoveRows::without_undoing(position.grid());
        let expander = Expander { moves: &moves, ..self.expander(prepared, views) };
        let values = root.values;
        let start = root.node_with([MAX_SLACK; V]);
        // SAFETY: the root is a position of this engine's goal in these views, and its automaton
        // state is that of the blank's cell in all automata.
        Ok(unsafe { Beam { expander, values, ranking, request }.run(start) })
    }
}

/// The arguments of a beam.
struct Request<'a> {
    position: &'a Position,
    width: Width,
    /// A solution must have fewer moves.
    below: usize,
    control: &'a Control,
}

/// The number of nodes by which a parent is fetched ahead: parents are in no order.
const AHEAD: usize = 16;

struct Beam<'a, S: Space, R, const V: usize> {
    expander: Expander<'a, S, V>,
    /// The start's bound in each view.
    values: [u32; V],
    ranking: R,
    request: &'a Request<'a>,
}

impl<S: Space, R: Ranking, const V: usize> Beam<'_, S, R, V> {
    /// Searches level by level. Generates each level twice: for the ranks of its candidates, and for the
    /// nodes of those that are chosen. That takes less time than to keep the nodes of all candidates.
    ///
    /// # Safety
    /// - `start` is a node of the expander.
    unsafe fn run(&self, start: Node<S::View, V>) -> Option<Moves> {
        let &Request { position, control, .. } = self.request;
        let mut width = self.request.width.clone();
        let mut goal = self.expander.is_goal(&start).then_some(0);
        let (mut level, mut next) = (vec![start], Vec::new());
        let (mut extras, mut next_extras) = (vec![self.ranking.start(position)], Vec::new());
        let mut came_from: Vec<Vec<u32>> = Vec::new();
        let mut generated = 0;
        loop {
            if let Some(place) = goal {
                return Some(Moves(Origins::MOVES.read_back(&came_from, place)));
            }
            if level.is_empty()
                || came_from.len() + 1 >= MAX_DEPTH
                || control.check(generated).is_some()
            {
                return None;
            }
            // SAFETY: the nodes are the start or descend from it.
            let candidates = unsafe { self.candidates(&level, &extras) };
            let children = candidates.iter().map(|part| part.len() as u64).sum();
            control.journal().searched(children);
            generated += children;
            let width = width.behind(level.len(), came_from.len());
            let chosen = select(&candidates, width, CHILDREN * level.len());
            drop(candidates);
            let chosen: Vec<u32> = chosen.into_iter().map(|chosen| chosen.number).collect();
            next.resize(chosen.len(), Node::room());
            // SAFETY: as above, and the moves are those of candidates.
            goal = unsafe { self.generate(&level, &chosen, &mut next) };
            next_extras.resize(chosen.len(), extras[0]);
            self.generate_extras(&extras, &chosen, &mut next_extras);
            came_from.push(chosen);
            std::mem::swap(&mut level, &mut next);
            std::mem::swap(&mut extras, &mut next_extras);
        }
    }

    /// The children of a level with bounds below the length wanted, numbered by their origins.
    ///
    /// # Safety
    /// - The nodes are nodes of the expander.
    unsafe fn candidates(&self, level: &[Node<S::View, V>], extras: &[R::Extra]) -> Vec<Grouped> {
        let groups = group_count(CHILDREN * level.len());
        map_chunks(level, PART, |first, nodes| {
            let mut candidates = Vec::with_capacity(CHILDREN * nodes.len());
            let rows = (first..).zip(nodes).map(|(place, node)| (place, *self.expander.row(node)));
            // SAFETY: the caller's, and the moves are all that the nodes have.
            unsafe {
                self.children(level, rows, |place, child| {
                    if child.pruned() {
                        return;
                    }
                    let bound = self.bound(&child);
                    if (bound as usize) < self.request.below {
                        let rank = self.ranking.rank(&extras[place], child.last(), bound);
                        let number = Origins::MOVES.number(place, child.last(), 1);
                        candidates.push(Ranked { hash: S::hash(&child.views[0]), rank, number });
                    }
                });
            }
            Grouped::new(&candidates, groups)
        })
    }

    /// Generates the children of a level with these origins into `next`. Returns the place of the goal.
    ///
    /// # Safety
    /// - The nodes are nodes of the expander, and have these children.
    unsafe fn generate(
        &self,
        level: &[Node<S::View, V>],
        origins: &[u32],
        next: &mut [Node<S::View, V>],
    ) -> Option<usize> {
        let goals = fill_chunks(next, PART, |first, next| {
            let origins = &origins[first..][..next.len()];
            let rows = origins.iter().enumerate().map(|(i, &origin)| {
                if let Some(&ahead) = origins.get(i + AHEAD) {
                    let size = size_of::<Node<S::View, V>>();
                    let node = (&raw const level[Origins::MOVES.place(ahead)]).cast::<u8>();
                    for offset in (0..size).step_by(64).chain([size - 1]) {
                        prefetch(node.wrapping_add(offset));
                    }
                }
                let row = self.expander.row(&level[Origins::MOVES.place(origin)]);
                let of_move = |&&packed: &&u32| {
                    packed != 0 && packed & 3 == Origins::MOVES.last(origin) as u32
                };
                let packed = row.iter().find(of_move);
                (
                    Origins::MOVES.place(origin),
                    [*packed.expect("the candidate has made this move"), 0, 0, 0],
                )
            });
            let mut nodes = next.iter_mut();
            // SAFETY: the caller's.
            unsafe {
                self.children(level, rows, |_, child| {
                    *nodes.next().expect("there is one for each move") = child;
                });
            }
            next.iter().position(|node| self.expander.is_goal(node)).map(|place| first + place)
        });
        goals.into_iter().flatten().next()
    }

    /// Generates the extras of the children with these origins into `next`.
    fn generate_extras(&self, extras: &[R::Extra], origins: &[u32], next: &mut [R::Extra]) {
        fill_chunks(next, PART, |first, next| {
            let origins = &origins[first..];
            for (i, (child, &origin)) in next.iter_mut().zip(origins).enumerate() {
                if let Some(&ahead) = origins.get(i + AHEAD) {
                    prefetch((&raw const extras[Origins::MOVES.place(ahead)]).cast());
                }
                let parent = &extras[Origins::MOVES.place(origin)];
                *child = self.ranking.moved(parent, Origins::MOVES.last(origin) as usize);
            }
        });
    }

    /// Calls `take` with a node's place and its child, for each move of each row, in order. A row comes
    /// with the place of its node.
    ///
    /// # Safety
    /// - The nodes are nodes of the expander, and the moves are of their rows.
    unsafe fn children(
        &self,
        level: &[Node<S::View, V>],
        rows: impl Iterator<Item = (usize, [u32; CHILDREN])>,
        take: impl FnMut(usize, Node<S::View, V>),
    ) {
        #[cfg(target_arch = "x86_64")]
        if has_avx2() {
            // SAFETY: the processor has these instructions, and the caller vouches for the nodes.
            return unsafe { self.children_with_avx2(level, rows, take) };
        }
        // SAFETY: the caller's, and nothing is asked of the processor.
        unsafe { self.children_in::<OneByOne<S>>(level, rows, take) };
    }

    /// Runs code compiled for the instructions that [`has_avx2`] asks for.
    ///
    /// # Safety
    /// - The processor has them.
    /// - As for [`Beam::children`].
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    unsafe fn children_with_avx2(
        &self,
        level: &[Node<S::View, V>],
        rows: impl Iterator<Item = (usize, [u32; CHILDREN])>,
        take: impl FnMut(usize, Node<S::View, V>),
    ) {
        // SAFETY: the caller's.
        unsafe { self.children_in::<S::Vectors>(level, rows, take) };
    }

    /// The loop of [`Beam::children`].
    ///
    /// # Safety
    /// - As for [`Beam::children`].
    /// - The processor has what the batches ask for.
    #[inline(always)]
    unsafe fn children_in<B: Batch<S>>(
        &self,
        level: &[Node<S::View, V>],
        mut rows: impl Iterator<Item = (usize, [u32; CHILDREN])>,
        mut take: impl FnMut(usize, Node<S::View, V>),
    ) {
        // While the table bits of some children are fetched, others are at work.
        let mut pair: [_; 2] = std::array::from_fn(|_| Children::<S, B, V, V>::new());
        let mut waiting = 0;
        for turn in (0..2).cycle() {
            let children = &mut pair[turn];
            waiting -= children.len();
            // SAFETY: there are none, or they were begun two turns ago, by the same expander. The
            // processor is the caller's.
            unsafe { children.finish(|place, child| take(place as usize, child.node())) };
            while children.len() <= MOST_CHILDREN - CHILDREN
                && let Some((place, row)) = rows.next()
            {
                children.add(&level[place], &row, place as u32);
            }
            waiting += children.len();
            if waiting == 0 {
                break;
            }
            // SAFETY: nodes, moves and processor are the caller's.
            unsafe { children.begin(&self.expander) };
        }
    }

    /// The bound of a node, plus its depth: g + h rises by 2 with each move that raises h.
    #[inline(always)]
    fn bound(&self, node: &Node<S::View, V>) -> u32 {
        let risen = |view: usize| self.values[view] + 2 * (MAX_SLACK - node.slack(view));
        (0..V).map(risen).max().unwrap_or(0)
    }
}
