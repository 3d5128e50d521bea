"""The number of ranks that the words of a command tell."""

from __future__ import annotations

import pytest

from linkwright.emulation.ranks import ranks_of


@pytest.mark.parametrize(
    ("command", "n"),
    [
        (["mpirun", "-n", "4", "./ring"], 4),
        (["mpirun", "-np", "4", "./ring", "-n", "7"], 4),
        (["mpirun", "--np=4", "./ring"], 4),
        (["/usr/bin/mpirun.openmpi", "--bind-to", "none", "-c", "5", "./ring"], 5),
        (["mpiexec.hydra", "-n", "3", "./a", ":", "-n", "2", "./b", "-n", "9"], 5),
        (["mpirun", "./ring"], 16),
        (["mpirun", "-n", "99", "./ring"], 99),
        (["env", "-u", "LD_PRELOAD", "mpirun", "-n", "8", "./ring"], 8),
        (["sh", "-c", "cd run && mpirun -n 6 ./ring"], 6),
        (["sh", "-c", "mpirun -n 2 ./a; mpirun -n 12 ./b"], 12),
        (["sh", "-c", "echo 'not closed"], 0),
        (["ping", "-c", "3", "n1"], 0),
        ([], 0),
    ],
)
def test_ranks_are_read_from_the_words_of_launchers(command: list[str], n: int) -> None:
    assert ranks_of(command, 16) == n
