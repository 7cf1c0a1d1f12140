"""The drifting game between a booster and a weak learner that keeps its promise (`manyboost game`). No data are needed."""

from __future__ import annotations

import numpy as np

from manyboost import _core

__all__ = ["best_eta", "bound", "degrees", "kappa", "plain_eta", "potential"]

kappa = _core.kappa
plain_eta = _core.plain_eta
best_eta = _core.best_eta


def potential(
    classes: int,
    edge: float,
    rounds: int,
    *,
    loss: str = "zero-one",
    condition: str = "uniform",
    eta: float | None = None,
) -> float:
    """The potential of the first state: the loss that the best booster ends with against the worst weak learner.

    `loss` is "zero-one", "hinge" or "exponential" (with votes of weight `eta`), `condition` "uniform" or "minimal".
    """
    return _core.potential(classes, edge, rounds, loss, condition, eta)


def bound(classes: int, edge: float, rounds: int) -> dict[str, float]:
    """Bounds on the training error after so many rounds, if every round keeps the edge."""
    zero_one = potential(classes, edge, rounds)

    def exponential(eta: float) -> float:
        return (classes - 1) * kappa(classes, edge, eta) ** rounds

    return {
        "exponential": exponential(plain_eta(edge)),
        "exponential_best": exponential(best_eta(classes, edge)),
        "zero_one": zero_one,
    }


def degrees(edge: float, rounds: int, *, loss: str = "zero-one", eta: float | None = None) -> np.ndarray:
    """In how many directions the worst walk of three classes goes on from each state, with all rounds to go.

    Rows are s(3) − s(1), columns s(2) − s(1), each from −rounds to rounds.
    """
    return _core.degrees(edge, rounds, loss, eta)
