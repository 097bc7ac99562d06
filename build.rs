//! The commit of a build in a git checkout, for the records of `taquin bench`. A build elsewhere, as from a
//! package, has none, unless the environment variable `TAQUIN_COMMIT` names it.

use std::path::Path;
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

fn main() {
    println!("cargo::rerun-if-env-changed=TAQUIN_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    // A checkout of another project may hold these sources: that commit is not theirs.
    if std::env::var_os("TAQUIN_COMMIT").is_some() || !Path::new(".git").exists() {
        return;
    }
    // It grows with each commit, and with each change of the branch.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    for sources in ["src", "engine/src", "classics/src"] {
        println!("cargo::rerun-if-changed={sources}");
    }
    if let Some(commit) = git(&["describe", "--always", "--abbrev=40", "--exclude=*", "--dirty"]) {
        println!("cargo::rustc-env=TAQUIN_COMMIT={commit}");
    }
}
