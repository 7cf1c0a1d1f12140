//! The page of one model: what it is, how it came to be, and what it does with some rows.
//!
//! A sample of the rows is taken through the rounds once (`staged`); margins, the plane, gains and the trees are all drawn from
//! that. Everything else is measured on all rows.

mod baseline;
mod calibration;
mod columns;
mod curves;
mod effects;
mod explorer;
mod gain;
mod margins;
mod mistakes;
mod permutation;
mod plane;
pub(crate) mod regions;
mod shapes;
mod shapley;
mod staged;
mod thresholds;
mod trees;
mod values;

use manyboost::evaluate::counts::{Counts, ratio};
use manyboost::evaluate::metrics::{Quality, quality};
use manyboost::model::Model;
use manyboost_data::{Applied, Clock, FeatureSpec, Frame, Kind, TargetSpec};
use serde_json::json;

use crate::interval::{equal_rows, percents, wilson};
use crate::numbers::{number, numbers};
use crate::{HtmlCell, HtmlTable, Page, command, words};
use staged::Staged;

/// Classes of a confusion matrix that is drawn.
const MATRIX: usize = 120;
/// Confusions that are listed.
const PAIRS: usize = 10;
/// Classes of the table of classes.
const CLASSES: usize = 300;

/// A model and the rows that it is shown on.
pub struct Subject<'a> {
    /// What the page is called.
    pub title: &'a str,
    /// The model.
    pub model: &'a Model,
    /// What it was trained on, if that is known.
    pub trained: Option<String>,
    /// The rows.
    pub rows: &'a Applied,
    /// Rows that the model was trained on, or some of them, if they are at hand.
    pub training: Option<&'a Frame>,
    /// What these rows are.
    pub measured: String,
    /// A command that makes the model again.
    pub command: String,
}

/// The page.
pub fn page(subject: &Subject<'_>) -> String {
    let Subject { title, model, rows, .. } = subject;
    let scores = model.predictor().scores(&rows.frame);
    let quality = quality(&scores, model.ensemble.reading.link, &rows.labels, &rows.weights);
    let mut counts = Counts::new(&model.schema.target, rows, &scores);
    // Figures show names as tables do: short, on one line, and without signs that turn what follows around.
    counts.names = counts.names.iter().map(|name| words::name(name)).collect();
    let staged = Staged::new(model, rows);
    let mut page = Page::new(title, &lead(model));
    let facts = facts(subject, &quality);
    page.section("summary", "At a glance", "", &facts);
    let gains = gain::by_column(model, &staged);
    curves::section(&mut page, model, &staged, &subject.measured);
    margins::section(&mut page, &staged);
    if !counts.sets {
        plane::section(&mut page, &staged, &counts.names);
        let panel = regions::Panel { name: &model.booster, ensemble: &model.ensemble };
        regions::section(&mut page, &[panel], &model.encoder, rows, &counts.names);
        confusion(&mut page, &counts);
        mistakes::section(&mut page, model, rows, &scores, &gains, &counts.names);
    }
    classes(&mut page, &counts);
    thresholds::section(&mut page, model, rows, &scores, &counts.names);
    calibration::section(&mut page, model, rows, &scores, &counts.names);
    columns::section(&mut page, model, &staged, subject.training, &gains, &counts.names);
    importance(&mut page, model, &staged, &gains, &counts);
    shapley::section(&mut page, model, &staged, &counts.names);
    if !counts.sets {
        explorer::section(&mut page, model, rows, &scores, &gains, &counts.names);
    }
    // Stumps have exact shapes; what other models do is measured.
    if !shapes::section(&mut page, model, &staged, &counts.names) {
        effects::section(&mut page, model, &staged, &gains, &counts.names);
    }
    trees::section(&mut page, model, &staged);
    let text = "Models have no clock and no machine in them: the same data and options give the same file, to the bit.";
    page.text("reproduce", "Make it again", text, &subject.command);
    page.html()
}

fn lead(model: &Model) -> String {
    let target = &model.schema.target;
    let count = target.names().len();
    let answers = match target {
        TargetSpec::Classes { column, .. } => {
            format!("{} of “{}”", words::count(count, "class"), words::name(column))
        }
        TargetSpec::Sets { .. } => words::count(count, "label"),
    };
    let rounds = words::count(model.ensemble.rounds.len(), "round");
    format!("{} with {rounds}, for {answers}", model.booster)
}

