//! The Rust quick start of the README is the example `quickstart`, and it runs.

mod quickstart {
    include!("../examples/quickstart.rs");

    #[test]
    fn it_runs() {
        let folder = tempfile::tempdir().unwrap();
        let (_, _, waveform) = manyboost::data::generate::generator("waveform").unwrap();
        for (name, seed) in [("train.csv", 1), ("test.csv", 2)] {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            manyboost::data::write_csv(&waveform(600, seed), &mut std::io::BufWriter::new(file)).unwrap();
        }
        std::env::set_current_dir(&folder).unwrap();
        main().unwrap();
        let model = Model::load("waveform.model").unwrap();
        let test = Table::read("test.csv").unwrap();
        assert!(model.evaluate(&test).unwrap().error < 0.25);
        let probabilities = model.predict_proba(&test).unwrap();
        assert!((probabilities.row(0).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(model.staged(&test, usize::MAX).unwrap(), model.predict(&test).unwrap());
        assert!(model.importance().iter().map(|one| one.share).sum::<f64>() > 0.999);
        // What the builder makes is what the command line makes: the same choices give the same file.
        let again = McBoost::new()
            .rounds(200)
            .leaves(64)
            .valid(0.2)
            .patience(20)
            .fit(&Table::read("train.csv").unwrap());
        assert_eq!(again.unwrap().to_bytes().unwrap(), model.to_bytes().unwrap());
    }

    #[test]
    fn it_is_the_one_of_the_readme() {
        let readme = include_str!("../../../README.md");
        let shown = readme.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        assert!(
            include_str!("../examples/quickstart.rs").ends_with(shown),
            "examples/quickstart.rs is not the README's"
        );
    }
}
