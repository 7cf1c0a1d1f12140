//! A folder that all workers see, through which they tell one another where they are: nobody needs to know that before.
//!
//! The first worker writes down a number of this run and its token. The others answer with that number and what they have to say, and the
//! first writes down what all have said. What an earlier run has left behind has other numbers: it is never taken for an answer.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use manyboost_data::{Error, ErrorKind, Result};

use crate::token::Token;

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// Random bytes of a token, and of the number of a run.
const BYTES: usize = 32;

/// One worker's way to the folder.
pub struct Folder {
    path: PathBuf,
    rank: usize,
    workers: usize,
    until: Instant,
    /// What is in nobody else's answers.
    mark: String,
    /// The number of the run and its token, as the first worker has them.
    run: Option<[String; 2]>,
}

impl Folder {
    /// For one of so many workers, who must all have come within this time. The first one makes the folder.
    pub fn new(path: &Path, rank: usize, workers: usize, patience: Duration) -> Result<Self> {
        let until = Instant::now() + patience;
        let mut folder = Self { path: path.into(), rank, workers, until, mark: random()?, run: None };
        if rank == 0 {
            folder.make().map_err(|cause| folder.wrong(&format!("cannot be written: {cause}")))?;
            let run = [random()?, random()?];
            folder.write("run", &run.join("\n"))?;
            folder.run = Some(run);
        }
        Ok(folder)
    }

