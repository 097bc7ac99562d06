//! The result of a process, shared by the tests of the programs.

use std::process::Output;

use serde_json::Value;

/// The exit code, the output and the messages of a program.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Run {
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
