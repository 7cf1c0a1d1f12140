//! `manyboost explain`: what each column of a row adds to the scores. Rows are read, explained and written some after the other.

use std::path::Path;

use manyboost::explain::{Explainer, Grain};
use manyboost::model::Model;
use manyboost_data::{Form, Frame};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::ExplainArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::{self, Keep, number};
use crate::messages;
use crate::output;
use crate::progress::Spinner;
use crate::text_table::{Align, TextTable};

mod explained;
mod paged;
pub(super) mod selection;
mod table;

use explained::Explained;
use paged::Paged;
use selection::Selection;
use table::{Line, Lined, Lines, Parquet, classes, is_parquet};

/// Rows that are printed if nothing is said.
const SHOWN_ROWS: usize = 3;

/// Columns that are printed of each if nothing is said.
const SHOWN_PARTS: usize = 8;

/// Rows that are explained at a time: what is said of them may be far larger than they are.
const BLOCK: usize = 1024;

/// What an expectation is called in a table, beside the names of columns.
const EXPECTED: &str = "(expected)";

pub fn run(args: &ExplainArgs) -> Outcome {
    let form = match args.out.as_deref() {
        Some(path) if is_parquet(path) => output::check_plain(path).map(|()| Form::CSV)?,
        path => output::table_form(path)?,
    };
    let top = args.top.as_deref().map(|n| number("--top", n, |n| *n >= 1, "a whole number of at least 1"));
    let top: Option<usize> = top.transpose()?;
    let mut selection = args.rows.as_deref().map(str::parse::<Selection>).transpose()?;
    check_places(args)?;
    let model = Model::load(&args.model)?;
    let grain = if args.words { Grain::Words } else { Grain::Columns };
    let background = args.background.as_deref().map(|path| frame_of(path, &model)).transpose()?;
    let explainer = match &background {
        Some(background) => Explainer::with_background(&model, grain, background),
        None => Explainer::new(&model, grain),
    };
    let explainer = explainer?;
    let printed = args.out.is_none() && args.page.is_none() && !args.json;
    if printed && selection.is_none() {
        selection = Some(Selection::first(SHOWN_ROWS));
        messages::note(&format!(
            "the first {SHOWN_ROWS} rows are shown; --rows names others, --out FILE has all"
        ));
    }
    let mut sheet = match (&args.out, args.json) {
        _ if args.page.is_some() => Sheet::Page(Paged::default()),
        (Some(path), _) if is_parquet(path) => {
            Sheet::Table(Box::new(Parquet::new(path, args.words, &model)?))
        }
        (Some(path), _) => Sheet::Table(Box::new(Lines::new(path, form.delimiter, args.words, &model)?)),
        (None, true) => Sheet::Document(Vec::new()),
        (None, false) => Sheet::Text(Vec::new()),
    };
    let rows = each_row(args, &model, &explainer, selection.as_ref(), &mut |explained, at, number| {
        sheet.put(explained, at, number, top)
    })?;
    if let (Some(selection), Some(_)) = (&selection, &args.rows) {
        selection.check(rows)?;
    }
    sheet.finish(args, &model, &explainer)
}

/// What is done with a row: by its place among those that were explained with it, and its number in the file.
type Each<'a> = dyn FnMut(&Explained<'_>, usize, usize) -> Outcome + 'a;

/// Reads and explains the rows that are wanted; gives the number of all rows.
fn each_row(
    args: &ExplainArgs,
    model: &Model,
    explainer: &Explainer<'_>,
    selection: Option<&Selection>,
    each: &mut Each<'_>,
) -> Outcome<usize> {
    let spinner = Spinner::new(&format!("explaining {}", args.data));
    let (mut first, mut source) = (0, String::new());
    let mut unseen = vec![0; model.encoder.column_encoders().len()];
    inputs::unanswered_blocks(&args.data, &model.schema, Keep::NONE, &mut |table| {
        source.clone_from(&table.source);
        model.encoder.count_unseen(&table, &mut unseen)?;
        let rows = table.rows;
        let frame = Frame::new(table, &model.encoder)?;
        let chosen: Vec<usize> = match selection {
            Some(selection) => selection.within(first, rows),
            None => (first..first + rows).collect(),
        };
        for some in chosen.chunks(BLOCK) {
            let own = frame.select(&some.iter().map(|row| (row - first) as u32).collect::<Vec<_>>());
            let explained = Explained::new(model, explainer, &own)?;
            for (at, row) in some.iter().enumerate() {
                each(&explained, at, row + 1)?;
            }
        }
        first += rows;
        Ok(())
    })?;
    drop(spinner);
    model.encoder.unseen_notes(&source, &unseen).iter().for_each(|note| messages::note(note));
    Ok(first)
}

