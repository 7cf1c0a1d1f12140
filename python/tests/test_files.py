"""Estimators travel: pickle, copy, joblib, model files, notebooks."""

from __future__ import annotations

import copy
import errno
import importlib.metadata
import io
import pickle
import subprocess
import sys
from pathlib import Path

import joblib
import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import NotFittedError

from manyboost import BoostClassifier, MCBoostClassifier, MultiLabelBoostClassifier, load

X, Y = load_iris(return_X_y=True)


@pytest.mark.parametrize("booster", ["mcboost", "mo", "iter", "logitboost"])
def test_copies_answer_the_same(booster: str) -> None:
    model = BoostClassifier(booster, rounds=5).fit(X, np.asarray(["a", "b", "c"])[Y])
    stored = io.BytesIO()
    joblib.dump(model, stored)
    stored.seek(0)
    copies = [pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model), joblib.load(stored)]
    for other in copies:
        assert (other.decision_function(X) == model.decision_function(X)).all()
        assert (other.predict(X) == model.predict(X)).all()
    assert not hasattr(clone(model), "model_")


def test_a_pickle_may_go_on() -> None:
    model = MCBoostClassifier(rounds=5, warm_start=True).fit(X, Y)
    again = pickle.loads(pickle.dumps(model)).set_params(rounds=9).fit(X, Y)
    assert again.model_.to_bytes() == MCBoostClassifier(rounds=9).fit(X, Y).model_.to_bytes()


def test_files(tmp_path: Path) -> None:
    model = MCBoostClassifier(rounds=5).fit(X, Y)
    model.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    assert isinstance(loaded, BoostClassifier) and not isinstance(loaded, MultiLabelBoostClassifier)
    assert loaded.classes_.tolist() == [0, 1, 2] and (loaded.predict(X) == model.predict(X)).all()
    assert loaded.get_params()["rounds"] == 5 and loaded.n_features_in_ == 4
    # What was loaded can be trained again.
    assert clone(loaded).fit(X, Y).model_.to_bytes() == model.model_.to_bytes()
    (tmp_path / "broken").write_bytes((tmp_path / "m").read_bytes()[:-7])
    with pytest.raises(ValueError, match="broken"):
        load(tmp_path / "broken")
    with pytest.raises(OSError, match="nowhere"):
        load(tmp_path / "nowhere")


def test_notebooks_show_what_came_of_training() -> None:
    empty = MCBoostClassifier()._repr_html_()
    assert "MCBoostClassifier" in empty and "polyline" not in empty
    shown = MCBoostClassifier(rounds=5, valid=0.3).fit(X, Y)._repr_html_()
    assert "train error" in shown and "valid error" in shown and shown.count("<polyline") == 2


def test_page_and_graph(tmp_path):
    X, y = load_wine(return_X_y=True, as_frame=True)
    model = MCBoostClassifier(rounds=10).fit(X[::2], y[::2])
    model.report(tmp_path / "page.html", X[1::2], y[1::2])
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and "alcohol" in page and "MCBoostClassifier(rounds=10)" in page
    graph = model.to_onnx(tmp_path / "model.onnx")
    assert (tmp_path / "model.onnx").read_bytes() == graph and b"TreeEnsembleRegressor" in graph
    with pytest.raises(NotFittedError):
        MCBoostClassifier().to_onnx()


def test_page_of_label_sets(tmp_path):
    X, y = load_wine(return_X_y=True)
    model = MultiLabelBoostClassifier("mh", rounds=10).fit(X, np.eye(3, dtype=int)[y])
    model.report(tmp_path / "page.html", X, np.eye(3, dtype=int)[y])
    assert (tmp_path / "page.html").stat().st_size > 10_000


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_a_full_disk_is_an_os_error(tmp_path: Path) -> None:
    model = MCBoostClassifier(rounds=2).fit(X, Y)
    for write in (model.save, model.to_onnx, lambda path: model.report(path, X, Y)):
        with pytest.raises(OSError, match="/dev/full") as caught:
            write("/dev/full")
        assert caught.value.errno == errno.ENOSPC
        with pytest.raises(OSError, match="no folder|No such"):
            write(tmp_path / "none" / "m")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none" / "m")


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    # More than the limit on the size of files, as on a disk that fills up while it is written to.
    code = """
import errno, pathlib, resource, signal, sys
from sklearn.datasets import load_iris
from manyboost import MCBoostClassifier
X, y = load_iris(return_X_y=True)
model = MCBoostClassifier(rounds=20).fit(X, y)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
path = pathlib.Path(sys.argv[1])
for write in (model.save, model.to_onnx, lambda path: model.report(path, X, y)):
    try:
        write(path)
    except OSError as error:
        assert error.errno == errno.EFBIG, error
    else:
        sys.exit("written")
    assert path.read_text() == "old" and len(list(path.parent.iterdir())) == 1
"""
    path = tmp_path / "file"
    path.write_text("old")
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_labels_of_graphs_are_integers_where_classes_are() -> None:
    def kind(y: np.ndarray) -> int:
        """The type of the first output, as its message has it: 7 is int64, 8 is string."""
        graph = MCBoostClassifier(rounds=2).fit(X, y).to_onnx()
        at = graph.rindex(b"\n\x05label")
        return graph[at + len(b"\n\x05label") + len(b"\x12\x00\x0a\x00\x08")]

    texts = np.asarray(["10", "9", "-1"])
    assert kind(Y) == kind(np.asarray([10**18, -1, 3])[Y]) == 7
    assert kind(texts[Y]) == kind(Y.astype(float)) == kind(Y == 1) == 8


def test_the_wheel_has_its_licences() -> None:
    files = {path.name: path for path in importlib.metadata.files("manyboost") or []}
    assert {"LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY-NOTICES"} <= set(files)
    assert "\npyo3 " in files["THIRD-PARTY-NOTICES"].read_text(encoding="utf-8")
