//! One rule for the files that options name: each option is tried on each kind of file.
//!
//! The options come from the definitions of the programs, so that a new one cannot be forgotten.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;

use clap::{Arg, CommandFactory, value_parser};
use taquin::cli::{PdbGen, Taquin};

use crate::common::FAR;
use crate::process::{Folder, names};

/// The use of a file that an option names.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    /// It is read.
    Input,
    /// It is written, and may be a pipe or a device.
    Stream,
    /// It is written, and has to be a file.
    File,
    /// It is made, and left alone where it is there.
    New,
}
use Use::{File, Input, New, Stream};

/// An option, the use of its file, a command line with `@` for that file, and the end of its name
/// where the file is one that the command derives from it.
type Case = (&'static str, Use, &'static str, &'static str);

static CASES: &[Case] = &[
    ("taquin solve --file", Input, "taquin solve --file @", ""),
    ("taquin solve --svg", Stream, "taquin solve --file boards --svg @", ""),
    ("taquin solve --checkpoint", New, "taquin solve --checkpoint @ '8 6 7 2 5 4 3 0 1'", ""),
    ("taquin check --file", Input, "taquin check --file @", ""),
    ("taquin bench --set", Input, "taquin bench --heuristics manhattan --set @", ""),
    ("taquin bench --csv", Stream, "taquin bench --heuristics manhattan --set boards --csv @", ""),
    ("taquin bench --svg", Stream, "taquin bench --heuristics manhattan --set boards --svg @", ""),
    (
        "taquin bench --record",
        Stream,
        "taquin bench --heuristics manhattan --set boards --record @",
        "",
    ),
    ("taquin bench --replay", Input, "taquin bench --replay @", ""),
    ("taquin split --checkpoint", Input, "taquin split --checkpoint @ '1 2 3 0'", ""),
    ("taquin packet FILE", Input, "taquin packet @", ""),
    ("taquin packet FILE", File, "taquin packet @", ".1"),
    ("taquin merge FILE", Input, "taquin merge @", ""),
    ("taquin merge --checkpoint", File, "taquin merge --checkpoint @ p.jsonl", ""),
    ("taquin completions --out", File, "taquin completions bash --out @", "/taquin.bash"),
    ("pdb-gen completions --out", File, "pdb-gen completions fish --out @", "/pdb-gen.fish"),
    ("taquin man --out", File, "taquin man --out @", "/taquin.1"),
    ("pdb-gen man --out", File, "pdb-gen man --out @", "/pdb-gen.1"),
    (
        "pdb-gen build --out",
        File,
        "pdb-gen build --size 3x3 --partition 4-4 --force --out @",
        "/3x3-0-1.2.4.5.pdb",
    ),
    ("pdb-gen info PATH", Input, "pdb-gen info @", ""),
    ("pdb-gen verify PATH", Input, "pdb-gen verify @", ""),
];

/// The folder of the databases is another matter: files are found in it by their names.
const LEFT_OUT: &str = "--pdb-dir";

#[test]
fn every_option_that_names_a_file_is_tried() {
    let path = value_parser!(PathBuf).type_id();
    let names_file = |arg: &&Arg| {
        let value = arg.get_value_names().and_then(|names| names.first()).map(|name| &**name);
        let files = ["FILE", "DIR", "PATH", "SET"];
        arg.get_value_parser().type_id() == path || value.is_some_and(|name| files.contains(&name))
    };
    let mut options = BTreeSet::new();
    for program in [Taquin::command(), PdbGen::command()] {
        for command in program.get_subcommands() {
            for arg in command.get_arguments().filter(names_file) {
                let value = || arg.get_value_names().unwrap()[0].to_string();
                let name = arg.get_long().map_or_else(value, |long| format!("--{long}"));
                options.insert(format!("{} {} {name}", program.get_name(), command.get_name()));
            }
        }
    }
    options.retain(|option| !option.ends_with(LEFT_OUT));
    let tried: BTreeSet<_> = CASES.iter().map(|case| case.0.to_owned()).collect();
    assert_eq!(options, tried);
}

/// A file of boards, and packets with their results.
static INPUTS: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::new();
    fs::write(folder.path("boards"), "1 2 3 / 4 5 6 / 7 0 8\n1 2 3 / 4 5 6 / 0 7 8\n").unwrap();
    let split = "taquin split --after 1 -n 3 '8 6 7 / 2 5 4 / 3 0 1' > p.jsonl";
    folder.run(0, &format!("{split}; taquin packet p.jsonl"));
    folder
});

