//! `taquin play` in a terminal, which is a pane of tmux.
//!
//! Without tmux these tests are left out, and a line on the standard error tells so.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A board at two moves from the goal: left, then up.
const BOARD: &str = "'1 2 3 / 4 0 5 / 7 8 6'";

/// A tmux server with one pane, in which a shell runs.
struct Pane {
    folder: TempDir,
}

impl Pane {
    /// `None` if there is no tmux.
    fn new() -> Option<Pane> {
        if Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_err() {
            // Not by a macro, whose output the test harness would hide.
            let _ = writeln!(
                std::io::stderr(),
                "LEFT OUT: tmux is not installed, so `taquin play` ran in no terminal"
            );
            return None;
        }
        let pane = Pane { folder: TempDir::new().expect("a folder") };
        let size = "-f /dev/null new-session -d -x 80 -y 24".split(' ');
        pane.tmux(&size.chain(["env PS1='$ ' sh -i"]).collect::<Vec<_>>());
        Some(pane)
    }

    #[track_caller]
    fn tmux(&self, args: &[&str]) -> String {
        let run = Command::new("tmux")
            .arg("-S")
            .arg(self.folder.path().join("socket"))
            .args(args)
            .current_dir(&self.folder)
            .env("TERM", "xterm-256color")
            .env("TAQUIN_PDB_DIR", self.folder.path())
            .env_remove("NO_COLOR")
            .output()
            .expect("tmux runs");
        assert!(run.status.success(), "{args:?}: {run:?}");
        String::from_utf8(run.stdout).expect("the pane is UTF-8")
    }

    /// Types a command line.
    #[track_caller]
    fn enter(&self, line: &str) {
        self.tmux(&["send-keys", "-l", line]);
        self.keys(&["Enter"]);
    }

    /// Starts a game, and waits until the board is shown.
    #[track_caller]
    fn play(&self, before: &str, args: &str) {
        let program = env!("CARGO_BIN_EXE_taquin");
        self.enter("stty -g > before");
        self.enter(&format!(
            "sh -c 'echo $$ > pid; exec {before} \"$0\" play \"$@\"' {program} {args}"
        ));
        self.wait(&["Moves    0"]);
    }

    #[track_caller]
    fn keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Presses the left button at a place, counted from 1.
    #[track_caller]
    fn click(&self, column: u32, row: u32) {
        let sequence = format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m");
        self.tmux(&["send-keys", "-l", &sequence]);
    }

    fn text(&self) -> String {
        self.tmux(&["capture-pane", "-p"])
    }

