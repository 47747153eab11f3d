//! LiquidJS itself is asked what it makes of generated templates over all of its filters and tags.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{grammar, on_a_small_stack, render, words};

/// Of the templates that neither side refuses, this share is printed alike.
const PASS: f64 = 0.995;

#[derive(Debug, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
enum Answer {
    Output(String),
    Error(String),
}

/// Set `PARITY_SEED` and `PARITY_COUNT` to look further than the templates that are always tried.
#[test]
fn generated_templates_print_what_liquidjs_prints() {
    let number =
        |name: &str, default| std::env::var(name).ok().map_or(default, |text| text.parse().expect(name));
    let (seed, count) = (number("PARITY_SEED", 1), number("PARITY_COUNT", 4_000));
    let mut random = StdRng::seed_from_u64(seed);
    let mut bytes = |length: usize| -> Vec<u8> { (0..length).map(|_| random.random()).collect() };
    let asked: Vec<(String, Value)> = (0..count)
        .map(|i| {
            // Short templates tell best what differs; long ones try how things work together.
            let length = if i % 4 == 0 { 150 } else { 24 };
            let template = grammar::template(&bytes(length), grammar::PARITY);
            // A third is written by somebody who makes mistakes.
            let template = if i % 3 == 0 { grammar::mutated(&template, &bytes(16)) } else { template };
            (template, grammar::context(&bytes(70), str::to_owned))
        })
        .collect();
    let lines: Vec<Value> =
        asked.iter().map(|(template, context)| json!({"template": template, "context": context})).collect();
    let answers: Vec<Answer> = liquidjs(&lines);

    let mut report = Report::default();
    for ((template, context), expected) in asked.iter().zip(answers) {
        let found = match on_a_small_stack(|| render(template, context)) {
            Ok(html) => Answer::Output(html),
            Err(message) => Answer::Error(message),
        };
        report.add(template, context, &expected, &found);
    }
    println!("seed {seed}: {report}");
    assert!(report.compared >= 2_000.min(count as usize / 2), "too few templates were compared");
    assert!(
        report.share() >= PASS,
        "less than {PASS} of the templates print what LiquidJS prints:\n{report}"
    );
}

#[test]
fn the_generated_templates_use_every_filter_and_tag_of_liquidjs() {
    #[derive(Deserialize)]
    struct Names {
        filters: BTreeSet<String>,
        tags: BTreeSet<String>,
    }
    let Names { filters, tags } = liquidjs(&[json!({"list": true})]).pop().expect("an answer");
    let ours = |names: &[&str]| -> BTreeSet<String> { names.iter().copied().map(str::to_owned).collect() };
    let generated: Vec<&str> = words::FILTERS.iter().map(|(name, ..)| *name).collect();
    assert_eq!(&ours(&generated) | &ours(&words::ABSENT_FILTERS), filters);
    assert_eq!(&ours(&words::TAGS) | &ours(&words::ABSENT_TAGS), tags);
}

/// Asks LiquidJS for an answer to each line.
fn liquidjs<T: for<'de> Deserialize<'de>>(lines: &[Value]) -> Vec<T> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("parity");
    assert!(
        folder.join("node_modules/liquidjs").exists(),
        "LiquidJS is not installed: run `npm ci --prefix templates/parity`"
    );
    // Through a file, since both sides would wait for each other on two full pipes.
    let questions = QuestionFile::new(lines);
    let output = Command::new("node")
        .arg(folder.join("oracle.mjs"))
        .env("LC_ALL", "en_US.UTF-8")
        .stdin(std::fs::File::open(&questions.0).expect("the questions"))
        .stderr(Stdio::inherit())
        .output()
        .expect("node can be started: Node.js 20 or later is needed");
    assert!(output.status.success(), "oracle.mjs ended with {}", output.status);
    let answers: Vec<T> = String::from_utf8(output.stdout)
        .expect("answers are UTF-8")
        .lines()
        .map(|line| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("an answer is JSON: {error}: {line}"))
        })
        .collect();
    assert_eq!(answers.len(), lines.len(), "an answer for each line");
    answers
}

