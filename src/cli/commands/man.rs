//! Manual pages, from the definition of the arguments.
//!
//! The help of a command ends with text in a fixed form, and a page shows each part of it in a
//! section of its own:
//!
//! ```text
//! Examples:                 a line that ends with a colon and indented lines: a section
//!   taquin solve …
//!
//! Fields of an object:
//!   board  the tiles        a term, two spaces, and its description
//!          row by row       more of it
//!
//! Anything else.            the section NOTES
//! ```

use std::io;

use clap::Command;
use clap_mangen::Man;
use roff::{Inline, Roff, bold, roman};

/// The programs whose pages refer to each other.
pub const PROGRAMS: [&str; 2] = ["taquin", "pdb-gen"];

/// The files of the manual of a program, by name. The program is built and has no command `help`.
pub fn pages(program: &Command) -> io::Result<Vec<(String, String)>> {
    let commands = std::iter::once(program).chain(program.get_subcommands());
    commands.map(|command| Ok((format!("{}.1", name(command)), page(program, command)?))).collect()
}

/// The page of a program or of one of its commands.
pub fn page(program: &Command, command: &Command) -> io::Result<String> {
    let version = program.get_version().unwrap_or_default();
    let man = Man::new(command.clone())
        .title(name(command).to_uppercase())
        .source(format!("{} {version}", program.get_name()))
        .manual("Taquin");
    let mut standard = Vec::new();
    man.render_title(&mut standard)?;
    // Words of a command may neither be divided nor pulled apart.
    standard.extend_from_slice(b".nh\n.ad l\n");
    man.render_name_section(&mut standard)?;
    man.render_synopsis_section(&mut standard)?;
    man.render_description_section(&mut standard)?;
    man.render_options_section(&mut standard)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut standard)?;
    }
    let mut own = Roff::new();
    let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
    sections(&mut own, &parts(&help));
    let (databases, colours) = (uses_databases(command), has_colours(command));
    let environment: Vec<_> = [(databases, DATABASES), (colours, COLOURS)]
        .into_iter()
        .filter_map(|(heard, variable)| heard.then_some(variable))
        .collect();
    if !environment.is_empty() {
        definitions(&mut own, "ENVIRONMENT", &environment);
    }
    if databases {
        definitions(&mut own, "FILES", FILES);
    }
    see_also(&mut own, program, command);
    // Each of the sections begins with the same definitions; one page needs them once.
    let preamble = Roff::new().render();
    let standard = String::from_utf8_lossy(&standard).replace(&preamble, "");
    Ok(preamble + &standard + &own.to_roff())
}

const DATABASES: (&str, &str) =
    ("TAQUIN_PDB_DIR", "The folder of the databases, where no option names one.");

const COLOURS: (&str, &str) = ("NO_COLOR", "Where it is set and not empty, nothing is coloured.");

const FILES: &[(&str, &str)] = &[
    ("./pdb", "The folder of the databases, where it exists and the environment names none."),
    (
        "~/.local/share/taquin",
        "The folder of the databases otherwise: the folder taquin in the user's data folder, which \
         XDG_DATA_HOME may name.",
    ),
    (
        "4x4-0-1.2.3.4.5.6.7.pdb",
        "A database, named by the size of the boards, the blank's goal cell, and the tiles.",
    ),
];

/// Returns whether a command, or one of a program's commands, reads or writes databases.
fn uses_databases(command: &Command) -> bool {
    let named = |help: String| help.contains(DATABASES.0);
    let helps = |command: &Command| {
        let mut helps = command.get_arguments().filter_map(|argument| argument.get_long_help());
        helps.any(|help| named(help.to_string()))
    };
    helps(command) || command.get_subcommands().any(helps)
}

/// Returns whether a command, or one of a program's commands, colours what it prints.
fn has_colours(command: &Command) -> bool {
    let has =
        |command: &Command| command.get_arguments().any(|argument| argument.get_id() == "color");
    has(command) || command.get_subcommands().any(has)
}

/// The name of a page, as in taquin-solve.
fn name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

/// A heading and what follows it.
#[derive(Debug, Default, PartialEq)]
struct Part {
    /// Empty for text that has none.
    heading: String,
    /// The indented lines.
    lines: Vec<String>,
    /// The text after them.
    text: Vec<String>,
}

