//! Shell completions and manual pages, from the definition of the arguments.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::builder::PossibleValue;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;

use super::bench::SuiteName;
use crate::board::{Goal, Grid};
use crate::cli::args::parsers::path;
use crate::cli::exit::{ExitCode, Failure, wrong};
use crate::cli::help::JSON;
use crate::cli::output::streams::written;
use crate::pdb::{Partition, replace};
use crate::reference;
use crate::store::locate;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to complete for
    #[arg(value_enum)]
    shell: Shell,

    /// Write the script to a folder instead, which is created if necessary
    #[arg(short, long, value_name = "DIR", value_parser = path())]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct ManArgs {
    /// Command whose page is printed [default: the page of the program]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,

    /// Write all pages to a folder instead, which is created if necessary
    #[arg(short, long, value_name = "DIR", value_parser = path(), conflicts_with = "command")]
    out: Option<PathBuf>,
}

/// Prints or writes the completions of a program.
pub fn completions<P: CommandFactory>(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let command = P::command();
    let name = command.get_name().to_owned();
    let suggested = |argument: Arg| match suggestions(argument.get_id().as_str()) {
        values if values.is_empty() => argument,
        values => argument.value_parser(values),
    };
    // Only here: these are suggestions, and other values are accepted too.
    let mut command = command.mut_subcommands(|command| command.mut_args(suggested));
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, &name, &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    if args.shell == Shell::Bash {
        // clap_complete 4.6 writes the hyphen of a name in two ways, and then finds none of the
        // commands: https://github.com/clap-rs/clap/issues/6421.
        script = script.replace(&name.replace('-', "__subcmd__"), &name.replace('-', "__"));
    }
    print_or_write(args.out.as_deref(), [(args.shell.file_name(&name), script.into_bytes())])
}

/// Values for an argument that takes others too.
fn suggestions(argument: &str) -> Vec<PossibleValue> {
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
        _ => Vec::new(),
    }
}

/// Prints the manual page of a program or of one of its commands, or writes all of them. The page of a
/// command that writes JSON has its fields.
pub fn man<P: CommandFactory>(args: &ManArgs) -> Result<ExitCode, Failure> {
    let mut program = P::command().disable_help_subcommand(true);
    program.build();
    let commands: Vec<Command> =
        [program.clone()].into_iter().chain(program.get_subcommands().cloned()).collect();
    let wanted = args.command.as_deref().unwrap_or(program.get_name());
    let is_wanted = |command: &&Command| args.out.is_some() || command.get_name() == wanted;
    let pages = commands.iter().filter(is_wanted).map(|command| {
        let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        let fields = JSON.iter().filter(|(name, _)| *name == command.get_name());
        let parts = [help].into_iter().chain(fields.map(|(_, text)| (*text).to_owned()));
        let help = parts.collect::<Vec<_>>().join("\n\n");
        let man = Man::new(command.clone().after_long_help(help)).manual("Taquin");
        let mut page = Vec::new();
        man.render(&mut page).context("cannot make the page")?;
        Ok((man.get_filename(), page))
    });
    let pages = pages.collect::<anyhow::Result<Vec<_>>>().map_err(Failure::usage)?;
    if pages.is_empty() {
        let names: Vec<_> = commands[1..].iter().map(Command::get_name).collect();
        return Err(wrong!(
            "there is no command {wanted:?}: the commands are {}",
            names.join(", ")
        ));
    }
    print_or_write(args.out.as_deref(), pages)
}

/// Writes files to a folder, or prints them where there is none.
fn print_or_write(
    folder: Option<&Path>,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> Result<ExitCode, Failure> {
    if let Some(folder) = folder {
        let make = locate::make(folder);
        make.with_context(|| format!("cannot create the folder {}", folder.display()))
            .map_err(Failure::usage)?;
    }
    for (name, text) in files {
        let Some(folder) = folder else {
            written(io::stdout().lock().write_all(&text))?;
            continue;
        };
        let path = folder.join(name);
        replace(&path, |mut file| file.write_all(&text))
            .with_context(|| format!("cannot write {}", path.display()))
            .map_err(Failure::usage)?;
    }
    Ok(ExitCode::Fine)
}
