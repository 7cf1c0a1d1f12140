"""Spark: the model of the cluster is that of one process, to the bit."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import manyboost

pytest.importorskip("pyspark")
psutil = pytest.importorskip("psutil")
if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
    if os.environ.get("CI"):
        pytest.fail("there is no Java (with CI set, what is missing is a failure)", pytrace=False)
    pytest.skip("there is no Java (apt install openjdk-17-jre-headless)", allow_module_level=True)

import manyboost.spark as cluster  # noqa: E402
from pyspark.ml import Pipeline, PipelineModel  # noqa: E402
from pyspark.ml.evaluation import BinaryClassificationEvaluator, MulticlassClassificationEvaluator  # noqa: E402
from pyspark.ml.feature import StringIndexer, VectorAssembler  # noqa: E402
from pyspark.ml.linalg import Vectors  # noqa: E402
from pyspark.ml.tuning import CrossValidator, CrossValidatorModel, ParamGridBuilder  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
ROWS = 400
FEATURES = ["a", "b", "c"]


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkSession]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "512m",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
    }
    builder = SparkSession.builder.master("local[3]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {"a": rng.normal(size=ROWS), "b": rng.integers(0, 9, ROWS), "c": rng.choice(["red", "green", "blue"], ROWS)}
    )
    frame.loc[::7, "a"] = np.nan
    frame.loc[:150, "c"] = None
    frame["kind"] = np.where(frame.a > 0.3, "x", np.where(frame.b > 4, "yy", "zzz"))
    frame["w"] = rng.integers(0, 4, ROWS).astype(float)
    frame["held"] = rng.random(ROWS) < 0.2
    # Of these rows nothing is learnt, so that patience ends.
    frame.loc[frame.held, "kind"] = rng.choice(["x", "yy", "zzz"], frame.held.sum())
    # The first rows lack a class.
    return frame.sort_values("kind", kind="stable", ignore_index=True)


def parted(spark: SparkSession, frame: pd.DataFrame, *bounds: int) -> DataFrame:
    """A table whose partitions end at these rows."""
    records = frame.astype(object).where(frame.notna(), None)
    ends = [0, *bounds, len(frame)]
    parts = [records.iloc[a:b].to_numpy().tolist() for a, b in zip(ends, ends[1:])]
    kinds = {"f": "double", "i": "long", "b": "boolean"}
    schema = ", ".join(f"{name} {kinds.get(of.kind, 'string')}" for name, of in frame.dtypes.items())
    rows = spark.sparkContext.parallelize(range(len(parts)), len(parts)).flatMap(parts.__getitem__)
    return spark.createDataFrame(rows, schema)


def estimator(**parameters: Any) -> Any:
    return cluster.MCBoostClassifier(**{"inputCols": FEATURES, "labelCol": "kind", **parameters})


@pytest.mark.parametrize("bounds", [(3, 3), pytest.param((130,), marks=pytest.mark.night)])
def test_any_partitions(spark: SparkSession, frame: pd.DataFrame, bounds: tuple[int, ...]) -> None:
    """Uneven partitions, and an empty one: as many as there are workers."""
    rows = parted(spark, frame, *bounds)
    local = manyboost.MCBoostClassifier(rounds=30, patience=3, categorical=["c"])
    kept, held = frame[~frame.held], frame[frame.held]
    local.fit(kept[FEATURES], kept.kind, kept.w, eval_set=(held[FEATURES], held.kind, held.w))
    heard: list[int] = []
    model = (
        estimator(rounds=30, patience=3, weightCol="w", validationIndicatorCol="held", repartition=False)
        .setParams(num_workers=len(bounds) + 1)
        .setCallbacks([lambda number, figures: heard.append(number)])
        .fit(rows)
    )
    assert model.to_local().model_.to_bytes() == local.model_.to_bytes()
    assert model.classes == local.classes_.tolist()
    assert model.to_local().stop_ == "patience"
    assert heard == list(range(1, heard[-1] + 1))
    answers = model.transform(rows).select("prediction", "probability", "rawPrediction").collect()
    assert [row.prediction for row in answers] == local.predict(frame[FEATURES]).tolist()
    assert np.array_equal([row.probability.toArray() for row in answers], local.predict_proba(frame[FEATURES]))
    assert np.array_equal([row.rawPrediction.toArray() for row in answers], local.decision_function(frame[FEATURES]))


def test_what_is_wrong_is_said(spark: SparkSession, frame: pd.DataFrame) -> None:
    rows = parted(spark, frame, 100)
    began = time.monotonic()
    with pytest.raises(ValueError, match="9 workers are asked for, and the cluster has room for 3 tasks"):
        estimator(num_workers=9).fit(rows)
    assert time.monotonic() - began < 5
    with pytest.raises(TypeError, match="it is rounds here"):
        estimator(n_estimators=3)
    with pytest.raises(ValueError, match="there is no column 'sort'"):
        estimator().setParams(labelCol="sort").fit(rows)
    with pytest.raises(TypeError, match="column 'when' holds date"):
        estimator(inputCols=["a", "when"]).fit(rows.withColumn("when", F.current_date()))
    with pytest.raises(TypeError, match="'w' holds double"):
        estimator(validationIndicatorCol="w").fit(rows)
    with pytest.raises(ValueError, match="patience needs rows"):
        estimator(patience=3).fit(rows)
    with pytest.raises(ValueError, match="depth"):
        estimator(depth=1000, num_workers=2).fit(rows)


def workers_of_spark() -> list[Any]:
    """Processes of tasks, which a daemon has forked."""
    daemons = [
        one for one in psutil.Process().children(recursive=True)
        if one.name().startswith("python") and "pyspark.daemon" in " ".join(one.cmdline())
    ]
    known = {one.pid for one in daemons}
    return [one for one in daemons if one.ppid() in known]


def send_a_member(sent: list[tuple[Any, float]], what: signal.Signals) -> Callable[[int, object], None]:
    """Sends a signal to a worker, once some rounds are over."""

    def heard(number: int, _: object) -> None:
        if number == 50 and not sent:
            busy = sorted(workers_of_spark(), key=lambda one: sum(one.cpu_times()[:2]))
            busy[-1].send_signal(what)
            sent.append((busy[-1], time.monotonic()))

    return heard


@pytest.mark.parametrize(
    ("what", "retries"), [(signal.SIGKILL, 2), pytest.param(signal.SIGSTOP, 0, marks=pytest.mark.night)]
)
def test_a_lost_worker(
    spark: SparkSession, frame: pd.DataFrame, what: signal.Signals, retries: int, caplog: pytest.LogCaptureFixture
) -> None:
    rows = parted(spark, frame, 100, 101)
    sent: list[tuple[Any, float]] = []
    model = estimator(rounds=600, learner="stump", num_workers=3, retries=retries, deadline=3)
    model.setCallbacks([send_a_member(sent, what)])
    if retries == 0:
        with pytest.raises(manyboost.WorkerError, match=r"worker \d, 127.0.0.1:\d+, was silent for 3 seconds"):
            model.fit(rows)
        assert time.monotonic() - sent[0][1] < 3 + 10
        # Spark has ended the task that was silent.
        sent[0][0].wait(timeout=10)
        return
    expected = manyboost.MCBoostClassifier(rounds=600, learner="stump", categorical=["c"])
    expected.fit(frame[FEATURES], frame.kind)
    assert model.fit(rows).to_local().model_.to_bytes() == expected.model_.to_bytes()
    assert sent, "it was over before the loss"
    assert "training goes on from the last checkpoint (2 retries)" in caplog.text


def test_an_error_of_a_callback_is_that_of_fit(spark: SparkSession, frame: pd.DataFrame) -> None:
    rows = parted(spark, frame)

    def wrong(number: int, _: object) -> bool:
        if number == 3:
            raise KeyError("mine")
        return False

    with pytest.raises(KeyError, match="mine"):
        estimator(rounds=50, num_workers=2).setCallbacks([wrong]).fit(rows)
    ended = estimator(rounds=50, num_workers=2).setCallbacks([lambda number, _: number == 4]).fit(rows)
    assert ended.to_local().n_iter_ in (4, 5)


@pytest.mark.night
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_vectors(spark: SparkSession, workers: int) -> None:
    """Dense and sparse ones, in partitions of which some have one kind only."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, 5)) * (rng.random((ROWS, 5)) < 0.4)
    X[::50, 1] = np.nan
    y = pd.Series((X[:, 0] > 0).astype(int) + (X[:, 1] > 0), name="kind")
    local = manyboost.BoostClassifier("samme", rounds=6).fit(X, y)
    assert manyboost.BoostClassifier("samme", rounds=6).fit(sparse.csr_matrix(X), y).model_.to_bytes() == local.model_.to_bytes()

    def vector(at: int) -> Any:
        (places,) = np.nonzero(X[at])
        return Vectors.dense(X[at]) if at < 150 or at % 3 == 0 else Vectors.sparse(5, places, X[at, places])

    rows = spark.createDataFrame([(vector(at), int(y[at]), X[at].tolist()) for at in range(ROWS)], ["v", "kind", "l"])
    for column in ("v", "l"):
        model = cluster.BoostClassifier(booster="samme", rounds=6, featuresCol=column, labelCol="kind", num_workers=workers).fit(rows)
        assert model.to_local().model_.to_bytes() == local.model_.to_bytes(), column
        answers = model.transform(rows).select("prediction", "probability").collect()
        assert np.array_equal([row.prediction for row in answers], local.predict(X))
        assert np.array_equal([row.probability.toArray() for row in answers], local.predict_proba(X))


