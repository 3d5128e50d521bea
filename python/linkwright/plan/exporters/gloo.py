"""Settings of Gloo and TensorPipe, by which PyTorch connects processes without GPUs."""

from __future__ import annotations

from linkwright.plan.exporters.comments import assignments, comment, header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.mpi import identity_of
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["GLOO"]

ONE = (
    "The interface of the node's identity, which every node reaches and no failed link takes away. "
    "By default, both libraries take the address that the machine's own name stands for, which is "
    "127.0.0.1 or 127.0.1.1 in many /etc/hosts (vllm-project/vllm#7074)."
)
MASTER = (
    "The identity of the first node, for jobs that meet there (MASTER_ADDR of PyTorch, "
    "--node-ip-address of Ray). It is not set, since a job may run on other nodes:"
)


def _variables(_: NetworkPlan, node: NodePlan) -> dict[str, str]:
    name = identity_of(node).name
    return {"GLOO_SOCKET_IFNAME": name, "TP_SOCKET_IFNAME": name}


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    lines = [
        *header(network, node, "Load it into the environment of all ranks on this machine."),
        *comment(ONE),
        *assignments(_variables(network, node)),
        *comment(MASTER),
        f"# MASTER_ADDR={network.hosts[0].identities[0]}",
    ]
    return {"environment": text_of(lines)}


GLOO = Exporter(
    reader="Gloo and TensorPipe of PyTorch: environment of its programs",
    of_node=_files,
    variables=_variables,
)
