//! Models that begin with a linear function of texts: what it comes to depends on the rows alone, and whatever looks at a model knows it.

mod common;

use common::{label_sets, weighted};
use manyboost::data::{Cell, Column, Kind, Role, Table, Values, Words};
use manyboost::explain::{Explainer, Grain};
use manyboost::model::{Checkpoint, Model};
use manyboost::prelude::*;
use manyboost_data::generate;
use manyboost_kernel::Seed;

const TOPICS: [&str; 3] = ["card lost stolen wallet", "rate loan interest bank", "password login reset mail"];
const OTHERS: [&str; 6] = ["the", "please", "when", "my", "help", "today"];

fn words(texts: Vec<String>) -> Values {
    let mut words = Words::default();
    for text in texts {
        let code = words.dictionary.iter().position(|known| **known == *text);
        words.codes.push(code.unwrap_or(words.dictionary.len()) as u32);
        if code.is_none() {
            words.dictionary.push(text.into());
        }
    }
    Values::Words(words)
}

fn column(name: &str, role: Role, values: Values) -> Column {
    Column { name: name.into(), role, values }
}

/// Texts of a few words, of which one or two tell the class.
fn table(rows: usize, seed: u64) -> Table {
    let draw =
        |row: usize, at: u64, n: usize| Seed::new(seed).part(row as u64).part(at).below(n as u64) as usize;
    let class = |row: usize| draw(row, 0, 3);
    let text = |row: usize| {
        let own: Vec<&str> = TOPICS[class(row)].split(' ').collect();
        let any: Vec<&str> = TOPICS[draw(row, 1, 3)].split(' ').collect();
        let other = |at| OTHERS[draw(row, at, 6)];
        format!("{} {} {}, {} {}?", other(2), own[draw(row, 3, 4)], other(4), any[draw(row, 5, 4)], other(6))
    };
    let texts = words((0..rows).map(text).collect());
    let classes = words((0..rows).map(|row| format!("topic {}", class(row))).collect());
    let columns =
        vec![column("text", Role::Feature(Some(Kind::Text)), texts), column("class", Role::Target, classes)];
    Table { source: "texts".into(), columns, rows, notes: Vec::new() }
}

/// A table of text, numbers and a category.
fn mixed(rows: usize) -> Table {
    generate::mixed::mixed(rows, 4, 11)
}

fn fit(table: &Table) -> Model {
    McBoost::new().fit(table).unwrap()
}

#[test]
fn texts_alone_need_no_trees() {
    let model = fit(&table(600, 1));
    assert!(model.ensemble.text.is_some() && model.ensemble.rounds.is_empty());
    assert!(model.ensemble.warning().is_none());
    let quality = model.evaluate(&table(400, 2)).unwrap();
    let words = McBoost::new().option("text-as", "words").fit(&table(600, 1)).unwrap();
    assert!(words.ensemble.text.is_none() && !words.ensemble.rounds.is_empty());
    let of_words = words.evaluate(&table(400, 2)).unwrap();
    assert!(quality.error < 0.36 && quality.error <= of_words.error + 0.02, "{quality:?} and {of_words:?}");
    assert!(quality.log_loss < 0.75, "{quality:?}");
}

#[test]
fn the_order_of_rows_and_weights_for_copies_make_no_difference() {
    for table in [table(300, 1), mixed(300), label_sets(300)] {
        let plain = McBoost::new().rounds(6).fit(&table).unwrap();
        assert!(plain.ensemble.text.is_some(), "texts say something");
        let bytes = plain.to_bytes().unwrap();
        let turned: Vec<u32> = (0..300).rev().collect();
        let turned = McBoost::new().rounds(6).fit(&table.select(&turned)).unwrap();
        assert!(turned.to_bytes().unwrap() == bytes, "{}", table.source);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let alone = one.install(|| McBoost::new().rounds(6).fit(&table).unwrap());
        assert!(alone.to_bytes().unwrap() == bytes);
        // Every third row twice.
        let twice: Vec<u32> = (0..300).flat_map(|row| vec![row; if row % 3 == 0 { 2 } else { 1 }]).collect();
        let copies = McBoost::new().rounds(6).fit(&table.select(&twice)).unwrap();
        let weights = (0..300).map(|row| if row % 3 == 0 { 2.0 } else { 1.0 }).collect();
        let counted = McBoost::new().rounds(6).fit(&weighted(table, weights)).unwrap();
        assert!(copies.to_bytes().unwrap() == counted.to_bytes().unwrap());
        assert_ne!(copies.ensemble.text, plain.ensemble.text);
    }
}

