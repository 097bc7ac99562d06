//! `taquin dataset`, as a process.

use std::ffi::OsString;

use crate::commands::taquin;

#[test]
fn a_data_set_is_whole_or_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let make = |name: &str, size: &str| {
        let path = file(name).into_os_string();
        let options = ["dataset", "-n", "500", "--heuristics", "manhattan", "-s", size, "--out"];
        taquin(options.map(OsString::from).into_iter().chain([path]))
    };
    assert_eq!(make("one.npz", "3x3").fine(), "");
    assert_eq!(make("two.npz", "3x3").fine(), "");
    let one = std::fs::read(file("one.npz")).unwrap();
    assert!(one.starts_with(b"PK") && one == std::fs::read(file("two.npz")).unwrap());
    assert!(!file("one.npz.partial").exists());
    std::fs::write(file("two.npz.partial"), "something else").unwrap();
    make("two.npz", "3x3").expect(2, "belongs to another data set");
    make("large.npz", "6x6").expect(2, "25 cells");
    make("missing/one.npz", "3x3").expect(2, "cannot write");
    // Found before any board is solved.
    std::fs::create_dir(file("folder")).unwrap();
    make("folder", "3x3").expect(2, "cannot write");
    assert!(!file("folder.partial").exists());
    taquin(["dataset", "-n", "5", "--out", "-"]).expect(2, "name a file of its own");
    #[cfg(unix)]
    {
        make("/dev/null", "3x3").expect(2, "name a file of its own");
        std::os::unix::fs::symlink("two.npz", file("link.npz")).unwrap();
        assert_eq!(make("link.npz", "3x3").fine(), "");
        assert!(file("link.npz").is_symlink());
    }
}

/// The threads are not the boards.
#[test]
fn a_data_set_takes_threads() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, options: &[&str]| {
        let path = folder.path().join(name);
        let all = ["dataset", "-s", "3x3", "--out", path.to_str().unwrap()];
        assert_eq!(taquin(all.iter().chain(options)).fine(), "");
        std::fs::read(path).unwrap()
    };
    let one = make("one.npz", &["--count", "300"]);
    assert!(one == make("two.npz", &["--count", "300", "--threads", "1"]));
    assert!(one == make("three.npz", &["-t", "2", "-n", "300"]));
}
