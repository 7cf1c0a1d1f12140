//! `manyboost importance`: what columns are worth, by shuffling their values.

use manyboost::explain::permutation::{ColumnWorth, Rise, permutation_importance};
use manyboost::model::Model;
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::ImportanceArgs;
use crate::failure::Outcome;
use crate::inputs::{Weight, number};
use crate::looked::Looked;
use crate::messages;
use crate::progress::Spinner;
use crate::text_table::{Align, TextTable};

pub fn run(args: &ImportanceArgs) -> Outcome {
    let repeats =
        number("--repeats", &args.repeats, |n| (1..=1000).contains(n), "a whole number from 1 to 1,000")?;
    let model = Model::load(&args.model)?;
    let weight = args.weight.clone().map_or(Weight::None, Weight::Column);
    let Looked { mut rows, seen, .. } = Looked::at(&args.data, &model, args.target.clone(), weight)?;
    let spinner = Spinner::new(&format!("shuffling columns of {}", args.data));
    let mut columns = permutation_importance(&model, &mut rows, repeats, args.seed)?;
    drop(spinner);
    columns.sort_by(|a, b| b.log_loss.mean.total_cmp(&a.log_loss.mean));
    let target = &model.schema.target;
    let classes: Vec<&str> = (0..target.names().len()).filter_map(|class| target.label(class)).collect();
    if args.json {
        return print_json(&json!({
            "rows": rows.frame.rows(),
            "repeats": repeats,
            "trained_on": seen,
            "columns": columns.iter().map(|column| document(column, &classes)).collect::<Vec<_>>(),
        }));
    }
    print(&text(&columns, if args.classes { &classes } else { &[] }, args.top))
}

fn document(column: &ColumnWorth, classes: &[&str]) -> Value {
    let rise = |rise: Rise| json!({"mean": rise.mean, "margin": rise.margin});
    let class = |(name, [error, log_loss]): (&&str, &[Rise; 2])| json!({"class": name, "error": rise(*error), "log_loss": rise(*log_loss)});
    json!({
        "column": column.column,
        "error": rise(column.error),
        "log_loss": rise(column.log_loss),
        "classes": classes.iter().zip(&column.classes).map(class).collect::<Vec<_>>(),
    })
}

/// A table for the eye: rises of the error, of the log loss, and of the log loss of each class.
fn text(columns: &[ColumnWorth], classes: &[&str], top: usize) -> String {
    let mut names = vec!["column".to_string(), "error".into(), "log loss".into()];
    names.extend(classes.iter().map(|class| messages::name(class)));
    let align = |at: usize| if at == 0 { Align::Left } else { Align::Right };
    let header: Vec<(&str, Align)> =
        names.iter().enumerate().map(|(at, name)| (name.as_str(), align(at))).collect();
    let mut table = TextTable::new(&header);
    for column in columns.iter().take(top) {
        let Rise { mean, margin } = column.error;
        let error = format!("{:+.2} ± {:.2} %", 100.0 * mean, 100.0 * margin);
        let losses = std::iter::once(column.log_loss)
            .chain(column.classes.iter().take(classes.len()).map(|class| class[1]));
        let losses = losses.map(|rise| format!("{:+.4} ± {:.4}", rise.mean, rise.margin));
        table.row([messages::name(&column.column), error].into_iter().chain(losses));
    }
    table.text()
}
