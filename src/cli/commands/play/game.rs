//! The game: a position, its history, and the effect of each action.
//!
//! It knows no terminal and no solver. [`Game::question`] is the position to search, and the
//! results come back as actions.

use std::mem;

use super::estimate::{Estimate, Work};
use crate::board::{Board, Goal, Move, Random, Solvability};
use crate::text::plural;

/// An action of the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// An arrow: a slide, or the way of the cursor.
    Arrow(Move),
    /// A click on a cell.
    Cell(usize),
    /// Chooses the tile at the cursor, or starts and stops the animation.
    Space,
    Undo,
    Redo,
    /// Shows the next move of the solution, or makes it.
    Next(Wish),
    Edit,
    /// Draws a new board.
    New,
    /// Leaves a mode.
    Escape,
    Quit,
}

/// An action that waits for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    Hint,
    Step,
    /// The solution is shown, a move for each tick.
    Animate,
}

/// The state of the player, which decides what keys do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Play,
    /// Two cells are chosen, whose tiles change places.
    Edit {
        cursor: usize,
        chosen: Option<usize>,
    },
    /// The game has ended.
    Over,
}

/// The origin of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Given,
    Seed(u64),
    Edited,
}

/// A position and the knowledge of it. Undo restores both.
#[derive(Clone, Debug)]
pub struct Place {
    pub board: Board,
    pub origin: Origin,
    /// The moves made since the board was given, drawn or edited.
    pub moves: usize,
    pub estimate: Estimate,
}

/// The state of a game.
#[derive(Clone, Debug)]
pub struct Game {
    pub goal: Goal,
    pub place: Place,
    made: Vec<Place>,
    undone: Vec<Place>,
    /// Counts the positions.
    turn: u64,
    pub mode: Mode,
    pub wish: Option<Wish>,
    hint: Option<Move>,
    pub message: String,
    /// True if arrows move the blank.
    pub inverted: bool,
    next_seed: u64,
}

impl Game {
    /// A game that begins with a board. `seed` is for the next board.
    pub fn new(goal: Goal, board: Board, origin: Origin, seed: u64, inverted: bool) -> Game {
        let estimate = Estimate::of(&board, &goal);
        Game {
            goal,
            place: Place { board, origin, moves: 0, estimate },
            made: Vec::new(),
            undone: Vec::new(),
            turn: 1,
            mode: Mode::Play,
            wish: None,
            hint: None,
            message: String::new(),
            inverted,
            next_seed: seed,
        }
    }

    /// A game that begins with the board of a seed.
    pub fn random(goal: Goal, seed: u64, inverted: bool) -> Game {
        let board = goal.random_board(&mut Random::new(seed));
        Game::new(goal, board, Origin::Seed(seed), seed.wrapping_add(1), inverted)
    }

    pub fn solvability(&self) -> Solvability {
        self.goal.solvability(&self.place.board)
    }

    pub fn is_solved(&self) -> bool {
        self.place.board == *self.goal.board()
    }

    /// The cell of the tile that the hint moves.
    pub fn hinted(&self) -> Option<usize> {
        self.place.board.grid().source(self.place.board.blank(), self.hint?)
    }

    /// The turn, and its position where a search would help.
    pub fn question(&self) -> (u64, Option<&Board>) {
        let open = self.solvability().is_solvable() && self.place.estimate.is_open();
        (self.turn, open.then_some(&self.place.board))
    }

    /// Does what an action asks for.
    pub fn act(&mut self, action: Action) {
        self.message.clear();
        let wish = self.wish.take();
        match (action, self.mode) {
            (Action::Arrow(way), Mode::Edit { cursor, chosen }) => {
                // The cursor goes to the cell of the tile that would move the other way.
                let grid = self.place.board.grid();
                let cursor = grid.source(cursor, way.opposite()).unwrap_or(cursor);
                self.mode = Mode::Edit { cursor, chosen };
            }
            (Action::Cell(cell), Mode::Edit { chosen, .. }) => self.choose(cell, chosen),
            (Action::Space, Mode::Edit { cursor, chosen }) => self.choose(cursor, chosen),
            (Action::Edit | Action::Escape, Mode::Edit { .. }) => self.mode = Mode::Play,
            (Action::Arrow(way), _) => {
                let m = if self.inverted { way.opposite() } else { way };
                if !self.slide(m) {
                    self.message = format!("No tile can go {}.", way_of(m));
                }
            }
            (Action::Cell(cell), _) => self.slide_to(cell),
            (Action::Space, _) if wish != Some(Wish::Animate) => {
                self.hint = None;
                self.seek(Wish::Animate);
            }
            (Action::Next(wish), _) => {
                self.seek(wish);
                self.fulfil();
            }
            (Action::Edit, _) => {
                self.hint = None;
                self.mode = Mode::Edit { cursor: self.place.board.blank(), chosen: None };
            }
            (Action::Undo, _) => self.restore(true),
            (Action::Redo, _) => self.restore(false),
            (Action::New, _) => {
                let seed = self.next_seed;
                self.next_seed = seed.wrapping_add(1);
                self.mode = Mode::Play;
                let board = self.goal.random_board(&mut Random::new(seed));
                self.replace(board, Origin::Seed(seed));
            }
            (Action::Escape, _) => self.hint = None,
            (Action::Quit, _) => self.mode = Mode::Over,
            (Action::Space, _) => {}
        }
    }

