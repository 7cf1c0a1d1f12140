"""Training on the executors of Spark: a barrier stage, of which each task is a worker.

1. Spark starts all tasks of the stage together, each with a partition of the rows.
2. Each task binds a listener and tells the others its address (`allGather`); they join and train (`_member`).
3. The first worker also calls the driver, where checkpoints and figures of rounds go (`Desk`).
4. After a loss the driver cancels the stage and starts another one, which goes on from the last checkpoint. Spark computes rows again.

A task gives its error as a row: a stage of which a task fails would be started again by Spark itself, from nothing.
"""

from __future__ import annotations

import json
import pickle
import secrets
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark import BarrierTaskContext, InheritableThread
from pyspark.sql import DataFrame

from manyboost import _core
from manyboost._base import BaseBoost, Callback
from manyboost._desk import Caller, Desk
from manyboost._members import Seat, cause, fit, tried
from manyboost.spark._rows import Layout

# Seconds that tasks have to say what they know, after one has failed.
GRACE = 2.0

# What Spark says of a task whose process or machine is gone.
LOSSES = ("Python worker exited unexpectedly", "ExecutorLostFailure")

# Seconds that Spark has to end tasks that were cancelled.
LEAVE = 20.0


@dataclass
class Plan:
    """What each task is told."""

    estimator: BaseBoost
    layout: Layout
    # The driver's desk, the secret of this attempt and its name.
    desk: str
    token: bytes
    attempt: str
    deadline: float
    every: int | None
    ports: tuple[int, int] | None
    resume: bytes | None
    # Whether somebody wants to hear of rounds.
    told: bool


class Cluster:
    """A training run on a cluster."""

    def __init__(
        self,
        dataset: DataFrame,
        *,
        workers: int | None,
        repartition: bool,
        deadline: float,
        retries: int,
        every: int | None,
        ports: tuple[int, int] | None,
        callback: Callback | None,
    ) -> None:
        self.context = dataset.sparkSession.sparkContext
        self.repartition, self.deadline, self.retries, self.every = repartition, deadline, retries, every
        self.ports, self.callback = ports, callback
        self.workers = self._executors() if workers is None else workers
        room = self._slots()
        if not 1 <= self.workers <= room:
            raise ValueError(
                f"{self.workers} workers are asked for, and the cluster has room for {room} tasks at a time\n"
                "start more executors, or ask for fewer (num_workers)"
            )

    def _executors(self) -> int:
        """How many executors there are; in local mode the driver is the only one."""
        known = int(self.context._jsc.sc().getExecutorMemoryStatus().size())
        return max(1, known - (0 if self.context._jsc.sc().isLocal() else 1))

    def _slots(self) -> int:
        """How many tasks can run at a time."""
        scala = self.context._jsc.sc()
        return int(scala.maxNumConcurrentTasks(scala.resourceProfileManager().resourceProfileFromId(0)))

    def fit(self, estimator: BaseBoost, rows: DataFrame, layout: Layout) -> tuple[BaseBoost, list[str]]:
        """Trains, and starts again after a loss."""
        newest: list[bytes] = []

        def keep(checkpoint: bytes) -> None:
            newest[:] = [checkpoint]

        def attempt(resume: bytes | None) -> tuple[BaseBoost, list[str]]:
            return self._attempt(estimator, rows, layout, resume, keep)

        return tried(attempt, lambda: newest[0] if newest else None, self.retries)

    def _attempt(
        self, estimator: BaseBoost, rows: DataFrame, layout: Layout, resume: bytes | None, keep: Any
    ) -> tuple[BaseBoost, list[str]]:
        workers = self._room() if self.repartition else self.workers
        host = self.context.getConf().get("spark.driver.host", "127.0.0.1") or "127.0.0.1"
        bound = self.context.getConf().get("spark.driver.bindAddress", host) or host
        listener = _core.Listener(bound, self.ports)
        address = f"{host}:{listener.address.rsplit(':', 1)[1]}"
        token, name = secrets.token_bytes(32).hex().encode(), f"manyboost-{secrets.token_hex(8)}"
        told = self.callback is not None
        plan = Plan(
            estimator, layout, address, token, name, self.deadline, self.every, self.ports, resume, told
        )
        dealt = rows.repartition(workers) if self.repartition else rows
        stage = dealt.mapInArrow(lambda batches: _member(batches, plan), "said binary", barrier=True)
        desk = Desk(listener, address, token, name, self.deadline, keep, self.callback)
        job = Job(stage, name)
        try:
            return self._watch(job, desk)
        finally:
            desk.close()
            job.cancel()

    def _room(self) -> int:
        """As many workers as are wanted, or after a loss as there is room for."""
        until = time.monotonic() + self.deadline
        while (room := self._slots()) < 1:
            if time.monotonic() > until:
                raise _core.WorkerError("the cluster has no executors any more\nstart some, and fit again")
            time.sleep(0.2)
        return min(self.workers, room)

    def _watch(self, job: Job, desk: Desk) -> tuple[BaseBoost, list[str]]:
        """What comes of the tasks; a loss that the first worker tells, or is, is the end of all."""
        while not job.done.wait(0.05):
            if desk.left.is_set() and desk.error is not None:
                # Somebody may know more than that another was lost.
                job.done.wait(GRACE)
                break
        if not job.done.is_set() or job.error is not None:
            if job.error is not None and desk.names:
                # Spark may be the first to know.
                desk.left.wait(GRACE)
            if isinstance(desk.error, _core.WorkerError):
                raise cause([desk.error], desk.names)
            if desk.error is None and job.error is not None and any(sign in str(job.error) for sign in LOSSES):
                raise _core.WorkerError("a worker was lost: its process has ended\nfit again") from job.error
            raise desk.error or job.error or RuntimeError("a job of Spark ended without a word")
        said = [pickle.loads(row.said) for row in job.rows]
        errors = [each for each in said if isinstance(each, Exception)]
        if errors:
            raise cause(errors, desk.names)
        if desk.error is not None and not isinstance(desk.error, _core.WorkerError):
            raise desk.error
        result: tuple[BaseBoost, list[str]]
        (result,) = [each for each in said if each is not None]
        return result


