"""Ray: the model of the cluster is that of one process, to the bit."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import manyboost

ray = pytest.importorskip("ray")
psutil = pytest.importorskip("psutil")
pytest.importorskip("ray.data")
import manyboost.ray as cluster  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
ROWS = 400


@pytest.fixture(scope="module", autouse=True)
def nodes() -> Iterator[None]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False, logging_level="error", object_store_memory=2**27)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=ROWS), "b": rng.integers(0, 9, ROWS), "c": rng.choice(["red", "green", "blue"], ROWS)})
    X.loc[::7, "a"] = np.nan
    X.loc[:150, "c"] = None
    X["kind"] = np.where(X.a > 0.3, "x", np.where(X.b > 4, "yy", "zzz"))
    X["w"] = rng.integers(0, 4, ROWS).astype(float)
    # The first rows lack a class.
    return X.sort_values("kind", kind="stable", ignore_index=True)


def split(frame: Any, *bounds: int) -> list[Any]:
    ends = [0, *bounds, len(frame)]
    return [frame[a:b] for a, b in zip(ends, ends[1:])]


@pytest.mark.parametrize(("workers", "bounds"), [(1, (100, 350)), (2, (100, 100, 350)), (3, (1, 50, 99, 200, 390)), (3, ())])
def test_any_blocks(frame: pd.DataFrame, workers: int, bounds: tuple[int, ...]) -> None:
    X, y, w = frame[["a", "b", "c"]], frame.kind, frame.w
    local = manyboost.MCBoostClassifier(rounds=8).fit(X, y, w)
    rows = ray.data.from_pandas(split(frame, *bounds))
    model = cluster.MCBoostClassifier(rounds=8).fit(rows, "kind", "w", workers=workers)
    assert model.model_.to_bytes() == local.model_.to_bytes()
    assert model.classes_.tolist() == local.classes_.tolist()
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    assert type(model.to_local()) is manyboost.MCBoostClassifier
    # Weights are a column that a model does not look at.
    assert sorted(model.predict(rows).to_pandas().predict) == sorted(local.predict(X))
    assert model.score(rows, "kind", "w") == pytest.approx(local.score(X, y, w))


def test_references_and_validation() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, 4))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    eval_set = (X[:90], y[::-1][:90])
    local = manyboost.MCBoostClassifier(rounds=30, patience=3).fit(X, y, eval_set=eval_set)

    def put(values: Any, *bounds: int) -> list[Any]:
        return [ray.put(part) for part in split(values, *bounds)]

    rows = put(X, 7, 130, 300)
    watched = tuple(put(values, 40) for values in eval_set)
    heard: list[int] = []
    told = [lambda number, figures: heard.append(number)]
    more: dict[str, Any] = {"workers": 2, "ports": (42300, 42400), "callbacks": told}
    model = cluster.MCBoostClassifier(rounds=30, patience=3).fit(rows, put(y, 7, 130, 300), eval_set=watched, **more)
    assert heard == list(range(1, len(heard) + 1))
    assert len(heard) >= model.n_iter_
    assert model.model_.to_bytes() == local.model_.to_bytes()
    assert model.stop_ == local.stop_ == "patience"
    for name in ("predict", "predict_proba"):
        assert np.array_equal(np.concatenate(ray.get(getattr(model, name)(rows))), getattr(local, name)(X))
    probabilities = model.predict_proba(X)
    assert np.array_equal(probabilities, local.predict_proba(X)), "rows of this process are answered here"


def test_sets_of_labels() -> None:
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(ROWS, 3)), columns=["a", "b", "c"])
    labels = (X + rng.normal(scale=0.3, size=X.shape) > 0).astype(int).add_prefix("is_")
    local = manyboost.MultiLabelBoostClassifier("mh", rounds=5).fit(X, labels)
    rows = ray.data.from_pandas(split(pd.concat([labels, X], axis=1), 130, 260))
    model = cluster.MultiLabelBoostClassifier("mh", rounds=5).fit(rows, list(labels.columns), workers=2)
    assert model.model_.to_bytes() == local.model_.to_bytes()
    assert model.predict_proba(rows).columns() == list(labels.columns)


def test_what_is_wrong_is_said(frame: pd.DataFrame) -> None:
    rows = ray.data.from_pandas(split(frame, 100))
    with pytest.raises(ValueError, match="9 workers of 1 CPUs are asked for, and the cluster has room for 3"):
        cluster.MCBoostClassifier().fit(rows, "kind", workers=9)
    with pytest.raises(TypeError, match="X is a DataFrame"):
        cluster.MCBoostClassifier().fit(frame, "kind")
    with pytest.raises(TypeError, match="y is a Series"):
        cluster.MCBoostClassifier().fit(rows, frame.kind)
    with pytest.raises(ValueError, match="no column 'sort'"):
        cluster.MCBoostClassifier().fit(rows, "sort", workers=2)
    with pytest.raises(ValueError, match="depth"):
        cluster.MCBoostClassifier(depth=1000).fit(rows, "kind", workers=2)


def kill_a_member(killed: list[float]) -> None:
    """Kills a worker in the middle of training."""
    own = psutil.Process()
    while len(members := [one for one in own.children(recursive=True) if one.name().startswith("ray::Member.fit")]) < 3:
        time.sleep(0.05)
    time.sleep(1.0)
    members[-1].send_signal(signal.SIGKILL)
    killed.append(time.monotonic())


@pytest.mark.parametrize("retries", [0, 2])
def test_a_lost_worker(frame: pd.DataFrame, retries: int) -> None:
    frame = frame.drop(columns="w")
    rows = [ray.put(part) for part in split(frame, 60, 120, 200, 300)]
    model = cluster.MCBoostClassifier(rounds=1000, learner="stump")
    killed: list[float] = []
    killer = threading.Thread(target=kill_a_member, args=(killed,))
    killer.start()
    if retries == 0:
        with pytest.raises(manyboost.WorkerError, match=r"worker \d, [\d.]+:\d+, was lost"):
            model.fit(rows, "kind", workers=3, retries=0)
        assert time.monotonic() - killed[0] < 10
    else:
        model.fit(rows, "kind", workers=3, retries=retries)
        assert killed, "it was over before the loss"
        expected = manyboost.MCBoostClassifier(rounds=1000, learner="stump").fit(frame[["a", "b", "c"]], frame.kind)
        assert model.model_.to_bytes() == expected.model_.to_bytes()
    killer.join()
