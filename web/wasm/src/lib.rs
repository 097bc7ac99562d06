//! The solver as a WebAssembly module, for the page and its workers.
//!
//! The host and the module exchange bytes through three parts of the module's memory, each at an [`address`] and of a
//! number of [`bytes`]:
//!
//! | part | content |
//! |---|---|
//! | 0 | text: a request, then its reply |
//! | 1 | the header of a database file, of [`HEADER_BYTES`](taquin_engine::pdb::HEADER_BYTES) bytes |
//! | 2 | the rest of that file |
//!
//! 1. The host calls [`input`] with the length of its request, and writes the request, a JSON object as UTF-8, to
//!    part 0. `type` says what is asked.
//! 2. It calls [`answer`].
//! 3. It reads the reply, a JSON object, from part 0. If the request failed, `error` is the reason, and `kind` is
//!    `input`, `unsolvable`, `database`, `limit`, `internal` or `numbers`.
//!
//! A database leaves the module as the bytes of its file, and comes back as such. The request `build` makes one; then
//! parts 1 and 2 are the file. The other way round the host writes part 1, asks to `open`, writes part 2, and asks to
//! `keep`.
//!
//! Large boards and slides need the learned numbers of beams, without which a request fails with the kind `numbers`. The
//! host calls [`input`] with the length of their file, writes it to part 0, and calls [`learn`].
//!
//! The module imports `host.now`, a clock in milliseconds; `host.progress`, which receives the part of
//! the work on tables that is done, from 0 to 1, both of `build` and of the tables that a search
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

use serde_json::json;
use taquin_engine::search::LearnedNumbers;

use fault::{BoxError, Result, kind};
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
    text: Vec<u8>,
    solvers: Solvers,
    files: Files,
}

thread_local!(static SESSION: RefCell<Session> = RefCell::default());

impl Session {
    fn part(&mut self, part: usize) -> &mut [u8] {
        match part {
            0 => &mut self.text,
            1 => self.files.header(),
            _ => self.files.payload(),
        }
    }

    fn answer(&mut self) -> Result {
        let request: Request = serde_json::from_slice(&self.text)?;
        match &*request.kind {
            "parse" => boards::parse(&request),
            "list" => boards::list(&request),
            "goal" => boards::goal(&request),
            "check" => boards::check(&request),
            "shuffle" => boards::shuffle(&request),
            "read" => boards::read_moves(&request),
            "write" => boards::write_moves(&request),
            "lesson" => solvers::lesson(&request),
            "solve" => self.solvers.solve(&request),
            "solutions" => self.solvers.solutions(&request),
            "analyse" => self.solvers.analyse(&request),
            "values" => self.solvers.values(&request),
            "prepare" => self.solvers.prepared(&request).map(|_| json!({})),
            "build" => self.files.build(&request),
            "open" => self.files.open(),
            "keep" => self.files.keep(&mut self.solvers),
            other => Err(format!("there is no request {other:?}"))?,
        }
    }
}

/// Makes room for a request of `bytes` bytes.
#[unsafe(no_mangle)]
pub extern "C" fn input(bytes: usize) {
    SESSION.with_borrow_mut(|session| session.text = vec![0; bytes]);
}

/// The address of a part.
#[unsafe(no_mangle)]
pub extern "C" fn address(part: usize) -> *mut u8 {
    SESSION.with_borrow_mut(|session| session.part(part).as_mut_ptr())
}

/// The number of bytes of a part.
#[unsafe(no_mangle)]
pub extern "C" fn bytes(part: usize) -> usize {
    SESSION.with_borrow_mut(|session| session.part(part).len())
}

/// Takes the learned numbers of beams. Returns 0 if their file is damaged.
#[unsafe(no_mangle)]
pub extern "C" fn learn() -> usize {
    SESSION.with_borrow_mut(|session| {
        // A solver remembers that there were none.
        session.solvers.solver = None;
        LearnedNumbers::read(&session.text).map(LearnedNumbers::give).is_some().into()
    })
}

/// Does what the request asks for, and puts the reply in its place.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    SESSION.with_borrow_mut(|session| {
        let fault = |error: BoxError| json!({ "kind": kind(&*error), "error": error.to_string() });
        let reply = session.answer().unwrap_or_else(fault);
        session.text = reply.to_string().into();
    });
}
