//! `manyboost predict`: one line per row. Rows are read, answered and written some after the other, so that memory does not depend
//! on how many there are.

use std::io::{self, IsTerminal};
use std::path::Path;

use manyboost::model::Model;
use manyboost_data::Frame;

use crate::args::PredictArgs;
use crate::failure::Outcome;
use crate::inputs::{self, number};
use crate::messages;
use crate::output;
use crate::progress::Spinner;

mod answers;
mod kept;
mod sheet;
mod threshold;

use answers::Answers;
use kept::Kept;
use sheet::{Sheet, Style};

pub fn run(args: &PredictArgs) -> Outcome {
    let style = Style::of(args.out.as_deref(), args.json)?;
    if let Some(out) = &args.out {
        let (model, data) = (args.model.as_path(), Path::new(&args.data));
        let data = (args.data != "-").then_some(data);
        output::distinct(&[("--out", Some(out))], &[("the model", Some(model)), ("the data", data)])?;
    }
    let top = args.top.as_deref().map(|n| number("--top", n, |n| *n >= 1, "a whole number of at least 1"));
    let top: Option<usize> = top.transpose()?;
    let model = Model::load(&args.model)?;
    let costs = args.costs.as_deref().map(|path| inputs::costs(path, &model.schema.target)).transpose()?;
    let answers = Answers::new(&model, args, top, costs)?;
    let mut sheet = Sheet::new(args.out.as_deref(), style)?;
    let keep = kept::wanted(args);
    // A spinner and the rows would be in one another's way.
    let apart = args.out.is_some() || !io::stdout().is_terminal();
    let spinner = apart.then(|| Spinner::new(&format!("predicting {}", args.data)));
    let (mut source, mut unseen) = (String::new(), vec![0; model.encoder.column_encoders().len()]);
    inputs::unanswered_blocks(&args.data, &model.schema, keep, &mut |table| {
        model.ensemble.claim(table.rows)?;
        source.clone_from(&table.source);
        model.encoder.count_unseen(&table, &mut unseen)?;
        let kept = Kept::of(&table, keep);
        sheet.put(&answers.of(kept, Frame::new(table, &model.encoder)?))
    })?;
    drop(spinner);
    model.encoder.unseen_notes(&source, &unseen).iter().for_each(|note| messages::note(note));
    sheet.finish()
}
