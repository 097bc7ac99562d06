//! Processes and their results, shared by the tests of the programs.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

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

    /// The objects of the output, one per line.
    #[cfg(unix)]
    pub fn objects(&self) -> Vec<serde_json::Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// Fails unless all went well, in silence.
    #[track_caller]
    pub fn fine(self) -> String {
        assert_eq!((self.code, &*self.err), (0, ""), "{self:#?}");
        self.out
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

/// A folder with the standard databases of 4×4, built once for all tests. Programs may build others
/// in it.
pub fn folder_4x4() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        // In the build's own folder, where it does no harm that nobody removes it. Files of an
        // earlier run may be of an earlier program.
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("pdb");
        let _ = fs::remove_dir_all(&folder);
        let mut build = Command::new(env!("CARGO_BIN_EXE_pdb-gen"));
        Run::from(build.args(["build", "--out"]).arg(&folder).output().unwrap()).fine();
        folder
    })
}

/// The names of the files in a folder.
#[cfg(unix)]
pub fn names(folder: &Path) -> std::collections::BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

/// A folder in which a shell runs commands.
#[cfg(unix)]
pub struct Folder {
    folder: tempfile::TempDir,
    databases: PathBuf,
}

#[cfg(unix)]
impl Folder {
    /// Without databases. Programs may build some in the folder `none`.
    pub fn new() -> Folder {
        Folder::with_databases(Path::new("none"))
    }

    pub fn with_databases(databases: &Path) -> Folder {
        Folder { folder: tempfile::tempdir().unwrap(), databases: databases.to_owned() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn names(&self) -> std::collections::BTreeSet<String> {
        names(self.folder.path())
    }

    /// A command of the shell in this folder, which knows the programs and heeds interrupts, without input.
    pub fn command(&self, text: &str) -> Command {
        let bin = Path::new(env!("CARGO_BIN_EXE_taquin")).parent().unwrap().display();
        let mut command = Command::new("sh");
        command
            .args(["-c", text])
            .current_dir(self.folder.path())
            .env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()))
            .env("TAQUIN_PDB_DIR", &self.databases)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        crate::signals::heed(&mut command);
        command
    }

    /// Runs a command. Fails unless it ends with this code.
    #[track_caller]
    pub fn run(&self, code: i32, text: &str) -> Run {
        let run = Run::from(self.command(text).output().unwrap());
        assert_eq!(run.code, code, "{text}: {run:#?}");
        run
    }
}
