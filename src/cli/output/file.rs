//! Files that options name.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::cli::exit::Failure;
use crate::pdb::Replacement;

/// An output whose file is replaced when it is whole. Until then it is written beside that file,
/// which stays as it is whatever happens. Pipes, devices and the standard output are written to
/// directly.
pub struct Output {
    /// The file as the user named it.
    path: PathBuf,
    to: To,
}

enum To {
    Standard,
    Device(File),
    File { replacement: Replacement, path: PathBuf },
}

impl Output {
    /// An output to a file, or to the standard output for `-`.
    ///
    /// # Errors
    /// The file or its folder cannot be written.
    pub fn new(path: &Path) -> Result<Output, Failure> {
        let to = To::new(path);
        let to = to.with_context(|| cannot_write(path)).map_err(Failure::usage)?;
        Ok(Output { path: path.to_owned(), to })
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<(), Failure> {
        let Output { path: named, to } = self;
        let To::File { replacement, path } = to else { return Ok(()) };
        let renamed = replacement.rename(&path);
        renamed.with_context(|| cannot_write(&named)).map_err(Failure::usage)
    }

    /// Keeps what is written as `FILE.partial` and leaves the file itself as it is. Returns the
    /// name, or `None` for an output that is no file.
    pub fn keep_partial(self) -> Result<Option<PathBuf>, Failure> {
        let To::File { replacement, path } = self.to else { return Ok(None) };
        let mut partial = path.into_os_string();
        partial.push(".partial");
        let partial = PathBuf::from(partial);
        let renamed = replacement.rename(&partial);
        renamed.with_context(|| cannot_write(&partial)).map_err(Failure::usage)?;
        Ok(Some(partial))
    }

    /// The failure to write this file.
    pub fn failure(&self, error: impl Into<anyhow::Error>) -> Failure {
        Failure::usage(error.into().context(cannot_write(&self.path)))
    }
}

/// The file that replaces this one, where a link leads to. Shows before long work that it can be
/// written.
///
/// # Errors
/// It is a folder, a device, or the standard output, or it cannot be written.
pub fn replaceable(path: &Path) -> Result<PathBuf, Failure> {
    let target = match To::new(path) {
        Ok(To::File { path, .. }) => Ok(path),
        Ok(_) => Err(anyhow!("name a file of its own")),
        Err(error) => Err(error.into()),
    };
    target.with_context(|| format!("cannot write {}", path.display())).map_err(Failure::usage)
}

/// Whether an option names the standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

fn cannot_write(path: &Path) -> String {
    match path {
        path if is_standard(path) => "cannot write the output".to_owned(),
        path => format!("cannot write {}", path.display()),
    }
}

impl To {
    fn new(path: &Path) -> io::Result<To> {
        if is_standard(path) {
            return Ok(To::Standard);
        }
        let old = match fs::metadata(path) {
            Ok(old) => old,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let replacement = Replacement::new(path)?;
                return Ok(To::File { replacement, path: path.to_owned() });
            }
            Err(error) => return Err(error),
        };
        // Without truncation. A file that the user may not write to is not replaced either.
        let file = OpenOptions::new().write(true).open(path)?;
        if !old.is_file() {
            return Ok(To::Device(file));
        }
        // A link stays one.
        let path = if path.is_symlink() { fs::canonicalize(path)? } else { path.to_owned() };
        let replacement = Replacement::new(&path)?;
        replacement.file().set_permissions(old.permissions())?;
        Ok(To::File { replacement, path })
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.to {
            To::Standard => io::stdout().write(bytes),
            To::Device(file) => file.write(bytes),
            To::File { replacement, .. } => replacement.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.to {
            To::Standard => io::stdout().flush(),
            To::Device(_) | To::File { .. } => Ok(()),
        }
    }
}
