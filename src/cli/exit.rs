//! Exit codes.

/// The exit codes of both programs. The greatest is the worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum ExitCode {
    /// Success: every board is solved, every file is sound.
    #[default]
    Fine = 0,
    /// The answer is no: a board cannot be solved, or a limit ended its search too early.
    Negative = 1,
    /// The input is wrong or cannot be read, or the output cannot be written.
    Usage = 2,
    /// A database is missing, damaged, or cannot be written.
    Database = 3,
}

impl From<ExitCode> for std::process::ExitCode {
    fn from(code: ExitCode) -> std::process::ExitCode {
        std::process::ExitCode::from(code as u8)
    }
}

/// A failure that is the user's to correct, with a message.
macro_rules! wrong {
    ($($message:tt)*) => {
        $crate::cli::exit::Failure::usage(anyhow::anyhow!($($message)*))
    };
}
pub(crate) use wrong;

/// The reason why a program stops without doing anything.
#[derive(Debug)]
pub struct Failure {
    /// The code to exit with.
    pub code: ExitCode,
    /// The reason, for the user.
    pub error: anyhow::Error,
}

impl Failure {
    /// A failure that is the user's to correct.
    pub fn usage(error: impl Into<anyhow::Error>) -> Failure {
        Failure { code: ExitCode::Usage, error: error.into() }
    }

    /// A failure of a database.
    pub fn database(error: impl Into<anyhow::Error>) -> Failure {
        Failure { code: ExitCode::Database, error: error.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ExitCode; 4] =
        [ExitCode::Fine, ExitCode::Negative, ExitCode::Usage, ExitCode::Database];

    #[test]
    fn the_codes_are_fixed_and_the_worst_is_the_greatest() {
        assert_eq!(ALL.map(|code| code as u8), [0, 1, 2, 3]);
        assert!(ALL.is_sorted());
        assert_eq!(ExitCode::default(), ExitCode::Fine);
    }

    #[test]
    fn the_help_explains_every_code() {
        for code in ALL {
            let line = format!("\n  {}  ", code as u8);
            assert!(TAQUIN_CODES.contains(&line), "{code:?}");
            assert!(PDB_GEN_CODES.contains(&line) || code == ExitCode::Negative, "{code:?}");
        }
    }
}