/// A folder with the inputs.
fn folder() -> Folder {
    let folder = Folder::new();
    for name in INPUTS.names() {
        fs::copy(INPUTS.path(&name), folder.path(&name)).unwrap();
    }
    folder
}

fn make(program: &str, path: &Path, arguments: &[&str]) -> bool {
    let made = Command::new(program).arg(path).args(arguments).stderr(Stdio::null()).status();
    made.is_ok_and(|status| status.success())
}

/// A place for the file of a case, with what the command needs around it.
struct Place {
    folder: Folder,
    line: String,
    path: PathBuf,
    to: Use,
}

impl Place {
    fn new(&(_, to, line, end): &Case, name: &str) -> Place {
        let folder = folder();
        // A folder of its own, for options that name one and for names that are derived.
        let base = folder.path("of-its-own").join(name);
        fs::create_dir(folder.path("of-its-own")).unwrap();
        match end {
            "" | ".partial" => {}
            ".1" => drop(fs::copy(folder.path("p.jsonl"), &base).unwrap()),
            _ => fs::create_dir(&base).unwrap(),
        }
        let path = PathBuf::from(format!("{}{end}", base.display()));
        let line = line.replace('@', &format!("of-its-own/{name}"));
        Place { folder, line, path, to }
    }

    /// The command, in little memory: a limit bounds the reading from a device that has no end.
    fn command(&self) -> Command {
        self.folder.command(&format!("ulimit -v 1500000; {}", self.line))
    }

    fn run(&self) -> Output {
        self.command().output().unwrap()
    }

    #[track_caller]
    fn fine(&self) {
        let output = self.run();
        // A threshold without a solution is no failure.
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {output:?}", self.line);
    }

    /// Runs the command, which refuses the file.
    #[track_caller]
    fn refused(&self) -> Output {
        let output = self.run();
        assert!(matches!(output.status.code(), Some(2 | 3)), "{}: {output:?}", self.line);
        assert!(!output.stderr.is_empty(), "{}", self.line);
        output
    }

    /// Fails unless the file is a new one.
    #[track_caller]
    fn is_written(&self, path: &Path) {
        let old = fs::read(path).is_ok_and(|bytes| bytes == OLD);
        assert!(path.is_file() && !path.is_symlink() && !old, "{}", self.line);
    }

    #[track_caller]
    fn is_old(&self, path: &Path) {
        assert!(fs::read(path).is_ok_and(|bytes| bytes == OLD), "{}", self.line);
    }
}

const OLD: &[u8] = b"1 2 3 / 4 5 6 / 7 8 0 # old\n";

fn written() -> impl Iterator<Item = &'static Case> {
    CASES.iter().filter(|case| case.1 != Input)
}

/// Links are followed, and stay.
#[test]
fn files_are_made_or_replaced() {
    for case in written() {
        for (link, old) in [(false, false), (false, true), (true, false), (true, true)] {
            let place = Place::new(case, "f");
            let target = if link { place.folder.path("target") } else { place.path.clone() };
            assert!(!link || symlink(&target, &place.path).is_ok());
            if old {
                fs::write(&target, OLD).unwrap();
                fs::set_permissions(&target, Permissions::from_mode(0o640)).unwrap();
            }
            if place.to == New && old {
                place.refused();
                place.is_old(&target);
            } else {
                place.fine();
                place.is_written(&target);
            }
            assert!(!old || target.metadata().unwrap().mode() & 0o777 == 0o640, "{}", place.line);
            assert_eq!(place.path.is_symlink(), link, "{}", place.line);
        }
    }
}

/// Neither under its own name nor under another.
#[test]
fn an_input_is_never_an_output() {
    for case in written() {
        let input = ["boards", "p.jsonl"].into_iter().find(|name| case.2.contains(name));
        let input = match case.3 {
            ".1" => "of-its-own/f",
            _ => input.unwrap_or_default(),
        };
        if input.is_empty() {
            continue;
        }
        let place = Place::new(case, "f");
        let input = place.folder.path(input);
        let before = fs::read(&input).unwrap();
        symlink(&input, &place.path).unwrap();
        place.refused();
        fs::remove_file(&place.path).unwrap();
        fs::hard_link(&input, &place.path).unwrap();
        place.refused();
        assert_eq!(fs::read(&input).unwrap(), before, "{}", place.line);
    }
}

