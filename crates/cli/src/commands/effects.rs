//! `manyboost effects`: what a column, or two, do to the answers of a model.

use std::path::Path;

use manyboost::explain::effects::{Axis, Effect, Effects, Output as Asked};
use manyboost::model::Model;
use manyboost_data::{Frame, write_text};
use serde_json::{Value, json};

use super::{print, print_json};
use crate::args::{EffectKind, EffectsArgs};
use crate::failure::{Outcome, wrong};
use crate::inputs::{self, number};
use crate::messages;
use crate::output::{self, Output};
use crate::progress::Spinner;
use crate::text_table::{Align, TextTable};

mod picture;

pub fn run(args: &EffectsArgs) -> Outcome {
    let form = output::table_form(args.out.as_deref())?;
    if let Some(path) = &args.svg {
        output::check_packable(path)?;
    }
    let data = Some(args.data.as_str()).filter(|path| *path != "-").map(Path::new);
    let written = [("--out", args.out.as_deref()), ("--svg", args.svg.as_deref())];
    output::distinct(&written, &[("the data", data), ("the model", Some(&args.model))])?;
    let points =
        number("--points", &args.points, |n| (2..=1000).contains(n), "a whole number from 2 to 1,000")?;
    if args.kind == EffectKind::Individual && args.out.is_none() && args.svg.is_none() && !args.json {
        let what = "--kind individual: there are too many curves to be printed";
        return Err(wrong(what, "add --out FILE, --svg FILE.svg or --json"));
    }
    let model = Model::load(&args.model)?;
    let frame = Frame::new(inputs::unanswered(&args.data, &model.schema)?, &model.encoder)?;
    let asked = if args.scores { Asked::Scores } else { Asked::Probabilities };
    let mut effects = Effects::of_frame(&model, frame, asked)?;
    let axes: Vec<Axis> =
        args.feature.iter().map(|name| effects.axis(name, points)).collect::<Result<_, _>>()?;
    let spinner = Spinner::new("asking the model");
    let effect = match args.kind {
        EffectKind::Partial => effects.partial(&axes),
        EffectKind::Individual => effects.individual(&axes),
        EffectKind::Accumulated => effects.accumulated(&axes),
    };
    drop(spinner);
    let (effect, shown) = (effect?, Shown { model: &model, individual: args.kind == EffectKind::Individual });
    if let Some(path) = &args.svg {
        let mut out = Output::new(Some(path))?;
        out.write(|out| out.write_all(picture::draw(&effect, &shown.classes()).as_bytes()))?;
        out.finish()?;
    }
    match &args.out {
        Some(path) => shown.table(&effect, path, form.delimiter),
        None if args.json => print_json(&shown.document(&effect, args)),
        None if shown.individual => Ok(()),
        None => print(&text(&effect, &shown.classes())),
    }
}

/// What is told of effects.
struct Shown<'a> {
    model: &'a Model,
    individual: bool,
}

impl Shown<'_> {
    /// The names of the classes, or of the labels.
    fn classes(&self) -> Vec<&str> {
        let target = &self.model.schema.target;
        (0..target.names().len()).filter_map(|class| target.label(class)).collect()
    }

    /// Lines for points.
    fn table(&self, effect: &Effect, path: &Path, delimiter: u8) -> Outcome {
        let mut out = Output::new(Some(path))?;
        let names = effect.axes.iter().map(|axis| axis.name.as_str());
        let names = self.individual.then_some("row").into_iter().chain(names).chain(self.classes());
        let points = effect.points();
        out.write(|out| {
            let mut line = |fields: &mut dyn Iterator<Item = String>| {
                for (at, field) in fields.enumerate() {
                    if at > 0 {
                        out.write_all(&[delimiter])?;
                    }
                    write_text(out, &field, delimiter, false)?;
                }
                out.write_all(b"\n")
            };
            line(&mut names.map(String::from))?;
            for at in 0..effect.values.len() / effect.classes.max(1) {
                let row = self.individual.then(|| (at / points + 1).to_string());
                let given = values(effect, at % points).into_iter();
                line(&mut row.into_iter().chain(given).chain(effect.at(at).iter().map(f64::to_string)))?;
            }
            Ok(())
        })?;
        out.finish()
    }

    /// One document: values of classes by point; of individual curves by row and point.
    fn document(&self, effect: &Effect, args: &EffectsArgs) -> Value {
        let axis = |axis: &Axis| {
            let value = |at: usize| match axis.values[at] {
                value if value.is_nan() => Value::Null,
                value if axis.levels.is_none() && axis.times.is_none() => json!(value),
                _ => json!(axis.shown(at)),
            };
            json!({"column": axis.name, "values": (0..axis.values.len()).map(value).collect::<Vec<_>>()})
        };
        let points = effect.points().max(1);
        let at = |at: usize| json!(effect.at(at));
        let all = effect.values.len() / effect.classes.max(1);
        let values: Vec<Value> = if self.individual {
            (0..all / points).map(|row| (0..points).map(|point| at(row * points + point)).collect()).collect()
        } else {
            (0..all).map(at).collect()
        };
        let kind = match args.kind {
            EffectKind::Partial => "partial",
            EffectKind::Individual => "individual",
            EffectKind::Accumulated => "accumulated",
        };
        json!({
            "kind": kind,
            "of": if args.scores { "scores" } else { "probabilities" },
            "classes": self.classes(),
            "features": effect.axes.iter().map(axis).collect::<Vec<_>>(),
            "values": values,
        })
    }
}

/// The values of a point, as texts.
fn values(effect: &Effect, point: usize) -> Vec<String> {
    effect.places(point).iter().zip(&effect.axes).map(|(&place, axis)| axis.shown(place)).collect()
}

/// A table for the eye.
fn text(effect: &Effect, classes: &[&str]) -> String {
    let names: Vec<String> = effect
        .axes
        .iter()
        .map(|axis| axis.name.as_str())
        .chain(classes.iter().copied())
        .map(messages::name)
        .collect();
    let columns: Vec<(&str, Align)> = names.iter().map(|name| (name.as_str(), Align::Right)).collect();
    let mut table = TextTable::new(&columns);
    for point in 0..effect.points() {
        let given = values(effect, point).into_iter().map(|value| match value.as_str() {
            "" => "(missing)".to_string(),
            value => messages::name(value),
        });
        table.row(given.chain(effect.at(point).iter().map(|x| format!("{x:.4}"))));
    }
    table.text()
}
