"""What notebooks show of a fitted estimator: scikit-learn's diagram, and below it what came of training."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from manyboost._base import BaseBoost

WIDTH, HEIGHT = 320, 80


def html(estimator: BaseBoost, diagram: str) -> str:
    """The diagram, and what came of training if there was any."""
    if not hasattr(estimator, "model_"):
        return diagram
    model, history = estimator.model_, estimator.history_
    facts = [
        ("booster", model.booster),
        ("rounds", f"{model.rounds} ({model.stop})"),
        ("labels" if model.sets else "classes", str(len(model.classes))),
        ("features", str(estimator.n_features_in_)),
    ]
    curves = []
    for name, colour in (("train_error", "#1f77b4"), ("valid_error", "#d62728")):
        values = [value for value in history.get(name, []) if value is not None]
        if values:
            facts.append((name.replace("_", " "), f"{100 * values[-1]:.2f} %"))
            curves.append(_curve(values, colour))
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    chart = f'<svg width="{WIDTH}" height="{HEIGHT}" role="img"><title>error by round</title>{"".join(curves)}</svg>'
    return f"{diagram}<table>{rows}</table>{chart}"


def _curve(values: list[float], colour: str) -> str:
    """A line through values, the highest at the top."""
    top, last = max(values) or 1.0, max(len(values) - 1, 1)
    points = " ".join(f"{WIDTH * at / last:.1f},{HEIGHT * (1 - y / top):.1f}" for at, y in enumerate(values))
    return f'<polyline points="{points}" fill="none" stroke="{colour}"/>'