    #[track_caller]
    fn wait_for(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_secs(60);
        while !holds() {
            assert!(Instant::now() < end, "no {what} in:\n{}", self.text());
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until the pane holds all of these.
    #[track_caller]
    fn wait(&self, wanted: &[&str]) -> String {
        let mut text = String::new();
        self.wait_for(&format!("{wanted:?}"), || {
            text = self.text();
            wanted.iter().all(|wanted| text.contains(wanted))
        });
        text
    }

    /// Waits for the end of the game, and fails unless it has this exit code, and the terminal is as
    /// it was before.
    #[track_caller]
    fn ended(&self, code: i32) {
        self.shell();
        self.enter("echo \"code $?\"; stty -g > after; echo done");
        let text = self.wait(&["\ndone"]);
        assert!(text.contains(&format!("code {code}\n")) && !text.contains("Moves "), "{text}");
        self.released();
        let file = |name: &str| std::fs::read_to_string(self.folder.path().join(name)).unwrap();
        assert_eq!(file("before"), file("after"));
        self.enter("clear");
        self.wait_for("an empty pane", || !self.text().contains("done"));
    }

    /// Waits until the shell reads the keys.
    #[track_caller]
    fn shell(&self) {
        let command = || self.tmux(&["display-message", "-p", "#{pane_current_command}"]);
        self.wait_for("shell", || command().trim() != "taquin");
    }

    /// Fails unless the pane is in its usual mode.
    #[track_caller]
    fn released(&self) {
        let flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag}";
        assert_eq!(self.tmux(&["display-message", "-p", flags]).trim(), "0 0 1");
    }

    /// Sends a signal to the game.
    fn kill(&self, signal: &str) {
        let pid = std::fs::read_to_string(self.folder.path().join("pid")).expect("a number");
        let sent = Command::new("kill").args([&format!("-{signal}"), pid.trim()]).status();
        assert!(sent.expect("kill runs").success());
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        let socket = self.folder.path().join("socket");
        let _ = Command::new("tmux").arg("-S").arg(socket).arg("kill-server").output();
    }
}

#[test]
fn a_game_is_played_by_keys_and_clicks() {
    let Some(pane) = Pane::new() else { return };
    pane.play("", BOARD);
    pane.wait(&["Optimum  2", "Board    3x3", "Goal"]);
    pane.keys(&["Left"]);
    pane.wait(&["Moves    1", "Optimum  1"]);
    pane.keys(&["u", "j"]);
    pane.wait(&["Moves    1", "Optimum  3"]);
    pane.keys(&["u", "h", "k"]);
    pane.wait(&["Moves    2", "Optimum  0", "Solved."]);
    // Cells are five columns wide and three rows high: the upper right one.
    pane.click(12, 2);
    pane.wait(&["Moves    4"]);
    pane.keys(&["?"]);
    pane.wait(&["Hint: tile 3 goes up; 2 moves to go."]);
    pane.keys(&["s"]);
    pane.wait(&["Moves    5", "Tile 3 went up."]);
    pane.keys(&["Space"]);
    pane.wait(&["Moves    6", "Solved."]);
    // Two tiles exchanged: no solution.
    pane.keys(&["e", "Up", "Space", "Up", "Enter", "Escape"]);
    pane.wait(&["edited", "none: no solution", "Cannot reach the goal: 1 transposition"]);
    pane.keys(&["n", "Space"]);
    pane.wait(&["seed"]);
    let few = |text: String| (0..3).any(|moves| text.contains(&format!("Moves    {moves}")));
    pane.wait_for("third move", || !few(pane.text()));
    pane.keys(&["q"]);
    pane.ended(0);
}

#[test]
fn signals_and_ctrl_c_leave_the_terminal_as_it_was() {
    let Some(pane) = Pane::new() else { return };
    for (signal, code) in [("TERM", 143), ("INT", 130), ("HUP", 129), ("QUIT", 131)] {
        pane.play("", BOARD);
        pane.kill(signal);
        pane.ended(code);
    }
    pane.play("", BOARD);
    pane.keys(&["C-c"]);
    pane.ended(0);
}

#[test]
fn the_board_follows_the_size_of_the_terminal() {
    let Some(pane) = Pane::new() else { return };
    pane.play("", BOARD);
    assert!(pane.text().contains("┏━━━┓"));
    pane.tmux(&["resize-window", "-x", "34", "-y", "8"]);
    pane.wait(&["[1][2][3]", "Moves    0"]);
    pane.tmux(&["resize-window", "-x", "30", "-y", "8"]);
    pane.wait(&["too small"]);
    pane.tmux(&["resize-window", "-x", "80", "-y", "24"]);
    pane.wait(&["┏━━━┓", "Moves    0"]);
    pane.keys(&["q"]);
    pane.ended(0);
}

#[test]
fn colours_are_used_unless_they_are_not_wanted() {
    // Of 256 colours, or of eight.
    const GREEN: [&str; 2] = ["\x1b[38;5;2m", "\x1b[32m"];
    let Some(pane) = Pane::new() else { return };
    for (before, args, coloured) in [
        ("", "", true),
        ("", "--color never", false),
        ("env NO_COLOR=1", "", false),
        ("env NO_COLOR=1", "--color always", true),
    ] {
        pane.play(before, &format!("{args} {BOARD}"));
        let text = pane.tmux(&["capture-pane", "-p", "-e"]);
        let green = GREEN.iter().any(|green| text.contains(green));
        assert_eq!(green, coloured, "{before} {args}:\n{text}");
        pane.keys(&["q"]);
        pane.ended(0);
    }
}
