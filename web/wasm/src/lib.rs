//! The solver as a WebAssembly module, for the page and its workers.
//!
//! The host and the module exchange text through the module's memory:
//!
//! 1. The host calls [`input`] with the length of its request, and writes the request, a JSON
//!    object as UTF-8, to the address returned.
//! 2. It calls a function, such as [`parse`] or [`solve`].
//! 3. It reads the reply, a JSON object, at [`output`]. `ok` is whether the request succeeded. If
//!    it did not, `error` is the reason, and `kind` is `input`, `unsolvable`, `database`, `limit`
//!    or `internal`.
//!
//! A database leaves the module as the bytes of its file, and comes back as such. [`build`] makes
//! one; then the header is at [`header`], of [`HEADER_BYTES`] bytes, and the rest of the file at
//! [`payload`]. The other way round the host writes a header there, calls [`open`], writes the
//! payload, and calls [`keep`].
//!
//! The module imports `host.now`, a clock in milliseconds; `host.progress`, which receives the part of
//! the work on tables that is done, from 0 to 1, both of [`build`] and of the tables that a search
//! needs first; `host.bound`, which a search calls with a bound that it has proved and the nodes
//! generated until then; `host.nodes`, which it calls with the number of further nodes, every few
//! thousand of them; and `host.shorter`, which it calls with the length of a better solution that is
//! not proved to be optimal.
//!
//! Addresses hold until the next call. The memory may grow during a call, which detaches the host's
//! views of it.

#![cfg(target_family = "wasm")]

mod boards;
mod fault;
mod files;
mod request;
mod solvers;

use std::cell::RefCell;

use taquin_engine::pdb::HEADER_BYTES;

use fault::Result;
use files::Files;
use request::Request;
use solvers::Solvers;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Milliseconds since any moment.
    safe fn now() -> f64;
    /// Receives the part of the work on tables that is done.
    safe fn progress(done: f64);
    /// Receives a bound that a search has proved, and the nodes that it has generated.
    safe fn bound(moves: f64, generated: f64);
    /// Receives the number of nodes that a search has generated since it last called.
    safe fn nodes(more: f64);
    /// Receives the length of a better solution that is not proved to be optimal.
    safe fn shorter(moves: f64);
}

#[derive(Default)]
struct Session {
    input: Vec<u8>,
    output: String,
    solvers: Solvers,
    files: Files,
}

thread_local!(static SESSION: RefCell<Session> = RefCell::default());

/// Makes room for a request of `bytes` bytes, and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| {
        session.input.clear();
        session.input.resize(bytes, 0);
        session.input.as_mut_ptr()
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

/// Exports functions that answer the request in the input.
macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident: $work:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() {
            reply($work);
        }
    )*};
}

functions! {
    /// Reads a board from text.
    parse: |_, request| boards::parse(request);
    /// The board of a goal.
    goal: |_, request| boards::goal(request);
    /// Whether a board can reach a goal, and why.
    check: |_, request| boards::check(request);
    /// A board drawn at random.
    shuffle: |_, request| boards::shuffle(request);
    /// Reads moves of a board from text.
    read: |_, request| boards::read_moves(request);
    /// Writes moves of a board in a format.
    write: |_, request| boards::write_moves(request);
    /// The next aim of a solution line by line.
    lesson: |_, request| solvers::lesson(request);
    /// Solves a board.
    solve: |session, request| session.solvers.solve(request);
    /// Counts the optimal solutions of a board, and lists the first of them.
    solutions: |session, request| session.solvers.solutions(request);
    /// Analyses a line of moves for a moment. The same request goes on.
    analyse: |session, request| session.solvers.analyse(request);
    /// Makes ready what boards of a size and goal are solved with.
    prepare: |session, request| session.solvers.prepare(request);
    /// The names of the files of a partition of 4×4 boards.
    names: |_, request| files::names(request);
    /// These files with their lengths, the largest first.
    files: |_, request| files::list(request);
    /// Builds the database of one of these files.
    build: |session, request| session.files.build(request);
    /// Makes room for the payload of the file whose header was written to [`header`].
    open: |session, _| session.files.open();
    /// Checks the file that was written, and solves with it from now on.
    keep: |session, _| session.files.keep(&mut session.solvers);
}

/// The address of the header of a file, of [`HEADER_BYTES`] bytes.
#[unsafe(no_mangle)]
pub extern "C" fn header() -> *mut u8 {
    SESSION.with_borrow_mut(|session| session.files.header().as_mut_ptr())
}

/// The number of bytes of a header.
#[unsafe(no_mangle)]
pub extern "C" fn header_bytes() -> usize {
    HEADER_BYTES
}

/// The address of the payload of the file that was built or opened.
#[unsafe(no_mangle)]
pub extern "C" fn payload() -> *mut u8 {
    SESSION.with_borrow_mut(|session| session.files.payload().as_mut_ptr())
}

/// The number of bytes of that payload.
#[unsafe(no_mangle)]
pub extern "C" fn payload_bytes() -> usize {
    SESSION.with_borrow_mut(|session| session.files.payload().len())
}

/// Does what the request in the input asks for, and sets the reply.
fn reply(work: impl FnOnce(&mut Session, &Request) -> Result) {
    SESSION.with_borrow_mut(|session| {
        // Some functions need no request.
        let input = std::mem::take(&mut session.input);
        let request = serde_json::from_slice(if input.is_empty() { b"{}" } else { &input });
        let reply = request.map_err(Into::into).and_then(|request| work(session, &request));
        session.output = match reply {
            Ok(mut reply) => {
                reply["ok"] = true.into();
                reply.to_string()
            }
            Err(error) => fault::reply(&*error).to_string(),
        };
    });
}
