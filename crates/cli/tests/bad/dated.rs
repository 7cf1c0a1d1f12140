//! Files with dates as people write them: each trains to the model of its plain twin, and is predicted like it.

use std::fmt::Write;
use std::fs;

use manyboost::model::Model;
use serde_json::Value;

use crate::common::{fine, run};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [u32; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A date of 2021.
#[derive(Clone, Copy)]
struct Date {
    month: usize,
    day: u32,
    /// From Monday.
    weekday: usize,
}

fn date(number: u32) -> Date {
    let (mut month, mut day) = (0, number);
    while day >= DAYS[month] {
        day -= DAYS[month];
        month += 1;
    }
    // The year began on a Friday.
    Date { month: month + 1, day: day + 1, weekday: (number as usize + 4) % 7 }
}

/// How dates are written, and with what between fields and before decimals.
struct Style {
    name: &'static str,
    delimiter: char,
    point: char,
    write: fn(Date) -> String,
    missing: &'static str,
    options: &'static str,
    /// Whether the file of the model has every byte of the plain one: it does not where a model has to know what comes first.
    same: bool,
}

const ISO: Style = Style {
    name: "ISO 8601",
    delimiter: ',',
    point: '.',
    write: |Date { month, day, .. }| format!("2021-{month:02}-{day:02}"),
    missing: "",
    options: "",
    same: true,
};

const DAY_FIRST: Style = Style {
    name: "day first",
    write: |Date { month, day, .. }| format!("{day:02}/{month:02}/2021"),
    same: false,
    ..ISO
};

const STYLES: &[Style] = &[
    Style {
        name: "with a time",
        write: |Date { month, day, .. }| format!("2021-{month:02}-{day:02} 00:00"),
        ..ISO
    },
    Style {
        name: "in UTC",
        write: |Date { month, day, .. }| format!("2021-{month:02}-{day:02}T00:00:00.000Z"),
        missing: "NA",
        ..ISO
    },
    Style {
        name: "in Athens",
        write: |Date { month, day, .. }| format!("2021-{month:02}-{day:02}T02:00:00+02:00"),
        ..ISO
    },
    Style { name: "slashes", write: |Date { month, day, .. }| format!("2021/{month}/{day}"), ..ISO },
    Style {
        name: "German",
        delimiter: ';',
        point: ',',
        write: |Date { month, day, .. }| format!("{day:02}.{month:02}.2021"),
        ..ISO
    },
    Style {
        name: "short months",
        write: |Date { month, day, .. }| format!("{day} {} 2021", &MONTHS[month - 1][..3]),
        missing: "unknown",
        options: "--missing unknown",
        ..ISO
    },
    Style {
        name: "databases",
        write: |Date { month, day, .. }| {
            format!("{day:02}-{}-2021", MONTHS[month - 1][..3].to_ascii_uppercase())
        },
        ..ISO
    },
    Style {
        name: "American letters",
        write: |Date { month, day, .. }| format!("{} {day}, 2021", MONTHS[month - 1]),
        delimiter: '\t',
        ..ISO
    },
    Style {
        name: "mail",
        write: |Date { month, day, weekday }| {
            let name = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"][weekday];
            format!("{name}, {day:02} {} 2021 00:00:00 GMT", &MONTHS[month - 1][..3])
        },
        delimiter: '|',
        ..ISO
    },
    Style {
        name: "logs",
        write: |Date { month, day, .. }| format!("{day:02}/{}/2021:00:00:00 +0000", &MONTHS[month - 1][..3]),
        ..ISO
    },
    DAY_FIRST,
    Style { name: "day first, said", options: "--dates day-first", ..DAY_FIRST },
    Style {
        name: "month first",
        write: |Date { month, day, .. }| format!("{month}/{day}/2021"),
        same: false,
        ..ISO
    },
    Style {
        name: "month first, at midnight",
        write: |Date { month, day, .. }| format!("{month:02}-{day:02}-2021 12:00:00 AM"),
        same: false,
        ..ISO
    },
];

/// Weekends are told by the date, and the rest by a number.
fn text(style: &Style, days: impl Iterator<Item = u32>) -> String {
    let mut text = ["when", "mass", "class\n"].join(&style.delimiter.to_string());
    for number in days {
        let at = date(number);
        let when = if number % 17 == 5 { style.missing.to_string() } else { (style.write)(at) };
        let mass = format!("{}{}{:02}", number % 13, style.point, number * 37 % 100);
        let class = if at.weekday > 4 { "weekend" } else { ["a", "b"][(number % 13 / 7) as usize] };
        let when = if when.contains(style.delimiter) { format!("\"{when}\"") } else { when };
        writeln!(text, "{when}{0}{mass}{0}{class}", style.delimiter).expect("text");
    }
    text
}

/// The model of a style, and the answers for its own file.
fn trained(style: &Style) -> (Vec<u8>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let Style { options, .. } = style;
    fs::write(folder.path().join("d.csv"), text(style, 0..200)).expect("a file");
    fine(folder.path(), &format!("train d.csv --out m.pb --rounds 5 --leaves 5 --cuts 0 {options}"));
    // Rows that leave open what is the day: the model knows.
    fs::write(folder.path().join("few.csv"), text(style, [1, 2, 33, 36, 40].into_iter())).expect("a file");
    let few = fine(folder.path(), &format!("predict m.pb few.csv --proba {options}")).stdout;
    let answers = fine(folder.path(), &format!("predict m.pb d.csv --proba {options}")).stdout;
    (fs::read(folder.path().join("m.pb")).expect("a model"), answers + &few)
}

#[test]
fn every_dated_file_is_its_plain_twin() {
    let plain = trained(&ISO);
    let model = |bytes: &[u8]| Model::from_bytes(bytes).expect("a model");
    assert!(plain.1.lines().filter(|line| line.starts_with("weekend")).count() > 40, "{}", plain.1);
    for style in STYLES {
        let own = trained(style);
        assert_eq!(own.0 == plain.0, style.same, "{}", style.name);
        assert!(model(&own.0).ensemble == model(&plain.0).ensemble, "{}: another model", style.name);
        assert_eq!(own.1, plain.1, "{}", style.name);
    }
}

#[test]
fn a_model_reads_dates_of_any_style_that_leaves_nothing_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, style: &Style| {
        fs::write(folder.path().join(name), text(style, 0..200)).expect("a file");
    };
    for trained in [&ISO, &DAY_FIRST] {
        write("d.csv", trained);
        fine(folder.path(), "train d.csv --out m.pb --rounds 3");
        let plain = fine(folder.path(), "evaluate m.pb d.csv --json").stdout;
        for style in STYLES.iter().filter(|style| style.same && style.options.is_empty()) {
            write("e.csv", style);
            assert_eq!(fine(folder.path(), "evaluate m.pb e.csv --json").stdout, plain, "{}", style.name);
        }
    }
    write("d.csv", &ISO);
    fine(folder.path(), "train d.csv --out m.pb --rounds 3");
    let plain = fine(folder.path(), "evaluate m.pb d.csv --json").stdout;
    write("e.csv", &DAY_FIRST);
    let done = run(folder.path(), "evaluate m.pb e.csv --json");
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("'when'") && done.stderr.contains("--dates day-first"), "{}", done.stderr);
    assert_eq!(fine(folder.path(), "evaluate m.pb e.csv --json --dates day-first").stdout, plain);
}

