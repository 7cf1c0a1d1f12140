"""What estimators under MPI share."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mpi4py import MPI

from manyboost import _core
from manyboost._base import Callback, chain
from manyboost._members import Seat, fit
from manyboost._parts import Part
from manyboost._spread import SpreadBoost, eval_rows

if TYPE_CHECKING:
    from typing_extensions import Self


class MPIBoost(SpreadBoost):
    """An estimator on the rows of all processes; answers are those of rows that a process has."""

    # Rows to validate on are given as a pair, and nobody sees a line of progress here.
    def fit(  # type: ignore[override]
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        eval_set: Any = None,
        callbacks: Sequence[Callback] | None = None,
        comm: Any = None,
        deadline: float = 60.0,
        ports: tuple[int, int] | None = None,
        checkpoint: Any = None,
        every: int = 20,
        resume: bool = False,
    ) -> Self:
        """Trains on the rows of all processes; each calls it with its own, and each gets the model.

        Parameters
        ----------
        X, y, sample_weight
            Rows of this process, in any form that `manyboost` takes; None, or no rows, if it has none.
        eval_set : tuple of (X, y) or (X, y, sample_weight)
            Rows to validate on that this process has; others may have none.
        callbacks : list of callables
            Called in the first process after each round.
        comm : mpi4py communicator
            Who takes part; by default all processes.
        deadline : float
            Seconds of silence after which a process is lost.
        ports : tuple of int
            The first and the last port that processes may listen at.
        checkpoint : path
            A file that the first process writes after `every` rounds, and goes on from if `resume` is true and it is there.
        """
        comm = MPI.COMM_WORLD if comm is None else comm
        rank = comm.Get_rank()
        first: dict[str, Any] = {}
        if rank == 0:
            there = resume and checkpoint is not None and Path(checkpoint).exists()
            first = {
                "seed": self._seed(), "token": secrets.token_bytes(32).hex().encode(),
                "resume": Path(checkpoint).read_bytes() if there else None,
            }
        first = comm.bcast(first, root=0)
        names = comm.allgather(MPI.Get_processor_name())
        (watched, listener), said = _all_or_none(comm, lambda: _begun(eval_set, names, ports))
        validates = any(has for _, has in said)
        estimator = self._unfitted(validates or None)
        estimator.set_params(random_state=first["seed"])
        kept = every if checkpoint is not None else None
        seat = Seat([address for address, _ in said], rank, first["token"], deadline, kept, first["resume"])
        parts = _parts(rank, X, y, sample_weight)
        eval_parts = None if not validates else [] if watched is None else _parts(rank, *watched)

        def keep(bytes_: bytes) -> None:
            _core.write(checkpoint, bytes_)

        self._learn(*fit(estimator, listener, seat, parts, eval_parts, keep, chain(callbacks)))
        return self

    def _by_partition(self, X: Any, function: str) -> Any:
        return getattr(self.to_local(), function)(X)


def _parts(place: int, X: Any, y: Any, weight: Any = None) -> list[Part]:
    count = 0 if X is None else int(X.shape[0]) if hasattr(X, "shape") else len(X)
    return [Part(place, X, y, weight)] if count > 0 else []


def _begun(eval_set: Any, names: list[str], ports: tuple[int, int] | None) -> tuple[Any, Any]:
    """Rows to validate on and a listener; and what to say of them."""
    watched = eval_rows(eval_set)
    listener = _core.Listener(_host(names), ports)
    return (watched, listener), (listener.address, watched is not None)


def _all_or_none(comm: Any, work: Callable[[], tuple[Any, Any]]) -> tuple[Any, list[Any]]:
    """Does some work, and hears what all say of theirs; the error of one is the error of all."""
    own: Any = None
    failure: Exception | None = None
    said: Any = None
    try:
        own, said = work()
    except Exception as error:  # Whatever it is, the others must know.
        failure = error
    heard = comm.allgather((None if failure is None else str(failure), said))
    if failure is not None:
        raise failure
    for rank, (told, _) in enumerate(heard):
        if told is not None:
            raise _core.WorkerError(f"worker {rank}: {told}")
    return own, [said for _, said in heard]


def _host(names: list[str]) -> str:
    """The address by which other machines reach this one."""
    own = MPI.Get_processor_name()
    other = next((name for name in names if name != own), None)
    if other is None:
        return "127.0.0.1"
    # Nothing is sent: the system says which address it would be sent from.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as to:
        to.connect((other, 9))
        return str(to.getsockname()[0])
