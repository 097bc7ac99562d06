//! `taquin play`: a board in the terminal.
//!
//! Keys, clicks, signals, the clock and the search meet in one loop, which never waits for the
//! search:
//!
//! ```text
//! terminal ─▶ keys ─▶ game ─▶ view ─▶ terminal
//!                     │  ▲
//!            position ▼  │ estimate
//!                    advisor (a thread with the solver)
//! ```

mod advisor;
mod estimate;
mod game;
mod keys;
mod layout;
mod screen;
#[cfg(test)]
mod tests;
mod view;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args;
use ratatui::crossterm::event::{self, Event};
use ratatui::layout::Rect;

use self::advisor::Advisor;
use self::estimate::Finding;
use self::game::{Action, Game, Mode, Origin};
use self::keys::Request;
use self::layout::Layout;
use self::screen::Screen;
use crate::cli::args::boards::KindArgs;
use crate::cli::args::color::Color;
use crate::cli::args::databases::DatabaseArgs;
use crate::cli::args::parsers::{Threads, seed};
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::interrupt::{self, Answering};
use crate::cli::threads;
use crate::pdb;
use crate::reference::Spec;
use crate::solver::Solver;

pub const EXAMPLES: &str = "\
Examples:
  taquin play
  taquin play --size 3x3 --seed 7
  taquin play --goal spiral '5 1 7 3 / 9 2 11 4 / 13 6 15 8 / 0 10 14 12'

Keys:
  arrows, h j k l  slide a tile in that direction (with --invert: move the
                   blank)
  click            slide a tile, or a whole row up to the blank
  u, r             undo, redo
  ?                hint: the next move of the solution, and how many are left
  s                make that move
  space            show the solution, move by move; again to stop
  e                edit: exchange two tiles, chosen with arrows and space or by
                   clicks
  n                new random board, of the next seed
  q, Ctrl-C        quit

A board has its optimal length beside it as soon as the search has proved it.
Boards of more than 25 cells have a bound and the length of a short solution.";

/// The time between two moves of the animation.
const TICK: Duration = Duration::from_millis(150);

#[derive(Debug, Args)]
#[command(mut_arg("size", |arg| arg
    .help("Size of the random board, and of boards that are written in one row")
    .long_help("Size of the random board, and of boards that are written in one row\n\n\
                Columns come first. Without it random boards have the size of the goal, or are \
                4x4, and others are square.")))]
pub struct PlayArgs {
    /// Board to begin with, in quotes [default: a random one]
    #[arg(value_name = "BOARD", conflicts_with = "seed")]
    board: Option<String>,

    #[command(flatten)]
    kind: KindArgs,

    /// Seed of the random board, as for taquin shuffle [default: drawn at random and shown]
    #[arg(long, value_name = "S", value_parser = seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Let the arrows move the blank instead of a tile
    #[arg(long)]
    invert: bool,

    /// Heuristic that guides the search, as for taquin solve
    #[arg(long, value_name = "HEURISTIC", default_value = "standard")]
    heuristic: Spec,

    /// Whether to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: Color,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    databases: DatabaseArgs,
}

impl PlayArgs {
    fn game(&self) -> Result<Game, Failure> {
        // Short, so that it can be typed.
        let drawn = || RandomState::new().hash_one(()) >> 44;
        if let Some(text) = &self.board {
            let (board, goal) = self.kind.read(text).map_err(Failure::usage)?;
            return Ok(Game::new(goal, board, Origin::Given, drawn(), self.invert));
        }
        let goal = self.kind.goal().sized(self.kind.size).map_err(Failure::usage)?;
        Ok(Game::random(goal, self.seed.unwrap_or_else(drawn), self.invert))
    }
}

