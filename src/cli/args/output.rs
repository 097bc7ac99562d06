//! The form of answers.

use std::io::{self, BufWriter, IsTerminal, StdoutLock};

use clap::Args;

use super::color::Color;
use super::parsers::convention;
use crate::board::Convention;
use crate::cli::output::format::Format;
use crate::cli::output::report::{Around, Printer, Text};

/// The form of answers.
#[derive(Args, Clone, Copy, Debug)]
pub struct OutputArgs {
    /// Format of solutions: see taquin help formats
    #[arg(long, value_enum, hide_possible_values = true)]
    format: Option<Format>,

    /// Print one JSON object for each board: see taquin help json
    #[arg(short, long, conflicts_with = "format")]
    json: bool,

    /// Whose directions the moves are: tile or blank
    #[arg(id = "convention", long = "moves", visible_alias = "directions", value_name = "WHOSE", value_parser = convention(), default_value_t, hide_possible_values = true)]
    convention: Convention,

    /// Print the moves alone, as where the output is not a terminal
    #[arg(short, long)]
    quiet: bool,

    /// When to colour boards: auto, always or never
    #[arg(long, value_enum, default_value_t, value_name = "WHEN", hide_possible_values = true)]
    color: Color,
}

impl OutputArgs {
    /// Returns whether answers are objects.
    pub fn is_json(&self) -> bool {
        self.json || self.format == Some(Format::Json)
    }

    /// A printer on the standard output, for one board or for several. `hint` asks for the next move
    /// alone, `counts` for the number of solutions alone.
    pub fn printer(
        &self,
        alone: bool,
        hint: bool,
        counts: bool,
    ) -> Printer<BufWriter<StdoutLock<'static>>, io::Stderr> {
        let convention = self.convention;
        let (out, errors) = (BufWriter::new(io::stdout().lock()), io::stderr());
        if self.is_json() {
            return Printer::Json(out, convention);
        }
        let terminal = out.get_ref().is_terminal();
        let format = self.format.unwrap_or(match (hint, terminal) {
            (true, _) => Format::Words,
            (_, true) => Format::Columns,
            (_, false) => Format::Numbered,
        });
        let around = match self.quiet {
            false if terminal => Around::Out,
            false if alone && errors.is_terminal() => Around::Errors,
            _ => Around::Away,
        };
        let color = match around {
            Around::Errors => self.color.enabled(&errors),
            _ => self.color.enabled(out.get_ref()),
        };
        let (begun, fault) = (false, None);
        Printer::Text(Text {
            out,
            errors,
            format,
            convention,
            around,
            color,
            hint,
            counts,
            begun,
            alone: alone && !self.quiet,
            fault,
        })
    }
}
