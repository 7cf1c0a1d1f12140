"""Training on the nodes of a Ray cluster: one actor for each worker, all of them or none.

1. A placement group has room for all workers, on as many nodes as there are.
2. Blocks go to workers of the nodes that hold them, evenly.
3. Each worker binds a listener and says its address, joins the others and trains (`Member`).
4. After a loss everything is placed again, and training goes on from the last checkpoint. Ray computes lost blocks again.
"""

# Ray has types for some of its functions only.
# mypy: allow-untyped-calls

from __future__ import annotations

import math
import secrets
from collections.abc import Sequence
from typing import Any

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayTaskError
from ray.experimental import get_object_locations
from ray.util import get_node_ip_address, placement_group, placement_group_table, remove_placement_group
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy, PlacementGroupSchedulingStrategy

from manyboost import _core
from manyboost._base import BaseBoost, Callback
from manyboost._members import Seat, cause, fit, tried
from manyboost.ray._blocks import Block

# Seconds that the others have to say what they know, after one has failed.
GRACE = 3.0

# Seconds between two looks for figures of rounds.
TURN = 0.5


class Cluster:
    """A training run on a cluster."""

    def __init__(
        self,
        *,
        workers: int | None,
        cpus: int | None,
        deadline: float,
        retries: int,
        every: int | None,
        ports: tuple[int, int] | None = None,
        callback: Callback | None = None,
    ) -> None:
        self.workers, self.cpus, self.ports, self.callback = workers, cpus, ports, callback
        self.deadline, self.retries, self.every = deadline, retries, every
        asked, cpus, room = self._plan()
        if asked > room or asked < 1:
            raise ValueError(
                f"{asked} workers of {cpus} CPUs are asked for, and the cluster has room for {room}\n"
                "start more nodes, or ask for fewer"
            )

    def _plan(self) -> tuple[int, int, int]:
        """How many workers are wanted, of how many CPUs, and how many of them there is room for."""
        nodes = [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]
        nodes = [cpus for cpus in nodes if cpus > 0]
        workers = len(nodes) if self.workers is None else self.workers
        each = math.ceil(workers / max(1, len(nodes)))
        cpus = max(1, min(nodes, default=1) // max(1, each)) if self.cpus is None else self.cpus
        return workers, cpus, sum(there // cpus for there in nodes)

    def fit(self, estimator: BaseBoost, rows: list[Block], eval_rows: list[Block] | None) -> tuple[BaseBoost, list[str]]:
        """Trains, and starts again after a loss."""
        here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
        kept: Any = ray.remote(Kept).options(num_cpus=0, scheduling_strategy=here).remote()
        try:
            return tried(
                lambda resume: self._attempt(estimator, rows, eval_rows, resume, kept),
                lambda: ray.get(kept.newest.remote()),
                self.retries,
            )
        finally:
            ray.kill(kept)

    def _attempt(
        self, estimator: BaseBoost, rows: list[Block], eval_rows: list[Block] | None, resume: bytes | None, kept: Any
    ) -> tuple[BaseBoost, list[str]]:
        workers, cpus, room = self._plan()
        # After a loss there may be fewer.
        workers = max(1, min(workers, room))
        group = placement_group([{"CPU": cpus}] * workers, strategy="SPREAD")
        members: list[Any] = []
        try:
            if not group.wait(self.deadline):
                raise _core.WorkerError(
                    f"{workers} times {cpus} CPUs were not free within {self.deadline:g} seconds\n"
                    "wait for what else is running, or ask for fewer (workers, cpus)"
                )
            for rank in range(workers):
                place = PlacementGroupSchedulingStrategy(group, placement_group_bundle_index=rank)
                options = {"num_cpus": cpus, "max_restarts": 0, "scheduling_strategy": place}
                members.append(ray.remote(Member).options(**options).remote())
            return self._train(members, group, estimator, rows, eval_rows, resume, kept)
        finally:
            for member in members:
                ray.kill(member)
            remove_placement_group(group)

    def _train(
        self,
        members: list[Any],
        group: Any,
        estimator: BaseBoost,
        rows: list[Block],
        eval_rows: list[Block] | None,
        resume: bytes | None,
        kept: Any,
    ) -> tuple[BaseBoost, list[str]]:
        try:
            addresses = ray.get([member.listen.remote(self.ports) for member in members], timeout=self.deadline)
        except (RayActorError, GetTimeoutError) as error:
            raise _core.WorkerError(f"a worker did not start: {error}\nfit again") from error
        nodes = placement_group_table(group)["bundles_to_node_id"]
        homes = [nodes[rank] for rank in range(len(members))]
        own = shared(rows, homes)
        others = None if eval_rows is None else shared(eval_rows, homes)
        token = secrets.token_bytes(32).hex().encode()
        tasks = []
        for rank, member in enumerate(members):
            seat = Seat(addresses, rank, token, self.deadline, self.every, resume)
            eval_share = None if others is None else others[rank]
            told = self.callback is not None
            tasks.append(member.fit.remote(estimator, seat, own[rank], eval_share, kept, told))
        return self._watch(tasks, addresses, kept)

    def _watch(self, tasks: list[Any], names: Sequence[str], kept: Any) -> tuple[BaseBoost, list[str]]:
        """What comes of the tasks; the first one that fails is the end of all."""
        pending = tasks
        while pending:
            done, pending = ray.wait(pending, num_returns=1, timeout=None if self.callback is None else TURN)
            self._tell(kept)
            if done and _error(tasks, done[0]) is not None:
                done, _ = ray.wait(tasks, num_returns=len(tasks), timeout=GRACE)
                raise cause([_error(tasks, task) for task in done], names)
        self._tell(kept)
        result: tuple[BaseBoost, list[str]] = ray.get(tasks[0])
        return result

    def _tell(self, kept: Any) -> None:
        """Tells of rounds that nobody has heard of yet."""
        if self.callback is not None:
            for number, figures in ray.get(kept.told.remote()):
                self.callback(number, figures)


def shared(blocks: list[Block], homes: Sequence[str]) -> list[list[Block]]:
    """The blocks of each worker: those of its node, as far as it has no more bytes than the others there."""
    where = get_object_locations([block.X for block in blocks])
    shares: list[list[Block]] = [[] for _ in homes]
    bytes_ = [0] * len(homes)
    for block in blocks:
        found = where.get(block.X, {})
        near = [rank for rank, home in enumerate(homes) if home in found.get("node_ids", ())]
        rank = min(near or range(len(homes)), key=bytes_.__getitem__)
        shares[rank].append(block)
        bytes_[rank] += found.get("object_size") or 1
    return shares


def _error(tasks: list[Any], task: Any) -> BaseException | None:
    """What went wrong in a task that has ended."""
    try:
        ray.get(task)
    except RayTaskError as error:
        # The error itself, not one of Ray's that looks like it.
        return error.cause if isinstance(error.cause, BaseException) else error
    except RayActorError:
        return _core.WorkerError(f"worker {tasks.index(task)} was lost: its process has ended\nfit again")
    return None


# On the nodes -------------------------------------------------------------------------------------------------------------


class Kept:
    """Keeps the newest checkpoint and figures of rounds, near whoever called `fit`."""

    def __init__(self) -> None:
        self.checkpoint: bytes | None = None
        self.rounds: list[tuple[int, dict[str, float]]] = []

    def tell(self, number: int, figures: dict[str, float]) -> None:
        """Takes the figures of a round."""
        self.rounds.append((number, figures))

    def told(self) -> list[tuple[int, dict[str, float]]]:
        """Those that nobody has taken yet."""
        taken, self.rounds = self.rounds, []
        return taken

    def keep(self, checkpoint: bytes) -> None:
        """Takes a checkpoint."""
        self.checkpoint = checkpoint

    def newest(self) -> bytes | None:
        """The last one, if there is any."""
        return self.checkpoint


class Member:
    """A worker."""

    def listen(self, ports: tuple[int, int] | None) -> str:
        """Binds a listener at the address by which the cluster knows this node; says where."""
        self.listener = _core.Listener(get_node_ip_address(), ports)
        return self.listener.address

    def fit(
        self, estimator: BaseBoost, seat: Seat, rows: list[Block], eval_rows: list[Block] | None, kept: Any, told: bool
    ) -> tuple[BaseBoost, list[str]] | None:
        """Trains on blocks; the first worker gives the estimator."""
        threads = estimator.threads
        if threads is None:
            estimator.threads = int(ray.get_runtime_context().get_assigned_resources()["CPU"])
        parts = [block.part() for block in rows]
        eval_parts = None if eval_rows is None else [block.part() for block in eval_rows]

        def tell(number: int, figures: dict[str, float]) -> None:
            # Waited for, so that all are there before this worker gives its model.
            ray.get(kept.tell.remote(number, figures))

        fitted, said = fit(estimator, self.listener, seat, parts, eval_parts, kept.keep.remote, tell if told else None)
        fitted.threads = threads
        return (fitted, said) if seat.rank == 0 else None
