//! A file of packets, one a line, and the results beside it.
//!
//! The result of line 7 of `FILE` is in `FILE.7`. Whoever finds a solution notes its line in
//! `FILE.solved`, so that nobody searches packets after it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use crate::cli::exit::Failure;
use crate::pdb::replace;
use crate::solver::{Packet, PacketResult};

/// A file of packets.
pub struct PacketFile {
    path: PathBuf,
    lines: Vec<String>,
}

impl PacketFile {
    pub fn open(path: &Path) -> Result<PacketFile, Failure> {
        let text = fs::read_to_string(path);
        let text = text.with_context(|| format!("cannot read {}", path.display()));
        let lines: Vec<_> = text.map_err(Failure::usage)?.lines().map(str::to_owned).collect();
        if lines.is_empty() {
            return Err(Failure::usage(anyhow!("{} has no packets", path.display())));
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
        let text = text.ok_or_else(|| {
            Failure::usage(anyhow!("there is no line {line}: {path} has {}", self.len()))
        })?;
        let packet = text.parse().with_context(|| format!("{path}, line {line}"));
        packet.map_err(Failure::usage)
    }

    /// The result of a packet, if there is one. That of another packet, which an earlier file of
    /// this name has left, is none.
    pub fn result(&self, line: usize, packet: &Packet) -> Option<PacketResult> {
        let text = fs::read_to_string(self.beside(&line.to_string())).ok()?;
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
        let text = fs::read_to_string(self.beside("solved")).ok()?;
        let line = text.trim_end().parse().ok()?;
        let packet = self.packet(line).ok()?;
        self.result(line, &packet).filter(PacketResult::is_solved).map(|_| line)
    }

    fn beside(&self, end: &str) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{end}"));
        name.into()
    }

    fn write(&self, end: &str, text: &str) -> Result<(), Failure> {
        let path = self.beside(end);
        let written = replace(&path, |mut file| writeln!(file, "{text}"));
        let written = written.with_context(|| format!("cannot write {}", path.display()));
        written.map_err(Failure::usage)
    }
}
