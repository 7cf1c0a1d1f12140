//! `manyboost report`: the page of a model.

use std::path::Path;

use manyboost::files::write_atomic;
use manyboost::model::Model;
use manyboost_data::wording::quoted;
use manyboost_data::{Applied, Frame, TargetSpec};
use manyboost_report::command::again;
use manyboost_report::model::{Subject, page};
use serde_json::json;

use super::print_json;
use crate::args::ReportArgs;
use crate::failure::Outcome;
use crate::inputs::{self, Weight};
use crate::looked::Looked;
use crate::progress::Spinner;
use crate::{messages, output};

pub fn run(args: &ReportArgs) -> Outcome {
    let out = args.out.clone().unwrap_or_else(|| args.model.with_extension("html"));
    let data = (args.data != "-").then(|| Path::new(&args.data));
    output::distinct(&[("the page", Some(&out))], &[("the model", Some(&args.model)), ("the data", data)])?;
    output::check_plain(&out)?;
    let model = Model::load(&args.model)?;
    let weight = args.weight.clone().map_or(Weight::None, Weight::Column);
    let Looked { rows, raw, seen } = Looked::at(&args.data, &model, args.target.clone(), weight)?;
    drop(raw);
    let known = |which| format!(", {which} of which it was trained on: other rows will fare worse");
    let known = seen.map(known).unwrap_or_default();
    let measured = format!("{} of {}{known}", messages::count(rows.frame.rows(), "row"), args.data);
    let training = args.training.as_deref().map(|path| training(path, &model)).transpose()?;
    let command = again(&model, &args.model);
    let shown = Shown { rows: &rows, training: training.as_ref(), trained: None, measured, command };
    write(&out, &model, shown)?;
    if args.json {
        return print_json(
            &json!({"page": out, "rows": rows.frame.rows(), "booster": model.booster, "trained_on": seen}),
        );
    }
    Ok(())
}

/// Rows that the model was trained on, as it looks at them.
fn training(path: &str, model: &Model) -> Outcome<Frame> {
    Ok(Frame::new(inputs::unanswered(path, &model.schema)?, &model.encoder)?)
}

/// What the page of a model is shown on.
pub struct Shown<'a> {
    /// The rows.
    pub rows: &'a Applied,
    /// Rows of training to compare their columns with.
    pub training: Option<&'a Frame>,
    /// What the model was trained on, in words.
    pub trained: Option<String>,
    /// What the rows are.
    pub measured: String,
    /// A command that makes the model again.
    pub command: String,
}

/// Writes the page of a model, shown on some rows.
pub fn write(out: &Path, model: &Model, shown: Shown<'_>) -> Outcome {
    let Shown { rows, training, trained, measured, command } = shown;
    model.ensemble.claim(rows.frame.rows())?;
    let _spinner = Spinner::new("measuring for the page");
    let title = match &model.schema.target {
        TargetSpec::Classes { column, .. } => format!("A model of “{}”", messages::name(column)),
        TargetSpec::Sets { .. } => "A model of label sets".to_string(),
    };
    let subject = Subject { title: &title, model, trained, rows, training, measured, command };
    write_atomic(out, page(&subject).as_bytes())?;
    messages::tell(&format!("  the page is {}", out.display()));
    Ok(())
}

/// The command that is running, as it can be given to a shell again.
pub fn command_line() -> String {
    let words = crate::WORDS.get().into_iter().flatten().cloned().map(quoted);
    std::iter::once("manyboost".to_string()).chain(words).collect::<Vec<_>>().join(" ")
}
