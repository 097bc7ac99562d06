//! The game: a position, how it came about, and what an action makes of it.
//!
//! It knows no terminal and no solver. [`Game::question`] is the position to search, and the
//! results come back as actions.

use super::estimate::{Estimate, Finding, Work};
use crate::board::{Board, Goal, Move, Random, Solvability};
use crate::text::plural;

/// An action of the player, the clock or the search.
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
    Hint,
    /// Makes the next move of the solution.
    Step,
    Edit,
    /// Draws a new board.
    New,
    /// Leaves a mode.
    Escape,
    /// Time for the next move of the animation.
    Tick,
    /// A result of the search for the position of this turn.
    Found(u64, Finding),
}

/// The state of the player, which decides what keys do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    Play,
    /// The solution is shown, a move for each tick.
    Animate,
    /// Two cells are chosen, whose tiles change places.
    Edit {
        cursor: usize,
        chosen: Option<usize>,
    },
}

/// The origin of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Given,
    Seed(u64),
    Edited,
}

/// A change of the board, as it is kept for undo and redo.
#[derive(Clone, Debug)]
enum Change {
    Slide(Move),
    /// Another board took the place of this one.
    Replaced(Board, Origin),
}

/// An action that waits for a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Hint,
    Step,
}

/// The state of a game.
#[derive(Clone, Debug)]
pub struct Game {
    goal: Goal,
    board: Board,
    solvability: Solvability,
    origin: Origin,
    made: Vec<Change>,
    undone: Vec<Change>,
    /// Counts the positions, so that a late result is not taken for one of the current position.
    turn: u64,
    estimate: Estimate,
    mode: Mode,
    wish: Option<Wish>,
    hint: Option<Move>,
    message: String,
    /// True if arrows move the blank.
    inverted: bool,
    next_seed: u64,
}

impl Game {
    /// A game that begins with a board. `seed` is that of the next board.
    pub fn new(goal: Goal, board: Board, origin: Origin, seed: u64, inverted: bool) -> Game {
        let mut game = Game {
            solvability: goal.solvability(&board),
            goal,
            board,
            origin,
            made: Vec::new(),
            undone: Vec::new(),
            turn: 0,
            estimate: Estimate::default(),
            mode: Mode::Play,
            wish: None,
            hint: None,
            message: String::new(),
            inverted,
            next_seed: seed,
        };
        game.placed();
        game
    }

    /// A game that begins with the board of a seed.
    pub fn random(goal: Goal, seed: u64, inverted: bool) -> Game {
        let board = goal.random_board(&mut Random::new(seed));
        Game::new(goal, board, Origin::Seed(seed), seed.wrapping_add(1), inverted)
    }

    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    pub fn solvability(&self) -> &Solvability {
        &self.solvability
    }

    pub fn origin(&self) -> Origin {
        self.origin
    }

    pub fn estimate(&self) -> &Estimate {
        &self.estimate
    }

