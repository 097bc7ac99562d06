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
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    named.or_else(|| Some(users(DATA, &|name| env::var_os(name))?.join("taquin")))
}

/// The folder for files that can be replaced at some cost; `None` where there is none.
pub(super) fn cache() -> Option<PathBuf> {
    Some(users(CACHE, &|name| env::var_os(name))?.join("taquin"))
}

/// Makes a folder, and those above it, unless it is there.
pub(crate) fn make(folder: &Path) -> io::Result<()> {
    if folder.exists() && !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a file, not a folder"));
    }
    fs::create_dir_all(folder)
}

/// The variable of a folder of the user, its place below the home folder, and that place on macOS.
type Kind = [&'static str; 3];

const DATA: Kind = ["XDG_DATA_HOME", ".local/share", "Library/Application Support"];
const CACHE: Kind = ["XDG_CACHE_HOME", ".cache", "Library/Caches"];

/// The folder that the system has for files of a kind.
fn users(
    [variable, below_home, on_macos]: Kind,
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Option<PathBuf> {
    let absolute = |name| environment(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        Some(env::home_dir()?.join(on_macos))
    } else {
        absolute(variable).or_else(|| Some(env::home_dir()?.join(below_home)))
    }
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    #[test]
    fn the_user_has_a_folder() {
        let folder = |value: Option<&str>| {
            users(DATA, &|name| value.filter(|_| name == DATA[0]).map(OsString::from)).unwrap()
        };
        let default = env::home_dir().unwrap().join(".local/share");
        assert_eq!(folder(Some("/xdg")), Path::new("/xdg"));
        assert_eq!([folder(Some("relative")), folder(None)], [default.clone(), default]);
    }
}
