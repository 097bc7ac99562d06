//! A heuristic that is a program.
//!
//! 1. The command is started, by the shell if it has signs of the shell. The environment names the goal:
//!    `TAQUIN_GOAL`, its tiles in reading order, and `TAQUIN_WIDTH` and `TAQUIN_HEIGHT`.
//! 2. The program reads boards from its standard input, one a line: the tiles in reading order, separated
//!    by spaces, with 0 for the blank. An empty line ends a batch.
//! 3. It writes a number for each board, one a line, in the order of the boards. By the end of a batch
//!    they must be written, so it flushes its output at the empty line, or after every line.
//! 4. At the end its standard input is closed.
//!
//! On Unix it has a separate process group, which is killed at the end: all processes that the program has
//! started end with it. An interrupt of the terminal reaches this program alone, whose cancel then ends the
//! others.
//!
//! A thread writes to it, another one reads its answers, and a third keeps the end of its messages. So a
//! program that neither reads nor writes ends the wait after its time.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

use super::refusal::refusal;
use crate::board::{Board, Goal};
use crate::memo::lock;
use crate::search::Control;

/// Why a program gives no values.
#[derive(Debug, thiserror::Error)]
#[error("the program {command:?} {fault}")]
#[non_exhaustive]
pub struct ProgramError {
    /// Its command.
    pub command: String,
    /// The fault, in words.
    pub fault: String,
}

/// A program, and its processes that are not in use. Threads that ask at the same time have a process
/// each.
pub struct Program {
    command: String,
    goal: Goal,
    time: Duration,
    idle: Mutex<Vec<Process>>,
}

struct Process {
    child: Child,
    boards: Option<Sender<String>>,
    answers: Receiver<io::Result<Vec<u8>>>,
    /// The end of its messages, and the thread that reads them.
    messages: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

/// The bytes of an answer that are read, and the bytes of the messages that are kept.
const LINE: u64 = 200;
const KEPT: usize = 500;

/// The answers that are read ahead.
const AHEAD: usize = 1 << 12;

/// The time for the end of a process whose input is closed.
const GRACE: Duration = Duration::from_millis(500);

/// The time between two looks at the handle that cancels.
const LOOK: Duration = Duration::from_millis(20);

/// Signs that only a shell understands.
const SHELL: &str = "|&;<>()$`\\\"'*?[]#~=%{}\n";

impl Program {
    /// Starts a program for boards of a goal. A batch may take `time`.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn new(command: &str, goal: &Goal, time: Duration) -> Result<Program, ProgramError> {
        let (command, goal) = (command.trim().to_owned(), goal.clone());
        let program = Program { command, goal, time, idle: Mutex::default() };
        let process = program.start()?;
        lock(&program.idle).push(process);
        Ok(program)
    }

    fn start(&self) -> Result<Process, ProgramError> {
        Process::start(&self.command, &self.goal).map_err(|fault| self.error(fault))
    }

    /// The values of boards; `None` after a cancel.
    ///
    /// # Errors
    /// The program cannot be started, ends, does not answer in time, or answers with something else than a
    /// finite number of at least 0 for each board.
    pub fn values(
        &self,
        boards: &[Board],
        control: &Control,
    ) -> Result<Option<Vec<f64>>, ProgramError> {
        if boards.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let idle = lock(&self.idle).pop();
        let mut process = idle.map_or_else(|| self.start(), Ok)?;
        let values = process.ask(boards, self.time, control).map_err(|fault| self.error(fault))?;
        // A process that has not answered is of no use.
        if values.is_some() {
            lock(&self.idle).push(process);
        }
        Ok(values)
    }

    /// Ends the processes.
    ///
    /// # Errors
    /// One of them wrote more lines than it read boards.
    pub fn finish(&self) -> Result<(), ProgramError> {
        let mut idle = std::mem::take(&mut *lock(&self.idle));
        idle.iter_mut().try_for_each(|process| {
            process.boards = None;
            match process.answers.recv_timeout(GRACE) {
                Ok(line) => Err(self.error(surplus(&line))),
                Err(_) => Ok(()),
            }
        })
    }

    fn error(&self, fault: String) -> ProgramError {
        ProgramError { command: self.command.clone(), fault }
    }
}

const TOO_MANY: &str = "writes more lines than it reads boards";
const ENDLESS: &str =
    "answers a line of 200 bytes or more: write one number a line, and end each line";

fn command(text: &str) -> Command {
    if text.contains(|c| SHELL.contains(c)) {
        let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
        let mut command = Command::new(shell);
        command.args([option, text]);
        return command;
    }
    let mut words = text.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    command
}