#[test]
fn folders_and_loops_are_refused() {
    for case in CASES {
        let place = Place::new(case, "f");
        symlink(&place.path, &place.path).unwrap();
        place.refused();
        assert!(place.path.is_symlink(), "{}", place.line);
        // Folders of databases are listed.
        if case.0.ends_with("PATH") {
            continue;
        }
        let place = Place::new(case, "f");
        fs::create_dir(&place.path).unwrap();
        place.refused();
        assert!(place.path.is_dir() && names(&place.path).is_empty(), "{}", place.line);
    }
    for case in written().filter(|case| case.3.is_empty()) {
        let place = Place::new(case, "new/");
        assert!(place.refused().stdout.is_empty(), "{}", place.line);
    }
}

/// A rename would put a file in their place. Reading ends, too.
#[test]
fn pipes_and_devices_stay() {
    for case in CASES {
        let place = Place::new(case, "f");
        assert!(make("mkfifo", &place.path, &[]));
        let pipe = place.path.clone();
        match place.to {
            Input => {
                // Nobody reads from a pipe that the command refuses.
                let mut writer = Command::new("sh").args(["-c", ": > \"$0\""]).arg(&pipe).spawn();
                drop(place.run());
                end(writer.as_mut().unwrap());
            }
            Stream => {
                let reader = thread::spawn(move || fs::read_to_string(pipe).unwrap());
                place.fine();
                assert!(!reader.join().unwrap().is_empty(), "{}", place.line);
            }
            _ => drop(place.refused()),
        }
        assert!(place.path.metadata().unwrap().file_type().is_fifo(), "{}", place.line);

        // `/dev/null` or `/dev/zero`, in a private form.
        let number = if place.to == Input { "5" } else { "3" };
        let place = Place::new(case, "f");
        if !make("mknod", &place.path, &["c", "1", number]) {
            continue;
        }
        match place.to {
            Stream => place.fine(),
            _ => drop(place.refused()),
        }
        assert!(place.path.metadata().unwrap().file_type().is_char_device(), "{}", place.line);
    }
}

fn end(child: &mut Child) {
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn a_folder_that_may_not_be_written_to_stays_as_it_is() {
    for case in written() {
        let place = Place::new(case, "f");
        let folder = place.path.parent().unwrap();
        let before = names(folder);
        for shut in [folder, &place.folder.path("")] {
            fs::set_permissions(shut, Permissions::from_mode(0o555)).unwrap();
        }
        let mut command = place.command();
        // The system's administrator may write everywhere, `nobody` may not.
        if folder.metadata().unwrap().uid() == 0 {
            command.uid(65534).gid(65534);
        }
        let Ok(output) = command.output() else { return };
        assert!(matches!(output.status.code(), Some(2 | 3)), "{}: {output:?}", place.line);
        assert_eq!(names(folder), before, "{}", place.line);
        for shut in [folder, &place.folder.path("")] {
            fs::set_permissions(shut, Permissions::from_mode(0o755)).unwrap();
        }
    }
}

/// Two searches at once would each undo what the other has written.
#[test]
fn one_search_at_a_time_has_a_checkpoint() {
    let folder = folder();
    let search = |limit: &str| {
        format!("exec taquin solve --heuristic 5-5-5:mirror --checkpoint state {limit} '{FAR}'")
    };
    let mut first = folder.command(&search("--time-limit 60")).spawn().unwrap();
    while !folder.path("state").metadata().is_ok_and(|state| state.len() > 0) {
        assert!(first.try_wait().unwrap().is_none());
        thread::yield_now();
    }
    for resume in ["", "--resume"] {
        let again = folder.run(2, &search(&format!("--time-limit 1 {resume}")));
        again.expect(2, "state is in use by another process");
    }
    let merge = folder.run(2, "taquin merge --checkpoint state p.jsonl");
    merge.expect(2, "state is in use by another process");
    end(&mut first);
    folder.run(1, &search("--time-limit 0.1 --resume"));
}
