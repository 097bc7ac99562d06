//! Joins the modules of the page to one script, so that the browser asks once.
//!
//! Each module becomes a function that is called once and returns what the module exports; the modules that it
//! needs come first. The last one, which others need not, stands as it is. Lines of comments go. The modules keep to
//! imports and exports of one line, `import { a, b as c } from './name.js';` and `export const`, `function` or
//! `class`; a test runs the bundle of each.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

/// The words before the name of what a module exports.
const KINDS: [&str; 5] = ["", "async", "class", "const", "function"];

/// The script of a module and all that it needs.
pub fn bundle(folder: &Path, name: &str) -> Result<String> {
    let mut bundle = Bundle { folder, begun: Vec::new(), text: String::new() };
    let (body, _) = bundle.module(name)?;
    Ok(bundle.text + &body)
}

struct Bundle<'a> {
    folder: &'a Path,
    /// The modules that others import.
    begun: Vec<String>,
    text: String,
}

impl Bundle<'_> {
    /// Adds a module that another one imports.
    fn add(&mut self, name: &str) -> Result<()> {
        let head = format!("const m_{name} = (() => {{\n");
        if self.begun.iter().any(|begun| begun == name) {
            ensure!(self.text.contains(&head), "{name} needs itself");
            return Ok(());
        }
        self.begun.push(name.to_owned());
        let (body, exports) = self.module(name)?;
        self.text += &format!("{head}{body}return {{ {} }};\n}})();\n", exports.join(", "));
        Ok(())
    }

    /// The text of a module, with the names that it exports.
    fn module(&mut self, name: &str) -> Result<(String, Vec<String>)> {
        let text = String::from_utf8(read(&self.folder.join(format!("{name}.js")))?)?;
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in without_comments(&text).lines() {
            if let Some(import) = line.strip_prefix("import ") {
                let parts = import.strip_suffix(".js';").and_then(|it| it.split_once(" from './"));
                let (names, from) =
                    parts.with_context(|| format!("{name}: no import of one line: {line}"))?;
                self.add(from)?;
                let names = names.replace("* as ", "").replace(" as ", ": ");
                writeln!(body, "const {names} = m_{from};")?;
                continue;
            }
            let export = line.strip_prefix("export ");
            writeln!(body, "{}", export.unwrap_or(line))?;
            let is_end = |c: char| !c.is_alphanumeric() && !"$_".contains(c);
            let mut words = export.unwrap_or_default().split(is_end);
            exports.extend(words.find(|word| !KINDS.contains(word)).map(str::to_owned));
        }
        Ok((body, exports))
    }
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// A script or a style without its lines of comments, which are a seventh of the compressed page, and without its
/// indentation. Comments after code stay.
pub fn without_comments(text: &str) -> String {
    let mut in_block = false;
    let is_code = |line: &&str| {
        let line = line.trim();
        let is_comment = in_block || line.starts_with("/*") || line.starts_with("//");
        in_block = (in_block || line.starts_with("/*")) && !line.ends_with("*/");
        !is_comment
    };
    text.split_inclusive('\n').filter(is_code).map(str::trim_start).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_come_before_those_that_need_them() {
        let folder = std::env::temp_dir().join(format!("taquin-bundle-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for (name, text) in [
            (
                "a",
                "import * as c from './c.js';\nimport { one, two as zwei } from './b.js';\none(c);\n",
            ),
            (
                "b",
                "import { three } from './c.js';\nexport const one = three;\nexport function two() {}\n",
            ),
            ("c", "// A comment\nexport class three {\n}\nexport async function four() {}\n"),
            ("d", "import { d } from './e.js';\nexport const e = 1;\n"),
            ("e", "import { e } from './d.js';\nexport const d = 1;\n"),
            ("f", "import {\n  a,\n} from './a.js';\n"),
        ] {
            fs::write(folder.join(format!("{name}.js")), text).unwrap();
        }
        assert_eq!(
            bundle(&folder, "a").unwrap(),
            "const m_c = (() => {\nclass three {\n}\nasync function four() {}\nreturn { three, four };\n})();\n\
             const m_b = (() => {\nconst { three } = m_c;\nconst one = three;\nfunction two() {}\nreturn { one, two };\n})();\n\
             const c = m_c;\nconst { one, two: zwei } = m_b;\none(c);\n"
        );
        for name in ["d", "f", "missing"] {
            assert!(bundle(&folder, name).is_err(), "{name}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn lines_of_comments_go() {
        let text = "/** A\n *  b */\n  let a = 1; // c\n\n  // d\n  /* e */\nlet b = '/*';\n";
        assert_eq!(without_comments(text), "let a = 1; // c\nlet b = '/*';\n");
    }
}
