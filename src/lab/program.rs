//! A heuristic that is a program.
//!
//! 1. The command is started, by the shell if it has signs of the shell. The environment names the goal:
//!    `TAQUIN_GOAL`, its tiles in reading order, and `TAQUIN_WIDTH` and `TAQUIN_HEIGHT`.
//! 2. The program reads boards from its standard input, one per line: the tiles in reading order, separated
//!    by spaces, with 0 for the blank. An empty line ends a batch.
//! 3. It writes a number for each board, one per line, in the order of the boards. They must arrive by the
//!    end of the batch, so it flushes its output at the empty line, or after every line.
//! 4. At the end its standard input is closed.
//!
//! On Unix it has a separate process group, which is killed at the end: all processes that the program has
//! started end with it. An interrupt of the terminal reaches only this program, whose cancel then ends the
//! others.
//!
//! A thread writes to it, and another one reads its answers, so that a program that neither reads nor writes
//! ends the wait after its time. Its messages go to a file without a name.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};

use crate::board::{Board, Goal};
use crate::search::Limits;

/// The largest value. No distance comes near it, and tables and pictures have room for all values.
const MOST: f64 = 1e6;

/// A number that is the value of a board, or the reason why a number, or a text that is not a number, is not.
pub fn checked(number: Option<f64>) -> Result<f64, &'static str> {
    match number {
        Some(value) if value.is_finite() && value > MOST => {
            Err("is above 1000000, the largest value")
        }
        Some(value) if value.is_finite() && value >= 0.0 => Ok(value),
        _ => Err("is not a finite number of at least 0"),
    }
}

/// A process of a program. Errors are faults in words.
pub struct Process {
    child: Child,
    boards: Sender<String>,
    answers: Receiver<Result<f64, String>>,
    /// Its messages, where a file could be made for them.
    messages: Option<File>,
}

/// The bytes of an answer that are read, and the bytes of the messages.
const LINE: u64 = 200;
const LAST: u64 = 500;

/// The answers that are read ahead.
const AHEAD: usize = 1 << 12;

/// The time for the end of a process whose input is closed.
const GRACE: Duration = Duration::from_millis(500);

/// The time between two looks at the handle that cancels.
const LOOK: Duration = Duration::from_millis(20);

/// Signs that only a shell understands.
const SHELL: &str = "|&;<>()$`\\\"'*?[]#~=%{}\n";

/// The fault of a line that no board asked for.
fn surplus(answer: Result<f64, String>) -> Result<(), String> {
    answer.and(Err("writes more lines than it reads boards".to_owned()))
}

fn command(text: &str) -> Command {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if text.contains(|c| SHELL.contains(c)) {
        words = if cfg!(windows) { vec!["cmd", "/C", text] } else { vec!["sh", "-c", text] };
    }
    let mut command = Command::new(words.first().unwrap_or(&""));
    command.args(words.iter().skip(1));
    command
}

impl Process {
    /// Starts a command for boards of a goal.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(text: &str, goal: &Goal) -> Result<Process, String> {
        let grid = goal.board().grid();
        let mut command = command(text);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let messages = tempfile::tempfile().ok();
        let errors = messages.as_ref().and_then(|file| file.try_clone().ok());
        let mut child = command
            .env("TAQUIN_GOAL", line(goal.board()))
            .env("TAQUIN_WIDTH", grid.width().to_string())
            .env("TAQUIN_HEIGHT", grid.height().to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(errors.map_or_else(Stdio::null, Stdio::from))
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let mut input = child.stdin.take().expect("it is a pipe");
        let mut output = BufReader::new(child.stdout.take().expect("it is a pipe"));
        let (boards, lines) = mpsc::channel::<String>();
        let (sender, answers) = mpsc::sync_channel(AHEAD);
        let write = move || {
            // A program that has ended is noticed by the missing answers.
            let _ = lines.into_iter().try_for_each(|text| input.write_all(text.as_bytes()));
        };
        let read = move || {
            let mut answers = std::iter::from_fn(|| answer(&mut output));
            // An error means that nobody waits for answers.
            let _ = answers.try_for_each(|answer| sender.send(answer));
        };
        let process = Process { child, boards, answers, messages };
        let write = thread::Builder::new().spawn(write);
        let threads = write.and_then(|_| thread::Builder::new().spawn(read));
        threads.map(|_| process).map_err(|error| format!("has no threads: {error}"))
    }