@pytest.mark.night
def test_sets_of_labels(spark: SparkSession, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(ROWS, 3))
    y = (X + rng.normal(scale=0.3, size=X.shape) > 0).astype(float)
    local = manyboost.MultiLabelBoostClassifier("mh", rounds=5).fit(X, y)
    rows = spark.createDataFrame([(Vectors.dense(x), labels.tolist()) for x, labels in zip(X, y)], ["features", "label"])
    model = cluster.MultiLabelBoostClassifier(booster="mh", rounds=5, num_workers=2).fit(rows)
    assert model.to_local().model_.to_bytes() == local.model_.to_bytes()
    model.save(str(tmp_path / "model"))
    for one in (model, cluster.BoostModel.load(str(tmp_path / "model"))):
        answers = one.transform(rows).select("prediction", "probability").collect()
        assert np.array_equal([row.prediction for row in answers], local.predict(X))
        assert np.array_equal([row.probability.toArray() for row in answers], local.predict_proba(X))


@pytest.mark.night
def test_pipelines_and_cross_validation(spark: SparkSession, frame: pd.DataFrame, tmp_path: Path) -> None:
    rows = parted(spark, frame, 50, 230)
    boost = cluster.MCBoostClassifier(inputCols=FEATURES, labelCol="index", rounds=4, num_workers=2)
    pipeline = Pipeline(stages=[StringIndexer(inputCol="kind", outputCol="index"), boost])
    grid = ParamGridBuilder().addGrid(boost.rounds, [1, 12]).build()
    evaluator = MulticlassClassificationEvaluator(labelCol="index", metricName="logLoss")
    search = CrossValidator(estimator=pipeline, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, seed=7)
    found = search.fit(rows)
    assert found.avgMetrics[1] < found.avgMetrics[0]
    best = found.bestModel.stages[-1]
    index = {name: float(at) for at, name in enumerate(found.bestModel.stages[0].labels)}
    local = manyboost.MCBoostClassifier(rounds=12, categorical=["c"]).fit(frame[FEATURES], frame.kind.map(index).rename("index"))
    assert best.to_local().model_.to_bytes() == local.model_.to_bytes()
    assert best.classes == [0.0, 1.0, 2.0]
    accuracy = evaluator.evaluate(found.transform(rows), {evaluator.metricName: "accuracy"})
    assert accuracy == pytest.approx(local.score(frame[FEATURES], frame.kind.map(index)))
    # Whatever is saved comes back.
    found.bestModel.write().overwrite().save(str(tmp_path / "pipeline"))
    found.write().save(str(tmp_path / "search"))
    search.write().save(str(tmp_path / "asked"))
    again = PipelineModel.load(str(tmp_path / "pipeline")).stages[-1]
    assert type(again) is cluster.BoostModel
    assert again.uid == best.uid
    assert again.to_local().model_.to_bytes() == local.model_.to_bytes()
    assert again.to_local().get_params() == best.to_local().get_params()
    assert CrossValidatorModel.load(str(tmp_path / "search")).bestModel.transform(rows).count() == ROWS
    asked = CrossValidator.load(str(tmp_path / "asked")).getEstimator().getStages()[-1]
    assert type(asked) is cluster.MCBoostClassifier
    assert asked.extractParamMap() == boost.extractParamMap()
    weighted = cluster.BoostClassifier(booster="mm", class_weight={1: 2.0, 0: 1.0}, costs=np.eye(2))
    weighted.save(str(tmp_path / "weighted"))
    loaded = cluster.BoostClassifier.load(str(tmp_path / "weighted"))._unfitted()
    assert loaded.class_weight == {1: 2.0, 0: 1.0}
    assert loaded.costs == [[1.0, 0.0], [0.0, 1.0]]
    predictions = [row.prediction for row in PipelineModel.load(str(tmp_path / "pipeline")).transform(rows).collect()]
    assert predictions == local.predict(frame[FEATURES]).tolist()


