//! `manyboost predict`: one line per row. Rows are read, answered and written some after the other, so that memory does not depend
//! on how many there are.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use manyboost::model::Model;
use manyboost_data::wording::visible_json;
use manyboost_data::{Frame, write_text};
use serde_json::{Value, json};

use crate::args::PredictArgs;
use crate::failure::Outcome;
use crate::inputs::{self, number};
use crate::messages;
use crate::output::{self, Output};
use crate::progress::Spinner;

mod answers;

use answers::{AnswerCell, Answers, Block};

pub fn run(args: &PredictArgs) -> Outcome {
    let form = output::table_form(args.out.as_deref())?;
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
    let style = if args.json { Style::Json } else { Style::Text(form.delimiter) };
    let mut sheet = Sheet { out: Output::new(args.out.as_deref())?, style, begun: false };
    // A spinner and the rows would be in one another's way.
    let apart = args.out.is_some() || !io::stdout().is_terminal();
    let spinner = apart.then(|| Spinner::new(&format!("predicting {}", args.data)));
    let (mut source, mut unseen) = (String::new(), vec![0; model.encoder.column_encoders().len()]);
    inputs::unanswered_blocks(&args.data, &model.schema, &mut |table| {
        model.ensemble.claim(table.rows)?;
        source.clone_from(&table.source);
        model.encoder.count_unseen(&table, &mut unseen)?;
        sheet.put(&answers.of(Frame::new(table, &model.encoder)?))
    })?;
    drop(spinner);
    model.encoder.unseen_notes(&source, &unseen).iter().for_each(|note| messages::note(note));
    sheet.finish()
}

/// How answers are written.
#[derive(Clone, Copy)]
enum Style {
    /// As lines of fields with this between them.
    Text(u8),
    /// As one document.
    Json,
}

/// Answers under way.
struct Sheet {
    out: Output,
    style: Style,
    begun: bool,
}

impl Sheet {
    /// Writes the next rows, the first ones with the header.
    fn put(&mut self, block: &Block<'_>) -> Outcome {
        let first = !std::mem::replace(&mut self.begun, true);
        let style = self.style;
        self.out.write(|out| match style {
            Style::Text(delimiter) => put_text(out, block, delimiter, first),
            Style::Json => put_json(out, block, first),
        })
    }

    fn finish(mut self) -> Outcome {
        if matches!(self.style, Style::Json) {
            self.out.write(|out| out.write_all(b"\n  ]\n}\n"))?;
        }
        self.out.finish()
    }
}

fn put_text(out: &mut dyn Write, block: &Block<'_>, delimiter: u8, first: bool) -> io::Result<()> {
    if first {
        let header = block.header();
        write_line(out, delimiter, &header.iter().map(|name| AnswerCell::Name(name)).collect::<Vec<_>>())?;
    }
    (0..block.rows()).try_for_each(|row| write_line(out, delimiter, &block.row(row)))
}

fn write_line(out: &mut dyn Write, delimiter: u8, cells: &[AnswerCell<'_>]) -> io::Result<()> {
    let alone = cells.len() == 1;
    for (at, cell) in cells.iter().enumerate() {
        if at > 0 {
            out.write_all(&[delimiter])?;
        }
        match cell {
            AnswerCell::Name(text) => write_text(out, text, delimiter, alone)?,
            AnswerCell::Joined(text) => write_text(out, text, delimiter, alone)?,
            AnswerCell::Number(x) => write!(out, "{x}")?,
            AnswerCell::Flag(x) => out.write_all(if *x { b"1" } else { b"0" })?,
        }
    }
    out.write_all(b"\n")
}

/// The document up to the end of these rows, laid out as if it had been written at once.
fn put_json(out: &mut dyn Write, block: &Block<'_>, first: bool) -> io::Result<()> {
    if first {
        write!(out, "{{\n  \"columns\": {},\n  \"rows\": [", indented(&json!(block.header()), 2))?;
    }
    for row in 0..block.rows() {
        let cells: Value = block.row(row).into_iter().map(value).collect();
        let comma = if first && row == 0 { "" } else { "," };
        write!(out, "{comma}\n    {}", indented(&cells, 4))?;
    }
    Ok(())
}

fn indented(value: &Value, by: usize) -> String {
    visible_json(&format!("{value:#}")).replace('\n', &format!("\n{}", " ".repeat(by)))
}

fn value(cell: AnswerCell<'_>) -> Value {
    match cell {
        AnswerCell::Name(name) => json!(name),
        AnswerCell::Joined(text) => json!(text),
        AnswerCell::Number(x) => json!(x),
        AnswerCell::Flag(x) => json!(u8::from(x)),
    }
}