    fn make(&self) -> std::io::Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(false);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&self.path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }

    /// What each worker says, in their order. `step` is a word for what is asked.
    pub fn gather(&mut self, step: &str, own: &str) -> Result<Vec<String>> {
        let all = format!("{step}.all");
        let mut told = None;
        loop {
            // The first worker may be another one than before, of a later run.
            let run = if self.rank == 0 { self.run.clone() } else { self.read_run() };
            if let Some(run) = run {
                let line = format!("{} {} {own}", run[0], self.mark);
                if told.as_ref() != Some(&run[0]) {
                    self.write(&format!("{step}.{}", self.rank), &line)?;
                    told = Some(run[0].clone());
                }
                if self.rank == 0
                    && let Ok(lines) = self.answers(step, &run[0])
                {
                    self.write(&all, &lines.join("\n"))?;
                }
                let lines = fs::read_to_string(self.path.join(&all)).unwrap_or_default();
                let lines: Vec<&str> = lines.lines().collect();
                if lines.len() == self.workers && lines[self.rank] == line {
                    self.run = Some(run);
                    return Ok(lines.into_iter().map(said).map(String::from).collect());
                }
            }
            if Instant::now() > self.until {
                return Err(self.lacking(step));
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// The secret of the run, once something was gathered.
    pub fn token(&self) -> Result<Token> {
        Token::new(self.run.as_ref().map_or(&[][..], |run| run[1].as_bytes()))
    }

    /// Removes the folder: the first worker does, once nobody looks any more.
    pub fn remove(self) {
        if self.rank == 0 {
            // It is in nobody's way.
            let _ = fs::remove_dir_all(&self.path);
        }
    }

    fn read_run(&self) -> Option<[String; 2]> {
        let text = fs::read_to_string(self.path.join("run")).ok()?;
        let (run, token) = text.split_once('\n')?;
        Some([run.to_string(), token.to_string()])
    }

    /// The answers of all workers to this run, or the first worker without one.
    fn answers(&self, step: &str, run: &str) -> std::result::Result<Vec<String>, usize> {
        let answer = |rank: usize| {
            let line = fs::read_to_string(self.path.join(format!("{step}.{rank}"))).ok();
            line.filter(|line| line.split(' ').next() == Some(run) && !line.contains('\n')).ok_or(rank)
        };
        (0..self.workers).map(answer).collect()
    }

    /// A file that is there as a whole or not at all, for nobody else to read.
    fn write(&self, name: &str, text: &str) -> Result<()> {
        let new = self.path.join(format!("{name}.{}", self.mark));
        let write = || {
            let mut options = fs::OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let mut file = options.open(&new)?;
            if !self.is_own(&file)? {
                return Err(std::io::Error::other("it is somebody else's, or others may write into it"));
            }
            file.write_all(text.as_bytes())?;
            fs::rename(&new, self.path.join(name))
        };
        write().map_err(|cause| self.wrong(&format!("cannot be written: {cause}")))
    }

    /// Whether nobody but the owner of a file can change what is in the folder.
    #[cfg(unix)]
    fn is_own(&self, file: &fs::File) -> std::io::Result<bool> {
        use std::os::unix::fs::MetadataExt;
        let (folder, file) = (fs::metadata(&self.path)?, file.metadata()?);
        Ok(folder.uid() == file.uid() && folder.mode() & 0o022 == 0)
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "as on Unix")]
    fn is_own(&self, _: &fs::File) -> std::io::Result<bool> {
        Ok(true)
    }

    fn lacking(&self, step: &str) -> Error {
        let run = self.run.as_ref().map_or("", |run| &run[0]);
        let lacking = match self.answers(step, run) {
            Err(rank) if self.rank == 0 => rank,
            _ => 0,
        };
        self.wrong(&format!("worker {} waits there for worker {lacking} in vain", self.rank))
    }

    fn wrong(&self, what: &str) -> Error {
        let remedy = "write the model into a folder that all workers see, or give --workers a list of hosts";
        Error::new(ErrorKind::Worker, format!("{}: {what}", self.path.display()), remedy)
    }
}

/// What a worker has said on its line.
fn said(line: &str) -> &str {
    line.splitn(3, ' ').nth(2).unwrap_or("")
}

fn random() -> Result<String> {
    let mut bytes = [0u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|cause| {
        let what = format!("this machine has no random numbers: {cause}");
        Error::new(ErrorKind::Failed, what, "give --workers a list of hosts, and --token-file")
    })?;
    Ok(bytes.iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each of some workers hears, and its token.
    fn meet(path: &Path, workers: usize, word: &str) -> Vec<(Vec<String>, [u8; 32])> {
        let meet = |rank: usize| {
            let mut folder = Folder::new(path, rank, workers, Duration::from_secs(20)).unwrap();
            let first = folder.gather("a", &format!("{word} {rank}")).unwrap();
            let second = folder.gather("b", &first.concat()).unwrap();
            (second, folder.token().unwrap().number(""))
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..workers)
                .rev()
                .map(|rank| {
                    let thread = scope.spawn(move || meet(rank));
                    // Others come before the first one, and find what was left behind.
                    std::thread::sleep(2 * PAUSE);
                    thread
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    #[test]
    fn what_an_earlier_run_has_left_is_nobodys_answer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meet");
        for word in ["old", "new"] {
            let heard = meet(&path, 3, word);
            let all = [0, 1, 2].map(|rank| format!("{word} {rank}")).concat();
            assert!(
                heard.iter().all(|one| one.0 == vec![all.clone(); 3] && one.1 == heard[0].1),
                "{heard:?}"
            );
        }
    }

    #[test]
    fn who_is_lacking_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("meet");
        let wait = |rank| Folder::new(&path, rank, 3, Duration::from_millis(50)).unwrap().gather("a", "");
        let lacking = wait(0).unwrap_err().what().into_owned();
        assert!(lacking.contains("for worker 1 in vain"), "{lacking}");
        fs::remove_file(path.join("run")).unwrap();
        let lacking = wait(1).unwrap_err().what().into_owned();
        assert!(lacking.contains("worker 1 waits there for worker 0 in vain"), "{lacking}");
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_others_may_write_into_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        let refused = Folder::new(folder.path(), 0, 2, Duration::from_secs(1)).map(|_| ()).unwrap_err();
        assert!(refused.what().contains("others may write"), "{refused}");
    }
}
