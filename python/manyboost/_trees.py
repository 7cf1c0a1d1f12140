"""The trees of a fitted model in the forms that others take: shap's dictionary, treelite, dtreeviz, Graphviz, matplotlib.

The one idea: `forest` lays trees out once, in the order of `classes_` and in the units of `decision_function`, and every form is made of that. Nodes are those of
`trees()`: tests before leaves, each test's children after it; with a number up to the threshold, or one of the levels, a row goes left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from manyboost import _core
from manyboost._explain import ExplainMixin
from manyboost._times import shown

if TYPE_CHECKING:
    import dtreeviz
    import matplotlib.axes
    import treelite

# Digits of numbers in pictures.
DIGITS = 3


@dataclass
class Laid:
    """A tree, node after node; leaves have no children (−1)."""

    left: np.ndarray
    right: np.ndarray
    missing: np.ndarray
    # Places of columns; −2 at leaves.
    features: np.ndarray
    thresholds: np.ndarray
    # Numbers of the levels that go left; nothing at tests of numbers and at leaves.
    levels: list[list[int] | None]
    # What a test asks.
    asks: list[str]
    cover: np.ndarray
    # nodes × classes
    values: np.ndarray


class TreesMixin(ExplainMixin):
    """What gives trees away."""

    def _forest(self, form: str | None = None, *, levels: bool = True) -> tuple[list[Laid], np.ndarray]:
        """All trees, and the scores without them. A form of others has no tests of words, and perhaps none of levels."""
        check_is_fitted(self, "model_")
        nodes, columns = _core.tree_nodes(self.model_), self.model_.features
        if form is not None and self.model_.looks_at_texts:
            what = f"{form} has trees alone, and the scores of this model begin with a linear function of texts"
            raise ValueError(f"{what}\n`shap_values` and `to_graphviz` take it; else train with `text_as=\"words\"` or without texts")
        for at, test, word, part in zip(nodes["column"], nodes["levels"], nodes["word"], nodes["part"]):
            if form is not None and part is not None:
                what = f"{form} has no tests of the calendar, and this model tests the {part} of column {columns[at][0]!r}"
                raise ValueError(f"{what}\n`shap_values` and `to_graphviz` take it; else train with numbers in place of dates")
            if form is not None and word is not None:
                what = f"{form} has no tests of words, and this model tests column {columns[at][0]!r} for {word!r}"
                raise ValueError(f"{what}\n`shap_values` and `to_graphviz` take it; else train with numbers in place of texts")
            if form is not None and test is not None and not levels:
                what = f"{form} has no tests of categories, and this model tests column {columns[at][0]!r} for {test[0]!r}"
                raise ValueError(f"{what}\n`shap_values`, `to_treelite` and `to_dtreeviz` take it; else train with a number for each category")
        none = [0.0] * len(self.model_.classes)
        values = self._by_class(np.array([none if row is None else row for row in nodes["values"]]).reshape(-1, len(none)))
        values, expected = self._as_decided(values, self._by_class(np.asarray(_core.expected(self.model_))))
        number = np.array(nodes["tree"], dtype=int)
        firsts = np.searchsorted(number, np.arange(number.max(initial=-1) + 2))
        whole = {name: np.array([-1 if at is None else at for at in nodes[name]], dtype=int) for name in ("left", "right")}
        forest = []
        for first, end in zip(firsts, firsts[1:]):
            some = slice(first, end)
            left, right = whole["left"][some], whole["right"][some]
            missing_left = np.array([bool(side) for side in nodes["missing_left"][some]])
            laid = Laid(
                left, right, np.where(missing_left, left, right),
                np.array([-2 if at is None else at for at in nodes["column"][some]], dtype=int),
                np.array([-2.0 if at is None else at for at in nodes["threshold"][some]]), nodes["codes"][some],
                [
                    "" if at is None else _asks(*columns[at], *test)
                    for at, *test in zip(*(nodes[name][some] for name in ("column", "word", "part", "threshold", "levels")))
                ],
                np.array(nodes["cover"][some], dtype=float), values[some],
            )
            forest.append(laid)
            leaves = left < 0
            expected = expected - (laid.cover[leaves] / laid.cover[0]) @ laid.values[leaves]
        return forest, expected

    def shap_model(self) -> dict[str, Any]:
        """The trees as the dictionary that `shap.TreeExplainer` takes; its values are those of `shap_values`. Tests of numbers only."""
        forest, base = self._forest("the dictionary of shap", levels=False)
        trees = [
            {
                "children_left": tree.left, "children_right": tree.right, "children_default": tree.missing,
                "features": tree.features, "thresholds": tree.thresholds, "values": tree.values, "node_sample_weight": tree.cover,
            }
            for tree in forest
        ]
        # In double precision, as they are compared here.
        return {"trees": trees, "base_offset": base, "internal_dtype": np.float64, "input_dtype": np.float64}

    def to_treelite(self) -> treelite.Model:
        """The trees as a treelite model, whose predictions are the scores of `classes_`; with two classes `decision_function` is the second less the first.

        It takes rows as `encoded` gives them, with categories as numbers. Words are refused. Needs the package `treelite`.
        """
        from treelite.model_builder import Metadata, ModelBuilder, PostProcessorFunc, TreeAnnotation

        forest, base = self._forest("treelite")
        count = len(self.classes_)
        # The package has no types for all of its functions.
        builder: Any = ModelBuilder(
            threshold_type="float64", leaf_output_type="float64",
            metadata=Metadata(
                num_feature=len(self.model_.features), task_type="kMultiClf", average_tree_output=False,
                num_target=1, num_class=[count], leaf_vector_shape=(1, count),
            ),
            tree_annotation=TreeAnnotation(num_tree=len(forest), target_id=[0] * len(forest), class_id=[-1] * len(forest)),
            postprocessor=PostProcessorFunc(name="identity_multiclass"), base_scores=base.tolist(),
        )
        for tree in forest:
            builder.start_tree()
            for node, left in enumerate(tree.left.tolist()):
                builder.start_node(node)
                if left < 0:
                    builder.leaf(tree.values[node].tolist())
                else:
                    feature, levels = int(tree.features[node]), tree.levels[node]
                    ways: dict[str, Any] = {
                        "default_left": bool(tree.missing[node] == left), "left_child_key": left, "right_child_key": int(tree.right[node]),
                    }
                    if levels is None:
                        builder.numerical_test(feature, threshold=float(tree.thresholds[node]), opname="<=", **ways)
                    else:
                        builder.categorical_test(feature, category_list=levels, category_list_right_child=False, **ways)
                builder.end_node()
            builder.end_tree()
        model: treelite.Model = builder.commit()
        return model

    def to_dtreeviz(self, X: Any, y: Any, tree: int = 0) -> dtreeviz.DTreeVizAPI:
        """A tree for dtreeviz with the rows that it shows: `to_dtreeviz(X, y, tree=3).view()`.

        Categories are shown as the numbers that `encoded` gives them. Words, missing values and sets of labels are refused, as they are there. Needs the package
        `dtreeviz`.
        """
        from manyboost._dtreeviz import adapted

        if self.model_.sets:
            raise ValueError("dtreeviz has no sets of labels\nshow a tree with `to_graphviz` or `plot_tree`")
        rows = self.encoded(X)
        laid = self._tree(tree, "dtreeviz")
        return adapted(laid, rows, np.asarray(y), self.classes_, [name for name, _ in self.model_.features], self.model_.answers[0])

    def to_graphviz(self, tree: int = 0) -> str:
        """A tree in Graphviz's language (DOT): tests, the weight of training rows at each node, and what leaves add to the scores of classes."""
        laid = self._tree(tree)
        lines = ["digraph tree {", "  node [shape=box, fontname=sans];", "  edge [fontname=sans];"]
        for node, told in enumerate(self._told(laid)):
            quoted = told.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
            lines.append(f'  {node} [label="{quoted}"];')
        for node, (left, right) in enumerate(zip(laid.left.tolist(), laid.right.tolist())):
            if left >= 0:
                way = ["yes, missing", "no"] if laid.missing[node] == left else ["yes", "no, missing"]
                lines += [f'  {node} -> {child} [label="{label}"];' for child, label in zip((left, right), way)]
        return "\n".join([*lines, "}", ""])

    def plot_tree(self, tree: int = 0, ax: matplotlib.axes.Axes | None = None) -> matplotlib.axes.Axes:
        """Draws a tree with matplotlib: left is yes."""
        import matplotlib.pyplot as plt

        laid = self._tree(tree)
        places = _places(laid)
        ax = plt.gca() if ax is None else ax
        for node, told in enumerate(self._told(laid)):
            (x, y), children = places[node], (laid.left[node], laid.right[node])
            for child in children if children[0] >= 0 else ():
                ax.plot([x, places[child][0]], [y, places[child][1]], color="0.6", linewidth=1, zorder=1)
            ax.text(x, y, told, ha="center", va="center", fontsize=7, bbox={"boxstyle": "round", "facecolor": "white", "edgecolor": "0.6"}, zorder=2)
        ax.set_xlim(-0.5, max(x for x, _ in places) + 0.5)
        ax.set_ylim(min(y for _, y in places) - 0.5, 0.5)
        ax.set_axis_off()
        return ax

    def _tree(self, tree: int, form: str | None = None) -> Laid:
        forest, _ = self._forest(form)
        if not 0 <= tree < len(forest):
            raise IndexError(f"tree={tree}: the model has {len(forest)} trees, numbered from 0")
        return forest[tree]

    def _told(self, laid: Laid) -> list[str]:
        """What is written at each node."""
        labels, told = self.classes_.tolist(), []
        for node, asks in enumerate(laid.asks):
            if laid.left[node] >= 0:
                told.append(f"{asks}?\n{laid.cover[node]:g} rows")
                continue
            # The classes that the leaf speaks for and against most.
            most = sorted(np.argsort(-np.abs(laid.values[node]), kind="stable")[:DIGITS])
            adds = "\n".join(f"{labels[at]}: {laid.values[node][at]:+.{DIGITS}g}" for at in most)
            told.append(f"{adds}\n{laid.cover[node]:g} rows")
        return told


