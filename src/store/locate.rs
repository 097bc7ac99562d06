//! The folders that a store uses by default.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The variable that names the folder of the databases.
const VARIABLE: &str = "TAQUIN_PDB_DIR";

/// The folder of the databases: the environment's, else the user's; `None` where there is none.
pub(super) fn databases() -> Option<PathBuf> {
    Place::here().databases()
}

/// The folder for files that can be replaced at some cost; `None` where there is none.
pub(super) fn cache() -> Option<PathBuf> {
    Place::here().user_cache()
}

/// Makes a folder, and those above it, unless it is there.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    if folder.is_file() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a file, not a folder"));
    }
    fs::create_dir_all(folder)
}

/// The surroundings of a process.
struct Place<'a> {
    /// The environment's variables, without empty ones.
    variable: &'a dyn Fn(&str) -> Option<OsString>,
    home: fn() -> Option<PathBuf>,
}

impl Place<'_> {
    fn here() -> Place<'static> {
        Place {
            variable: &|name| env::var_os(name).filter(|value| !value.is_empty()),
            home: env::home_dir,
        }
    }

    fn databases(&self) -> Option<PathBuf> {
        let named = (self.variable)(VARIABLE).map(PathBuf::from);
        named.or_else(|| Some(self.user_data()?.join("taquin")))
    }

    /// The folder that the system has for the data of the user's programs.
    fn user_data(&self) -> Option<PathBuf> {
        self.users("XDG_DATA_HOME", ".local/share", "Library/Application Support")
    }

    /// The folder of this crate in the one that the system has for caches.
    fn user_cache(&self) -> Option<PathBuf> {
        Some(self.users("XDG_CACHE_HOME", ".cache", "Library/Caches")?.join("taquin"))
    }

    fn users(&self, variable: &str, below_home: &str, on_macos: &str) -> Option<PathBuf> {
        let absolute =
            |name| (self.variable)(name).map(PathBuf::from).filter(|path| path.is_absolute());
        if cfg!(windows) {
            absolute("LOCALAPPDATA")
        } else if cfg!(target_os = "macos") {
            Some((self.home)()?.join(on_macos))
        } else {
            absolute(variable).or_else(|| Some((self.home)()?.join(below_home)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(set: &[(&str, &str)], ask: fn(&Place<'_>) -> Option<PathBuf>) -> PathBuf {
        let variable = |name: &str| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        };
        let home = || Some(PathBuf::from("/home/ada"));
        ask(&Place { variable: &variable, home }).unwrap()
    }

    #[test]
    fn the_environment_comes_first() {
        let all = [(VARIABLE, "/env"), ("XDG_DATA_HOME", "/xdg")];
        assert_eq!(place(&all, |place| place.databases()), Path::new("/env"));
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_user_has_a_folder() {
        let folder = |set: &[_]| place(set, |place| place.databases());
        assert_eq!(folder(&[("XDG_DATA_HOME", "/xdg")]), Path::new("/xdg/taquin"));
        let default = Path::new("/home/ada/.local/share/taquin");
        assert_eq!(folder(&[("XDG_DATA_HOME", "relative")]), default);
        assert_eq!(folder(&[]), default);
        assert_eq!(place(&[], |place| place.user_cache()), Path::new("/home/ada/.cache/taquin"));
        let nobody = Place { variable: &|_| None, home: || None };
        assert_eq!((nobody.databases(), nobody.user_cache()), (None, None));
    }
}
