//! The files of the page.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The contents of files by their place in the site.
pub type Files = BTreeMap<String, Vec<u8>>;

const TARGET: &str = "wasm32-unknown-unknown";

/// A build of the WebAssembly module.
struct Module {
    place: &'static str,
    /// Each has a profile of its own, so that Cargo keeps both.
    profile: &'static str,
    /// With vector instructions, which all browsers have, for hashing tables.
    flags: &'static str,
}

/// The module that the page starts with, for boards of up to 16 cells: see `taquin_engine::SMALL`. And the
/// full one, which it loads when something else is asked for.
const MODULES: [Module; 2] = [
    Module {
        place: "taquin.wasm",
        profile: "web-small",
        flags: r#"["-Ctarget-feature=+simd128", "--cfg=taquin_small"]"#,
    },
    Module { place: "taquin-full.wasm", profile: "web", flags: r#"["-Ctarget-feature=+simd128"]"# },
];

/// The place of the service worker.
const SERVICE_WORKER: &str = "sw.js";

/// Builds the modules, and reads the files that web/page/files.txt lists.
pub fn build() -> Result<Files> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut files = listed(root)?;
    for module in &MODULES {
        files.insert(module.place.to_owned(), read(&module.build(root)?)?);
    }
    fill_in(&mut files)?;
    Ok(files)
}

/// A hash of bytes, as digits. It tells builds and versions of a file apart, and is no protection.
pub fn digest(bytes: &impl Hash) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Tells the service worker the other files, and a version that changes with each of them.
fn fill_in(files: &mut Files) -> Result<()> {
    let version = digest(files);
    let Some(worker) = files.remove(SERVICE_WORKER) else { return Ok(()) };
    let names = files.keys().map(|place| if place == "index.html" { "./" } else { place });
    let names: Vec<String> = names.map(|place| format!("'{place}'")).collect();
    let mut text = String::from_utf8(worker)?;
    for (blank, filled) in [
        ("const VERSION = '';", format!("const VERSION = '{version}';")),
        ("const FILES = [];", format!("const FILES = [{}];", names.join(", "))),
    ] {
        if !text.contains(blank) {
            bail!("{SERVICE_WORKER} has no line {blank:?}");
        }
        text = text.replacen(blank, &filled, 1);
    }
    files.insert(SERVICE_WORKER.to_owned(), text.into_bytes());
    Ok(())
}

/// Writes the files to a folder.
pub fn write(files: &Files, folder: &Path) -> Result<()> {
    for (place, bytes) in files {
        let path = folder.join(place);
        let parent = path.parent().expect("a file has a folder");
        fs::create_dir_all(parent)
            .and_then(|()| fs::write(&path, bytes))
            .with_context(|| format!("{}: cannot be written", path.display()))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// The files of the list: a line has the file and its place in the site.
fn listed(root: &Path) -> Result<Files> {
    let path = root.join("web/page/files.txt");
    let list = String::from_utf8(read(&path)?)?;
    let lines = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let Some((file, place)) = line.split_once(' ') else {
                bail!("{}: {line:?} is no file and its place", path.display());
            };
            let bytes = read(&root.join(file))?;
            let is_code = place.ends_with(".js") || place.ends_with(".css");
            let bytes = match is_code {
                true => without_comments(&String::from_utf8(bytes)?).into_bytes(),
                false => bytes,
            };
            Ok((place.to_owned(), bytes))
        })
        .collect()
}

/// A script or a style without its lines of comments, which are a seventh of the compressed page. Comments
/// behind code stay.
fn without_comments(text: &str) -> String {
    let mut in_block = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let is_comment = in_block || line.starts_with("/*") || line.starts_with("//");
        in_block = (in_block || line.starts_with("/*")) && !line.ends_with("*/");
        !is_comment
    };
    text.split_inclusive('\n').filter(is_code).collect()
}

impl Module {
    /// Builds the module. Returns its path.
    fn build(&self, root: &Path) -> Result<PathBuf> {
        let libraries = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
            .args(["--print", "target-libdir", "--target", TARGET])
            .current_dir(root)
            .output()
            .context("rustc cannot be started")?;
        if !Path::new(String::from_utf8(libraries.stdout)?.trim()).is_dir() {
            bail!(
                "this Rust toolchain cannot compile for WebAssembly: install the target with `rustup target add {TARGET}`"
            );
        }
        let target =
            env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
        let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
            .args(["build", "--profile", self.profile, "--package", "taquin-wasm"])
            .arg("--config")
            .arg(format!("target.{TARGET}.rustflags={}", self.flags))
            .args(["--target", TARGET, "--target-dir"])
            .arg(&target)
            .arg("--manifest-path")
            .arg(root.join("Cargo.toml"))
            .status()
            .context("cargo cannot be started")?;
        if !status.success() {
            bail!("the WebAssembly module cannot be built");
        }
        Ok(target.join(TARGET).join(self.profile).join("taquin_wasm.wasm"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_the_page_and_its_scripts() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let files = listed(root).unwrap();
        for entry in fs::read_dir(root.join("web/page")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(name == "files.txt" || files.contains_key(&name), "{name}");
            // Code behind a comment would be left out with it.
            let text = fs::read_to_string(root.join("web/page").join(&name)).unwrap();
            let mut comments =
                text.lines().map(str::trim).filter(|line| line.starts_with(['/', '*']));
            assert!(comments.all(|line| !line.contains("*/") || line.ends_with("*/")), "{name}");
        }
    }

    #[test]
    fn lines_of_comments_go() {
        let text = "/** A\n *  b */\nlet a = 1; // c\n  // d\n  /* e */\nlet b = '/*';\n";
        assert_eq!(without_comments(text), "let a = 1; // c\nlet b = '/*';\n");
    }

    #[test]
    fn the_service_worker_names_the_files_and_the_build() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let filled = |style: &str| {
            let mut files = listed(root).unwrap();
            files.insert("style.css".to_owned(), style.as_bytes().to_vec());
            fill_in(&mut files).unwrap();
            String::from_utf8(files.remove(SERVICE_WORKER).unwrap()).unwrap()
        };
        let text = filled("a");
        assert!(text.contains("'./', 'ja.js'") && text.contains("'sets/korf100.txt'"), "{text}");
        assert!(!text.contains("'index.html'") && !text.contains("'sw.js'"), "{text}");
        assert_eq!(text, filled("a"));
        assert_ne!(text, filled("b"));
        assert!(fill_in(&mut Files::from([(SERVICE_WORKER.to_owned(), Vec::new())])).is_err());
    }
}
