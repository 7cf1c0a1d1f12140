//! `manyboost generate`: a data set from a seed, as CSV or what the name of the file says.

use manyboost_data::generate::{GENERATORS, generator};
use manyboost_data::{memory, nearest, write_table};

use super::print;
use crate::args::GenerateArgs;
use crate::failure::{Outcome, wrong};
use crate::inputs::number;
use crate::messages;
use crate::output::{self, Output};
use crate::text_table::{Align, TextTable};

const MOST_ROWS: usize = 100_000_000;

pub fn run(args: &GenerateArgs) -> Outcome {
    if args.list {
        let mut table = TextTable::new(&[("data set", Align::Left), ("what it is", Align::Left)]);
        for (name, summary, _) in GENERATORS {
            table.row([(*name).to_string(), (*summary).to_string()]);
        }
        return print(&table.text());
    }
    let name = args.name.as_deref().unwrap_or_default();
    let Some((_, _, make)) = generator(name) else {
        let names: Vec<String> = GENERATORS.iter().map(|g| g.0.to_string()).collect();
        return Err(wrong(format!("there is no data set \"{name}\""), nearest(name, &names)));
    };
    let fine = |n: &usize| (1..=MOST_ROWS).contains(n);
    let rows = number("--rows", &args.rows, fine, "a whole number from 1 to 100,000,000")?;
    let form = output::table_form(args.out.as_deref())?;
    let cells = (rows as u64).saturating_mul(make(1, args.seed).columns.len() as u64);
    let remedy = "generate fewer rows, or several files with different seeds";
    memory::claim(cells.saturating_mul(8), &format!("a table of {} rows", messages::grouped(rows)), remedy)?;
    let mut out = Output::new(args.out.as_deref())?;
    let table = make(rows, args.seed);
    out.write(|out| write_table(&table, form.delimiter, out))?;
    out.finish()
}
