//! What would be reached without looking at any column: an error says little without it.

use manyboost::evaluate::metrics::Quality;
use manyboost_data::Applied;

use crate::interval::{equal_rows, percents};
use crate::{HtmlCell, HtmlTable, words};

/// A table of the model's error, that of the commonest answer, and that of answers drawn in proportion to the classes.
pub fn table(rows: &Applied, quality: &Quality, names: &[String]) -> Option<String> {
    let mut shares = vec![0.0; names.len()];
    let (mut all, units) = (0.0, rows.weights.units());
    for (row, &units) in units.iter().enumerate() {
        let class = rows.labels.class(row)?;
        *shares.get_mut(class as usize)? += f64::from(units);
        all += f64::from(units);
    }
    for share in &mut shares {
        *share /= f64::max(all, f64::MIN_POSITIVE);
    }
    let (mut largest, mut most) = (0, 0.0);
    for (class, &share) in shares.iter().enumerate() {
        if share > most {
            (largest, most) = (class, share);
        }
    }
    let chance = 1.0 - shares.iter().map(|share| share * share).sum::<f64>();
    let count = equal_rows(&rows.weights);
    let mut table = HtmlTable::new(1, &["Answers", "Error", "95 % interval"]);
    let mut put = |name: String, error: f64, interval: String| {
        table.row([name.into(), HtmlCell::bar(words::percent(error), error), interval.into()]);
    };
    put("this model".into(), quality.error, percents(quality.error, count));
    let name = format!("always “{}”, the largest class", words::name(&names[largest]));
    put(name, 1.0 - most, percents(1.0 - most, count));
    put("by chance, as often as classes occur".into(), chance, percents(chance, count));
    Some(table.html())
}
