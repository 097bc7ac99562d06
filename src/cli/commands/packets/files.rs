//! A file of packets, one a line, and the results next to it.
//!
//! The result of line 7 of `FILE` is in `FILE.7`. A program that finds a solution notes its line in
//! `FILE.solved`, so that none searches packets after it.

use std::fs::File;
use std::io::{BufReader, Write};
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::cli::exit::{Failure, wrong};
use crate::cli::output::file::{Files, Output};
use crate::pdb::Target;
use crate::read::{Lines, LinesOf};
use crate::solver::{MAX_LINE, Packet, PacketResult};

/// A file of packets.
pub struct PacketFile {
    path: PathBuf,
    lines: Vec<String>,
}

impl PacketFile {
    pub fn open(path: &Path) -> Result<PacketFile, Failure> {
        let lines = lines(path).and_then(Iterator::collect::<anyhow::Result<Vec<_>>>);
        let lines = lines.with_context(|| format!("cannot read {}", path.display()));
        let lines = lines.map_err(Failure::usage)?;
        if lines.is_empty() {
            return Err(wrong!("{} has no packets", path.display()));
        }
        Ok(PacketFile { path: path.to_owned(), lines })
    }

    /// The number of packets.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// The packet of a line, counted from 1.
    pub fn packet(&self, line: usize) -> Result<Packet, Failure> {
        let path = self.path.display();
        let text = line.checked_sub(1).and_then(|place| self.lines.get(place));
        let text =
            text.ok_or_else(|| wrong!("there is no line {line}: {path} has {}", self.len()))?;
        let packet = text.parse().with_context(|| format!("{path}, line {line}"));
        packet.map_err(Failure::usage)
    }

    /// The result of a packet, if there is one. The result of another packet, from an earlier file of this
    /// name, does not count.
    pub fn result(&self, line: usize, packet: &Packet) -> Option<PacketResult> {
        let text = self.read(&line.to_string())?;
        text.parse().ok().filter(|result: &PacketResult| result.is_of(packet))
    }

    /// Keeps the result of a packet, and notes one with a solution unless an earlier one is noted.
    pub fn keep(&self, line: usize, result: &PacketResult) -> Result<(), Failure> {
        self.write(&line.to_string(), &result.to_string())?;
        match result.is_solved() && self.solved().is_none_or(|solved| line < solved) {
            true => self.write("solved", &line.to_string()),
            false => Ok(()),
        }
    }

    /// The line of a packet that holds a solution, if one is known.
    pub fn solved(&self) -> Option<usize> {
        let line = self.read("solved")?.parse().ok()?;
        let packet = self.packet(line).ok()?;
        self.result(line, &packet).filter(PacketResult::is_solved).map(|_| line)
    }

    /// The output for the result of a packet. Dropped, it has shown that the result can be kept.
    pub fn output(&self, line: usize) -> Result<Output, Failure> {
        self.output_to(&line.to_string())
    }

    /// The file and its results, for a command that writes another one.
    pub fn files(&self) -> Files {
        let results = (1..=self.len()).map(|line| self.beside(&line.to_string()));
        let all: Vec<_> = results.chain([self.path.clone(), self.beside("solved")]).collect();
        Files::reading(&all)
    }

    fn beside(&self, end: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{end}"));
        name.into()
    }

    fn read(&self, end: &str) -> Option<String> {
        lines(&self.beside(end)).ok()?.next()?.ok()
    }

    fn output_to(&self, end: &str) -> Result<Output, Failure> {
        Files::reading([&self.path]).file(&self.beside(end))
    }

    fn write(&self, end: &str, text: &str) -> Result<(), Failure> {
        let mut output = self.output_to(end)?;
        writeln!(output, "{text}").map_err(|error| output.failure(error))?;
        output.finish()
    }
}

/// The lines of a file. Pipes and devices have no place for results, and may have no end.
fn lines(path: &Path) -> anyhow::Result<impl Iterator<Item = anyhow::Result<String>>> {
    let reader = BufReader::new(File::open(Target::of(path)?.file()?)?);
    let mut lines = LinesOf::new(reader).longest(MAX_LINE);
    Ok(iter::from_fn(move || Some(lines.next_line()?.map_err(anyhow::Error::from))))
}