    /// The values of boards, which may take `time`. After an error the process is of no use.
    ///
    /// # Errors
    /// The program ends, does not answer in time, or answers with something else than a finite number of at least
    /// 0 for each board; or `limits` were cancelled.
    pub fn ask(
        &mut self,
        boards: &[Board],
        time: Duration,
        limits: &Limits,
    ) -> Result<Vec<f64>, String> {
        self.answers.try_recv().map_or(Ok(()), surplus)?;
        let text: String = boards.iter().map(|board| line(board) + "\n").collect();
        // An error means that the program has ended.
        let _ = self.boards.send(text + "\n");
        let (end, n) = (Instant::now() + time, boards.len());
        let mut values = Vec::with_capacity(n);
        while values.len() < n {
            let left = end.saturating_duration_since(Instant::now());
            let answered = values.len();
            match self.answers.recv_timeout(left.min(LOOK)) {
                Ok(answer) => values.push(answer?),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(answered, n)),
                Err(RecvTimeoutError::Timeout) if left > LOOK && !limits.is_cancelled() => {}
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!(
                        "wrote {answered} of {n} values within {} s: it may wait for more boards \
                         before it flushes its output, which it has to do at an empty line",
                        time.as_secs_f64()
                    ));
                }
            }
        }
        self.answers.try_recv().map_or(Ok(()), surplus)?;
        Ok(values)
    }

    /// The end of the program in words.
    fn ended(&mut self, answered: usize, of: usize) -> String {
        let status = self.wait();
        let how =
            status.map_or("closed its output".to_owned(), |status| format!("ended ({status})"));
        let mut messages = Vec::new();
        if let Some(file) = &mut self.messages {
            let length = file.metadata().map_or(0, |metadata| metadata.len());
            // Without its messages the fault is still one.
            let _ = file.seek(SeekFrom::Start(length.saturating_sub(LAST)));
            let _ = file.read_to_end(&mut messages);
        }
        let messages = String::from_utf8_lossy(&messages);
        let last = messages.lines().map(str::trim).rfind(|line| !line.is_empty());
        let last = last.map_or(String::new(), |line| format!(": {line}"));
        format!("{how} after {answered} of {of} values{last}")
    }

    /// Waits a little for the end.
    fn wait(&mut self) -> Option<ExitStatus> {
        let end = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                status => return status.ok().flatten(),
            }
        }
    }
}

/// Kills the program, and the processes that it has started. They are in its group, which has the number of
/// the program.
impl Drop for Process {
    fn drop(&mut self) {
        // The end of its input.
        self.boards = mpsc::channel().0;
        // A process that answers ends with its input.
        if self.answers.try_recv().is_ok() || self.wait().is_none() {
            let _ = self.child.kill();
        }
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            // An error means that the group has no processes.
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}

/// A board as the program reads it.
fn line(board: &Board) -> String {
    board.tiles().iter().map(u8::to_string).collect::<Vec<_>>().join(" ")
}

/// The next answer of a program; `None` at the end.
fn answer(output: &mut impl BufRead) -> Option<Result<f64, String>> {
    let mut line = Vec::new();
    Some(match output.take(LINE).read_until(b'\n', &mut line) {
        Ok(0) => return None,
        Ok(_) if line.len() as u64 == LINE && !line.ends_with(b"\n") => {
            Err("answers a line of 200 bytes or more: write one number per line, and end each line"
                .to_owned())
        }
        Ok(_) => {
            let text = String::from_utf8_lossy(&line);
            let value = checked(text.trim().parse().ok());
            value.map_err(|why| format!("answers {:?}, which {why}", text.trim_end()))
        }
        Err(error) => Err(format!("cannot be read: {error}")),
    })
}