@pytest.mark.night
def test_two_classes_and_parameters(spark: SparkSession, frame: pd.DataFrame) -> None:
    frame = frame.assign(kind=frame.kind != "x")
    rows = parted(spark, frame, 50)
    costs = [[0, 3], [1, 0]]
    local = manyboost.BoostClassifier("samme", rounds=5, class_weight={False: 2.0, True: 1.0}, categorical=["c"])
    local.fit(frame[FEATURES], frame.kind)
    given = {"booster": "samme", "rounds": np.int64(5), "class_weight": {False: 2.0, True: 1.0}}
    model = cluster.BoostClassifier(inputCols=FEATURES, labelCol="kind", num_workers=2, **given).fit(rows)
    assert model.to_local().model_.to_bytes() == local.model_.to_bytes()
    answers = model.transform(rows)
    assert answers.schema["prediction"].dataType.simpleString() == "double"
    truth = answers.withColumn("truth", F.col("kind").cast("double"))
    assert BinaryClassificationEvaluator(labelCol="truth").evaluate(truth) > 0.9
    local = manyboost.BoostClassifier("mm", rounds=3, costs=costs, categorical=["c"]).fit(frame[FEATURES], frame.kind)
    mm = cluster.BoostClassifier(booster="mm", rounds=3, costs=np.array(costs), inputCols=FEATURES, labelCol="kind", num_workers=3)
    assert mm.fit(rows).to_local().model_.to_bytes() == local.model_.to_bytes()
    # Of vectors that somebody else assembled.
    assembled = VectorAssembler(inputCols=["a", "b"], outputCol="features", handleInvalid="keep").transform(rows)
    matrix = frame[["a", "b"]].to_numpy()
    local = manyboost.MCBoostClassifier(rounds=3).fit(matrix, frame.kind)
    model = cluster.MCBoostClassifier(rounds=3, labelCol="kind", rawPredictionCol="", num_workers=2).fit(assembled)
    assert model.to_local().model_.to_bytes() == local.model_.to_bytes()
    assert "rawPrediction" not in model.transform(assembled).columns
