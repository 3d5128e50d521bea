"""Settings of jobs: variables of message libraries, and files that their programs read.

Only lines about these variables leave a machine, and files that hold nothing else. Comments and
empty lines are left out.
"""

from __future__ import annotations

from typing import Any

from linkwright.facts.fact import Answers, Fact, Files, Variables

__all__ = ["SETTINGS"]

PREFIXES = (
    "NCCL_", "RCCL_", "UCX_", "UCC_", "OMPI_", "PMIX_", "PRTE_", "MPICH_", "MPIR_", "HYDRA_",
    "I_MPI_", "MVAPICH_", "MV2_", "FI_", "GLOO_", "TP_SOCKET_", "MASTER_ADDR", "MASTER_PORT",
    "VLLM_HOST_IP", "MLX_", "HOROVOD_",
)  # fmt: skip
"""Beginnings of the variables of message libraries."""
OF_SHELLS = (
    "/etc/environment", "/etc/profile.d/*.sh", "/etc/environment.d/*.conf", "~/.bashrc",
    "~/.profile", "~/.bash_profile", "~/.ssh/environment",
)  # fmt: skip
"""Files of a login, which may hold secrets: only lines of such variables are asked for."""
OF_JOBS = (
    "/etc/nccl.conf", "~/.nccl.conf", "/etc/ucx/ucx.conf", "~/.openmpi/mca-params.conf",
    "/etc/openmpi/openmpi-mca-params.conf", "~/.prte/mca-params.conf", "~/hostfile", "~/hosts",
    "~/machinefile", "~/hosts.json", "~/hostfile.json", "/etc/openmpi/openmpi-default-hostfile",
    "/etc/slurm/topology.conf", "/etc/slurm/topology.yaml",
)  # fmt: skip
"""Files of message libraries, hosts of jobs, and topologies of Slurm."""


def read(answers: Answers) -> dict[str, Any]:
    """Return the settings of jobs on a machine."""
    variables = answers.given.get("variables")
    own = variables if isinstance(variables, dict) else {}
    texts = {
        path: "\n".join(line for line in text.split("\n") if line.strip() and line[0] != "#")
        for key in (*OF_SHELLS, *OF_JOBS)
        for path, text in answers.files(key).items()
    }
    files = {path: text for path, text in texts.items() if text}
    return {"settings": {"environment": own, "files": files}}


SETTINGS = Fact(
    "settings",
    "Variables of message libraries at login, and files of jobs.",
    {
        "variables": Variables(PREFIXES),
        **{one: Files(one, lines_with=PREFIXES) for one in OF_SHELLS},
        **{one: Files(one) for one in OF_JOBS},
    },
    read,
)