#[test]
fn all_ways_to_scores_are_one() {
    for (table, rounds) in [(mixed(400), Some(5)), (table(300, 3), None), (label_sets(300), Some(4))] {
        let booster = McBoost::new();
        let booster = if let Some(rounds) = rounds { booster.rounds(rounds) } else { booster };
        let model = booster.fit(&table).unwrap();
        assert!(model.ensemble.text.is_some());
        let again = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
        assert_eq!(again.ensemble, model.ensemble);
        let frame = model.frame(&table).unwrap();
        let scores = again.predictor().raw_scores(&frame);
        let mut staged = model.ensemble.first_scores(&frame);
        for stage in model.ensemble.stages() {
            stage.add_rows(|row, feature| frame.value(row, feature as usize), &mut staged);
        }
        assert_eq!(staged, scores);
        let rows = model.row_predictor();
        for row in [0, 17, 203] {
            let cells: Vec<Cell<'_>> =
                model.schema.features.iter().map(|spec| cell(&table, &spec.name, row)).collect();
            assert_eq!(rows.scores(&cells).unwrap(), scores.row(row));
        }
    }
}

fn cell<'a>(table: &'a Table, name: &str, row: usize) -> Cell<'a> {
    match &table.column(name).unwrap().values {
        Values::Numbers(numbers) if numbers.get(row).is_nan() => Cell::Missing,
        Values::Numbers(numbers) => Cell::Number(numbers.get(row)),
        Values::Words(words) => words.get(row).map_or(Cell::Missing, Cell::Word),
        Values::SparseNumbers(_) => panic!("no column is sparse"),
    }
}

#[test]
fn what_columns_add_sums_up_to_scores() {
    let table = mixed(300);
    let model = McBoost::new().rounds(5).fit(&table).unwrap();
    let (frame, k) = (model.frame(&table).unwrap(), 4);
    let scores = model.predictor().raw_scores(&frame);
    let background = frame.select(&(0..40).collect::<Vec<u32>>());
    for grain in [Grain::Columns, Grain::Words] {
        let explainers = [
            Explainer::new(&model, grain).unwrap(),
            Explainer::with_background(&model, grain, &background).unwrap(),
        ];
        for explainer in explainers {
            let found = explainer.values(&frame).unwrap();
            for row in 0..300 {
                for class in 0..k {
                    let parts: f64 = (0..found.parts).map(|part| found.part(row, part)[class]).sum();
                    let sum = explainer.expected()[class] + parts;
                    assert!((sum - scores.row(row)[class]).abs() < 1e-8, "row {row}, class {class}");
                }
            }
        }
    }
    // The mean of what the texts of all rows add is nothing.
    let explainer = Explainer::new(&fit(&self::table(300, 3)), Grain::Columns).map(|e| e.expected().to_vec());
    assert!(explainer.unwrap().iter().all(|x| x.is_finite()));
}

#[test]
fn texts_in_another_order_are_worse() {
    use manyboost::explain::permutation::permutation_importance;
    let model = fit(&table(300, 1));
    let mut rows = manyboost_data::apply(table(300, 3), &model.schema, &model.encoder).unwrap();
    let found = permutation_importance(&model, &mut rows, 2, 1).unwrap();
    assert!(found[0].error.mean > 0.1 && found[0].log_loss.mean > 0.1, "{found:?}");
}

#[test]
fn training_that_was_taken_up_again_is_the_same() {
    let table = mixed(300);
    let whole = McBoost::new().rounds(8).fit(&table).unwrap();
    let half = tempfile::tempdir().unwrap();
    let path = half.path().join("checkpoint");
    checkpoint(&table, 4, &path);
    let resumed = McBoost::new().rounds(8).resume(Checkpoint::load(&path).unwrap()).fit(&table).unwrap();
    assert!(resumed.to_bytes().unwrap() == whole.to_bytes().unwrap());
    // Other texts are other rows, also where no word is common.
    let mut other = table.clone();
    let text =
        other.columns.iter_mut().find(|column| column.role == Role::Feature(Some(Kind::Text))).unwrap();
    let Values::Words(words) = &mut text.values else { panic!("words") };
    words.dictionary[0] = format!("{} unheard", words.dictionary[0]).into();
    let refused = McBoost::new().rounds(8).resume(Checkpoint::load(&path).unwrap()).fit(&other).unwrap_err();
    assert!(refused.what().contains("the 300 rows are not the same"), "{refused}");
}