fn facts(subject: &Subject<'_>, quality: &Quality) -> String {
    let model = subject.model;
    let mut tiles = Vec::new();
    let mut tile = |name: &str, value: String| tiles.push((name.to_string(), value));
    let rows = equal_rows(&subject.rows.weights);
    let mut share = |name: &str, x: f64| tile(&format!("{name} ({})", percents(x, rows)), words::percent(x));
    match quality.one_error {
        None => share("error", quality.error),
        Some(one_error) => {
            share("Hamming loss", quality.error);
            share("one-error", one_error);
        }
    }
    tile("log loss", words::figure(quality.log_loss));
    if let Some(ranking) = quality.ranking_loss {
        tile("ranking loss", words::percent(ranking));
    }
    if let Some(last) = model.history.last() {
        tile("training error", words::percent(last.train_error));
    }
    tile("rows measured", words::grouped(subject.rows.frame.rows()));
    let tiles = tiles.iter().map(|(name, value)| format!("<div><b>{value}</b><span>{name}</span></div>"));
    let tiles = format!("<div class=\"tiles\">{}</div>", tiles.collect::<String>());
    let mut table = HtmlTable::new(2, &["", ""]);
    let mut put = |name: &str, value: String| table.row([name.to_string().into(), value.into()]);
    if let Some(trained) = &subject.trained {
        put("trained on", trained.clone());
    }
    put("measured on", subject.measured.clone());
    let kinds = [
        (Kind::Number, "of numbers"),
        (Kind::Category, "of categories"),
        (Kind::Text, "of text"),
        (Kind::Time(Clock::Plain), "of dates and times"),
        (Kind::Time(Clock::Span), "of durations"),
    ];
    let columns = kinds.iter().filter_map(|&(kind, word)| {
        let same = |feature: &&FeatureSpec| feature.kind.name() == kind.name();
        let count = model.schema.features.iter().filter(same).count();
        (count > 0).then(|| format!("{} {word}", words::grouped(count)))
    });
    put("columns", columns.collect::<Vec<_>>().join(", "));
    put("stopped", words::reason(model.stop, &model.booster));
    if let Some(promise) = words::promise(&model.history) {
        put("promise", promise);
    }
    put("seed", model.seed.to_string());
    put("made by", format!("manyboost {}", model.version));
    table.row(["options".to_string().into(), HtmlCell::parts(command::options(model))]);
    let names = model.schema.target.names();
    let beside =
        if subject.rows.labels.is_sets() { None } else { baseline::table(subject.rows, quality, names) };
    let beside = beside.map_or(String::new(), |table| format!("<h3>What that is worth</h3>{table}"));
    beside_last(tiles, &table, &beside)
}

/// Tiles, facts, and what the error is to be compared with.
fn beside_last(tiles: String, facts: &HtmlTable, beside: &str) -> String {
    tiles
        + beside
        + "<h3>How it came to be</h3>"
        + &facts.html().replace("class=\"scroll\"", "class=\"scroll facts\"")
}

fn confusion(page: &mut Page, counts: &Counts) {
    let k = counts.names.len();
    let pairs = counts.confusions();
    let mut table = HtmlTable::new(2, &["Is", "Taken for", "Rows", "Of its class"]);
    for &(x, is, named) in pairs.iter().take(PAIRS) {
        let name = |class: usize| HtmlCell::from(words::name(&counts.names[class]));
        let share = ratio(x, counts.labels[is][1]).unwrap_or(0.0);
        table.row([
            name(is),
            name(named),
            words::weight(x).into(),
            HtmlCell::bar(words::percent(share), share),
        ]);
    }
    let mut content = String::new();
    if k <= MATRIX {
        let rows: Vec<_> = counts.matrix[..k].iter().map(|row| numbers(row.iter().copied())).collect();
        content = page.figure("matrix", "Confusion matrix", json!({"names": counts.names, "rows": rows}));
    }
    if pairs.is_empty() {
        content += "<p>Every row is answered right.</p>";
    } else {
        content.extend(["<h3>Most frequent confusions</h3>", &table.html()]);
    }
    let text = "A line for each true class, a column for each answer: what is right lies on the diagonal.";
    page.section("confusion", "Confusion", text, &content);
}

