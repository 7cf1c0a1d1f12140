//! The steps of SAMME and AdaBoost.M1: longer than the paper's, and those of hypotheses without error.

mod common;

use common::{Choice, data, prepared, trained, two_classes};
use manyboost::model::Model;
use manyboost::spec::booster::Stop;
use manyboost::spec::options::Options;
use manyboost::spec::registry::Setup;

/// Trees that are grown to the end, right on every row, with a choice of steps.
macro_rules! deep {
    ($($option:expr),*) => {&[("learner", "tree"), ("leaves", "4096"), ("min-rows", "1"), ("criterion", "gini"), $($option),*]};
}

#[test]
fn a_hypothesis_without_error_has_the_step_that_was_asked_for() {
    for booster in ["samme", "m1"] {
        let step = |options: &'static [(&'static str, &'static str)]| {
            let choice: Choice = (booster, options);
            let model = trained(&prepared(data(choice, 150)), choice, 5);
            assert_eq!((model.stop, model.history.len()), (Stop::Perfect, 1), "{choice:?}");
            let again = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
            assert_eq!(again.ensemble, model.ensemble);
            (model.history[0].alpha.unwrap(), model)
        };
        let (usual, plain) = step(deep!());
        let (_, odds) = step(deep!(("step", "odds")));
        assert!(usual > 27.0, "{usual}");
        assert_eq!(plain.ensemble, odds.ensemble);
        for options in [&deep!(("step", "unit"))[..], deep!(("step", "unit"), ("shrinkage", "0.3"))] {
            assert_eq!(step(options).0.to_bits(), 1f64.to_bits());
        }
        // What models remember is what it was before there was a choice.
        assert!(!plain.parameters.contains_key("step"), "{:?}", plain.parameters);
        assert_eq!(odds.parameters["step"], "odds");
    }
}

#[test]
fn long_steps_leave_all_figures_finite() {
    let choices: [Choice; 3] = [
        ("samme", &[("shrinkage", "32")]),
        ("samme", &[("shrinkage", "23"), ("step", "unit"), ("learner", "tree"), ("leaves", "4")]),
        ("m1", &[("shrinkage", "32"), ("leaves", "8")]),
    ];
    for choice in choices {
        for table in [data(choice, 200), two_classes(200)] {
            let model = trained(&prepared(table), choice, 60);
            assert!(!model.history.is_empty(), "{choice:?}");
            for record in &model.history {
                assert!(record.bound.is_none_or(|bound| bound >= record.train_error), "{choice:?}");
            }
            let again = Model::from_bytes(&model.to_bytes().unwrap()).unwrap();
            assert_eq!((again.ensemble, again.history), (model.ensemble, model.history), "{choice:?}");
        }
    }
    for (name, value) in [("shrinkage", "33"), ("shrinkage", "0"), ("shrinkage", "inf"), ("step", "exact")] {
        let options = Options::new([(name.to_string(), value.to_string())]);
        let error = Setup::new("samme", options).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains(&format!("`{name}={value}`")), "{error}");
    }
}
