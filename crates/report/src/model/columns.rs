//! A look at the columns: what is in them, by class, and whether the rows of the page are like those of training.

use std::collections::BTreeMap;

use manyboost::model::Model;
use manyboost_data::Frame;
use manyboost_data::encode::{Codec, TimeCodec};
use serde_json::{Value, json};

use super::gain::Gain;
use super::staged::{Staged, spread};
use super::values::first_feature;
use crate::numbers::{number, numbers};
use crate::{HtmlCell, HtmlTable, Page, words};

/// Columns that are looked at: those that do most first.
const COLUMNS: usize = 60;
/// Bars of a column of numbers, and levels of one of categories.
const BARS: usize = 24;
const LEVELS: usize = 16;
/// Classes that have a colour each; of more classes all rows are drawn alike.
const CLASSES: usize = 10;
/// A level with less than this share of the rows is rare.
const RARE: f64 = 0.01;
/// Rows of training that are looked at.
const ROWS: usize = 20_000;
/// How far apart two distribution functions are by chance in one of a hundred cases, in units of √(1/n + 1/m); the same for a share,
/// in standard errors, for some tens of levels.
const APART: f64 = 1.63;
const ERRORS: f64 = 3.5;

pub fn section(
    page: &mut Page,
    model: &Model,
    staged: &Staged<'_>,
    training: Option<&Frame>,
    gains: &[Gain],
    names: &[String],
) {
    let training = training.filter(|frame| frame.rows() > 0);
    let count = model.encoder.column_encoders().len();
    let mut order: Vec<usize> = gains.iter().map(|gain| gain.column).collect();
    order.extend((0..count).filter(|column| !gains.iter().any(|gain| gain.column == *column)));
    order.truncate(COLUMNS);
    let looked: Vec<Column> = order.iter().map(|&at| Column::new(model, staged, training, at)).collect();
    let mut head = vec!["Column", "Kind", "Lowest … median … highest", "Missing"];
    if training.is_some() {
        head.extend(["In training", "Drift"]);
    }
    let mut table = HtmlTable::new(3, &head);
    for column in &looked {
        let [kind, values] = column.about();
        let share = |of: &Values| HtmlCell::bar(words::percent(of.missing), of.missing);
        let mut cells: Vec<HtmlCell> =
            vec![column.name.clone().into(), kind.into(), values.into(), share(&column.here)];
        if let Some(before) = &column.before {
            let drift = column.drift().map_or("–".to_string().into(), |(distance, sure)| {
                HtmlCell::best(format!("{distance:.3}{}", if sure { " !" } else { "" }), sure)
            });
            cells.extend([share(before), drift]);
        }
        table.row(cells);
    }
    let data: Vec<Value> = looked.iter().filter_map(|column| column.json(staged, names.len())).collect();
    let mut content = String::new();
    if !data.is_empty() {
        let names = if names.len() <= CLASSES && !staged.labels().is_sets() { names } else { &[] };
        content = page.figure("columns", "What is in a column", json!({"names": names, "columns": data}));
    }
    content.extend(["<h3>All of them</h3>", &table.html()]);
    let mut text = "What is in the columns of the rows of this page, those that do most first. Of categories, levels that were too rare in training \
                    count as missing, as they do for the model."
        .to_string();
    if training.is_some() {
        text += " Drift: how far these rows are from those of training, the largest distance of the distribution functions, or of the shares of a \
                 level; with “!” where chance alone would do that in fewer than one of a hundred columns.";
    }
    if count > COLUMNS {
        text.extend([" The first ", &COLUMNS.to_string(), " of ", &words::grouped(count), "."]);
    }
    page.section("columns", "Columns", &text, &content);
}

/// The values of a column in some rows: those that are there, ascending, and the share of those that are not.
struct Values {
    there: Vec<f64>,
    missing: f64,
}

impl Values {
    fn new(value: impl Fn(u32) -> f64, rows: &[u32]) -> Self {
        let mut there: Vec<f64> = rows.iter().map(|&row| value(row)).filter(|x| !x.is_nan()).collect();
        there.sort_by(f64::total_cmp);
        let missing = 1.0 - there.len() as f64 / rows.len().max(1) as f64;
        Self { there, missing }
    }

    fn quantile(&self, share: f64) -> f64 {
        let last = self.there.len().saturating_sub(1);
        self.there.get((share * last as f64).round() as usize).copied().unwrap_or(0.0)
    }
}

