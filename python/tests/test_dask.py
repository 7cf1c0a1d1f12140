"""Dask: the model of the cluster is that of one process, to the bit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import manyboost

pytest.importorskip("distributed")
dd = pytest.importorskip("dask.dataframe")
da = pytest.importorskip("dask.array")
db = pytest.importorskip("dask.bag")
import dask.config  # noqa: E402
import manyboost.dask as cluster  # noqa: E402
from manyboost.dask import _cluster  # noqa: E402
from distributed import Client, LocalCluster  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
ROWS = 400


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with LocalCluster(
        n_workers=3, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address="127.0.0.1:0", memory_limit=0
    ) as local, Client(local) as client:
        yield client


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=ROWS), "b": rng.integers(0, 9, ROWS), "c": rng.choice(["red", "green", "blue"], ROWS)})
    X.loc[::7, "a"] = np.nan
    X.loc[:150, "c"] = None
    y = pd.Series(np.where(X.a > 0.3, "x", np.where(X.b > 4, "yy", "zzz")), name="kind")
    return X, y, pd.Series(rng.integers(0, 4, ROWS).astype(float))


def frames(table: tuple[Any, ...], *bounds: int) -> list[Any]:
    """A table as Dask collections with partitions that end at these rows."""
    ends = [0, *bounds, ROWS]
    return [dd.from_map(part, [(a, b) for a, b in zip(ends, ends[1:])], of=each, meta=each.iloc[:0]) for each in table]


def part(range_: tuple[int, int], of: Any) -> Any:
    return of.iloc[range_[0] : range_[1]]


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("bounds", [(), (100, 100, 350), (1, 50, 99, 200, 300, 390)])
def test_any_partition(client: Client, table: tuple[Any, ...], workers: int, bounds: tuple[int, ...]) -> None:
    X, y, w = table
    local = manyboost.MCBoostClassifier(rounds=8).fit(X, y, w)
    dX, dy, dw = frames(table, *bounds)
    model = cluster.MCBoostClassifier(rounds=8).fit(dX, dy, dw, workers=workers)
    assert model.model_.to_bytes() == local.model_.to_bytes()
    assert model.classes_.tolist() == local.classes_.tolist()
    assert (model.predict(dX).compute().to_numpy() == local.predict(X)).all()


def picked(of: Any, rows: Any) -> Any:
    return of.loc[rows]


@pytest.mark.parametrize("by", ["class", "level", "nothing"])
def test_workers_that_lack_something(client: Client, table: tuple[Any, ...], by: str) -> None:
    """Each worker has the rows of one class only, or of one level, or one of them has all."""
    X, y, w = table
    which = {"class": y, "level": X.c.fillna("none"), "nothing": pd.Series("all", y.index)}[by]
    groups = [X.index[which == value] for value in sorted(set(which))]
    workers = sorted(client.scheduler_info()["workers"])
    rows = [*groups, X.index[:0], X.index[:0]]
    dX, dy, dw = (
        dd.from_delayed(
            [client.submit(picked, each, own, workers=[workers[at % 3]], pure=False) for at, own in enumerate(rows)],
            meta=each.iloc[:0],
        )
        for each in table
    )
    model = cluster.MCBoostClassifier(rounds=8).fit(dX, dy, dw)
    order = np.concatenate(groups)
    local = manyboost.MCBoostClassifier(rounds=8).fit(X.loc[order], y.loc[order], w.loc[order])
    assert model.model_.to_bytes() == local.model_.to_bytes()


def test_answers_are_lazy(client: Client, table: tuple[Any, ...]) -> None:
    X, y, _ = table
    dX, dy, _ = frames(table, 100, 100, 350)
    model = cluster.MCBoostClassifier(rounds=5).fit(dX, dy)
    local = model.to_local()
    assert type(local) is manyboost.MCBoostClassifier
    for name in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        lazy = getattr(model, name)(dX)
        assert lazy.npartitions == dX.npartitions
        assert np.array_equal(lazy.compute().to_numpy(), getattr(local, name)(X)), name
    assert model.predict_proba(dX).columns.tolist() == local.classes_.tolist()
    assert model.score(dX, dy) == local.score(X, y)


def test_arrays_and_validation(client: Client) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, 4))
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    eval_set = (X[:90], y[::-1][:90])
    local = manyboost.MCBoostClassifier(rounds=30, patience=3).fit(X, y, eval_set=eval_set)
    dX, dy = da.from_array(X, chunks=(120, 2)), da.from_array(y, chunks=120)
    lazy_eval = (dX[:90].rechunk((40, 4)), da.from_array(eval_set[1], chunks=40))
    heard: list[int] = []
    told = [lambda number, figures: heard.append(number)]
    model = cluster.MCBoostClassifier(rounds=30, patience=3).fit(dX, dy, eval_set=lazy_eval, callbacks=told)
    assert model.model_.to_bytes() == local.model_.to_bytes()
    assert heard == list(range(1, len(heard) + 1))
    assert len(heard) >= model.n_iter_
    assert model.stop_ == local.stop_ == "patience"
    for name in ("predict", "predict_proba"):
        assert np.array_equal(getattr(model, name)(dX).compute(), getattr(local, name)(X))


def test_sparse_blocks(client: Client) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(ROWS, 6)) * (rng.random((ROWS, 6)) < 0.3)
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    local = manyboost.MCBoostClassifier(rounds=5).fit(sparse.csr_matrix(X), y)
    dX, dy = da.from_array(X, chunks=(90, 6)).map_blocks(sparse.csr_matrix), da.from_array(y, chunks=90)
    model = cluster.MCBoostClassifier(rounds=5).fit(dX, dy)
    assert model.model_.to_bytes() == local.model_.to_bytes()
    assert np.array_equal(model.predict_proba(dX).compute(), local.predict_proba(X))


def test_bags_of_sparse_blocks(client: Client) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(ROWS, 6)) * (rng.random((ROWS, 6)) < 0.3)
    y = (X[:, 0] > 0).astype(int) + (X[:, 1] > 0)
    local = manyboost.MCBoostClassifier(rounds=5).fit(sparse.csr_matrix(X), y)
    ends = [0, 10, 10, 90, 240, ROWS]
    blocks = [(sparse.csr_matrix(X[a:b]), y[a:b]) for a, b in zip(ends, ends[1:])]
    dX, dy = (db.from_sequence(each, npartitions=3) for each in zip(*blocks))
    model = cluster.MCBoostClassifier(rounds=5).fit(dX, dy)
    assert model.model_.to_bytes() == local.model_.to_bytes()
    assert np.array_equal(np.concatenate(model.predict_proba(dX).compute()), local.predict_proba(X))
    assert model.score(dX, dy) == local.score(X, y)


def test_a_fraction_to_validate_on(client: Client, table: tuple[Any, ...]) -> None:
    X, y, w = table
    local = manyboost.MCBoostClassifier(rounds=9, valid=0.3, patience=2, random_state=4).fit(X, y, w)
    dX, dy, dw = frames(table, 5, 100, 350)
    model = cluster.MCBoostClassifier(rounds=9, valid=0.3, patience=2, random_state=4).fit(dX, dy, dw)
    assert model.model_.to_bytes() == local.model_.to_bytes()


def test_sets_of_labels(client: Client) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(ROWS, 3))
    y = (X + rng.normal(scale=0.3, size=X.shape) > 0).astype(int)
    local = manyboost.MultiLabelBoostClassifier("mh", rounds=5).fit(X, y)
    model = cluster.MultiLabelBoostClassifier("mh", rounds=5).fit(da.from_array(X, chunks=(130, 3)), da.from_array(y, chunks=(130, 3)))
    assert model.model_.to_bytes() == local.model_.to_bytes()


def test_types_change_nothing(client: Client, table: tuple[Any, ...]) -> None:
    X, y, w = table
    expected = manyboost.BoostClassifier("samme", rounds=5).fit(X, y).model_.to_bytes()
    for kind in ("object", "string[pyarrow]", "category"):
        dX, dy, _ = frames((X.astype({"c": kind}), y, w), 90, 200)
        assert cluster.BoostClassifier("samme", rounds=5).fit(dX, dy).model_.to_bytes() == expected, kind


def test_what_is_wrong_is_said(client: Client, table: tuple[Any, ...]) -> None:
    dX, dy, _ = frames(table, 100)
    with pytest.raises(ValueError, match="9 workers are asked for, and the cluster has 3"):
        cluster.MCBoostClassifier().fit(dX, dy, workers=9)
    with pytest.raises(ValueError, match="partitions"):
        cluster.MCBoostClassifier().fit(dX, dy.repartition(npartitions=1))
    with pytest.raises(TypeError, match="X is a DataFrame"):
        cluster.MCBoostClassifier().fit(table[0], dy)
    with pytest.raises(ValueError, match="depth"):
        cluster.MCBoostClassifier(depth=1000).fit(dX, dy)
    bad = frames((table[0], table[1].where(table[1] != "x"), table[2]), 100)
    with pytest.raises(ValueError, match="every row a class"):
        cluster.MCBoostClassifier(rounds=2).fit(bad[0], bad[1])


def test_ports_of_ones_own(client: Client) -> None:
    free = range(42100, 42200)
    client.run(dask.config.set, {"manyboost.ports": [free[0], free[-1]]})
    addresses = client.run(_cluster._listen, "an attempt").values()
    client.run(dask.config.set, {"manyboost.ports": None})
    assert len(set(addresses)) == 3
    assert all(int(address.split(":")[1]) in free for address in addresses)


def test_two_fits_take_turns(client: Client, table: tuple[Any, ...]) -> None:
    dX, dy, _ = frames(table, 100, 200)
    found: list[Any] = []

    def fit(rounds: int) -> None:
        found.append((rounds, cluster.MCBoostClassifier(rounds=rounds).fit(dX, dy, client=client).n_iter_))

    threads = [threading.Thread(target=fit, args=(rounds,)) for rounds in (6, 7)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(found) == [(6, 6), (7, 7)]


def slow(range_: tuple[int, int], of: Any) -> Any:
    # So slow that every worker gets some.
    time.sleep(0.3)
    return of.iloc[range_[0] : range_[1]]


def send_a_member(client: Client, sent: list[tuple[int, float]], what: signal.Signals = signal.SIGKILL) -> None:
    """Sends a signal to a worker in the middle of training."""
    while True:
        keys = client.processing()
        members = sorted(at for at, tasks in keys.items() if any(str(key).startswith("manyboost-") for key in tasks))
        if len(members) > 1:
            break
        time.sleep(0.05)
    time.sleep(1.0)
    pid = client.run(os.getpid, workers=[members[-1]])[members[-1]]
    os.kill(pid, what)
    sent.append((pid, time.monotonic()))


def test_a_lost_worker(table: tuple[Any, ...]) -> None:
    X, y, _ = table
    with LocalCluster(
        n_workers=3, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0", memory_limit=0
    ) as local, Client(local) as client:
        ends = [0, 60, 120, 180, 240, 300, ROWS]
        ranges = list(zip(ends, ends[1:]))
        dX, dy = (dd.from_map(slow, ranges, of=each, meta=each.iloc[:0]) for each in (X, y))
        model = cluster.MCBoostClassifier(rounds=1000, learner="stump")
        for what, retries in ((signal.SIGSTOP, 0), (signal.SIGKILL, 0), (signal.SIGKILL, 3)):
            sent: list[tuple[int, float]] = []
            sender = threading.Thread(target=send_a_member, args=(client, sent, what))
            sender.start()
            if retries == 0:
                with pytest.raises(manyboost.WorkerError, match=r"worker \d, tcp://127.0.0.1:\d+, ") as caught:
                    model.fit(dX, dy, retries=0, deadline=2)
                pid, at = sent[0]
                assert time.monotonic() - at < 10, caught.value
                if what == signal.SIGSTOP:
                    os.kill(pid, signal.SIGCONT)
            else:
                model.fit(dX, dy, retries=retries)
                assert sent, "it was over before the loss"
            sender.join()
    expected = manyboost.MCBoostClassifier(rounds=1000, learner="stump").fit(X, y)
    assert model.model_.to_bytes() == expected.model_.to_bytes()


def test_a_cluster_without_workers(table: tuple[Any, ...]) -> None:
    with LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
    ) as local, Client(local) as client:
        dX, dy = (dd.from_map(slow, [(0, 200), (200, ROWS)], of=each, meta=each.iloc[:0]) for each in table[:2])
        local.scale(0)
        while client.scheduler_info()["workers"]:
            time.sleep(0.05)
        with pytest.raises(ValueError, match="1 workers are asked for, and the cluster has 0"):
            cluster.MCBoostClassifier(rounds=2).fit(dX, dy, client=client)
        local.scale(1)
        client.wait_for_workers(1)
        threading.Timer(0.3, local.scale, (0,)).start()
        with pytest.raises(manyboost.WorkerError, match="no workers any more"):
            cluster.MCBoostClassifier(rounds=2).fit(dX, dy, client=client, deadline=1, retries=0)


def test_it_is_imported_only_if_asked_for() -> None:
    code = "import sys, manyboost; sys.exit(bool({'dask', 'distributed', 'ray', 'pyspark', 'mpi4py'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
    code = "import sys; sys.modules['dask'] = None; import manyboost.dask"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'manyboost[dask]'" in done.stderr