#[test]
fn what_is_the_day_is_not_guessed() {
    let folder = tempfile::tempdir().expect("a folder");
    let early = || (0..200).filter(|number| date(*number).day <= 12);
    fs::write(folder.path().join("d.csv"), text(&DAY_FIRST, early())).expect("a file");
    let done = run(folder.path(), "train d.csv --out m.pb --rounds 3");
    assert_eq!(done.status, Some(2));
    for words in ["\"when\"", "day and month", "--dates day-first", "--ignore when"] {
        assert!(done.stderr.contains(words), "{words:?} is not in: {}", done.stderr);
    }
    fine(folder.path(), "train d.csv --out m.pb --rounds 3 --dates day-first");
    let iso = text(&ISO, early());
    fs::write(folder.path().join("e.csv"), iso).expect("a file");
    fine(folder.path(), "train e.csv --out n.pb --rounds 3");
    let model = |name: &str| Model::load(folder.path().join(name)).expect("a model");
    assert!(model("m.pb").ensemble == model("n.pb").ensemble);
    fine(folder.path(), "train d.csv --out m.pb --rounds 3 --dates month-first");
    assert!(model("m.pb").ensemble != model("n.pb").ensemble);
    // One date far down says it for all, wherever it stands, and in a file of many parts too.
    let late = text(&DAY_FIRST, early().chain([30]));
    fs::write(folder.path().join("d.csv"), &late).expect("a file");
    fine(folder.path(), "train d.csv --out m.pb --rounds 3");
    fs::create_dir(folder.path().join("parts")).expect("a folder");
    let lines: Vec<&str> = late.lines().collect();
    for (at, rows) in lines[1..].chunks(30).enumerate() {
        let part = format!("{}\n{}\n", lines[0], rows.join("\n"));
        fs::write(folder.path().join(format!("parts/{at}.csv")), part).expect("a file");
    }
    fine(folder.path(), "train parts --out n.pb --rounds 3");
    assert!(fs::read(folder.path().join("m.pb")).ok() == fs::read(folder.path().join("n.pb")).ok());
    // Both orders in one column.
    fs::write(folder.path().join("d.csv"), late + "02/28/2021,1.00,a\n").expect("a file");
    let done = run(folder.path(), "train d.csv --out m.pb --rounds 3");
    assert_eq!(done.status, Some(2));
    assert!(done.stderr.contains("'when'") && done.stderr.contains("day first"), "{}", done.stderr);
}

