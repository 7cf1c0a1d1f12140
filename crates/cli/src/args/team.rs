//! What a worker is told of the others.

use std::path::PathBuf;

use clap::Args;

/// Who trains together.
#[derive(Debug, Args)]
pub struct TeamArgs {
    /// Train with other workers: a file with a line HOST:PORT for each, a list A,B,C, or mpi for the processes that mpirun or srun has
    /// started. Files of DATA are dealt to them in turn
    #[arg(long, value_name = "HOSTS", help_heading = "Several workers")]
    pub workers: Option<String>,
    /// Which of them this is, counted from 0; the first one writes the model (mpi: known)
    #[arg(
        long,
        value_name = "N",
        requires = "workers",
        allow_hyphen_values = true,
        help_heading = "Several workers"
    )]
    pub rank: Option<String>,
    /// A file with a secret that all of them have (mpi: the first one makes one)
    #[arg(long, value_name = "FILE", requires = "workers", help_heading = "Several workers")]
    pub token_file: Option<PathBuf>,
    /// Seconds of silence after which a worker is lost (default: 60)
    #[arg(
        long,
        value_name = "SECONDS",
        requires = "workers",
        allow_hyphen_values = true,
        help_heading = "Several workers"
    )]
    pub deadline: Option<String>,
}
