//! A solver of the 15-puzzle and its relatives as a WebAssembly module, for a page or a worker.
//!
//! ```console
//! $ cargo build --release --no-default-features --target wasm32-unknown-unknown --example wasm
//! $ node tests/wasm/run.mjs target/wasm32-unknown-unknown/release/examples/wasm.wasm
//! ```
//!
//! The host and the module exchange text through the module's memory:
//!
//! 1. The host calls [`input`] with the length of its text, and writes the text as UTF-8 to the
//!    address returned.
//! 2. It calls [`open`] with a goal as text, then [`solve`] with a board as text. Each returns
//!    a status.
//! 3. It reads the reply, moves or an error message, at [`output`], and the numbers of the last
//!    search from [`length`], [`lower_bound`], [`generated`] and [`expanded`].
//!
//! The module imports one function, `host.expired`. A search calls it every few thousand nodes, and
//! ends when it returns anything but 0.
//!
//! The addresses hold until the next call. The memory may grow during a call, which detaches the
//! host's views of it.

#![cfg(target_family = "wasm")]

use std::cell::RefCell;

use taquin::board::Grid;
use taquin::{Board, Bracket, Error, Limits, Solver, Store};

/// The board was solved, and the solution is optimal.
const SOLVED: u32 = 0;
/// Not proved optimal: a limit ended the search, or the board is too large for proofs. There is a
/// lower bound, and perhaps a solution.
const LIMITED: u32 = 1;
/// The text is no board or no goal, the board has no solution, or there is no memory for the
/// databases. The reply is the reason.
const FAILED: u32 = 2;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    safe fn expired() -> u32;
}

struct Session {
    /// Shared by the solvers of all goals, so that no table is built twice.
    store: Store,
    solver: Option<Solver>,
    input: Vec<u8>,
    output: String,
    bracket: Option<Bracket>,
}

thread_local!(static SESSION: RefCell<Session> = RefCell::new(Session {
    store: Store::memory(),
    solver: None,
    input: Vec::new(),
    output: String::new(),
    bracket: None,
}));

/// Makes room for `bytes` bytes of text, and returns their address.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| {
        session.input.clear();
        session.input.resize(bytes, 0);
        session.input.as_mut_ptr()
    })
}

/// Makes a solver for the goal in the input, a name or a board. Later boards are solved by it.
#[unsafe(no_mangle)]
pub extern "C" fn open() -> u32 {
    SESSION.with_borrow_mut(|session| {
        session.bracket = None;
        let result = session.open();
        session.reply(result)
    })
}

/// Builds the databases for boards of a size, instead of when the first board comes.
#[unsafe(no_mangle)]
pub extern "C" fn prepare(width: usize, height: usize) -> u32 {
    SESSION.with_borrow_mut(|session| {
        session.bracket = None;
        let result = session.prepare(width, height);
        session.reply(result)
    })
}

/// Solves the board in the input, with at most this many nodes; 0 sets no limit. The reply is the
/// moves.
#[unsafe(no_mangle)]
pub extern "C" fn solve(nodes: u64) -> u32 {
    SESSION.with_borrow_mut(|session| {
        session.bracket = None;
        let result = session.solve(nodes);
        session.reply(result)
    })
}

/// The address of the reply to the last call.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    SESSION.with_borrow(|session| session.output.as_ptr())
}

/// The number of bytes of the reply to the last call.
#[unsafe(no_mangle)]
pub extern "C" fn output_bytes() -> usize {
    SESSION.with_borrow(|session| session.output.len())
}

/// The number of moves of the last solution; -1 if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> i32 {
    let length =
        |bracket: &Bracket| bracket.solution.as_ref().map(|solution| solution.len() as i32);
    last(length).flatten().unwrap_or(-1)
}

/// The lower bound that the last search proved.
#[unsafe(no_mangle)]
pub extern "C" fn lower_bound() -> u32 {
    last(|bracket| bracket.lower_bound).unwrap_or(0)
}

/// The number of nodes that the last search generated.
#[unsafe(no_mangle)]
pub extern "C" fn generated() -> u64 {
    last(|bracket| bracket.effort.generated).unwrap_or(0)
}

/// The number of nodes that the last search expanded.
#[unsafe(no_mangle)]
pub extern "C" fn expanded() -> u64 {
    last(|bracket| bracket.effort.expanded).unwrap_or(0)
}

fn last<T>(of: impl FnOnce(&Bracket) -> T) -> Option<T> {
    SESSION.with_borrow(|session| session.bracket.as_ref().map(of))
}

impl Session {
    fn text(&self) -> Result<&str, String> {
        str::from_utf8(&self.input).map_err(|error| error.to_string())
    }

    fn solver(&self) -> Result<&Solver, String> {
        self.solver.as_ref().ok_or_else(|| "no goal was opened".to_owned())
    }

    fn open(&mut self) -> Result<u32, String> {
        let solver = Solver::builder().goal(self.text()?).store(self.store.clone()).build();
        self.solver = Some(solver.map_err(message)?);
        Ok(SOLVED)
    }

    fn prepare(&self, width: usize, height: usize) -> Result<u32, String> {
        let grid = Grid::new(width, height).map_err(|error| error.to_string())?;
        self.solver()?.prepare(grid).map_err(message)?;
        Ok(SOLVED)
    }

    fn solve(&mut self, nodes: u64) -> Result<u32, String> {
        let board: Board = self.text()?.parse().map_err(|error| format!("{error}"))?;
        let mut limits = Limits::default().deadline(|| expired() != 0);
        if nodes > 0 {
            limits = limits.nodes(nodes);
        }
        let bracket = self.solver()?.solve_with(&board, &limits).map_err(message)?;
        let status = if bracket.is_optimal() { SOLVED } else { LIMITED };
        self.bracket = Some(bracket);
        Ok(status)
    }

    /// Sets the reply, and returns the status.
    fn reply(&mut self, result: Result<u32, String>) -> u32 {
        let solution = self.bracket.as_ref().and_then(|bracket| bracket.solution.as_ref());
        let moves = || solution.map(|solution| solution.moves().to_string()).unwrap_or_default();
        let (status, output) = match result {
            Ok(status) => (status, moves()),
            Err(message) => (FAILED, message),
        };
        self.output = output;
        status
    }
}

/// An error with its causes.
fn message(error: Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        text += &format!(": {error}");
        cause = error.source();
    }
    text
}