#[test]
fn every_command_shows_dates_as_one_column() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("d.csv"), text(&ISO, 0..200)).expect("a file");
    let done = fine(folder.path(), "train d.csv --out m.pb --rounds 5 --trace t.json --cuts 0");
    assert!(done.stderr.contains("1: when (month, day of year"), "{}", done.stderr);
    let trace = fs::read_to_string(folder.path().join("t.json")).expect("a trace");
    assert!(trace.contains("\"part\":\"weekday\""), "{trace}");
    let shown = fine(folder.path(), "inspect m.pb").stdout;
    assert!(shown.contains("when (month, day of year, weekday)"), "{shown}");
    let shown: Value =
        serde_json::from_str(&fine(folder.path(), "inspect m.pb --json").stdout).expect("JSON");
    assert_eq!(
        shown["columns"][0],
        serde_json::json!({"name": "when", "kind": "time", "parts": ["month", "day of year", "weekday"]})
    );
    let trees = fine(folder.path(), "inspect m.pb --trees 2").stdout;
    assert!(trees.contains("weekday of when ≤ 5.5"), "{trees}");
    let explained = fine(folder.path(), "explain m.pb d.csv --rows 2").stdout;
    assert!(explained.contains("2021-01-02"), "{explained}");
    let worth = fine(folder.path(), "importance m.pb d.csv --repeats 2").stdout;
    assert_eq!(worth.matches("when").count(), 1, "{worth}");
    let effects = fine(folder.path(), "effects m.pb d.csv --feature when").stdout;
    assert!(effects.contains("2021-01-01"), "{effects}");
    fine(folder.path(), "why-not m.pb d.csv --rows 1");
    fine(folder.path(), "report m.pb --data d.csv --training d.csv --out r.html");
    let page = fs::read_to_string(folder.path().join("r.html")).expect("a page");
    assert!(page.contains("2021-01-01 … 2021-04-1"), "the column's values");
    for check in ["", "--check d.csv"] {
        let done = fine(folder.path(), &format!("export m.pb --out m.onnx --json {check}"));
        let said: Value = serde_json::from_str(&done.stdout).expect("JSON");
        assert_eq!(said["other_labels"], 0, "{said}");
    }
    // Whoever wants a category says so.
    let done = fine(folder.path(), "train d.csv --out c.pb --rounds 2 --categorical when");
    assert!(done.stderr.contains("levels"), "{}", done.stderr);
}

#[test]
fn times_of_day_and_durations_are_seconds() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = |write: &dyn Fn(u32) -> String| {
        let row = |i: u32| {
            let seconds = i * 977 % 20_000;
            format!("{},{}\n", write(seconds), ["short", "long"][usize::from(seconds > 9000)])
        };
        format!("took,class\n{}", (0..120).map(row).collect::<String>())
    };
    let model = |text: String| {
        fs::write(folder.path().join("d.csv"), text).expect("a file");
        fine(folder.path(), "train d.csv --out m.pb --rounds 3");
        fs::read(folder.path().join("m.pb")).expect("a model")
    };
    let plain = model(table(&|s| format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)));
    assert!(
        plain == model(table(&|s| format!("0 days {:02}:{:02}:{:02}.000", s / 3600, s / 60 % 60, s % 60)))
    );
    assert!(plain == model(table(&|s| format!("PT{}M{}S", s / 60, s % 60))));
    let shown = fine(folder.path(), "inspect m.pb --trees 1").stdout;
    assert!(shown.contains("1 duration") && shown.contains("took ≤ 0"), "{shown}");
    // Numbers have one value for each of them too.
    let numbers = model(table(&|s| s.to_string()));
    let ensemble = |bytes: &[u8]| Model::from_bytes(bytes).expect("a model").ensemble;
    assert!(ensemble(&numbers) == ensemble(&plain));
    fine(folder.path(), "export m.pb --out m.onnx");
}
