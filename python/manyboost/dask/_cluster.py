"""Training on the workers of a Dask cluster: where the partitions are, one member each.

1. Partitions are computed, and stay where they are (`who_has`).
2. Each worker that has some binds a listener and says its address (`_listen`, beside the tasks, so that it never waits for one).
3. A task that is pinned to each of these workers joins the others and trains (`_member`).
4. After a loss, the partitions that went with the worker are computed again, and training goes on from the last checkpoint with the workers
   that are left.
"""

# Dask has types for some of its functions only.
# mypy: allow-untyped-calls

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import dask
from distributed import Client, Lock, Variable, get_client, wait
from distributed.worker import Worker, get_worker

from manyboost import _core
from manyboost._base import BaseBoost, Callback
from manyboost._members import Seat, cause, fit, tried
from manyboost._parts import Part

# The listener of each worker of this process that no task has taken yet, and the attempt that it is for.
LISTENERS: dict[str, tuple[str, _core.Listener]] = {}

# Fits take turns: a worker that waits for another's answer must not wait for its threads too.
LOCK = "manyboost"

# Seconds that the others have to notice a loss themselves, after it was seen that a worker is gone.
GRACE = 3.0


class Cluster:
    """A training run on a cluster."""

    def __init__(
        self,
        client: Client,
        *,
        workers: int | None,
        deadline: float,
        retries: int,
        every: int | None,
        callback: Callback | None = None,
    ) -> None:
        self.client, self.deadline, self.retries, self.every = client, deadline, retries, every
        self.callback = callback
        there = sorted(client.scheduler_info(n_workers=-1)["workers"])
        if not there or (workers is not None and workers > len(there)):
            raise ValueError(
                f"{workers or 1} workers are asked for, and the cluster has {len(there)}\n"
                "start more of them (client.wait_for_workers), or ask for fewer"
            )
        # All of them, if nothing is said: whoever comes later may help after a loss.
        self.chosen = None if workers is None else there[:workers]

    def fit(self, estimator: BaseBoost, rows: list[Any], eval_rows: list[Any] | None) -> tuple[BaseBoost, list[str]]:
        """Trains, and starts again after a loss."""
        run = secrets.token_hex(8)
        kept = Variable(f"manyboost-{run}", client=self.client)
        place = {} if self.chosen is None else {"workers": self.chosen, "allow_other_workers": True}
        futures = self.client.compute(rows, **place)
        eval_futures = None if eval_rows is None else self.client.compute(eval_rows, **place)
        with self.client.as_current():
            lock = Lock(LOCK)
        try:
            # A lock is lost by itself if this process is.
            with lock, self._told(run):
                return tried(
                    lambda resume: self._attempt(estimator, run, futures, eval_futures, resume),
                    lambda: _newest(kept),
                    self.retries,
                )
        finally:
            kept.delete()

    @contextmanager
    def _told(self, run: str) -> Iterator[None]:
        """Hears of rounds, if somebody wants to: as events, which the scheduler passes on."""
        callback = self.callback
        if callback is None:
            yield
            return

        def heard(event: tuple[float, tuple[int, dict[str, float]]]) -> None:
            callback(*event[1])

        self.client.subscribe_topic(_topic(run), heard)
        try:
            yield
        finally:
            self.client.unsubscribe_topic(_topic(run))

    def _attempt(
        self, estimator: BaseBoost, run: str, futures: list[Any], eval_futures: list[Any] | None, resume: bytes | None
    ) -> tuple[BaseBoost, list[str]]:
        held = self._held(futures, eval_futures or [])
        members = list(held)
        token = secrets.token_bytes(32).hex().encode()
        attempt = secrets.token_hex(8)
        addresses = self._addresses(attempt, members)
        tasks = []
        for rank, at in enumerate(members):
            seat = Seat(addresses, rank, token, self.deadline, self.every, resume)
            own, others = held[at]
            task = self.client.submit(
                _member, run, attempt, estimator, seat, own, others if eval_futures is not None else None, self.callback is not None,
                workers=[at], allow_other_workers=False, pure=False, retries=0, key=f"manyboost-{attempt}-{rank}",
            )
            tasks.append(task)
        try:
            return self._watch(tasks, members)
        finally:
            self.client.cancel(tasks)

    def _addresses(self, attempt: str, members: list[str]) -> list[str]:
        """Where each member listens."""
        try:
            # A machine that is silent would be waited for without end.
            listening = self.client.sync(
                self.client.run, _listen, attempt, workers=members, on_error="return", callback_timeout=self.deadline
            )
        except TimeoutError as error:
            raise _core.WorkerError(f"workers do not answer within {self.deadline:g} seconds\nfit again") from error
        gone = [at for at in members if not isinstance(listening.get(at), str)]
        if gone:
            raise _core.WorkerError(f"worker {members.index(gone[0])}, {gone[0]}, cannot listen: {listening.get(gone[0])}")
        return [listening[at] for at in members]

    def _held(self, futures: list[Any], eval_futures: list[Any]) -> dict[str, tuple[list[Any], list[Any]]]:
        """The partitions that each worker has; workers in the order of their first one."""
        everything = [*futures, *eval_futures]
        self._compute(everything)
        who = self.client.who_has(everything)
        held: dict[str, tuple[list[Any], list[Any]]] = {}
        for at, future in enumerate(everything):
            workers = who.get(future.key) or ()
            if not workers:
                raise _core.WorkerError(f"partition {at} is with no worker any more\nfit again")
            held.setdefault(min(workers), ([], []))[int(at >= len(futures))].append(future)
        return held

    def _compute(self, futures: list[Any]) -> None:
        """Waits for partitions, as long as there is somebody who computes them."""
        seen = time.monotonic()
        while pending := [future for future in futures if future.status in ("pending", "lost")]:
            if self.client.scheduler_info(n_workers=-1)["workers"]:
                seen = time.monotonic()
            elif time.monotonic() - seen > self.deadline:
                raise _core.WorkerError("the cluster has no workers any more\nstart some, and fit again")
            _rest(pending)
        for future in futures:
            if future.status != "finished":
                future.result()

    def _watch(self, tasks: list[Any], members: Sequence[str]) -> tuple[BaseBoost, list[str]]:
        """What comes of the tasks; a worker that is gone, or any task that fails, is the end of all."""
        gone: str | None = None
        until = 0.0
        while True:
            pending = [task for task in tasks if task.status == "pending"]
            failed = [task for task in tasks if task.status not in ("pending", "finished")]
            if failed:
                raise cause([task.exception() for task in failed if task.status == "error"], members)
            if not pending:
                result: tuple[BaseBoost, list[str]] = tasks[0].result()
                return result
            if gone is None:
                there = self.client.scheduler_info(n_workers=-1)["workers"]
                gone = next((at for at in members if at not in there), None)
                until = time.monotonic() + GRACE
            elif time.monotonic() > until:
                raise _core.WorkerError(f"worker {members.index(gone)}, {gone}, was lost: the cluster has it no more\nfit again")
            _rest(pending)


