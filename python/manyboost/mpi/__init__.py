"""The estimators under MPI: each process has some of the rows, and each gets the model of one process with all of them, to the bit.

>>> from manyboost.mpi import MCBoostClassifier
>>> model = MCBoostClassifier(rounds=100).fit(own_X, own_y)      # doctest: +SKIP

in a script that `mpirun -n 8 python script.py` starts, or `srun`. MPI starts the processes and hands out their addresses; they talk over TCP.
"""

from __future__ import annotations

import manyboost

try:
    from manyboost.mpi._estimator import MPIBoost
except ModuleNotFoundError as error:
    raise ImportError(f"manyboost.mpi needs mpi4py ({error})\npip install 'manyboost[mpi]'") from error

__all__ = ["BoostClassifier", "MCBoostClassifier", "MultiLabelBoostClassifier"]


class MCBoostClassifier(MPIBoost, manyboost.MCBoostClassifier):
    """`manyboost.MCBoostClassifier` on the rows of all processes."""

    _local = manyboost.MCBoostClassifier


class BoostClassifier(MPIBoost, manyboost.BoostClassifier):
    """`manyboost.BoostClassifier` on the rows of all processes."""

    _local = manyboost.BoostClassifier


class MultiLabelBoostClassifier(MPIBoost, manyboost.MultiLabelBoostClassifier):
    """`manyboost.MultiLabelBoostClassifier` on the rows of all processes."""

    _local = manyboost.MultiLabelBoostClassifier