class Job:
    """A job of Spark that somebody else waits for."""

    def __init__(self, stage: DataFrame, tag: str) -> None:
        session = stage.sparkSession
        self.context, self.stage, self.tag = session.sparkContext, stage, tag
        self.rows: list[Any] = []
        self.error: BaseException | None = None
        self.done = threading.Event()
        # With what the caller's thread has told Spark, such as the pool of its jobs.
        InheritableThread(target=self._run, daemon=True, session=session).start()

    def _run(self) -> None:
        try:
            self.context.addJobTag(self.tag)
            self.rows = self.stage.collect()
        except BaseException as error:
            self.error = error
        finally:
            self.done.set()

    def cancel(self) -> None:
        """Ends what is left of it."""
        until = time.monotonic() + LEAVE
        # What has not begun yet cannot be cancelled yet.
        while not self.done.is_set() and time.monotonic() < until:
            self.context.cancelJobsWithTag(self.tag)
            self.done.wait(0.2)


# On the executors ---------------------------------------------------------------------------------------------------------


def _member(batches: Iterable[pa.RecordBatch], plan: Plan) -> Iterator[pa.RecordBatch]:
    """A worker: trains on the rows of a task; the first one gives the estimator, and each its error."""
    try:
        said: Any = _trained(batches, plan)
    except Exception as error:
        said = _portable(error)
    yield pa.RecordBatch.from_pydict({"said": pa.array([pickle.dumps(said)], pa.binary())})


def _portable(error: Exception) -> Exception:
    """The error, or its text if it cannot travel."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")


def _trained(batches: Iterable[pa.RecordBatch], plan: Plan) -> tuple[BaseBoost, list[str]] | None:
    context = BarrierTaskContext.get()
    rank = context.partitionId()
    # All rows are read before anybody waits for this worker. What fails where they come from is Spark's to tell.
    held = list(batches)
    failure: Exception | None = None
    listener: _core.Listener | None = None
    try:
        parts, watched = plan.layout.parts(held)
        host = context.getTaskInfos()[rank].address.rsplit(":", 1)[0]
        listener = _core.Listener(host, plan.ports)
    except Exception as error:
        failure = error
    heard = [json.loads(said) for said in context.allGather(json.dumps(None if listener is None else listener.address))]
    if failure is not None:
        raise failure
    if listener is None or None in heard:
        raise _core.WorkerError(f"worker {heard.index(None)} could not begin\nfit again")
    seat = Seat(heard, rank, plan.token, plan.deadline, plan.every, plan.resume)
    threads = plan.estimator.threads
    plan.estimator.threads = threads if threads is not None else context.cpus()
    if rank > 0:
        fit(plan.estimator, listener, seat, parts, watched)
        return None
    with Caller(host, plan.desk, plan.token, plan.attempt, plan.deadline) as caller:
        caller.introduce(heard)
        callback = caller.round if plan.told else None
        fitted, said = fit(plan.estimator, listener, seat, parts, watched, caller.keep, callback)
    fitted.threads = threads
    return fitted, said