impl Process {
    fn start(text: &str, goal: &Goal) -> Result<Process, String> {
        let grid = goal.board().grid();
        let mut command = command(text);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .env("TAQUIN_GOAL", line(goal.board()))
            .env("TAQUIN_WIDTH", grid.width().to_string())
            .env("TAQUIN_HEIGHT", grid.height().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let (input, output, errors) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (boards, lines) = mpsc::channel::<String>();
        let (sender, answers) = mpsc::sync_channel(AHEAD);
        let messages = Arc::new(Mutex::new(Vec::new()));
        let kept = messages.clone();
        let write = move || {
            let Some(mut input) = input else { return };
            for text in lines {
                // A program that has ended is noticed by the missing answers.
                if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        };
        let read = move || {
            let mut output = BufReader::new(output.into_iter().next().map_or_else(
                || Box::new(io::empty()) as Box<dyn Read + Send>,
                |output| Box::new(output),
            ));
            loop {
                let mut line = Vec::new();
                let read = output.by_ref().take(LINE).read_until(b'\n', &mut line);
                let is_end = matches!(read, Ok(0));
                if is_end || sender.send(read.map(|_| line)).is_err() {
                    return;
                }
            }
        };
        let keep = move || {
            let mut piece = [0; 512];
            let Some(mut errors) = errors else { return };
            while let Ok(n @ 1..) = errors.read(&mut piece) {
                let mut kept = lock(&kept);
                kept.extend_from_slice(&piece[..n]);
                let excess = kept.len().saturating_sub(KEPT);
                kept.drain(..excess);
            }
        };
        let threads = || -> io::Result<JoinHandle<()>> {
            thread::Builder::new().spawn(write)?;
            thread::Builder::new().spawn(read)?;
            thread::Builder::new().spawn(keep)
        };
        let reader = threads().map_err(|error| format!("has no threads: {error}"))?;
        Ok(Process { child, boards: Some(boards), answers, messages, reader: Some(reader) })
    }

    fn ask(
        &mut self,
        boards: &[Board],
        time: Duration,
        control: &Control,
    ) -> Result<Option<Vec<f64>>, String> {
        if let Ok(line) = self.answers.try_recv() {
            return Err(surplus(&line));
        }
        let mut text: String = boards.iter().map(|board| line(board) + "\n").collect();
        text.push('\n');
        if let Some(sender) = &self.boards {
            // An error means that the program has ended.
            let _ = sender.send(text);
        }
        let (end, n) = (Instant::now() + time, boards.len());
        let mut values = Vec::with_capacity(n);
        while values.len() < n {
            let left = end.saturating_duration_since(Instant::now());
            let answered = values.len();
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(Ok(line)) => values.push(number(&line)?),
                Ok(Err(error)) => return Err(format!("cannot be read: {error}")),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(answered, n)),
                Err(RecvTimeoutError::Timeout) if control.is_cancelled() => return Ok(None),
                Err(RecvTimeoutError::Timeout) if left > LOOK => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!(
                        "wrote {answered} of {n} values within {} s: it may wait for more boards \
                         before it flushes its output, which it has to do at an empty line",
                        time.as_secs_f64()
                    ));
                }
            }
        }
        match self.answers.try_recv() {
            Ok(line) => Err(surplus(&line)),
            Err(_) => Ok(Some(values)),
        }
    }

    /// The end of the program in words.
    fn ended(&mut self, answered: usize, of: usize) -> String {
        let status = self.wait();
        if status.is_some()
            && let Some(reader) = self.reader.take()
        {
            // The messages end with the process, unless a child of it holds them.
            let end = Instant::now() + GRACE;
            while !reader.is_finished() && Instant::now() < end {
                thread::sleep(Duration::from_millis(5));
            }
        }
        let how =
            status.map_or("closed its output".to_owned(), |status| format!("ended ({status})"));
        let messages = lock(&self.messages);
        let messages = String::from_utf8_lossy(&messages);
        let last = messages.lines().rfind(|line| !line.trim().is_empty());
        let last = last.map_or(String::new(), |line| format!(": {}", line.trim()));
        format!("{how} after {answered} of {of} values{last}")
    }

    /// Waits a little for the end.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let end = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                status => return status.ok().flatten(),
            }
        }
    }
}

impl Process {
    /// Kills the processes that the program has started. They are in its group, which has the number of the
    /// program.
    fn kill_group(&self) {
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // An error means that the group has no processes.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let has_input = self.boards.take().is_some();
        // A process that answers ends with its input.
        if !(has_input && self.answers.try_recv().is_err() && self.wait().is_some()) {
            let _ = self.child.kill();
        }
        self.kill_group();
        let _ = self.child.wait();
    }
}

/// A board as the program reads it.
fn line(board: &Board) -> String {
    board.tiles().iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

fn number(line: &[u8]) -> Result<f64, String> {
    if is_endless(line) {
        return Err(ENDLESS.to_owned());
    }
    let text = String::from_utf8_lossy(line);
    let number = text.trim().parse().ok();
    match refusal(number) {
        Some(why) => Err(format!("answers {:?}, which {why}", text.trim_end())),
        None => Ok(number.unwrap_or_default()),
    }
}

/// Returns whether a line is longer than any that is read.
fn is_endless(line: &[u8]) -> bool {
    line.len() as u64 == LINE && line.last() != Some(&b'\n')
}

/// The fault of a line that no board asked for.
fn surplus(line: &io::Result<Vec<u8>>) -> String {
    let is_endless = line.as_ref().is_ok_and(|line| is_endless(line));
    if is_endless { ENDLESS } else { TOO_MANY }.to_owned()
}