/// The bar that a value is in; nothing for a missing one.
type Place<'a> = Box<dyn Fn(f64) -> Option<usize> + 'a>;

struct Column {
    name: String,
    feature: usize,
    /// Levels of categories; `None` for numbers and texts.
    levels: Option<Vec<String>>,
    text: bool,
    /// What values are, where they are the seconds of times.
    times: Option<TimeCodec>,
    here: Values,
    before: Option<Values>,
}

impl Column {
    fn new(model: &Model, staged: &Staged<'_>, training: Option<&Frame>, at: usize) -> Self {
        let encoder = &model.encoder.column_encoders()[at];
        let (feature, width) = (first_feature(model, at), encoder.codec.width());
        let text = matches!(encoder.codec, Codec::Text(_));
        // A text without any word that the model knows is missing to it; more cannot be said in a line.
        let value = |frame: &Frame, row: u32| {
            let own = |place: usize| frame.value(row as usize, feature + place);
            match text {
                true if (0..width).all(|word| own(word) == 0.0) => f64::NAN,
                true => 0.0,
                false => own(0),
            }
        };
        let before = training.map(|frame| Values::new(|row| value(frame, row), &spread(frame.rows(), ROWS)));
        let here = Values::new(|row| value(&staged.all.frame, row), &staged.rows);
        let (levels, times) = match &encoder.codec {
            Codec::Category(codec) => (Some(codec.levels().to_vec()), None),
            Codec::Time(codec) => (None, Some(codec.clone())),
            _ => (None, None),
        };
        Self { name: words::name(&encoder.name), feature, levels, text, times, here, before }
    }

    /// Its kind, and its values in a few words.
    fn about(&self) -> [String; 2] {
        if self.text {
            return ["text".into(), String::new()];
        }
        let Some(levels) = &self.levels else {
            let shown = |value: f64| match &self.times {
                Some(times) => times.shown(value),
                None => words::short(short(value)),
            };
            let ends = [0.0, 0.5, 1.0].map(|share| shown(self.here.quantile(share)));
            let values = if self.here.there.is_empty() {
                "none".into()
            } else {
                format!("{} … {} … {}", ends[0], ends[1], ends[2])
            };
            return [if self.times.is_some() { "time" } else { "number" }.into(), values];
        };
        let rows = self.here.there.len() as f64 / (1.0 - self.here.missing).max(f64::MIN_POSITIVE);
        let counts = self.counts();
        let rare = levels.len() - counts.values().filter(|n| **n >= RARE * rows).count();
        let rare = if rare > 0 { format!(", {} rare", words::grouped(rare)) } else { String::new() };
        ["category".into(), words::count(levels.len(), "level") + &rare]
    }

    /// How often each level occurs.
    fn counts(&self) -> BTreeMap<usize, f64> {
        let mut counts = BTreeMap::new();
        self.here.there.iter().for_each(|&level| *counts.entry(level as usize).or_insert(0.0) += 1.0);
        counts
    }

    /// How far the rows are from those of training, and whether that is more than chance would do.
    fn drift(&self) -> Option<(f64, bool)> {
        let before = self.before.as_ref()?;
        let (n, m) = (self.here.there.len() as f64, before.there.len() as f64);
        if self.text || n == 0.0 || m == 0.0 {
            return None;
        }
        let Some(levels) = &self.levels else {
            let distance = distance(&self.here.there, &before.there);
            return Some((distance, distance > APART * (1.0 / n + 1.0 / m).sqrt()));
        };
        let share = |values: &Values, level: usize| {
            let x = level as f64;
            let count = values.there.partition_point(|y| *y <= x) - values.there.partition_point(|y| *y < x);
            count as f64 / values.there.len() as f64
        };
        let apart = (0..levels.len()).map(|level| {
            let (p, q) = (share(&self.here, level), share(before, level));
            let both = (p * n + q * m) / (n + m);
            let error = (both * (1.0 - both) * (1.0 / n + 1.0 / m)).sqrt();
            ((p - q).abs(), (p - q).abs() > ERRORS * error)
        });
        Some(apart.fold((0.0, false), |(most, sure), (x, far)| (f64::max(most, x), sure || far)))
    }

