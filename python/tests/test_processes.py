"""Forks, workers, threads and Ctrl-C: nothing hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_digits, load_iris

from manyboost import MCBoostClassifier

X, Y = load_iris(return_X_y=True)


def fit_and_predict(seed: int) -> tuple[float, float]:
    began = time.perf_counter()
    score = MCBoostClassifier(rounds=5, random_state=seed).fit(X, Y).score(X, Y)
    return score, time.perf_counter() - began


def predict(model: Any) -> tuple[float, float]:
    began = time.perf_counter()
    return model.score(X, Y), time.perf_counter() - began


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_forked_children_train_and_predict() -> None:
    model = MCBoostClassifier(rounds=5).fit(X, Y)
    model.predict(X)
    with ProcessPoolExecutor(2, mp_context=get_context("fork")) as pool:
        results = list(pool.map(fit_and_predict, range(4), timeout=20)) + [pool.submit(predict, model).result(20)]
    assert all(score > 0.9 and seconds < 1 for score, seconds in results), results


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_in_the_middle_of_training() -> None:
    digits = load_digits(return_X_y=True)
    ended = threading.Event()

    def train() -> None:
        MCBoostClassifier(rounds=200).fit(*digits)
        ended.set()

    thread = threading.Thread(target=train)
    thread.start()
    time.sleep(0.1)
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as pool:
        score, seconds = pool.submit(fit_and_predict, 0).result(20)
    assert score > 0.9 and seconds < 1
    thread.join(60)
    assert ended.is_set()


@pytest.mark.parametrize("backend", ["loky", "multiprocessing", "threading"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_joblib_workers(backend: str) -> None:
    model = MCBoostClassifier(rounds=5).fit(X, Y)
    with joblib.parallel_backend(backend, n_jobs=2):
        results = joblib.Parallel()(joblib.delayed(fit_and_predict)(seed) for seed in range(4))
        results += joblib.Parallel()(joblib.delayed(predict)(model) for _ in range(4))
    assert all(score > 0.9 and seconds < 1 for score, seconds in results), results


def test_many_threads_share_a_model() -> None:
    model = MCBoostClassifier(rounds=20).fit(X, Y)
    wanted = model.predict_proba(X)
    with ThreadPoolExecutor(16) as pool:
        assert all((got == wanted).all() for got in pool.map(lambda _: model.predict_proba(X), range(64)))


def test_callbacks_may_use_the_same_threads() -> None:
    other = MCBoostClassifier(rounds=5, threads=1).fit(X, Y)
    scores = []
    MCBoostClassifier(rounds=5, threads=1).fit(X, Y, callbacks=[lambda *_: scores.append(other.score(X, Y))])
    assert len(scores) == 5 and len(set(scores)) == 1


def test_the_lock_of_the_interpreter_is_free() -> None:
    digits = load_digits(return_X_y=True)
    ticks, ended = 0, threading.Event()

    def train() -> None:
        MCBoostClassifier(rounds=150).fit(*digits)
        ended.set()

    thread = threading.Thread(target=train)
    began = time.perf_counter()
    thread.start()
    longest, last = 0.0, time.perf_counter()
    while not ended.is_set():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last, ticks = max(longest, now - last), now, ticks + 1
    thread.join()
    seconds = time.perf_counter() - began
    assert ticks > 20 * seconds and longest < 0.5, (ticks, seconds, longest)


CTRL_C = """
import os, signal, threading, time
import numpy as np
from manyboost import MCBoostClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=({rows}, 50)).astype(np.float32)
y = rng.integers(0, 7, len(X))
model = MCBoostClassifier(rounds=2).fit(X[:1000], y[:1000])
before = model.model_
sent = []

def send():
    sent.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)

threading.Timer({after}, send).start()
try:
    model.set_params(rounds=100_000).fit(X, y)
except KeyboardInterrupt:
    print(time.perf_counter() - sent[0], model.model_ is before)
"""


@pytest.mark.parametrize(("rows", "after"), [(300_000, 0.2), (300_000, 4.0), (2_000, 1.0)])
def test_ctrl_c_gives_control_back(rows: int, after: float) -> None:
    code = CTRL_C.format(rows=rows, after=after)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    seconds, same = done.stdout.split()
    # 0.2 s on a machine of one's own; others may be at work here.
    assert float(seconds) < 0.4 and same == "True", done.stdout


def test_ctrl_c_while_predicting() -> None:
    rng = np.random.default_rng(0)
    model = MCBoostClassifier(rounds=200, leaves=64).fit(rng.normal(size=(3000, 10)), rng.integers(0, 10, 3000))
    rows = rng.normal(size=(2_000_000, 10)).astype(np.float32)
    sent = []

    def send() -> None:
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    # Whoever ran before may have left another one.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    start = time.perf_counter()
    threading.Timer(1.0, send).start()
    with pytest.raises(KeyboardInterrupt):
        # A quick machine may be through with them before the signal comes.
        while time.perf_counter() - start < 60:
            model.predict(rows)
    assert time.perf_counter() - sent[0] < 0.4


NO_THREADS = """
import os, resource
from sklearn.datasets import load_iris
from manyboost import MCBoostClassifier
X, y = load_iris(return_X_y=True)
model = MCBoostClassifier(rounds=2)
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
if os.getuid() == 0:  # whom the limit does not bind
    os.setresuid(45862, 45862, 45862)
try:
    model.fit(X, y)
except RuntimeError as error:
    assert "threads" in str(error) and "bug" not in str(error), error
    print("refused")
"""


def test_a_limit_on_threads_is_an_error() -> None:
    done = subprocess.run([sys.executable, "-c", NO_THREADS], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "refused\n", done.stderr
