//! Positions of the search, changed slide by slide.

use crate::board::{Grid, Move, Position, Symmetry};
use crate::pdb::{MAX_SLIDE_CELLS, Probe, SlideTable};

/// A slide: the way in which tiles move, and the number of tiles.
pub(super) type Slide = (Move, u8);

/// A slide as moves of single tiles.
pub(super) fn moves((way, tiles): Slide) -> impl Iterator<Item = Move> {
    std::iter::repeat_n(way, tiles.into())
}

/// The moves of slides along rows and along columns.
pub(super) const WAYS: [[Move; 2]; 2] = [[Move::Right, Move::Left], [Move::Up, Move::Down]];

/// No cell.
const BORDER: u8 = u8::MAX;

/// The shape of a board and of its mirror image along the main diagonal.
pub(super) struct SlideLayout {
    pub grid: Grid,
    goal_blank: usize,
    /// The cell of the tile that each move takes into the blank in each cell.
    source: [[u8; MAX_SLIDE_CELLS]; 4],
    /// The image of each cell.
    image: [u8; MAX_SLIDE_CELLS],
}

/// A position and its mirror image.
#[derive(Clone, Copy)]
pub(super) struct SlideNode {
    /// The label in each cell.
    labels: [u8; MAX_SLIDE_CELLS],
    /// The cell of each label, in the position and in its mirror image.
    cells: [[u8; MAX_SLIDE_CELLS]; 2],
    /// The cell of the blank, in both.
    blank: [u8; 2],
}

impl SlideLayout {
    /// # Panics
    /// If the grid has more than [`MAX_SLIDE_CELLS`] cells.
    pub fn new(grid: Grid, goal_blank: usize) -> SlideLayout {
        assert!(grid.cells() <= MAX_SLIDE_CELLS);
        let cell = |cell: usize, m| grid.source(cell, m).map_or(BORDER, |source| source as u8);
        let mut source = [[BORDER; MAX_SLIDE_CELLS]; 4];
        let mut image = [0; MAX_SLIDE_CELLS];
        for at in 0..grid.cells() {
            Move::ALL.iter().for_each(|&m| source[m as usize][at] = cell(at, m));
            image[at] = Symmetry::TRANSPOSE.cell(grid, at) as u8;
        }
        SlideLayout { grid, goal_blank, source, image }
    }

    /// # Panics
    /// If the position has a different goal.
    pub fn check(&self, position: &Position) {
        let goal = (position.grid(), position.goal_blank());
        assert_eq!(goal, (self.grid, self.goal_blank), "the position has a different goal");
    }

    /// The node of a position of this layout's goal.
    pub fn node(&self, position: &Position) -> SlideNode {
        let (mut labels, mut cells) = ([0; MAX_SLIDE_CELLS], [[0; MAX_SLIDE_CELLS]; 2]);
        for (cell, &label) in position.labels().iter().enumerate() {
            labels[cell] = label;
            cells[0][usize::from(label)] = cell as u8;
            cells[1][usize::from(self.image[usize::from(label)])] = self.image[cell];
        }
        let blank = position.blank();
        SlideNode { labels, cells, blank: [blank as u8, self.image[blank]] }
    }

    /// Returns whether this is the goal.
    pub fn is_goal(&self, node: &SlideNode) -> bool {
        (0..self.grid.cells()).all(|cell| usize::from(node.labels[cell]) == cell)
    }

    /// Calls `add` with each child of a node and the slide that leads to it: slides along rows for
    /// direction 0, along columns for 1.
    #[inline(always)]
    pub fn for_each_child(
        &self,
        node: &SlideNode,
        direction: usize,
        mut add: impl FnMut(Slide, SlideNode),
    ) {
        for m in WAYS[direction] {
            let mut child = *node;
            for tiles in 1.. {
                let source = self.source[m as usize][usize::from(child.blank[0]) % MAX_SLIDE_CELLS];
                if source == BORDER {
                    break;
                }
                self.slide(&mut child, source);
                add((m, tiles), child);
            }
        }
    }

    /// Moves the tile in a cell next to the blank.
    #[inline(always)]
    fn slide(&self, node: &mut SlideNode, from: u8) {
        let [to, image_to] = node.blank;
        // The remainders are the numbers themselves; they save the checks of bounds.
        let cell = |cell: u8| usize::from(cell) % MAX_SLIDE_CELLS;
        let label = node.labels[cell(from)];
        node.labels[cell(to)] = label;
        node.cells[0][cell(label)] = to;
        node.cells[1][cell(self.image[cell(label)])] = image_to;
        node.blank = [from, self.image[cell(from)]];
        node.labels[cell(from)] = self.goal_blank as u8;
    }
}

impl SlideNode {
    /// The place of the node's value in a table, if its next slide has this direction.
    #[inline(always)]
    pub fn probe(&self, table: &SlideTable, direction: usize) -> Probe {
        table.probe(&self.cells[direction], self.blank[direction])
    }
}
