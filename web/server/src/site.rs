//! The files of the page.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use flate2::{Compression, write::GzEncoder};

use crate::bundle::{bundle, read, without_comments};

/// The contents of files by their place in the site.
pub type Files = BTreeMap<String, Vec<u8>>;

const TARGET: &str = "wasm32-unknown-unknown";
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const MODULE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../wasm/Cargo.toml");

/// The options of Binaryen, where it is installed: the module loses 2 % of its compressed size, and is as fast. A function
/// with one caller is not inlined: the loops that build tables would stay in V8's baseline code.
const BINARYEN: [&str; 8] = [
    "-Oz",
    "--one-caller-inline-max-function-size=0",
    "--enable-simd",
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-multivalue",
];

/// The scripts of the page, each with all modules that it needs.
const SCRIPTS: [&str; 2] = ["main", "worker"];

/// The sets of boards that the page offers.
const SETS: [&str; 2] = ["antipodes80.txt", "korf100.txt"];

/// The files of learned numbers, which are one file of the site.
const LEARNED: [&str; 3] = ["moves.weights", "slides.weights", "moves.network"];

/// The place of the service worker.
const SERVICE_WORKER: &str = "sw.js";

/// Builds the module, and gathers the files of the page.
pub fn build() -> Result<Files> {
    let mut files = page()?;
    files.insert("taquin.wasm".to_owned(), read(&module()?)?);
    fill_in(&mut files);
    Ok(files)
}

/// The files of the page but the module: its scripts, and what else is in its folder.
fn page() -> Result<Files> {
    let folder = Path::new(ROOT).join("web/page");
    let mut files = Files::new();
    for entry in fs::read_dir(&folder)? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        let bytes = read(&folder.join(&name))?;
        if name.ends_with(".css") || name == SERVICE_WORKER {
            let text = without_comments(&String::from_utf8_lossy(&bytes));
            files.insert(name, text.into_bytes());
        } else if !name.ends_with(".js") {
            files.insert(name, bytes);
        }
    }
    for name in SCRIPTS {
        files.insert(format!("{name}.js"), bundle(&folder, name)?.into_bytes());
    }
    for name in SETS {
        let path = Path::new(ROOT).join("src/lab/sets").join(name);
        files.insert(format!("sets/{name}"), read(&path)?);
    }
    let folder = Path::new(ROOT).join("engine/src/search/beam/learned");
    let learned = LEARNED.iter().map(|name| read(&folder.join(name)));
    files.insert("learned.numbers".to_owned(), learned.collect::<Result<Vec<_>>>()?.concat());
    Ok(files)
}

/// Tells the service worker the other files, and a version that changes with each of them.
fn fill_in(files: &mut Files) {
    let mut hasher = DefaultHasher::new();
    files.hash(&mut hasher);
    let others = files.keys().filter(|place| *place != SERVICE_WORKER);
    let names: Vec<&str> =
        others.map(|place| if place == "index.html" { "./" } else { place }).collect();
    let head = format!("const VERSION = '{:016x}';\nconst FILES = {names:?};\n", hasher.finish());
    if let Some(worker) = files.get_mut(SERVICE_WORKER) {
        worker.splice(..0, head.into_bytes());
    }
}

/// Writes the files to a folder, and next to each that gets shorter by it a compressed one, for brotli and gzip.
pub fn write(files: &Files, folder: &Path) -> Result<()> {
    for (place, bytes) in files {
        let path = folder.join(place);
        fs::create_dir_all(path.parent().unwrap_or(folder))
            .with_context(|| format!("{}: its folder cannot be made", path.display()))?;
        let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
        gzip.write_all(bytes)?;
        let mut brotli = brotli::CompressorWriter::new(Vec::new(), 1 << 16, 11, 22);
        brotli.write_all(bytes)?;
        for (end, packed) in [("", bytes), (".gz", &gzip.finish()?), (".br", &brotli.into_inner())]
        {
            if end.is_empty() || packed.len() < bytes.len() {
                let path = format!("{}{end}", path.display());
                fs::write(&path, packed).with_context(|| format!("{path}: cannot be written"))?;
            }
        }
    }
    Ok(())
}

/// The folder of what Cargo builds.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| Path::new(ROOT).join("target"), PathBuf::from)
}

/// Builds the module. Returns its path.
fn module() -> Result<PathBuf> {
    let target = target();
    let status = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["build", "--profile", "web", "--manifest-path", MODULE])
        .arg("--config")
        // With vector instructions, which all browsers have, for hashing tables. `.ci/run` builds this module, too.
        .arg(format!("target.{TARGET}.rustflags=[\"-Ctarget-feature=+simd128\"]"))
        .args(["--target", TARGET, "--target-dir"])
        .arg(&target)
        .status()
        .context("cargo cannot be started")?;
    // The compiler says how a missing target is installed.
    ensure!(status.success(), "the WebAssembly module cannot be built");
    let module = target.join(TARGET).join("web").join("taquin_wasm.wasm");
    let smaller = module.with_extension("small.wasm");
    let mut binaryen = Command::new("wasm-opt");
    binaryen.args(BINARYEN).arg(&module).arg("-o").arg(&smaller);
    Ok(if binaryen.status().is_ok_and(|status| status.success()) { smaller } else { module })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_site_has_scripts_in_one_piece_and_data_as_it_is() {
        let files = page().unwrap();
        let text = |place: &str| String::from_utf8(files[place].clone()).unwrap();
        assert!(files.contains_key("sets/korf100.txt") && files.contains_key("ja.json"));
        assert!(!files.contains_key("grid.js"), "{:?}", files.keys());
        for script in SCRIPTS {
            let script = text(&format!("{script}.js"));
            assert!(!script.contains("\nimport ") && !script.contains("\nexport "));
        }
        // Code after a comment would be left out with it.
        for entry in fs::read_dir(Path::new(ROOT).join("web/page")).unwrap() {
            let text = fs::read_to_string(entry.unwrap().path()).unwrap();
            let mut comments =
                text.lines().map(str::trim).filter(|line| line.starts_with(['/', '*']));
            assert!(comments.all(|line| !line.contains("*/") || line.ends_with("*/")));
        }
    }

    #[test]
    fn the_gate_builds_the_same_module() {
        let gate = fs::read_to_string(Path::new(ROOT).join(".ci/run")).unwrap();
        let here = include_str!("site.rs");
        for word in ["+simd128", "taquin_wasm.wasm", TARGET] {
            assert!(gate.contains(word) && here.contains(word), "{word}");
        }
        assert!(gate.contains("--profile web") && here.contains(r#""--profile", "web""#));
    }

    #[test]
    fn the_service_worker_names_the_files_and_the_build() {
        let filled = |style: &str| {
            let mut files = page().unwrap();
            files.insert("style.css".to_owned(), style.as_bytes().to_vec());
            fill_in(&mut files);
            String::from_utf8(files.remove(SERVICE_WORKER).unwrap()).unwrap()
        };
        let text = filled("a");
        assert!(
            text.contains("\"./\", \"ja.json\"") && text.contains("\"sets/korf100.txt\""),
            "{text}"
        );
        assert!(!text.contains("\"index.html\"") && !text.contains("\"sw.js\""), "{text}");
        assert_eq!(text, filled("a"));
        assert_ne!(text, filled("b"));
    }
}
