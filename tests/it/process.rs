//! The result of a process, shared by the tests of the programs.

use std::io::{ErrorKind, Write};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The exit code, the output and the messages of a program.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Runs `taquin` with a text as its input, and without databases.
    pub fn of_taquin(args: &[&str], input: &str) -> Run {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_taquin"))
            .args(args)
            .env("TAQUIN_PDB_DIR", folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that refuses its arguments does not read.
        if let Err(error) = child.stdin.take().unwrap().write_all(input.as_bytes()) {
            assert_eq!(error.kind(), ErrorKind::BrokenPipe);
        }
        child.wait_with_output().unwrap().into()
    }

    /// Fails unless the program ended with this code, and said `message` on its standard error.
    #[track_caller]
    pub fn expect(self, code: i32, message: &str) -> Run {
        assert_eq!(self.code, code, "{self:#?}");
        assert!(self.err.contains(message), "no {message:?} in {self:#?}");
        self
    }

    /// Fails unless all went well, in silence.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!((self.code, &*self.err), (0, ""), "{self:#?}");
        self.out
    }

    #[track_caller]
    pub fn objects(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }
}

impl From<Output> for Run {
    fn from(output: Output) -> Run {
        Run {
            code: output.status.code().expect("it was not killed"),
            out: String::from_utf8(output.stdout).expect("the output is UTF-8"),
            err: String::from_utf8(output.stderr).expect("the messages are UTF-8"),
        }
    }
}
