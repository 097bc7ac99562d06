//! Shell completions and manual pages, from the definition of the arguments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::PossibleValue;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::Shell;

use super::bench::SuiteName;
use super::man;
use crate::board::{Goal, Grid};
use crate::cli::args::parsers::path;
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::output::streams::{self, written};
use crate::pdb::{Partition, replace};
use crate::reference;
use crate::store::locate;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Command whose page is printed [default: the page of the program]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,

    /// Write all pages to a folder instead
    ///
    /// The folder is created if necessary.
    #[arg(short, long, value_name = "DIR", value_parser = path(), conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// The end of the help of `completions`.
pub fn completions_examples(program: &str) -> String {
    format!(
        "\
Examples:
  {program} completions bash > {program}.bash
  {program} completions zsh > _{program}
  {program} completions fish > {program}.fish"
    )
}

/// The end of the help of `man`.
pub fn man_examples(program: &str, command: &str) -> String {
    format!(
        "\
Examples:
  {program} man > {program}.1
  {program} man {command} > {program}-{command}.1
  {program} man --out ~/.local/share/man/man1"
    )
}

/// Prints the completions of a program.
pub fn completions<P: CommandFactory>(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let command = P::command();
    let name = command.get_name().to_owned();
    let commands: Vec<_> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let suggested = |argument: Arg| match suggestions(argument.get_id().as_str(), &commands) {
        values if values.is_empty() => argument,
        values => argument.value_parser(values),
    };
    // Here alone: these are suggestions, and other values are accepted too.
    let mut command = command.mut_subcommands(|command| command.mut_args(suggested));
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, &name, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Fish {
        script += &positional_values(&command, &name);
    }
    if args.shell == Shell::Bash {
        // clap_complete 4.6 writes the hyphen of a name in two ways, and then finds none of the
        // commands: https://github.com/clap-rs/clap/issues/6421.
        script = script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
    }
    written(io::stdout().lock().write_all(script.as_bytes()))?;
    Ok(ExitCode::Fine)
}

/// The values of arguments without a name, which clap_complete 4.6 leaves out of fish's script.
fn positional_values(program: &Command, name: &str) -> String {
    let using = name.replace('-', "_");
    let mut lines = String::new();
    for command in program.get_subcommands() {
        for argument in command.get_positionals() {
            let values = argument.get_possible_values();
            let values: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
            if !values.is_empty() {
                lines += &format!(
                    "complete -c {name} -n \"__fish_{using}_using_subcommand {}\" -f -a \"{}\"\n",
                    command.get_name(),
                    values.join(" ")
                );
            }
        }
    }
    lines
}

/// Values for an argument that takes others too; `commands` are those of the program.
fn suggestions(argument: &str, commands: &[String]) -> Vec<PossibleValue> {
    let partitions = || {
        let grids = (2..=5).filter_map(|side| Grid::new(side, side).ok());
        grids.flat_map(Partition::names).map(PossibleValue::new)
    };
    let plain = |values: &[&'static str]| values.iter().map(PossibleValue::new).collect();
    match argument {
        "goal" => plain(&Goal::NAMES),
        "size" => plain(&["3x3", "4x4", "5x5", "4x3", "5x4", "6x6", "8x8", "10x10"]),
        "set" => SuiteName::examples().map(PossibleValue::new).collect(),
        "heuristic" | "heuristics" => reference::names()
            .map(|(name, summary)| PossibleValue::new(name).help(summary))
            .chain(partitions())
            .collect(),
        "partition" => partitions().collect(),
        "catalogue" => plain(&["small"]),
        "command" => commands.iter().map(PossibleValue::new).collect(),
        _ => Vec::new(),
    }
}

/// Prints the manual page of a program or of one of its commands, or writes all of them.
pub fn man<P: CommandFactory>(args: &ManArgs) -> Result<ExitCode, Failure> {
    let mut program = P::command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &args.out {
        write(&program, folder).map_err(Failure::usage)?;
        return Ok(ExitCode::Fine);
    }
    let command = match &args.command {
        None => &program,
        Some(name) => subcommand(&program, name)?,
    };
    let page = man::page(&program, command);
    let page = page.context("cannot make the page").map_err(Failure::usage)?;
    streams::text(&page, false)?;
    Ok(ExitCode::Fine)
}

fn write(program: &Command, folder: &Path) -> anyhow::Result<()> {
    let make = locate::make(folder);
    make.with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for (name, page) in man::pages(program)? {
        let path = folder.join(name);
        replace(&path, |mut file| file.write_all(page.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn subcommand<'a>(program: &'a Command, name: &str) -> Result<&'a Command, Failure> {
    let names: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
    program.find_subcommand(name).ok_or_else(|| {
        wrong!("there is no command {name:?}: the commands are {}", names.join(", "))
    })
}