/// Writes the checkpoint of a run after so many rounds.
fn checkpoint(table: &Table, rounds: usize, path: &std::path::Path) {
    use manyboost::engine::job::{Choices, Job};
    use manyboost::engine::train::Watched;
    use manyboost::spec::options::Options;
    use manyboost::spec::registry::Setup;
    use manyboost_data::{PrepareOptions, prepare};
    let setup = Setup::new("mcboost", Options::new([("rounds".to_string(), rounds)])).unwrap();
    let options = PrepareOptions { texts: true, ..PrepareOptions::default() };
    let prepared = prepare(table.clone(), &options).unwrap();
    let setup = setup.for_data(&prepared.dataset).unwrap();
    let choices = Choices { seed: 1, ..Choices::default() };
    let job = Job { setup: &setup, prepared: &prepared, watched: Watched::default(), choices: &choices };
    let outcome = job.train(None, &std::sync::atomic::AtomicBool::new(false), &mut ()).unwrap();
    job.checkpoint(outcome).save(path).unwrap();
}

#[test]
fn texts_that_say_nothing_are_left_out() {
    let mut table = table(200, 4);
    let Values::Words(words) = &mut table.columns[0].values else { panic!("words") };
    words.codes.rotate_left(77);
    let model = McBoost::new().rounds(3).fit(&table).unwrap();
    let told = model.ensemble.text.is_some();
    let quality = model.evaluate(&self::table(300, 9)).unwrap();
    // Hardly anything is believed of them: the loss is about that of the shares of classes.
    assert!(quality.log_loss < 1.2, "{told} {quality:?}");
}

#[test]
fn options_say_what_is_counted() {
    let table = table(300, 5);
    let grams = |options: &[(&str, &str)]| -> Vec<usize> {
        let booster =
            options.iter().fold(McBoost::new(), |booster, (name, value)| booster.option(*name, *value));
        let model = booster.fit(&table).unwrap();
        model.ensemble.text.unwrap().blocks.iter().map(|block| block.vocabulary.grams().len()).collect()
    };
    let usual = grams(&[]);
    assert_eq!(usual.len(), 2, "words and letters of short texts");
    let words = grams(&[("text-letters", "0"), ("text-ngrams", "1")]);
    assert_eq!(words, [18]);
    let stopped = grams(&[("text-letters", "0"), ("text-ngrams", "1"), ("text-stop-words", "english")]);
    assert_eq!(stopped, [15], "neither the nor when nor my");
    let rare = grams(&[("text-letters", "0"), ("text-min-docs", "10")]);
    assert!(rare[0] < usual[0], "{rare:?} and {usual:?}");
    let shared = grams(&[("text-letters", "0"), ("text-ngrams", "1"), ("text-max-share", "0.3")]);
    assert!(shared[0] < 18 && shared[0] >= 12, "{shared:?}");
    let error = McBoost::new().option("text-as", "words").option("text-cost", "2").fit(&table).unwrap_err();
    assert!(error.to_string().contains("text-cost"), "{error}");
}

#[test]
fn models_that_no_training_writes_are_refused() {
    let model = fit(&table(200, 1));
    let refused = |change: &dyn Fn(&mut manyboost::model::text::TextPart)| {
        let mut model = model.clone();
        let mut part = (**model.ensemble.text.as_ref().unwrap()).clone();
        change(&mut part);
        model.ensemble.text = Some(std::sync::Arc::new(part));
        model.to_bytes().unwrap_err().to_string()
    };
    assert!(refused(&|part| part.blocks[0].column = 1).contains("has no texts"));
    assert!(refused(&|part| part.blocks[0].coefficients[0] = f32::NAN).contains("no number"));
    assert!(refused(&|part| part.blocks[0].coefficients.truncate(1)).contains("do not fit"));
    assert!(refused(&|part| part.blocks[0].expected[0] = f64::INFINITY).contains("no number"));
    assert!(refused(&|part| part.blocks[0].expected.clear()).contains("do not fit"));
    assert!(refused(&|part| part.blocks.clear()).contains("nothing in it"));
    // A vocabulary cannot be made by hand: the file can.
    let bytes = model.to_bytes().unwrap();
    for at in (bytes.len() / 2..bytes.len()).step_by(97) {
        let mut broken = bytes.clone();
        broken[at] ^= 4;
        assert!(Model::from_bytes(&broken).is_err());
    }
}
