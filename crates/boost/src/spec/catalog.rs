//! All options that there are, put together from what each booster takes.

use crate::spec::option::{OptionInfo, OptionKind};
use crate::spec::registry::BoosterEntry;
use crate::spec::taking::TakenOption;

/// An option, and who takes it.
#[derive(Clone, Debug)]
pub struct CatalogOption {
    /// What it is; words and ranges are those of all boosters.
    pub info: OptionInfo,
    /// Each booster that takes it, with the option as it is there.
    pub boosters: Vec<(&'static str, TakenOption)>,
}

/// The options of these boosters: by group, those that the most boosters take first.
pub fn options<'a>(boosters: impl IntoIterator<Item = &'a BoosterEntry>) -> Vec<CatalogOption> {
    let mut all: Vec<CatalogOption> = Vec::new();
    for entry in boosters {
        for taken in entry.options() {
            match all.iter_mut().find(|option| option.info.name == taken.info.name) {
                None => {
                    all.push(CatalogOption { info: taken.info.clone(), boosters: vec![(entry.name, taken)] });
                }
                Some(option) => {
                    let known = |word: &str| option.info.words.iter().any(|other| other.0 == word);
                    let new: Vec<_> =
                        taken.info.words.iter().filter(|word| !known(word.0)).copied().collect();
                    option.info.words.extend(new);
                    if taken.info.kind != OptionKind::Word
                        && !option.info.allowed.contains(&taken.info.allowed)
                    {
                        let (known, own) = (&option.info.allowed, &taken.info.allowed);
                        option.info.allowed = format!("{known} ({}: {own})", entry.name);
                    }
                    option.boosters.push((entry.name, taken));
                }
            }
        }
    }
    all.sort_by_key(|option| (option.info.group, std::cmp::Reverse(option.boosters.len()), option.info.name));
    all
}