def _rest(tasks: list[Any]) -> None:
    """Until one of the tasks ends, but not for long."""
    try:
        wait(tasks, timeout=0.5, return_when="FIRST_COMPLETED")
    except TimeoutError:
        pass


def _topic(run: str) -> str:
    return f"manyboost-{run}"


def _newest(kept: Variable) -> bytes | None:
    try:
        # Dask gives a list of what was not there in time.
        newest = kept.get(timeout=1)
    except TimeoutError:
        return None
    return newest if isinstance(newest, bytes) else None


# On the workers -----------------------------------------------------------------------------------------------------------


def _listen(attempt: str, dask_worker: Worker) -> str:
    """Binds a listener at the address by which the cluster knows this worker; says where."""
    host = urlsplit(dask_worker.address).hostname or "127.0.0.1"
    ports = dask.config.get("manyboost.ports", None)
    # What an earlier attempt has left is closed.
    LISTENERS.pop(dask_worker.address, None)
    listener = _core.Listener(host, None if ports is None else (int(ports[0]), int(ports[1])))
    LISTENERS[dask_worker.address] = attempt, listener
    return listener.address


def _member(
    run: str,
    attempt: str,
    estimator: BaseBoost,
    seat: Seat,
    parts: list[Part],
    eval_parts: list[Part] | None,
    told: bool,
) -> tuple[BaseBoost, list[str]] | None:
    """Trains on a worker's partitions; the first one gives the estimator."""
    worker = get_worker()
    expected, listener = LISTENERS.pop(worker.address, (None, None))
    if listener is None or expected != attempt:
        raise _core.WorkerError(f"worker {seat.rank} was started anew and listens no more\nfit again")
    threads = estimator.threads
    estimator.threads = threads if threads is not None else worker.state.nthreads
    client = get_client()
    kept = Variable(f"manyboost-{run}", client=client)

    def tell(number: int, figures: dict[str, float]) -> None:
        worker.log_event(_topic(run), (number, figures))

    fitted, warnings = fit(estimator, listener, seat, parts, eval_parts, kept.set, tell if told else None)
    fitted.threads = threads
    return (fitted, warnings) if seat.rank == 0 else None
