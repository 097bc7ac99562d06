//! `--pdb-dir` and `--no-build`.

use std::env;
use std::path::{Path, PathBuf};

use clap::Args;

use super::parsers::path;
use crate::store::Store;

/// The folder of the databases, and whether missing ones are built.
#[derive(Args, Clone, Debug, Default)]
pub struct DatabaseArgs {
    /// Folder of the databases [default: TAQUIN_PDB_DIR, ./pdb or the user's]
    #[arg(long, value_name = "DIR", value_parser = path())]
    pdb_dir: Option<PathBuf>,

    /// Do not build missing databases: exit with code 3 and the command
    #[arg(long)]
    no_build: bool,
}

impl DatabaseArgs {
    /// The store of these databases.
    pub fn store(&self) -> Store {
        Store::folder(self.folder()).build_missing(!self.no_build)
    }

    /// Returns whether missing databases are not built.
    pub fn forbids_building(&self) -> bool {
        self.no_build
    }

    /// Their folder.
    pub fn folder(&self) -> PathBuf {
        self.pdb_dir.clone().unwrap_or_else(default_folder)
    }
}

/// The folder of the databases, where no option names one: the environment's, else `./pdb` where it
/// exists, else the user's.
pub fn default_folder() -> PathBuf {
    let local = Path::new("pdb");
    let named = env::var_os("TAQUIN_PDB_DIR").is_some_and(|folder| !folder.is_empty());
    let folder = Store::default_folder().filter(|_| named || !local.is_dir());
    folder.unwrap_or_else(|| local.to_owned())
}
