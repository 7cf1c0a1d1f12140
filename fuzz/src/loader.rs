//! The model loader: a file whose content was changed and whose checksums are right again is a model that works, or refused.

use manyboost::model::Model;
use manyboost::model::file::container::{self, MAGIC};
use manyboost_data::{Frame, generate};

use crate::{Finding, Outcome, Verdict, predicted, refused};

/// Rows that models are tried on.
const ROWS: usize = 20;

pub(crate) fn model(bytes: &[u8]) -> Outcome {
    let Some(file) = repaired(bytes) else {
        return match Model::from_bytes(bytes) {
            Ok(_) => Err(Finding::mismatch("a file that is no container is a model")),
            Err(error) => refused(&error),
        };
    };
    let model = match Model::from_bytes(&file) {
        Ok(model) => model,
        Err(error) => return refused(&error),
    };
    match model.to_bytes() {
        Ok(again) if again == file => {}
        Ok(_) => return Err(Finding::mismatch("a model is written as another file")),
        Err(error) => {
            return Err(Finding::mismatch(format!("a model that was read cannot be written: {error}")));
        }
    }
    match Frame::new(boundary_rows(&model), &model.encoder) {
        Ok(frame) => predicted::frame(&model, &frame).map(|()| Verdict::Accepted),
        Err(error) => refused(&error),
    }
}

/// The same sections with right checksums, if they can be told apart: the last one ends where the file does.
fn repaired(bytes: &[u8]) -> Option<Vec<u8>> {
    let rest = bytes.strip_prefix(&MAGIC)?.get(4..)?;
    let (&length, rest) = rest.split_first()?;
    let library = std::str::from_utf8(rest.get(..usize::from(length))?).ok()?;
    let (&count, mut table) = rest.get(usize::from(length)..)?.split_first()?;
    let mut contents = table.get(usize::from(count) * 20 + 4..)?;
    let mut sections: Vec<(&str, Vec<u8>)> = Vec::new();
    for number in 1..=count {
        let name = std::str::from_utf8(table.get(..8)?).ok()?.trim_end_matches('\0');
        let wanted = u64::from_le_bytes(*table.get(8..)?.first_chunk()?);
        table = table.get(20..)?;
        let all = contents.len();
        let own = if number == count { all } else { usize::try_from(wanted).unwrap_or(all).min(all) };
        let (content, more) = contents.split_at(own);
        sections.push((name, content.to_vec()));
        contents = more;
    }
    Some(container::pack(library, &sections))
}

/// Rows with the columns of a model.
fn boundary_rows(model: &Model) -> manyboost_data::Table {
    let mut table = generate::mixed::mixed(ROWS, 3, 5);
    let columns = model.schema.features.iter().enumerate().filter_map(|(at, feature)| {
        let alike = |column: &&manyboost_data::Column| {
            column.role == manyboost_data::Role::Feature(Some(feature.kind))
        };
        let mut of_kind = table.columns.iter().filter(alike).cycle().skip(at % 3);
        let column = of_kind.next()?;
        Some(manyboost_data::Column { name: feature.name.clone(), ..column.clone() })
    });
    table.columns = columns.collect();
    table
}
