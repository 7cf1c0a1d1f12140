//! `manyboost export`: a model in the format of other programs, checked where it is made.

use std::path::Path;

use manyboost::files::write_atomic;
use manyboost::model::Model;
use manyboost_onnx::{ClassNames, Difference, boundary_rows, export};
use serde_json::json;

use super::{print, print_json};
use crate::args::ExportArgs;
use crate::failure::Outcome;
use crate::progress::Spinner;
use crate::text_table::{Align, TextTable};
use crate::{inputs, messages, output};

/// Rows of a file that are checked.
const HEAD: usize = 2000;
/// Rows that are made up where there is no file.
const MADE_UP: usize = 500;

pub fn run(args: &ExportArgs) -> Outcome {
    output::check_plain(&args.out)?;
    let data = args.check.as_deref().filter(|path| *path != "-").map(Path::new);
    output::distinct(&[("--out", Some(&args.out))], &[("the model", Some(&args.model)), ("the data", data)])?;
    let model = Model::load(&args.model)?;
    let table = match &args.check {
        Some(path) => {
            let table = inputs::unanswered(path, &model.schema)?;
            let head: Vec<u32> = (0..table.rows.min(HEAD) as u32).collect();
            table.select(&head)
        }
        None => boundary_rows(&model, MADE_UP),
    };
    let spinner = Spinner::new("laying the graph beside the model");
    let (bytes, difference) = export(&model, ClassNames::AsTheyRead, &table)?;
    drop(spinner);
    write_atomic(&args.out, &bytes)?;
    finish(args, bytes.len(), &difference)
}

fn finish(args: &ExportArgs, bytes: usize, difference: &Difference) -> Outcome {
    let Difference { rows, labels, scores, probabilities } = *difference;
    if args.json {
        return print_json(&json!({
            "format": args.format,
            "file": args.out,
            "bytes": bytes,
            "rows": rows,
            "other_labels": labels,
            "largest_difference": {"scores": scores, "probabilities": probabilities},
        }));
    }
    let mut table = TextTable::new(&[("", Align::Left), ("", Align::Left)]);
    let mut put = |name: &str, value: String| table.row([name.to_string(), value]);
    put("file", format!("{}, {} bytes", args.out.display(), messages::grouped(bytes)));
    let of =
        args.check.as_deref().map_or("made up at the thresholds".to_string(), |path| format!("of {path}"));
    put("checked", format!("{} {of}", messages::count(rows, "row")));
    put("other labels", messages::grouped(labels));
    put("largest difference", format!("scores {scores:.0e}, probabilities {probabilities:.0e}"));
    print(&table.text())
}
