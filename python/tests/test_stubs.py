"""The types of estimators for editors and type checkers are those of the engine's options.

`UPDATE_STUBS=1` writes them: after a new option, or a new word of one.
"""

import os
from pathlib import Path

import manyboost
from manyboost._options import BOOSTERS, COMMON, OPTIONS

STUBS = Path(__file__).parents[1] / "manyboost" / "_estimators.pyi"

TYPES = {
    "whole": "int", "number": "float", "numbers": "float | Sequence[float] | str", "matrix": "Any", "costs": "Any", "formula": "str",
}
COMMON_TYPES = {
    "bins": "int | None", "ngrams": "int | None", "categorical": "Collection[Any]", "text": "Collection[Any]",
    "valid": "float | None", "split": "str | None", "patience": "int | None", "metric": "str | None",
    "threads": "int | None", "class_weight": "Any", "warm_start": "bool", "random_state": "Any",
}

HEAD = '''"""Made from the options that the engine declares (`python/tests/test_stubs.py`)."""

from collections.abc import Collection, Sequence
from typing import Any, Literal

from manyboost._base import BaseBoost
'''


def _type(option: dict) -> str:
    words = ", ".join(f'"{word}"' for word, _ in option["words"])
    kinds = [TYPES[option["kind"]]] if option["kind"] in TYPES else []
    kinds += [f"Literal[{words}]"] if words and kinds != ["Any"] else []
    return " | ".join([*kinds, "None"] if kinds != ["Any"] else kinds)


def _class(name: str, base: str, first: str, options: list[dict]) -> str:
    lines = [f"class {name}({base}):", "    def __init__(", "        self,"]
    lines += [f"        {first},"] if first else []
    lines += ["        *,"]
    lines += [f"        {option['name']}: {_type(option)} = None," for option in options]
    lines += [f"        {common}: {COMMON_TYPES[common]} = {default!r}," for common, (default, _, _) in COMMON.items()]
    lines += ["    ) -> None: ..."]
    lines += [f"    {option['name']}: {_type(option)}" for option in options]
    return "\n".join(lines)


def stubs() -> str:
    names = ", ".join(f'"{name}"' for name in BOOSTERS)
    return "\n\n".join(
        [
            HEAD.rstrip("\n"),
            _class("MCBoostClassifier", "BaseBoost", "", BOOSTERS["mcboost"]["options"]),
            _class("BoostClassifier", "BaseBoost", f'booster: Literal[{names}] | str = "mcboost"', list(OPTIONS.values()))
            + "\n    booster: str",
            "class MultiLabelBoostClassifier(BoostClassifier): ...\n",
        ]
    )


def test_the_stubs_are_those_of_the_options() -> None:
    if os.environ.get("UPDATE_STUBS"):
        STUBS.write_text(stubs(), encoding="utf-8")
    assert STUBS.read_text(encoding="utf-8") == stubs(), "run this test with UPDATE_STUBS=1"


def test_parameters_are_documented() -> None:
    doc = manyboost.BoostClassifier.__doc__
    assert doc is not None
    for name in manyboost.BoostClassifier().get_params():
        assert f"    {name} : " in doc, name
    assert "default auto" in (manyboost.MCBoostClassifier.__doc__ or "")
    assert "Taken by" in doc and '"exact"' in doc
