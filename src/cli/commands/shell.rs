//! Shell completions and manual pages, from the definition of the arguments.

use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Command, CommandFactory};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;

use crate::cli::args::values::path;
use crate::cli::help::JSON;
use crate::cli::process::{ExitCode, written};
use crate::pdb::replace;
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
pub fn completions<P: CommandFactory>(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut command = P::command();
    let name = command.get_name().to_owned();
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

/// Prints the manual page of a program or of one of its commands, or writes all of them. The page of a
/// command that writes JSON has its fields.
pub fn man<P: CommandFactory>(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let with_fields = |command: Command| {
        // A page has the text of every option.
        let command = command.mut_args(|argument| argument.hide_short_help(false));
        let Some((_, fields)) = JSON.iter().find(|(name, _)| *name == command.get_name()) else {
            return command;
        };
        let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
        command.after_long_help(format!("{}\n\n{fields}", help.trim_end()))
    };
    let mut program = P::command().disable_help_subcommand(true).mut_subcommands(with_fields);
    program.build();
    let wanted = args.command.as_deref().unwrap_or(program.get_name());
    let commands: Vec<&Command> = iter::once(&program).chain(program.get_subcommands()).collect();
    let mut pages = Vec::new();
    for &command in &commands {
        if args.out.is_some() || command.get_name() == wanted {
            let man = Man::new(command.clone()).manual("Taquin");
            let mut page = Vec::new();
            man.render(&mut page).context("cannot make the page")?;
            let page = with_synopsis(&String::from_utf8_lossy(&page), command);
            pages.push((man.get_filename(), page.into_bytes()));
        }
    }
    if pages.is_empty() {
        let names: Vec<_> = commands[1..].iter().map(|command| command.get_name()).collect();
        bail!("there is no command {wanted:?}: the commands are {}", names.join(", "));
    }
    print_or_write(args.out.as_deref(), pages)
}

/// A page with the usage of its command as its synopsis, in place of a list of all options.
fn with_synopsis(page: &str, command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ").replace('-', r"\-");
    let mut lines: Vec<&str> = page.lines().collect();
    if let Some(head) = lines.iter().position(|line| *line == ".SH SYNOPSIS")
        && let Some(synopsis) = lines.get_mut(head + 1)
    {
        *synopsis = &usage;
    }
    lines.join("\n") + "\n"
}

/// Writes files to a folder, or prints them where there is none.
fn print_or_write(
    folder: Option<&Path>,
    files: impl IntoIterator<Item = (String, Vec<u8>)>,
) -> anyhow::Result<ExitCode> {
    if let Some(folder) = folder {
        let make = locate::make(folder);
        make.with_context(|| format!("cannot create the folder {}", folder.display()))?;
    }
    for (name, text) in files {
        let Some(folder) = folder else {
            written(io::stdout().lock().write_all(&text))?;
            continue;
        };
        let path = folder.join(name);
        replace(&path, |mut file| file.write_all(&text))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ExitCode::Fine)
}
