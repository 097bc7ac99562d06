//! Where the databases are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The variable that names the folder.
const VARIABLE: &str = "TAQUIN_PDB_DIR";

/// The folder in the current one that is used where it exists.
const LOCAL: &str = "pdb";

/// The folder of the databases: `option`, else the environment's, else `./pdb` where it exists,
/// else the user's. It need not exist.
pub(super) fn resolve(option: Option<&Path>) -> PathBuf {
    Place::here().folder(option)
}

/// The folder for what can be had again at some cost; `None` where there is none.
pub(super) fn cache() -> Option<PathBuf> {
    Place::here().user_cache()
}

/// Where a program runs.
struct Place<'a> {
    /// The environment's variables, empty ones left out.
    variable: &'a dyn Fn(&str) -> Option<OsString>,
    home: fn() -> Option<PathBuf>,
    /// Whether `./pdb` is a folder.
    local: bool,
}

impl Place<'_> {
    fn here() -> Place<'static> {
        Place {
            variable: &|name| env::var_os(name).filter(|value| !value.is_empty()),
            home: env::home_dir,
            local: Path::new(LOCAL).is_dir(),
        }
    }

    fn folder(&self, option: Option<&Path>) -> PathBuf {
        if let Some(folder) = option {
            return folder.to_owned();
        }
        if let Some(folder) = (self.variable)(VARIABLE) {
            return folder.into();
        }
        match self.user_data() {
            Some(data) if !self.local => data.join("taquin"),
            _ => LOCAL.into(),
        }
    }

    /// The folder that the system has for the data of the user's programs.
    fn user_data(&self) -> Option<PathBuf> {
        self.users("XDG_DATA_HOME", ".local/share", "Library/Application Support")
    }

    /// The folder of this program in the one that the system has for caches.
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

    fn folder(option: Option<&str>, set: &[(&str, &str)], local: bool) -> PathBuf {
        let variable = |name: &str| {
            set.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        };
        let home = || Some(PathBuf::from("/home/ada"));
        Place { variable: &variable, home, local }.folder(option.map(Path::new))
    }

    #[test]
    fn the_nearest_word_counts() {
        let all = [(VARIABLE, "/env"), ("XDG_DATA_HOME", "/xdg")];
        assert_eq!(folder(Some("/option"), &all, true), Path::new("/option"));
        assert_eq!(folder(None, &all, true), Path::new("/env"));
        assert_eq!(folder(None, &all[1..], true), Path::new("pdb"));
    }

    #[cfg(all(unix, not(target_os = "macos")))]
    #[test]
    fn the_user_has_a_folder() {
        assert_eq!(folder(None, &[("XDG_DATA_HOME", "/xdg")], false), Path::new("/xdg/taquin"));
        let default = Path::new("/home/ada/.local/share/taquin");
        assert_eq!(folder(None, &[("XDG_DATA_HOME", "relative")], false), default);
        assert_eq!(folder(None, &[], false), default);
        let nobody = Place { variable: &|_| None, home: || None, local: false };
        assert_eq!(nobody.folder(None), Path::new("pdb"));
    }
}