def _asks(
    name: str, kind: str, word: str | None, part: str | None, threshold: float | None, levels: list[str] | None
) -> str:
    """A test, as it is written in pictures."""
    if word is not None:
        # A word is 1 where it occurs and 0 elsewhere; up to the threshold is left.
        return f"{name} without {word!r}"
    if part is not None:
        return f"{part} of {name} ≤ {threshold:.6g}"
    if levels is None:
        return f"{name} ≤ {shown(kind, threshold)}"
    some = ", ".join(levels[:DIGITS])
    return f"{name} is {some}" if len(levels) <= DIGITS else f"{name} is {some}, … ({len(levels)})"


def _places(laid: Laid) -> list[tuple[float, float]]:
    """Leaves side by side, tests above the middle of their children."""
    places: dict[int, tuple[float, float]] = {}
    leaves = 0
    depth = {0: 0}
    for node, (left, right) in enumerate(zip(laid.left.tolist(), laid.right.tolist())):
        if left >= 0:
            depth[left] = depth[right] = depth[node] + 1
    stack = [0]
    while stack:
        node = stack.pop()
        left, right = int(laid.left[node]), int(laid.right[node])
        if left < 0:
            places[node] = (float(leaves), -float(depth[node]))
            leaves += 1
        elif left in places and right in places:
            places[node] = ((places[left][0] + places[right][0]) / 2, -float(depth[node]))
        else:
            stack += [node, right, left]
    return [places[node] for node in range(len(laid.left))]
