//! The quick start of the README; it reads `train.csv` and `test.csv` of the folder that it runs in.

use manyboost::prelude::*;

fn main() -> manyboost::data::Result<()> {
    let table = Table::read("train.csv")?;
    let model = McBoost::new().rounds(200).leaves(64).valid(0.2).patience(20).fit(&table)?;
    let votes = Boost::named("mm").rounds(50).option("step", "exact").fit(&table)?; // any booster, options by name

    let test = Table::read("test.csv")?;
    println!("mcboost: {}\nmm:      {}", model.evaluate(&test)?, votes.evaluate(&test)?);
    model.save("waveform.model")?;
    let answers = Model::load("waveform.model")?.predict(&test)?;
    println!("first answer: {}", answers[0]);
    Ok(())
}