/// An event that the loop waits for.
#[cfg_attr(not(unix), expect(dead_code, reason = "only Unix stops and continues programs"))]
enum Happening {
    Event(Event),
    Found(u64, Finding),
    /// The program is to stop, as by Ctrl-Z.
    Suspend,
    /// The program was stopped, and is continued.
    Continued,
    /// A signal ends the program.
    Interrupt,
    /// A thread that the game needs has ended.
    Broken(&'static str),
}

/// Reports the end of a thread, however it ends.
struct Ended(Sender<Happening>, &'static str);

impl Drop for Ended {
    fn drop(&mut self) {
        // At the end of the game nobody listens.
        let _ = self.0.send(Happening::Broken(self.1));
    }
}

pub fn run(args: &PlayArgs) -> Result<ExitCode, Failure> {
    let game = args.game()?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(wrong!(
            "play needs a terminal for its input and its output: run it without redirection, or \
             use taquin solve"
        ));
    }
    threads::start(args.threads.count)?;
    let (sender, happenings) = mpsc::channel();
    let advisor = advisor(args, &sender)?;
    let interrupt = sender.clone();
    let _answering = Answering::new(move || drop(interrupt.send(Happening::Interrupt)));
    let coloured = args.color.enabled(&io::stdout());
    let result = Screen::enter(coloured).context("cannot use the terminal").and_then(|screen| {
        listen(&sender)?;
        Table { game, advisor, screen, coloured, area: Rect::ZERO }.play(&happenings)
    });
    interrupt::finish();
    // The advisor may be writing a database.
    pdb::abandon();
    result.map(|()| ExitCode::Fine).map_err(Failure::usage)
}

fn advisor(args: &PlayArgs, sender: &Sender<Happening>) -> Result<Advisor, Failure> {
    let options = || Solver::builder().goal(args.kind.goal()).store(args.databases.store());
    let guided = options().heuristic(args.heuristic.clone());
    let found = sender.clone();
    let tell = move |turn, finding| drop(found.send(Happening::Found(turn, finding)));
    let ended = Ended(sender.clone(), "the search ended: this is a fault of the program");
    Advisor::start(guided, options(), tell, ended).map_err(Failure::usage)
}

/// Starts the threads that wait for the terminal and for signals.
fn listen(sender: &Sender<Happening>) -> anyhow::Result<()> {
    let input = sender.clone();
    let ended = Ended(sender.clone(), "the terminal cannot be read");
    thread::Builder::new().name("input".to_owned()).spawn(move || {
        let _ended = ended;
        while let Ok(event) = event::read() {
            if input.send(Happening::Event(event)).is_err() {
                break;
            }
        }
    })?;
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGCONT, SIGTSTP};
        let mut signals = signal_hook::iterator::Signals::new([SIGTSTP, SIGCONT])?;
        let signalled = sender.clone();
        thread::Builder::new().name("stops".to_owned()).spawn(move || {
            for signal in signals.forever() {
                let stop = signal == SIGTSTP;
                let happening = if stop { Happening::Suspend } else { Happening::Continued };
                if signalled.send(happening).is_err() {
                    break;
                }
            }
        })?;
    }
    Ok(())
}

/// A game on a screen, and its advisor.
struct Table {
    game: Game,
    advisor: Advisor,
    screen: Screen,
    coloured: bool,
    /// The screen as it was drawn last.
    area: Rect,
}

impl Table {
    /// Plays until the player quits or a signal comes.
    fn play(&mut self, happenings: &Receiver<Happening>) -> anyhow::Result<()> {
        let (mut asked, mut tick) = (0, Instant::now());
        loop {
            let (turn, board) = self.game.question();
            if turn != asked {
                self.advisor.ask(turn, board);
                asked = turn;
            }
            self.draw().context("cannot write to the terminal")?;
            let first = if *self.game.mode() == Mode::Animate {
                happenings.recv_timeout(tick.saturating_duration_since(Instant::now()))
            } else {
                tick = Instant::now() + TICK;
                happenings.recv().map_err(RecvTimeoutError::from)
            };
            if let Err(RecvTimeoutError::Timeout) = first {
                tick = Instant::now() + TICK;
                self.game.act(Action::Tick);
            }
            // All that has come before the next drawing, which is slow on some terminals.
            for happening in first.into_iter().chain(happenings.try_iter()) {
                if !self.handle(happening)? {
                    return Ok(());
                }
            }
        }
    }

    fn draw(&mut self) -> io::Result<()> {
        let Table { game, screen, coloured, area, .. } = self;
        screen.draw(|frame| {
            *area = frame.area();
            view::draw(frame, game, *coloured);
        })
    }

    /// Returns whether the game goes on.
    fn handle(&mut self, happening: Happening) -> anyhow::Result<bool> {
        match happening {
            Happening::Found(turn, finding) => self.game.act(Action::Found(turn, finding)),
            Happening::Suspend => self.screen.suspend()?,
            Happening::Continued => self.screen.resume()?,
            Happening::Interrupt => return Ok(false),
            Happening::Broken(reason) => return Err(anyhow!(reason)),
            Happening::Event(event) => {
                let layout = Layout::new(self.area, self.game.board().grid());
                match keys::request(&event, layout.as_ref()) {
                    Some(Request::Act(action)) => self.game.act(action),
                    Some(Request::Redraw) => self.screen.clear()?,
                    Some(Request::Suspend) => screen::stop_all(),
                    Some(Request::Quit) => return Ok(false),
                    None => {}
                }
            }
        }
        Ok(true)
    }
}
