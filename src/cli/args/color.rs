//! `--color`.

use std::io::IsTerminal;

use clap::ValueEnum;

/// When boards are coloured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Returns whether to colour what goes to this stream.
    pub fn enabled(self, stream: &impl IsTerminal) -> bool {
        // By the rules of no-color.org, an empty value does not count.
        let refused = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Color::Auto => stream.is_terminal() && !refused(),
            Color::Always => true,
            Color::Never => false,
        }
    }
}
