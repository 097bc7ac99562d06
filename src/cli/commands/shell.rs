//! Shell completions and manual pages, from the definition of the arguments.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::{Args, Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::args::parsers::path;
use crate::cli::exit::{ExitCode, Failure};
use crate::cli::output::streams::written;

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

/// Prints the completions of a program.
pub fn completions<P: CommandFactory>(args: &CompletionsArgs) -> Result<ExitCode, Failure> {
    let mut command = P::command();
    let name = command.get_name().to_owned();
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, name, &mut text);
    written(io::stdout().lock().write_all(&text))?;
    Ok(ExitCode::Fine)
}

/// Prints the manual page of a program or of one of its commands, or writes all of them.
pub fn man<P: CommandFactory>(args: &ManArgs) -> Result<ExitCode, Failure> {
    let mut program = P::command().disable_help_subcommand(true);
    program.build();
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder)
            .and_then(|()| clap_mangen::generate_to(program, folder))
            .with_context(|| format!("cannot write the pages to {}", folder.display()))
            .map_err(Failure::usage)?;
        return Ok(ExitCode::Fine);
    }
    let page = match &args.command {
        None => program,
        Some(name) => subcommand(&program, name)?,
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text).context("cannot make the page").map_err(Failure::usage)?;
    written(io::stdout().lock().write_all(&text))?;
    Ok(ExitCode::Fine)
}

fn subcommand(program: &Command, name: &str) -> Result<Command, Failure> {
    let names: Vec<_> = program.get_subcommands().map(Command::get_name).collect();
    let found = program.find_subcommand(name).ok_or_else(|| {
        Failure::usage(anyhow!(
            "there is no command {name:?}: the commands are {}",
            names.join(", ")
        ))
    })?;
    Ok(found.clone())
}