fn classes(page: &mut Page, counts: &Counts) {
    let word = if counts.sets { "Label" } else { "Class" };
    let mut table = HtmlTable::new(1, &[word, "Precision", "Recall", "95 % interval", "F1", "Rows"]);
    let share =
        |x: Option<f64>| x.map_or(HtmlCell::from("–".to_string()), |x| HtmlCell::bar(format!("{x:.3}"), x));
    for (name, &[both, has, named]) in counts.names.iter().zip(&counts.labels).take(CLASSES) {
        let f1 = ratio(2.0 * both, has + named);
        let (precision, recall) = (share(ratio(both, named)), share(ratio(both, has)));
        let [low, high] = wilson(ratio(both, has).unwrap_or(0.0), has);
        let interval = if has > 0.0 { format!("{low:.3} – {high:.3}") } else { "–".into() };
        let name = words::name(name).into();
        table.row([name, precision, recall, interval.into(), share(f1), words::weight(has).into()]);
    }
    let mut text = "Precision: of the rows that are given the answer, how many it fits. Recall: of the rows that it fits, how \
                    many are given it; 95 times in 100 the recall on all rows like these is in the interval."
        .to_string();
    if counts.names.len() > CLASSES {
        text.extend([" The first ", &CLASSES.to_string(), " of ", &words::grouped(counts.names.len()), "."]);
    }
    page.section("classes", if counts.sets { "Labels" } else { "Classes" }, &text, &table.html());
}

fn importance(page: &mut Page, model: &Model, staged: &Staged<'_>, gains: &[gain::Gain], counts: &Counts) {
    if gains.is_empty() {
        return;
    }
    let increases = permutation::of(model, staged, gains);
    let most = |of: &dyn Fn(usize) -> f64| (0..gains.len()).map(of).fold(1e-12, f64::max);
    let (gain, rise) =
        (most(&|at| gains[at].share), most(&|at| increases.get(at).map_or(0.0, |rise| rise.all)));
    let mut table = HtmlTable::new(1, &["Column", "Gain", "Permutation", "Tests"]);
    for (at, column) in gains.iter().enumerate().take(permutation::COLUMNS) {
        let permuted =
            increases.get(at).map(|rise| rise.all).map_or(HtmlCell::from("–".to_string()), |x| {
                HtmlCell::bar(
                    format!("{}{}", if x >= 0.0 { "+" } else { "−" }, words::figure(x.abs())),
                    x / rise,
                )
            });
        let share = HtmlCell::bar(format!("{:.1} %", 100.0 * column.share), column.share / gain);
        table.row([words::name(&column.name).into(), share, permuted, words::grouped(column.tests).into()]);
    }
    let rises: Vec<_> = gains
        .iter()
        .zip(&increases)
        .map(|(column, rise)| {
            let classes = numbers(rise.classes.iter().copied());
            json!({"name": words::name(&column.name), "all": number(rise.all), "classes": classes})
        })
        .collect();
    let shown = increases.first().map_or(0, |rise| rise.classes.len());
    let about = if counts.sets { "label" } else { "rows of" };
    let data =
        json!({"about": about, "names": counts.names[..shown.min(counts.names.len())], "columns": rises});
    let mut content = page.figure("worth", "What columns are worth to a class", data);
    content.extend(["<h3>All columns</h3>", &table.html()]);
    let words = gain::words(model, staged);
    if !words.is_empty() {
        let mut table = HtmlTable::new(1, &["Word", "Gain"]);
        for (name, share) in &words {
            table.row([
                name.clone().into(),
                HtmlCell::bar(format!("{:.1} %", 100.0 * share), share / words[0].1),
            ]);
        }
        content.extend(["<h3>Words</h3>", &table.html()]);
    }
    let text = "Gain: the share in how far tests spread the scores of the rows (the drop of squares that each cut brings). \
                Permutation: how much the log loss rises when the column's values change places between rows; what \
                other columns also know costs little. The figure has it for the rows of each class.";
    page.section("importance", "Features", text, &content);
}