    pub fn mode(&self) -> &Mode {
        &self.mode
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    pub fn is_inverted(&self) -> bool {
        self.inverted
    }

    pub fn is_solved(&self) -> bool {
        self.board == *self.goal.board()
    }

    /// The moves made since the board was given, drawn or edited.
    pub fn moves_made(&self) -> usize {
        self.made.iter().rev().take_while(|change| matches!(change, Change::Slide(_))).count()
    }

    /// The cell of the tile that the hint moves.
    pub fn hinted(&self) -> Option<usize> {
        self.board.grid().source(self.board.blank(), self.hint?)
    }

    /// The turn, and its position where a search would help.
    pub fn question(&self) -> (u64, Option<&Board>) {
        let open = self.solvability.is_solvable() && self.estimate.is_open();
        (self.turn, open.then_some(&self.board))
    }

    /// Does what an action asks for.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Found(turn, finding) => return self.found(turn, finding),
            Action::Tick => return self.tick(),
            _ => {}
        }
        self.message.clear();
        self.wish = None;
        let animated = self.mode == Mode::Animate;
        if animated {
            self.mode = Mode::Play;
        }
        match (action, self.mode.clone()) {
            (Action::Arrow(way), Mode::Edit { cursor, chosen }) => {
                // The cursor goes where a tile would come from that moves the other way.
                let cursor = self.board.grid().source(cursor, way.opposite()).unwrap_or(cursor);
                self.mode = Mode::Edit { cursor, chosen };
            }
            (Action::Cell(cell), Mode::Edit { .. }) => self.choose(cell),
            (Action::Space, Mode::Edit { cursor, .. }) => self.choose(cursor),
            (Action::Edit | Action::Escape, Mode::Edit { .. }) => self.mode = Mode::Play,
            (Action::Arrow(way), _) => {
                let m = if self.inverted { way.opposite() } else { way };
                if !self.slide(m) {
                    self.message = format!("No tile can go {}.", way_of(m));
                }
            }
            (Action::Cell(cell), _) => self.slide_to(cell),
            (Action::Space, _) if !animated => self.animate(),
            (Action::Hint, _) => self.ask(Wish::Hint),
            (Action::Step, _) => self.ask(Wish::Step),
            (Action::Edit, _) => {
                self.hint = None;
                self.mode = Mode::Edit { cursor: self.board.blank(), chosen: None };
            }
            (Action::Undo, _) => self.undo(),
            (Action::Redo, _) => self.redo(),
            (Action::New, _) => {
                let seed = self.next_seed;
                self.next_seed = seed.wrapping_add(1);
                let board = self.goal.random_board(&mut Random::new(seed));
                self.mode = Mode::Play;
                self.replace(board, Origin::Seed(seed));
            }
            (Action::Escape, _) => self.hint = None,
            (Action::Space | Action::Tick | Action::Found(..), _) => {}
        }
    }

    fn slide(&mut self, m: Move) -> bool {
        let possible = self.board.apply(m);
        if possible {
            self.made.push(Change::Slide(m));
            self.undone.clear();
            self.moved(m);
        }
        possible
    }

    /// Slides all tiles from a cell up to the blank, if they are in one line with it.
    fn slide_to(&mut self, cell: usize) {
        let grid = self.board.grid();
        let blank = self.board.blank();
        let towards = |m: &Move| {
            let mut from = blank;
            while let Some(next) = grid.source(from, *m) {
                from = next;
                if from == cell {
                    return true;
                }
            }
            false
        };
        if let Some(m) = Move::ALL.into_iter().find(towards) {
            while self.board.blank() != cell {
                self.slide(m);
            }
        } else if cell != blank {
            self.message = "This tile is not in a line with the blank.".to_owned();
        }
    }

    fn replace(&mut self, board: Board, origin: Origin) {
        let before = std::mem::replace(&mut self.board, board);
        self.made.push(Change::Replaced(before, std::mem::replace(&mut self.origin, origin)));
        self.undone.clear();
        self.placed();
    }

    fn choose(&mut self, cell: usize) {
        let Mode::Edit { chosen, .. } = self.mode else { return };
        let chosen = match chosen {
            None => Some(cell),
            Some(other) if other == cell => None,
            Some(other) => {
                let mut tiles = self.board.tiles().to_vec();
                tiles.swap(other, cell);
                let board = Board::new(self.board.grid(), &tiles).expect("the tiles are the same");
                self.replace(board, Origin::Edited);
                None
            }
        };
        self.mode = Mode::Edit { cursor: cell, chosen };
    }

    fn undo(&mut self) {
        match self.made.pop() {
            None => self.message = "There is nothing to undo.".to_owned(),
            Some(change) => {
                let change = self.revert(change);
                self.undone.push(change);
            }
        }
    }

    fn redo(&mut self) {
        match self.undone.pop() {
            None => self.message = "There is nothing to redo.".to_owned(),
            Some(Change::Slide(m)) => {
                let _ = self.revert(Change::Slide(m.opposite()));
                self.made.push(Change::Slide(m));
            }
            Some(change) => {
                let change = self.revert(change);
                self.made.push(change);
            }
        }
    }

    /// Takes a change back; returns it as it is to be made again.
    fn revert(&mut self, change: Change) -> Change {
        match change {
            Change::Slide(m) => {
                let possible = self.board.apply(m.opposite());
                debug_assert!(possible, "the move was made");
                self.moved(m.opposite());
                Change::Slide(m)
            }
            Change::Replaced(board, origin) => {
                let board = std::mem::replace(&mut self.board, board);
                let origin = std::mem::replace(&mut self.origin, origin);
                self.placed();
                Change::Replaced(board, origin)
            }
        }
    }

    /// Follows a move with the estimate.
    fn moved(&mut self, m: Move) {
        self.turn += 1;
        self.hint = None;
        self.estimate = if self.is_solved() { Estimate::solved() } else { self.estimate.after(m) };
        if self.is_solved() {
            self.message = "Solved.".to_owned();
        }
    }

    /// Begins the estimate of another board.
    fn placed(&mut self) {
        self.turn += 1;
        self.hint = None;
        self.solvability = self.goal.solvability(&self.board);
        self.estimate = if self.is_solved() { Estimate::solved() } else { Estimate::default() };
    }

    /// Returns whether there is a solution to look for. An unsolvable board and a failed search are
    /// shown all the time, so they need no message.
    fn can_be_solved(&mut self) -> bool {
        if self.is_solved() {
            self.message = "The board is solved.".to_owned();
        }
        let failed = matches!(self.estimate.work, Work::Failed(_));
        self.solvability.is_solvable() && !self.is_solved() && !failed
    }

    /// Fulfils a wish now, or when there is a solution.
    fn ask(&mut self, wish: Wish) {
        self.mode = Mode::Play;
        if self.can_be_solved() {
            self.wish = Some(wish);
            self.message = "Searching for a solution…".to_owned();
            self.fulfil();
        }
    }

    fn animate(&mut self) {
        self.hint = None;
        if self.can_be_solved() {
            self.mode = Mode::Animate;
            self.message = "Searching for a solution…".to_owned();
        }
    }

    fn fulfil(&mut self) {
        let Some(path) = self.estimate.answer() else { return };
        let (Some(m), Some(wish)) = (path.iter().next(), self.wish.take()) else { return };
        match wish {
            Wish::Step => self.step(m),
            Wish::Hint => {
                let left = path.len() as u64;
                let (tile, way) = (self.tile(m), way_of(m));
                let left = if self.estimate.is_proved() {
                    format!("{} to go", plural(left, "move"))
                } else {
                    format!("{} to go in a solution not proved optimal", plural(left, "move"))
                };
                self.hint = Some(m);
                self.message = format!("Hint: tile {tile} goes {way}; {left}.");
            }
        }
    }

    /// Makes a move of the solution.
    fn step(&mut self, m: Move) {
        let (tile, way) = (self.tile(m), way_of(m));
        self.slide(m);
        if !self.is_solved() {
            self.message = format!("Tile {tile} went {way}.");
        }
    }

    /// The tile that a move slides.
    fn tile(&self, m: Move) -> u8 {
        let from = self.board.grid().source(self.board.blank(), m);
        from.map_or(0, |cell| self.board.tiles()[cell])
    }

    fn tick(&mut self) {
        if self.mode != Mode::Animate {
            return;
        }
        if let Some(m) = self.estimate.answer().and_then(|path| path.iter().next()) {
            self.step(m);
        }
        if self.is_solved() {
            self.mode = Mode::Play;
        }
    }

    fn found(&mut self, turn: u64, finding: Finding) {
        if turn != self.turn {
            return;
        }
        self.estimate.learn(finding);
        if let Work::Failed(_) = self.estimate.work
            && (self.wish.take().is_some() || self.mode == Mode::Animate)
        {
            self.mode = Mode::Play;
            self.message.clear();
        }
        self.fulfil();
    }
}

/// The direction of a move, within a sentence.
fn way_of(m: Move) -> String {
    m.word().to_lowercase()
}
