//! What training tells the user in words.

use manyboost::engine::tuning::Rung;
use manyboost_data::encode::Codec;
use manyboost_data::memory::{left, size};
use manyboost_data::{Applied, Clock, Kind, Labels, Prepared, Remarks, TargetSpec};

use crate::messages;
use crate::text_table::{Align, TextTable};

/// Training that takes less memory does not say how much.
const WORTH_SAYING: u64 = 100_000_000;

/// Columns that are named one by one.
const NAMED: usize = 6;

/// What was inferred: the columns by kind, the answers, the rows.
pub fn inferred(prepared: &Prepared, valid: Option<&Applied>) {
    let mut table = TextTable::new(&[("", Align::Left), ("", Align::Left)]);
    let data = &prepared.dataset;
    let mut rows = messages::grouped(data.rows());
    if !data.weights.uniform() {
        rows += ", weighted";
    }
    if let Some(valid) = valid {
        rows.extend([" (and ", &messages::grouped(valid.frame.rows()), " to validate on)"]);
    }
    table.row(["rows".to_string(), rows]);
    match &prepared.schema.target {
        TargetSpec::Classes { column, names } => {
            let shown = list(names.iter().map(String::as_str));
            let classes = if names.len() == 1 {
                "1 class".into()
            } else {
                format!("{} classes", messages::grouped(names.len()))
            };
            table.row(["target".to_string(), format!("\"{}\", {classes}: {shown}", messages::name(column))]);
        }
        TargetSpec::Sets { names, .. } => {
            let target = &prepared.schema.target;
            let shown = list((0..names.len()).filter_map(|label| target.label(label)));
            let mut text = format!("{}: {shown}", messages::count(names.len(), "label"));
            if let Labels::Sets { sets, .. } = &data.labels {
                let more = format!("; {:.2} a row", sets.total() as f64 / sets.rows().max(1) as f64);
                text.push_str(&more);
            }
            table.row(["target".to_string(), text]);
        }
    }
    let kinds = [
        (Kind::Number, "numbers"),
        (Kind::Category, "categories"),
        (Kind::Text, "texts"),
        (Kind::Time(Clock::Plain), "times"),
        (Kind::Time(Clock::Span), "durations"),
    ];
    for (kind, name) in kinds {
        let columns = prepared.schema.features.iter().zip(prepared.encoder.column_encoders());
        let own: Vec<_> = columns.filter(|(feature, _)| feature.kind.name() == kind.name()).collect();
        let described = own.iter().map(|(feature, column)| match &column.codec {
            Codec::Number(_) => messages::name(&feature.name),
            Codec::Category(codec) => {
                format!(
                    "{} ({} levels)",
                    messages::name(&feature.name),
                    messages::grouped(codec.levels().len())
                )
            }
            Codec::Text(codec) => {
                format!("{} ({} words)", messages::name(&feature.name), messages::grouped(codec.width()))
            }
            Codec::Time(codec) if codec.parts().is_empty() => messages::name(&feature.name),
            Codec::Time(codec) => {
                let parts: Vec<&str> = codec.parts().iter().map(|part| part.name()).collect();
                format!("{} ({})", messages::name(&feature.name), parts.join(", "))
            }
        });
        if !own.is_empty() {
            table.row([name.to_string(), format!("{}: {}", messages::grouped(own.len()), list(described))]);
        }
    }
    let Remarks { missing, rare, .. } = &prepared.remarks;
    if *missing > 0 {
        table.row([
            "missing".to_string(),
            format!("values are missing in {}", messages::count(*missing, "column")),
        ]);
    }
    if *rare > 0 {
        let rare = messages::count(*rare, "value");
        table.row([
            "rare".to_string(),
            format!("in too few rows for a level of their own: {rare} of categories"),
        ]);
    }
    messages::tell(table.text().trim_end_matches('\n'));
}

/// What training will take beside the rows, if that is worth a look.
pub fn memory(bytes: u64) {
    if bytes >= WORTH_SAYING {
        let left = left().map_or(String::new(), |left| {
            format!(" of the {} that are left ({})", size(left.bytes), left.by)
        });
        messages::tell(&format!("memory  about {}{left}", size(bytes)));
    }
}

/// The first names of a list.
fn list(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    let mut shown: Vec<String> = names.take(NAMED + 1).map(|name| messages::name(name.as_ref())).collect();
    let more = shown.len() > NAMED;
    shown.truncate(NAMED);
    format!("{}{}", shown.join(", "), if more { ", …" } else { "" })
}

/// How many rounds the data decided for, and why.
pub fn found(rounds: usize, members: usize, tried: usize, best: Rung) {
    let (rounds, tried) = (messages::count(rounds, "round"), messages::grouped(tried));
    let mean = if members > 1 { format!("; the mean of {members} trainings") } else { String::new() };
    messages::note(&format!(
        "{rounds}: of up to {tried} tried, rows that were not trained on fare best after {} (log loss {}){mean}",
        messages::grouped(best.rounds),
        messages::figure(best.loss),
    ));
}
