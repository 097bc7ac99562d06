//! The finished file: arrays in numpy's format, in an archive.
//!
//! The format of an array is that of NEP 1, version 1.0: the magic, the length of a description,
//! the description as a Python dictionary padded to a multiple of 64 bytes, and the elements.

use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::work::WorkFile;
use super::{DatasetError, Plan};
use crate::pdb::replace;

/// Larger files need other fields in the archive.
const LARGE: u64 = 1 << 30;

/// Writes the file of a plan whose boards all have their labels.
pub fn write(path: &Path, plan: &Plan, work: &WorkFile) -> Result<(), DatasetError> {
    let written = replace(path, |file| {
        let mut archive =
            Archive { zip: ZipWriter::new(BufWriter::new(file)), waiting: Vec::new() };
        let filled = archive.fill(plan, work).and_then(|()| archive.end());
        if let Err(error) = filled.and_then(|()| archive.zip.flush()) {
            // Dropped, the archive would try to write its end, and print that it cannot.
            std::mem::forget(archive.zip);
            return Err(error);
        }
        archive.zip.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(())
    });
    written.map_err(DatasetError::of_file(path))
}

/// The bytes that are compressed at once. What comes out depends on it, so it is always the same.
const CHUNK: usize = 1 << 16;

struct Archive<W: Write + Seek> {
    zip: ZipWriter<W>,
    /// The last bytes, fewer than a chunk.
    waiting: Vec<u8>,
}

impl<W: Write + Seek> Archive<W> {
    fn fill(&mut self, plan: &Plan, work: &WorkFile) -> io::Result<()> {
        let (n, grid) = (plan.boards, plan.grid());
        self.begin("boards", "|u1", &[n, grid.cells() as u64], 1)?;
        for board in plan.draw() {
            self.write(board.tiles())?;
        }
        self.begin("lengths", "<i2", &[n], 2)?;
        let (mut longest, mut boards) = (0, 0);
        work.each(|answers, _| {
            for path in &answers.moves {
                boards += 1;
                longest = longest.max(path.len());
                let length = i16::try_from(path.len()).map_err(io::Error::other)?;
                self.write(&length.to_le_bytes())?;
            }
            Ok(())
        })?;
        if boards != n {
            return Err(io::Error::other("the work file was damaged meanwhile"));
        }
        self.begin("moves", "|i1", &[n, longest as u64], 1)?;
        work.each(|answers, _| {
            for mut path in answers.moves {
                // -1 as a byte.
                path.resize(longest, 0xff);
                self.write(&path)?;
            }
            Ok(())
        })?;
        for (place, heuristic) in plan.heuristics.iter().enumerate() {
            self.begin(&heuristic.to_string(), "|u1", &[n], 1)?;
            work.each(|answers, _| self.write(&answers.values[place]))?;
        }
        self.begin("goal", "|u1", &[grid.height() as u64, grid.width() as u64], 1)?;
        self.write(plan.goal.board().tiles())?;
        self.begin("seed", "<u8", &[], 8)?;
        self.write(&plan.seed.to_le_bytes())
    }

    /// Begins an array of elements of some bytes.
    fn begin(&mut self, name: &str, element: &str, shape: &[u64], bytes: u64) -> io::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            // The same data make the same file.
            .last_modified_time(DateTime::default())
            .large_file(shape.iter().product::<u64>().saturating_mul(bytes) >= LARGE);
        self.end()?;
        self.zip.start_file(format!("{name}.npy"), options)?;
        self.write(&header(element, shape))
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        let whole = self.waiting.len() / CHUNK * CHUNK;
        for chunk in self.waiting[..whole].chunks(CHUNK) {
            self.zip.write_all(chunk)?;
        }
        self.waiting.drain(..whole);
        Ok(())
    }

    /// Ends an array.
    fn end(&mut self) -> io::Result<()> {
        self.zip.write_all(&self.waiting)?;
        self.waiting.clear();
        Ok(())
    }
}

pub fn header(element: &str, shape: &[u64]) -> Vec<u8> {
    let sides: String = shape.iter().map(|side| format!("{side},")).collect();
    let mut text =
        format!("{{'descr': '{element}', 'fortran_order': False, 'shape': ({sides}), }}");
    let magic = b"\x93NUMPY\x01\x00";
    // The description ends with a line feed, and the elements begin at a multiple of 64.
    let before = magic.len() + 2 + text.len() + 1;
    text.extend(std::iter::repeat_n(' ', before.next_multiple_of(64) - before));
    text.push('\n');
    [magic, &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_elements_are_aligned() {
        for shape in [&[][..], &[3], &[1_000_000, 16]] {
            let header = header("|u1", shape);
            assert!(header.len().is_multiple_of(64) && header.ends_with(b"\n"));
        }
        let text = String::from_utf8_lossy(&header("<i2", &[5, 2])[10..]).into_owned();
        assert!(text.starts_with("{'descr': '<i2', 'fortran_order': False, 'shape': (5,2,), }"));
    }
}