    fn slide(&mut self, m: Move) -> bool {
        let mut board = self.place.board.clone();
        let possible = board.apply(m);
        if possible {
            let Place { origin, moves, ref estimate, .. } = self.place;
            let estimate = estimate.after(m);
            self.go(Place { board, origin, moves: moves + 1, estimate });
        }
        possible
    }

    /// Slides all tiles from a cell up to the blank, if they are in one line with it.
    fn slide_to(&mut self, cell: usize) {
        let (grid, blank) = (self.place.board.grid(), self.place.board.blank());
        let line = |m| std::iter::successors(Some(blank), move |&from| grid.source(from, m));
        if let Some(m) = Move::ALL.into_iter().find(|&m| line(m).skip(1).any(|from| from == cell)) {
            while self.place.board.blank() != cell && self.slide(m) {}
        } else if cell != blank {
            self.message = "This tile is not in a line with the blank.".to_owned();
        }
    }

    fn replace(&mut self, board: Board, origin: Origin) {
        self.go(Place { board, origin, moves: 0, estimate: Estimate::default() });
    }

    /// Goes to another position.
    fn go(&mut self, mut place: Place) {
        if place.board == *self.goal.board() {
            place.estimate = Estimate::of(&place.board, &self.goal);
        }
        self.made.push(mem::replace(&mut self.place, place));
        self.undone.clear();
        self.arrive();
    }

    fn arrive(&mut self) {
        self.turn += 1;
        self.hint = None;
        if self.is_solved() {
            self.message = "Solved.".to_owned();
        }
    }

    /// Goes back to the position before, or forward again.
    fn restore(&mut self, back: bool) {
        let (from, to, name) = match back {
            true => (&mut self.made, &mut self.undone, "undo"),
            false => (&mut self.undone, &mut self.made, "redo"),
        };
        match from.pop() {
            None => self.message = format!("There is nothing to {name}."),
            Some(place) => {
                to.push(mem::replace(&mut self.place, place));
                self.arrive();
            }
        }
    }

    /// Chooses a cell of an edit, after the one that may be chosen.
    fn choose(&mut self, cell: usize, chosen: Option<usize>) {
        let chosen = match chosen {
            None => Some(cell),
            Some(other) if other == cell => None,
            Some(other) => {
                let mut tiles = self.place.board.tiles().to_vec();
                tiles.swap(other, cell);
                let board = Board::new(self.place.board.grid(), &tiles);
                self.replace(board.expect("the tiles are the same"), Origin::Edited);
                None
            }
        };
        self.mode = Mode::Edit { cursor: cell, chosen };
    }

    /// Wishes for a solution, if there is one. An unsolvable board and a failed search are shown all the time,
    /// so they need no message.
    fn seek(&mut self, wish: Wish) {
        self.mode = Mode::Play;
        let failed = matches!(self.place.estimate.work, Work::Failed(_));
        if self.is_solved() {
            self.message = "The board is solved.".to_owned();
        } else if self.solvability().is_solvable() && !failed {
            self.message = "Searching for a solution…".to_owned();
            self.wish = Some(wish);
        }
    }

    /// Fulfils a wish, if there is a solution.
    fn fulfil(&mut self) {
        let Estimate { solution: Some(path), .. } = &self.place.estimate else { return };
        let (Some(m), Some(wish)) = (path.iter().next(), self.wish) else { return };
        let (tile, way, left) = (self.tile(m), way_of(m), plural(path.len() as u64, "move"));
        if wish == Wish::Hint {
            let proof = match self.place.estimate.is_proved() {
                true => "",
                false => " in a solution not proved optimal",
            };
            self.message = format!("Hint: tile {tile} goes {way}; {left} to go{proof}.");
            self.hint = Some(m);
        } else {
            self.slide(m);
            if !self.is_solved() {
                self.message = format!("Tile {tile} went {way}.");
            }
        }
        if wish != Wish::Animate || self.is_solved() {
            self.wish = None;
        }
    }

    /// The tile that a move slides.
    fn tile(&self, m: Move) -> u8 {
        let from = self.place.board.grid().source(self.place.board.blank(), m);
        from.map_or(0, |cell| self.place.board.tiles()[cell])
    }

    /// The clock: makes the next move of the animation.
    pub fn tick(&mut self) {
        if self.wish == Some(Wish::Animate) {
            self.fulfil();
        }
    }

    /// Takes in what the search for the current position has found.
    pub fn found(&mut self, found: Estimate) {
        self.place.estimate.learn(found);
        if let Work::Failed(_) = self.place.estimate.work {
            if self.wish.take().is_some() {
                self.message.clear();
            }
        } else if self.wish != Some(Wish::Animate) {
            self.fulfil();
        }
    }
}

/// The direction of a move, within a sentence.
fn way_of(m: Move) -> String {
    m.word().to_lowercase()
}
