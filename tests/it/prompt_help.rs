//! Output made from the definition of the arguments: the examples of the help, which are run, fields in the manual
//! pages, and the completions. The rest is in `tests/prompt/newcomers.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::process::{Folder, folder_4x4};

const PROGRAMS: [(&str, &str); 2] =
    [("taquin", env!("CARGO_BIN_EXE_taquin")), ("pdb-gen", env!("CARGO_BIN_EXE_pdb-gen"))];

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

fn printed(program: &str, args: &[&str]) -> String {
    let (_, path) = PROGRAMS.iter().find(|(name, _)| *name == program).unwrap();
    let output = Command::new(path).args(args).stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{program} {args:?}: {output:?}");
    text(&output.stdout).to_owned()
}

/// The commands that the help of a program lists.
fn commands(program: &str) -> Vec<String> {
    let help = printed(program, &["--help"]);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let own = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = own.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

/// The examples of a help text, one per line.
fn examples(help: &str) -> Vec<&str> {
    let Some((_, rest)) = help.split_once("Examples:\n") else { return Vec::new() };
    rest.lines().take_while(|line| line.starts_with("  ")).map(str::trim).collect()
}

/// Runs an example in a folder that has the files which examples read, and no others.
fn run(example: &str, databases: &Path) -> Output {
    let folder = Folder::with_databases(databases);
    let boards = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n1 2 3 4 5 6 7 8 9 10 0 12 13 14 11 15\n";
    for (name, text) in
        [("boards.txt", boards), ("moves.txt", "RR\n"), ("mine.py", block("python"))]
    {
        fs::write(folder.path(name), text).unwrap();
    }
    let shell = |command: &str| {
        let mut command = folder.command(command);
        command.env("HOME", folder.path("")).env("PROFILE", folder.path("profile"));
        command.output().unwrap()
    };
    if example.contains("packets.jsonl") && !example.starts_with("taquin split") {
        shell(&format!("{PACKETS} > packets.jsonl"));
        // Some of them are searched.
        shell("taquin packet packets.jsonl 1");
    }
    shell(example)
}

/// The first block of docs/LAB.md in a language.
fn block(language: &str) -> &str {
    let blocks = include_str!("../../docs/LAB.md").split_once(&format!("```{language}\n"));
    blocks.and_then(|(_, rest)| rest.split_once("```")).unwrap().0
}

/// Packets of an easy board, the first of which holds a solution.
const PACKETS: &str =
    "taquin split --after 0 --packets 3 --heuristic 4-4:mirror '5 2 0 / 6 4 7 / 1 3 8'";

/// The example as it can be run in seconds: with few boards and nodes, and without tables that are
/// large. The other test runs it as it is.
fn within_limits(example: &str) -> String {
    let example = example.replace("--count 20k", "--count 20").replace("--count 10k", "--count 10");
    let example = example.replace("10x10 --count 5", "6x5 --count 1");
    let example = example.replace("4x3 --farthest", "3x3 --farthest").replace("--to 20", "--to 12");
    let example = example.replace("20..40 --count 1000", "20..40 --count 10");
    if example.starts_with("pdb-gen build") {
        return format!("{example} --memory 1M");
    }
    if example.starts_with("pdb-gen suggest") {
        let small = example.replace("5x4", "4x2").replace("5x3 --memory 30M", "4x2");
        return small.replace("4x3", "4x2").replace(" / 8 9 10 11'", "'");
    }
    if !example.starts_with("taquin bench") {
        return example;
    }
    // What values predict is compared with whole iterations, which take long on larger boards.
    let example = match example.contains("--values ") {
        true => example.replace("7-8:mirror", "linear-conflict") + " --size 3x3",
        false => example,
    };
    let example = example.replace("--values 100000", "--values 100");
    let example = example.replace("random:1000", "random:10").replace("7-8:plain", "4-4-4-3:plain");
    let words: Vec<&str> = example.split(' ').collect();
    let limit = words.iter().position(|word| ["--time-limit", "--node-limit"].contains(word));
    let mut words: Vec<&str> = match limit {
        Some(limit) => [&words[..limit], &words[limit + 2..]].concat(),
        None => words,
    };
    if !words.contains(&"--set") {
        words.extend(["--set", "random:10"]);
    }
    words.extend(["--node-limit", "1000", "--no-build"]);
    words.join(" ")
}

/// Runs the examples of all commands, changed by `limited`, with the databases of a folder. Fails
/// unless each of them works, or is refused as the last argument allows.
fn run_examples(
    databases: &Path,
    limited: impl Fn(&str) -> String,
    may_refuse: impl Fn(&str, &Output) -> bool,
) {
    let mut run_before = BTreeSet::new();
    for (program, _) in PROGRAMS {
        for command in commands(program) {
            let help = printed(program, &[&command, "--help"]);
            let without = ["info", "verify"].contains(&&*command);
            assert!(without || !examples(&help).is_empty(), "{program} {command}");
            for example in examples(&help) {
                // A line that is too long for the help is wrapped, and is none that can be copied.
                assert!(
                    example.starts_with(&format!("{program} ")),
                    "{program} {command}: {example}"
                );
                let example = limited(&example.replace("--out /var/lib", "--out var/lib"));
                if !run_before.insert(example.clone()) {
                    continue;
                }
                let output = run(&example, databases);
                if command == "play" {
                    // Its arguments are read before it looks for a terminal.
                    assert_eq!(output.status.code(), Some(2), "{example}: {output:?}");
                    assert!(text(&output.stderr).contains("needs a terminal"), "{output:?}");
                    continue;
                }
                // The answer of one of the checks is no.
                let no = command == "check" && text(&output.stdout).contains("solvable\":false");
                let works = output.status.code() == Some(no.into());
                assert!(works || may_refuse(&example, &output), "{example}: {output:?}");
            }
        }
    }
    assert!(run_before.len() > 25, "{run_before:?}");
}

#[test]
fn every_example_works() {
    run_examples(folder_4x4(), within_limits, |example, output| {
        let refused = |code, reason| {
            output.status.code() == Some(code) && text(&output.stderr).contains(reason)
        };
        let is_build = example.starts_with("pdb-gen build");
        let is_bench = example.starts_with("taquin bench");
        is_build && refused(3, "allow more with --memory")
            || is_bench && refused(3, "build them with `pdb-gen build")
    });
}

#[test]
#[ignore = "takes a minute or two, and 2 GB of databases"]
fn every_example_works_in_full() {
    let databases = tempfile::tempdir().unwrap();
    let limited = |example: &str| match example.starts_with("taquin bench") {
        true => within_limits(example).replace(" --no-build", ""),
        false => example.to_owned(),
    };
    run_examples(databases.path(), limited, |_, _| false);
}

/// The commands of docs/LAB.md with its heuristic, on fewer boards.
#[test]
fn the_commands_of_the_laboratory_work() {
    let boards = "taquin shuffle --count 10 --seed 1";
    let values = format!("{boards} | sed 's/$/,0/' >mine.csv; ");
    let commands = block("console").lines().map(|line| line.strip_prefix("$ ").unwrap());
    assert_eq!(commands.clone().count(), 5);
    let works = |line: &str| {
        let command = within_limits(line.split("  #").next().unwrap().trim());
        let command = command.replace("random:100 ", "random:5 ").replace(" --no-build", "");
        let output = run(&(values.clone() + &command), folder_4x4());
        assert!(output.status.success(), "{command}: {output:?}");
        let heuristics = command.matches(',').count() + command.matches("astar:").count() + 1;
        let table = text(&output.stdout).split("\n\n").nth(1).unwrap();
        let rows = if line.contains("--heuristics") { heuristics } else { 6 };
        assert_eq!(table.lines().count(), 1 + rows, "{command}: {table}");
    };
    commands.for_each(works);
}

/// The fields of JSON stand in the manual page, and not in the help. So does the text of an option that `-h`
/// leaves out.
#[test]
fn fields_of_objects_are_in_the_pages() {
    let rare = "File for the state of the search";
    assert!(printed("taquin", &["man", "solve"]).contains(rare));
    assert!(!printed("taquin", &["solve", "-h"]).contains(rare));
    let document = include_str!("../../docs/MANUAL.md");
    for command in ["solve", "check", "apply", "shuffle"] {
        let title = format!("\n### `taquin {command}`");
        let (_, section) = document.split_once(&title).unwrap();
        let section = section.split("\n### ").next().unwrap();
        let page = printed("taquin", &["man", command]);
        for row in section.lines().filter_map(|line| line.strip_prefix("| `")) {
            let (fields, _) = row.split_once("` | ").unwrap();
            for field in fields.split("`, `") {
                assert!(page.contains(field), "{command}: {field}");
            }
        }
        assert!(!printed("taquin", &[command, "--help"]).contains("Fields of"));
    }
}

/// bash and fish themselves, where there are some.
#[test]
fn shells_complete_a_value() {
    for (words, completed) in [
        ("taquin solve --format bo", "boards"),
        ("pdb-gen ver", "verify"),
        ("pdb-gen build --parti", "--partition"),
    ] {
        let all: Vec<&str> = words.split(' ').collect();
        let (program, [.., before, last]) = (all[0], &all[..]) else { unreachable!() };
        let ask_bash = format!(
            "function=$(complete -p {program}); function=${{function##*-F }}; \
             COMP_WORDS=({words}); COMP_CWORD={}; \
             ${{function%% *}} {program} {last} {before}; echo \"${{COMPREPLY[@]}}\"",
            all.len() - 1
        );
        for (shell, options, ask) in [
            ("bash", &["-c"][..], ask_bash),
            ("fish", &["--no-config", "-c"], format!("complete -C '{words}'")),
        ] {
            let script = printed(program, &["completions", shell]);
            let mut command = Command::new(shell);
            let Ok(output) = command.args(options).arg(format!("{script}\n{ask}")).output() else {
                continue;
            };
            // fish adds a tab, and what the command is for.
            let value = text(&output.stdout).split_whitespace().next();
            assert_eq!(value, Some(completed), "{shell}: {output:?}");
        }
    }
}
