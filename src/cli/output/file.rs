//! The files that a command reads and writes.
//!
//! The rule of [`crate::pdb::replace`] decides which file a path leads to, and whether it may be replaced. A
//! command adds that an output must not be one of its other files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};

use crate::pdb::{Replacement, Target};

/// The files of a command.
#[derive(Clone, Debug)]
pub struct Files(Vec<Id>);

/// A file, by whatever name: its device and number, or its path where it is not there yet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Id {
    #[cfg(unix)]
    Number(u64, u64),
    Path(PathBuf),
}

impl Id {
    fn of(path: &Path) -> io::Result<Id> {
        #[cfg(unix)]
        if let Ok(found) = fs::metadata(path) {
            use std::os::unix::fs::MetadataExt;
            return Ok(Id::Number(found.dev(), found.ino()));
        }
        let Target::File(path) = Target::of(path)? else { return Ok(Id::Path(path.to_owned())) };
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
        Ok(Id::Path(folder?.join(path.file_name().unwrap_or_default())))
    }
}

impl Files {
    /// The files of a command that reads these, and the files to which the shell has connected its
    /// standard input and output.
    pub fn reading<'a>(inputs: impl IntoIterator<Item = &'a PathBuf>) -> Files {
        let inputs = inputs.into_iter().map(PathBuf::as_path).filter(|path| !is_standard(path));
        let streams = ["/dev/stdin", "/dev/stdout"].map(Path::new).into_iter();
        let all = inputs.chain(streams.filter(|stream| stream.is_file()));
        Files(all.filter_map(|path| Id::of(path).ok()).collect())
    }

    /// An output to a file, a pipe or a device, or to the standard output for `-`.
    ///
    /// # Errors
    /// The file is one of the others, or cannot be written.
    pub fn output(&mut self, path: &Path) -> anyhow::Result<Output> {
        let output = self.claim(path).and_then(|()| Output::new(path));
        output.with_context(|| cannot_write(path))
    }

    /// An output to a file that can be read again. Dropped, it has shown before long work that the
    /// file can be written.
    ///
    /// # Errors
    /// The file is one of the others, or cannot be written.
    pub fn file(&mut self, path: &Path) -> anyhow::Result<Output> {
        // Before it is opened: a pipe would wait for its reader.
        let fits = match Target::of(path) {
            _ if is_standard(path) => Err(anyhow!("name a separate file")),
            Ok(Target::Stream) => Err(anyhow!("it is a pipe or a device: name a separate file")),
            _ => Ok(()),
        };
        fits.with_context(|| cannot_write(path))?;
        self.output(path)
    }

    fn claim(&mut self, path: &Path) -> anyhow::Result<()> {
        let place = if is_standard(path) { Id::Path(path.to_owned()) } else { Id::of(path)? };
        if self.0.contains(&place) {
            bail!("the command uses it already: name a separate file");
        }
        self.0.push(place);
        Ok(())
    }
}

/// An output whose file is replaced when it is whole. Until then it is a temporary file in the same
/// folder, and the file itself stays as it is whatever happens. Pipes, devices and the standard output are
/// written to directly.
#[derive(Debug)]
pub struct Output {
    /// The file as the user named it.
    path: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    Standard,
    Stream(File),
    File(Replacement),
}

impl Output {
    fn new(path: &Path) -> anyhow::Result<Output> {
        let to = if is_standard(path) {
            To::Standard
        } else if let Target::Stream = Target::of(path)? {
            To::Stream(OpenOptions::new().write(true).open(path)?)
        } else {
            To::File(Replacement::new(path)?)
        };
        Ok(Output { path: path.to_owned(), to })
    }

    /// Writes it, and puts the file in its place. A reader of a pipe that is gone is not an error.
    pub fn put(self, bytes: &[u8]) -> anyhow::Result<()> {
        let written = match self.to {
            To::Standard => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            To::Stream(mut file) => file.write_all(bytes),
            To::File(replacement) => {
                replacement.file().write_all(bytes).and_then(|()| replacement.finish())
            }
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written.with_context(|| cannot_write(&self.path)),
        }
    }
}

/// Returns whether an option names the standard output.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

fn cannot_write(path: &Path) -> String {
    match path {
        path if is_standard(path) => "cannot write the output".to_owned(),
        path => format!("cannot write {}", path.display()),
    }
}