struct QuestionFile(PathBuf);

impl QuestionFile {
    fn new(lines: &[Value]) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
            "questions-{}-{}.jsonl",
            std::process::id(),
            lines.len()
        ));
        let mut file =
            std::io::BufWriter::new(std::fs::File::create(&path).expect("a file for the questions"));
        for line in lines {
            writeln!(file, "{line}").expect("the questions are written");
        }
        file.flush().expect("the questions are written");
        QuestionFile(path)
    }
}

impl Drop for QuestionFile {
    fn drop(&mut self) {
        // A file left behind is in the folder that cargo keeps for this.
        drop(std::fs::remove_file(&self.0));
    }
}

#[derive(Default)]
struct Report {
    compared: usize,
    same: usize,
    /// Templates that one side refuses and the other does not.
    only_we_refuse: Vec<String>,
    only_liquidjs_refuses: Vec<String>,
    /// By filter or tag: how often it was compared, and how often it took part in a difference.
    kinds: BTreeMap<String, (usize, usize)>,
    differences: Vec<String>,
}

impl Report {
    fn add(&mut self, template: &str, context: &Value, expected: &Answer, found: &Answer) {
        match (expected, found) {
            (Answer::Output(expected), Answer::Output(found)) => {
                self.compared += 1;
                self.same += usize::from(expected == found);
                for kind in kinds(template) {
                    let (used, different) = self.kinds.entry(kind).or_default();
                    *used += 1;
                    *different += usize::from(expected != found);
                }
                if expected != found {
                    let variables = variables(template, context);
                    self.differences.push(format!(
                        "{template:?} with {variables}\n    expected {expected:?}\n    found    {found:?}"
                    ));
                }
            }
            (Answer::Output(_), Answer::Error(error)) => {
                self.only_we_refuse.push(format!("{template:?}: {error}"))
            }
            (Answer::Error(error), Answer::Output(_)) => {
                self.only_liquidjs_refuses.push(format!("{template:?}: {error:?}"))
            }
            (Answer::Error(_), Answer::Error(_)) => {}
        }
    }

    fn share(&self) -> f64 {
        self.same as f64 / self.compared.max(1) as f64
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Report { same, compared, .. } = self;
        writeln!(f, "{same} of {compared} templates print the same ({:.2} %)", 100.0 * self.share())?;
        let shown =
            |list: &[String]| list.iter().take(60).map(|line| format!("  {line}\n")).collect::<String>();
        write!(f, "{} refused only here\n{}", self.only_we_refuse.len(), shown(&self.only_we_refuse))?;
        write!(
            f,
            "{} refused only by LiquidJS\n{}",
            self.only_liquidjs_refuses.len(),
            shown(&self.only_liquidjs_refuses)
        )?;
        let mut kinds: Vec<_> = self.kinds.iter().filter(|(_, (_, different))| *different > 0).collect();
        kinds.sort_by_key(|(_, (used, different))| std::cmp::Reverse(1_000 * different / used));
        writeln!(f, "differences by kind:")?;
        for (kind, (used, different)) in kinds {
            writeln!(f, "  {kind}: {different} of {used}")?;
        }
        write!(f, "{}", shown(&self.differences))
    }
}

/// The filters and tags that a template uses.
fn kinds(template: &str) -> BTreeSet<String> {
    let names = |mark: &str, prefix: &str| -> Vec<String> {
        let after = template.split(mark).skip(1).map(|rest| rest.trim_start_matches(['-', ' ']));
        after
            .map(|rest| prefix.to_owned() + rest.split([' ', ':', '\n']).next().unwrap_or_default())
            .collect()
    };
    names("{%", "tag ")
        .into_iter()
        .chain(names(" | ", "filter "))
        .filter(|kind| !kind.starts_with("tag end"))
        .collect()
}

/// The part of the context that a template speaks of.
fn variables(template: &str, context: &Value) -> Value {
    context
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| template.contains(name.as_str()))
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}
