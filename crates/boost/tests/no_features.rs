//! Text of which no word is in enough rows is a table without features: every booster ends at the prior.

mod common;

use common::{ALL, Choice, SETS, TWO, is_c45, label_sets, looks_at_values, mixed, prepared, two_classes};
use manyboost::engine::train::Training;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;
use manyboost_data::{Column, Kind, Prepared, Role, Table, Values, Words};

/// The answers of a table beside a text that has other words in every row.
fn rare_words(mut table: Table) -> Prepared {
    table.columns.retain(|column| !matches!(column.role, Role::Feature(_)));
    let dictionary = (0..table.rows).map(|row| format!("only{row} here{row}").into()).collect();
    let words = Words { codes: (0..table.rows as u32).collect(), dictionary };
    let role = Role::Feature(Some(Kind::Text));
    table.columns.push(Column { name: "t".into(), role, values: Values::Words(words) });
    prepared(table)
}

fn ends_at_once(prepared: &Prepared, (booster, options): Choice, more: &[(&str, &str)]) {
    let options = options.iter().chain(more).map(|&(name, value)| (name.to_string(), value.to_string()));
    let setup = Setup::new(booster, Options::new(options)).unwrap().for_data(&prepared.dataset).unwrap();
    let Prepared { dataset, encoder, .. } = prepared;
    let outcome = Training::new(&setup.plan(7, None), dataset, encoder).outcome().unwrap();
    // What is known of the answers may still be told in a round or two; there is nothing else to learn.
    assert!(outcome.ensemble.is_constant(), "{booster} {more:?}");
}

#[test]
fn every_booster_goes_without_features() {
    for (table, choices) in [(mixed(60), ALL), (two_classes(60), TWO), (label_sets(60), SETS)] {
        let prepared = rare_words(table);
        assert_eq!(prepared.encoder.features(), 0);
        assert_eq!(prepared.remarks.notes.len(), 1, "{:?}", prepared.remarks);
        for &choice in choices.iter().filter(|&&choice| !looks_at_values(choice)) {
            let drawn = [("rounds", "5"), ("features", "0.3")];
            // C4.5 draws no features.
            for more in [&drawn[..1], if is_c45(choice) { &drawn[..1] } else { &drawn }] {
                ends_at_once(&prepared, choice, more);
            }
        }
    }
}