/// Refuses an output that would overwrite an input.
fn check_places(args: &ExplainArgs) -> Outcome {
    let path = |name: &'static str, text: Option<&'_ String>| {
        (name, text.filter(|text| *text != "-").map(|text| Path::new(text).to_path_buf()))
    };
    let read = [path("the data", Some(&args.data)), path("the background", args.background.as_ref())];
    let mut read: Vec<(&str, Option<&Path>)> =
        read.iter().map(|(name, path)| (*name, path.as_deref())).collect();
    read.push(("the model", Some(&args.model)));
    if args.data == "-" && args.background.as_deref() == Some("-") {
        return Err(wrong("-: stdin is read once", "give a file for one of DATA and --background"));
    }
    args.page.as_deref().map_or(Ok(()), output::check_plain)?;
    output::distinct(&[("--out", args.out.as_deref()), ("--page", args.page.as_deref())], &read)
}

/// The rows of a file as a model looks at them.
fn frame_of(path: &str, model: &Model) -> Outcome<Frame> {
    let table = inputs::unanswered(path, &model.schema)?;
    Ok(Frame::new(table, &model.encoder)?)
}

/// Explanations under way.
enum Sheet {
    /// A file of lines.
    Table(Box<dyn Lined>),
    /// Rows of a document.
    Document(Vec<Value>),
    /// Tables for the eye.
    Text(Vec<String>),
    /// Rows of a page.
    Page(Paged),
}

impl Sheet {
    /// Adds a row by its place among those explained and its number in the file.
    fn put(&mut self, explained: &Explained<'_>, at: usize, number: usize, top: Option<usize>) -> Outcome {
        match self {
            Self::Text(parts) => parts.push(text(explained, at, number, top.unwrap_or(SHOWN_PARTS))),
            Self::Document(rows) => rows.push(document(explained, at, number, top)),
            Self::Page(page) => page.put(explained, at, number),
            Self::Table(table) => {
                let expected =
                    Line { number, column: EXPECTED, word: "", value: "", adds: explained.expected() };
                table.put(&expected)?;
                for (part, name) in explained.parts().iter().enumerate() {
                    let (word, value) = (name.word.as_deref().unwrap_or(""), &explained.value(at, part));
                    table.put(&Line {
                        number,
                        column: &name.column,
                        word,
                        value,
                        adds: explained.adds(at, part),
                    })?;
                }
            }
        }
        Ok(())
    }

    fn finish(self, args: &ExplainArgs, model: &Model, explainer: &Explainer<'_>) -> Outcome {
        match self {
            Self::Table(table) => table.finish(),
            Self::Text(parts) => print(&parts.join("\n")),
            Self::Page(page) => page.finish(args, model, explainer),
            Self::Document(rows) => {
                let classes = classes(model);
                print_json(&json!({"classes": classes, "expected": explainer.expected(), "rows": rows}))
            }
        }
    }
}

/// A row as a document.
fn document(explained: &Explained<'_>, at: usize, number: usize, top: Option<usize>) -> Value {
    let parts = explained.strongest(at).into_iter().take(top.unwrap_or(usize::MAX));
    let parts = parts.map(|part| {
        let name = &explained.parts()[part];
        let mut value = json!({"column": name.column});
        if let Some(word) = &name.word {
            value["word"] = json!(word);
        }
        value["value"] = json!(explained.value(at, part));
        value["adds"] = json!(explained.adds(at, part));
        value
    });
    json!({
        "row": number,
        "answer": explained.answer(at),
        "probabilities": explained.probabilities(at),
        "scores": explained.scores(at),
        "parts": parts.collect::<Vec<_>>(),
    })
}

/// A row for the eye: what speaks for its answer, and beside it for the class that comes next.
fn text(explained: &Explained<'_>, at: usize, number: usize, top: usize) -> String {
    let classes = explained.contenders(at, 2);
    let names: Vec<String> = classes.iter().map(|&class| messages::name(explained.class(class))).collect();
    let mut columns = vec![(format!("row {number}"), Align::Left), (String::new(), Align::Left)];
    columns.extend(names.into_iter().map(|name| (name, Align::Right)));
    let columns: Vec<(&str, Align)> = columns.iter().map(|(name, align)| (name.as_str(), *align)).collect();
    let mut table = TextTable::new(&columns);
    let mut put = |name: String, value: String, figures: &dyn Fn(usize) -> f64, show: fn(f64) -> String| {
        table.row([name, value].into_iter().chain(classes.iter().map(|&class| show(figures(class)))));
    };
    let order = explained.strongest(at);
    put("expected".into(), String::new(), &|class| explained.expected()[class], signed);
    for &part in order.iter().take(top) {
        put(
            explained.shown(part),
            explained.value(at, part),
            &|class| explained.adds(at, part)[class],
            signed,
        );
    }
    let rest = order.get(top..).unwrap_or_default();
    if !rest.is_empty() {
        let sum = |class: usize| -> f64 { rest.iter().map(|&part| explained.adds(at, part)[class]).sum() };
        put(format!("{} more", messages::grouped(rest.len())), String::new(), &sum, signed);
    }
    put("score".into(), String::new(), &|class| explained.scores(at)[class], signed);
    put("probability".into(), String::new(), &|class| explained.probabilities(at)[class], messages::percent);
    table.text()
}

/// A figure with its sign.
fn signed(x: f64) -> String {
    format!("{x:+.3}")
}