/// The parts of a help text.
fn parts(help: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut lines = help.lines().peekable();
    while let Some(line) = lines.next() {
        let leads = |next: &&str| next.starts_with("  ");
        if line.ends_with(':') && lines.peek().is_some_and(leads) {
            parts.push(Part { heading: line.to_owned(), ..Part::default() });
        } else if line.is_empty() {
            parts.push(Part::default());
        } else {
            if parts.is_empty() {
                parts.push(Part::default());
            }
            let part = parts.last_mut().expect("there is one");
            match line.strip_prefix("  ") {
                Some(line) if part.text.is_empty() => part.lines.push(line.to_owned()),
                _ => part.text.push(line.to_owned()),
            }
        }
    }
    parts.retain(|part| *part != Part::default());
    parts
}

fn sections(roff: &mut Roff, parts: &[Part]) {
    let mut notes: Vec<&Part> = Vec::new();
    for part in parts {
        match part.heading.as_str() {
            "" => notes.push(part),
            "Examples:" => {
                roff.control("SH", ["EXAMPLES"]);
                roff.control("nf", []);
                for line in &part.lines {
                    roff.text([bold(line)]);
                }
                roff.control("fi", []);
                // What follows is about all of them.
                paragraphs(roff, &part.text);
            }
            heading => {
                let section = match heading {
                    heading if heading.starts_with("Exit codes") => "EXIT STATUS".to_owned(),
                    heading if heading.starts_with("Fields of") => "JSON".to_owned(),
                    heading => heading.trim_end_matches(':').to_uppercase(),
                };
                roff.control("SH", [section.as_str()]);
                roff.text([roman(heading)]);
                for (term, description) in terms(&part.lines) {
                    definition(roff, &term, &description);
                }
                paragraphs(roff, &part.text);
            }
        }
    }
    if !notes.is_empty() {
        roff.control("SH", ["NOTES"]);
        notes.into_iter().for_each(|part| paragraphs(roff, &part.text));
    }
}

fn paragraphs(roff: &mut Roff, text: &[String]) {
    if !text.is_empty() {
        roff.control("PP", []);
        roff.text([roman(text.join("\n"))]);
    }
}

/// Terms with their descriptions, from lines that may continue the one before.
fn terms(lines: &[String]) -> Vec<(String, String)> {
    let mut terms: Vec<(String, String)> = Vec::new();
    for line in lines {
        match terms.last_mut() {
            Some((_, description)) if line.starts_with(' ') => {
                *description += " ";
                *description += line.trim();
            }
            _ => {
                let (term, description) = line.split_once("  ").unwrap_or((line, ""));
                terms.push((term.to_owned(), description.trim().to_owned()));
            }
        }
    }
    terms
}

fn definitions(roff: &mut Roff, section: &str, of: &[(&str, &str)]) {
    roff.control("SH", [section]);
    of.iter().for_each(|(term, description)| definition(roff, term, description));
}

fn definition(roff: &mut Roff, term: &str, description: &str) {
    // A tag needs a body.
    roff.control(if description.is_empty() { "PP" } else { "TP" }, []);
    roff.text([bold(term)]);
    if !description.is_empty() {
        roff.text([roman(description)]);
    }
}

/// The other pages of the program, and the page of the other program.
fn see_also(roff: &mut Roff, program: &Command, command: &Command) {
    let own = std::iter::once(program).chain(program.get_subcommands()).map(name);
    let other = PROGRAMS.into_iter().filter(|other| *other != program.get_name());
    let pages: Vec<&str> = own.filter(|page| *page != name(command)).chain(other).collect();
    let mut line: Vec<Inline> = Vec::new();
    for (i, page) in pages.iter().enumerate() {
        let end = if i + 1 < pages.len() { "(1), " } else { "(1)" };
        line.extend([bold(*page), roman(end)]);
    }
    roff.control("SH", ["SEE ALSO"]);
    roff.text(line);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_help_text() {
        let help = "\
Examples:
  taquin solve
  taquin check

Some words.
More words.

Fields:
  a, b
  c  the third,
     and more
But this is of the fields too.";
        let found = parts(help);
        let strings = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
        let part = |heading: &str, lines: &[&str], text: &[&str]| Part {
            heading: heading.to_owned(),
            lines: strings(lines),
            text: strings(text),
        };
        assert_eq!(
            found,
            [
                part("Examples:", &["taquin solve", "taquin check"], &[]),
                part("", &[], &["Some words.", "More words."]),
                part(
                    "Fields:",
                    &["a, b", "c  the third,", "   and more"],
                    &["But this is of the fields too."]
                ),
            ]
        );
        let pairs = [("a, b", ""), ("c", "the third, and more")];
        let expected: Vec<(String, String)> =
            pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(terms(&found[2].lines), expected);
    }
}
