//! How the files with rows are written.

use clap::Args;
use manyboost_data::{Dialect, Result};

#[derive(Debug, Args)]
#[command(next_help_heading = "How files are written (CSV, TSV; else found from their first rows)")]
pub struct ReadingArgs {
    /// What stands between fields: one sign, or tab, space, comma, semicolon, pipe
    #[arg(long, value_name = "SIGN")]
    pub delimiter: Option<String>,
    /// What stands before decimals: point or comma
    #[arg(long, value_name = "SIGN")]
    pub decimal: Option<String>,
    /// The first line is a row: columns are called x1, x2, …
    #[arg(long)]
    pub no_header: bool,
    /// The encoding: utf-8, utf-16, latin1, windows-1252, shift-jis, …
    #[arg(long, value_name = "NAME")]
    pub encoding: Option<String>,
    /// What stands around fields that hold delimiters: one sign, or none [default: "]
    #[arg(long, value_name = "SIGN")]
    pub quote: Option<String>,
    /// Fields that mean "missing", beside the empty one, NA, N/A, ?, nan and null
    #[arg(long, value_name = "A,B", value_delimiter = ',', allow_hyphen_values = true)]
    pub missing: Vec<String>,
    /// What comes first in dates such as 03/04/2021: day-first or month-first
    #[arg(long, value_name = "ORDER")]
    pub dates: Option<String>,
}

impl ReadingArgs {
    /// For the readers.
    pub fn dialect(&self) -> Result<Dialect> {
        let dialect = Dialect {
            delimiter: self.delimiter.as_deref().map(Dialect::delimiter_of).transpose()?,
            decimal: self.decimal.as_deref().map(Dialect::decimal_of).transpose()?,
            no_header: self.no_header,
            encoding: self.encoding.clone(),
            quote: self.quote.as_deref().map(Dialect::quote_of).transpose()?,
            missing: self.missing.clone(),
            dates: self.dates.as_deref().map(Dialect::dates_of).transpose()?,
        };
        dialect.validate().map(|()| dialect)
    }
}
