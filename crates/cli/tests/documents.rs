//! The commands of the README run as they stand there.

mod common;

/// The lines of the first block of commands, without what is said of them.
fn commands() -> Vec<&'static str> {
    let readme = include_str!("../../../README.md");
    let block = readme.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next()).expect("commands");
    block.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).collect()
}

#[test]
fn the_quick_start_runs() {
    let folder = tempfile::tempdir().unwrap();
    let all = commands();
    assert!(all.len() >= 8, "{all:?}");
    for command in all {
        let done = common::shell(folder.path(), command);
        assert_eq!(done.status, Some(0), "{command}: {}", done.stderr);
        if command.contains(" evaluate ") {
            assert!(done.stdout.contains("error") && !done.stderr.contains("trained on"), "{done:?}");
        }
    }
    for file in ["waveform.model", "waveform.html", "answers.csv", "compare.html", "waveform.onnx"] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}
