//! `taquin play`: a board in the terminal.
//!
//! Keys, clicks, signals, the clock and the search meet in one loop, which waits only for keys, and for
//! a twentieth of a second at most:
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
#[cfg(test)]
mod tests;
mod view;

use std::hash::{BuildHasher, RandomState};
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use clap::Args;
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::style::force_color_output;

use self::advisor::Advisor;
use self::game::{Game, Mode, Origin, Wish};
use self::view::Layout;
use crate::classics::Spec;
use crate::cli::args::values::number;
use crate::cli::args::{Color, DatabaseArgs, Threads};
use crate::cli::input::KindArgs;
use crate::cli::interrupt;
use crate::cli::process::ExitCode;
use crate::pdb;
use crate::search::Cancel;
use crate::solver::Solver;

/// The time between two moves of the animation.
const TICK: Duration = Duration::from_millis(150);
/// The time between two looks for results of the search.
const LOOK: Duration = Duration::from_millis(50);

#[derive(Debug, Args)]
#[command(mut_arg("size", |arg| arg
    .help("Size of the random board, and of boards that are written in one row")
    .long_help("Size of the random board, and of boards that are written in one row\n\n\
                Columns come first. Default: the goal's size or 4x4 for random boards, square for \
                boards in one row.")))]
pub struct PlayArgs {
    /// Board to begin with, in quotes [default: a random one]
    #[arg(value_name = "BOARD", conflicts_with = "seed")]
    board: Option<String>,

    #[command(flatten)]
    kind: KindArgs,

    /// Seed of the random board, as for taquin shuffle [default: drawn at random and shown]
    #[arg(long, value_name = "S", value_parser = number::<u64>, allow_negative_numbers = true)]
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
    fn game(&self) -> anyhow::Result<Game> {
        // Short, so that it can be typed.
        let drawn = || RandomState::new().hash_one(()) >> 44;
        if let Some(text) = &self.board {
            let (board, goal) = self.kind.read(text)?;
            return Ok(Game::new(goal, board, Origin::Given, drawn(), self.invert));
        }
        let goal = self.kind.checked_goal()?.sized(self.kind.size)?.board()?;
        Ok(Game::random(goal, self.seed.unwrap_or_else(drawn), self.invert))
    }
}

pub fn run(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let mut game = args.game()?;
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!(
            "play needs a terminal for its input and its output: run it without redirection, or \
             use taquin solve"
        );
    }
    args.threads.start()?;
    let options = Solver::builder().goal(args.kind.goal()?).heuristic(args.heuristic.clone());
    let mut advisor = Advisor::new(options.store(args.databases.store()).build()?);
    let interrupted = interrupt::cancel();
    let coloured = args.color.enabled(&io::stdout());
    let played =
        Screen::enter(coloured).context("cannot use the terminal").and_then(|mut screen| {
            play(&mut game, &mut advisor, &mut screen.0, coloured, &interrupted)
        });
    // The advisor may be writing a database.
    interrupt::finish();
    pdb::abandon();
    played.map(|()| ExitCode::Fine)
}

/// The terminal during a game. Dropped, it is as it was before.
struct Screen(DefaultTerminal);

impl Screen {
    fn enter(coloured: bool) -> io::Result<Screen> {
        // The library would heed NO_COLOR even if colours are asked for.
        force_color_output(coloured);
        let screen = Screen(ratatui::try_init()?);
        execute!(io::stdout(), EnableMouseCapture)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // If the terminal is gone, there is nothing to restore.
        let _ = execute!(io::stdout(), DisableMouseCapture);
        let _ = ratatui::try_restore();
    }
}

/// Plays until the player quits or a signal comes.
fn play(
    game: &mut Game,
    advisor: &mut Advisor,
    terminal: &mut DefaultTerminal,
    coloured: bool,
    interrupted: &Cancel,
) -> anyhow::Result<()> {
    let (mut asked, mut tick) = (0, Instant::now());
    while game.mode != Mode::Over && !interrupted.is_cancelled() {
        let (turn, board) = game.question();
        if turn != asked {
            advisor.ask(board).context("cannot start the search")?;
            asked = turn;
        }
        // One finding at a time, as it may lead to a move. The next ones are of another position then.
        if let Ok(found) = advisor.findings.try_recv() {
            game.found(found);
        }
        let drawn = terminal.draw(|frame| view::draw(frame, game, coloured));
        let area = drawn.context("cannot write to the terminal")?.area;
        let layout = Layout::new(area, game.place.board.grid());
        // All events that have come, before the next drawing: some terminals are slow.
        let mut wait = LOOK;
        while event::poll(wait).context("the terminal cannot be read")? {
            let event = event::read().context("the terminal cannot be read")?;
            keys::action(&event, layout.as_ref()).into_iter().for_each(|action| game.act(action));
            wait = Duration::ZERO;
        }
        if game.wish != Some(Wish::Animate) || tick.elapsed() >= TICK {
            tick = Instant::now();
            game.tick();
        }
    }
    Ok(())
}