    /// Bars by class, and the shares of training.
    fn json(&self, staged: &Staged<'_>, classes: usize) -> Option<Value> {
        if self.text || self.here.there.is_empty() {
            return None;
        }
        let groups = if classes <= CLASSES && !staged.labels().is_sets() { classes } else { 1 };
        let (bars, count, place) = self.bars();
        let mut counts = vec![vec![0.0; count]; groups];
        let mut missing = vec![0.0; groups];
        for &row in &staged.rows {
            let group = match staged.labels().class(row as usize) {
                Some(class) if groups > 1 => (class as usize).min(groups - 1),
                _ => 0,
            };
            let value = staged.all.frame.value(row as usize, self.feature);
            match place(value) {
                Some(bar) => counts[group][bar] += 1.0,
                None => missing[group] += 1.0,
            }
        }
        let before = self.before.as_ref().filter(|before| !before.there.is_empty()).map(|before| {
            let mut shares = vec![0.0; count];
            let one = (1.0 - before.missing) / before.there.len() as f64;
            before.there.iter().filter_map(|&x| place(x)).for_each(|bar| shares[bar] += one);
            numbers(shares.into_iter().chain([before.missing]))
        });
        let groups = counts
            .into_iter()
            .zip(missing)
            .map(|(counts, missing)| numbers(counts.into_iter().chain([missing])));
        let bars = match &self.levels {
            None => json!({"edges": bars}),
            Some(_) => json!({"levels": bars}),
        };
        Some(json!({"name": self.name, "bars": bars, "groups": groups.collect::<Vec<_>>(), "before": before}))
    }

    /// The edges of bars or their levels, how many bars there are, and the one that a value is in: ranges between the outermost values but few, or the most frequent levels.
    fn bars(&self) -> (Vec<Value>, usize, Place<'_>) {
        let Some(levels) = &self.levels else {
            let ends = |values: &Values| [values.quantile(0.005), values.quantile(0.995)];
            let [mut low, mut high] = ends(&self.here);
            if let Some(before) = self.before.as_ref().filter(|before| !before.there.is_empty()) {
                let [a, b] = ends(before);
                (low, high) = (low.min(a), high.max(b));
            }
            if high <= low {
                (low, high) = (low - 0.5, low + 0.5);
            }
            let edge = move |bar: usize| low + (high - low) * bar as f64 / BARS as f64;
            let place = move |x: f64| {
                let bar = (x - low) / (high - low) * BARS as f64;
                (!x.is_nan()).then(|| bar.clamp(0.0, BARS as f64 - 1.0) as usize)
            };
            return ((0..=BARS).map(|bar| number(edge(bar))).collect(), BARS, Box::new(place));
        };
        let counts = self.counts();
        let mut order: Vec<usize> = (0..levels.len()).collect();
        let count = |level: usize| counts.get(&level).copied().unwrap_or(0.0);
        order.sort_by(|&a, &b| count(b).total_cmp(&count(a)).then(a.cmp(&b)));
        let own = order.len().min(LEVELS);
        let mut bars: Vec<Value> =
            order[..own].iter().map(|&level| words::name(&levels[level]).into()).collect();
        if order.len() > own {
            bars.push(format!("{} others", order.len() - own).into());
        }
        let places: BTreeMap<usize, usize> =
            order.into_iter().enumerate().map(|(at, level)| (level, at.min(own))).collect();
        let all = bars.len();
        (
            bars,
            all,
            Box::new(move |x: f64| if x.is_nan() { None } else { places.get(&(x as usize)).copied() }),
        )
    }
}

/// A number with four digits.
fn short(x: f64) -> f64 {
    format!("{x:.3e}").parse().unwrap_or(x)
}

/// The largest distance of two distribution functions (Kolmogorov and Smirnov); both lists ascend.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let below = |list: &[f64], x: f64| list.partition_point(|y| *y <= x) as f64 / list.len() as f64;
    a.iter().chain(b).map(|&x| (below(a, x) - below(b, x)).abs()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_between_distribution_functions() {
        assert_eq!(distance(&[1.0, 2.0, 3.0, 4.0], &[3.0, 4.0, 5.0, 6.0]), 0.5);
        assert_eq!(distance(&[1.0, 1.0], &[1.0]), 0.0);
        assert_eq!(distance(&[1.0], &[2.0]), 1.0);
    }

    #[test]
    fn values_know_what_is_missing() {
        let values = Values::new(|row| if row == 1 { f64::NAN } else { f64::from(10 - row) }, &[0, 1, 2, 3]);
        assert_eq!((values.there.as_slice(), values.missing), (&[7.0, 8.0, 10.0][..], 0.25));
        assert_eq!(values.quantile(0.5), 8.0);
    }
}
