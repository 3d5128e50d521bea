"""Files of FRR: routing daemons find the routes (`routing: {daemon: ospf}` or `openfabric`), or
FRR installs those of the plan.

The scripts beside them give the machine all that FRR does not: addresses, MTU and kernel
parameters. Another target does so too, and has no routes if the design has a daemon.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from linkwright.errors import CapabilityError
from linkwright.nodes.frr import (
    ADDRESS_LISTS,
    FrrNode,
    Speaker,
    SpeakingInterface,
    from_identity,
    frr_node,
)
from linkwright.plan.exporters.comments import header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.ip_script import IP, LOAD, TAKE_BACK
from linkwright.plan.exporters.loading import Loading, Program
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import NodePlan

__all__ = ["FRR", "FRR_START"]

FOLDER = "etc/frr/"
LONGEST_DISTANCE = 255
"""Largest administrative distance."""
ADDRESSES = (
    "Addresses, MTU and kernel parameters come from `sh up.sh` here, or from the files of another "
    "target, such as networkd: run the one or install the other before FRR starts."
)
AFTER_START = (
    "FRR 8.4 loses the address families of OpenFabric when it reads this file at its start. Load "
    "it after the start with: vtysh -f /etc/frr/frr.conf"
)
STATIC = (
    "up.sh has no routes of the main table. Files of another target have them: use these instead, "
    "not beside them. Distances are the metrics of the plan."
)


def _files(network: NetworkPlan, node: NodePlan) -> Files:
    protocol = network.network.daemon
    if protocol:
        found = frr_node(
            Speaker(
                network=network.name,
                protocol=protocol,
                number=node.number,
                name=node.host.name,
                interfaces=[
                    SpeakingInterface(one.name, one.n_others)
                    for one in node.interfaces
                    if one.addresses
                ],
                identities=node.host.identities,
            )
        )
        words = [ADDRESSES, AFTER_START] if protocol == "openfabric" else [ADDRESSES]
    else:
        lines = [f"hostname {node.host.name}", *_static(node)]
        found, words = FrrNode(("zebra", "staticd"), text_of(lines)), [ADDRESSES, STATIC]
    without_routes = replace(node, routes=tuple(route for route in node.routes if route.table))
    top = text_of(header(network, node, *words))
    started = text_of([f"{name}=yes" for name in found.programs if name != "zebra"])
    return {
        **IP.of_node(network, without_routes),
        f"{FOLDER}frr.conf": top + found.configuration,
        f"{FOLDER}daemons": text_of(header(network, node)) + started,
    }


def _static(node: NodePlan) -> Iterator[str]:
    if any(not rule.source for rule in node.rules):
        raise CapabilityError(
            f"{node.node} has tables by incoming interface, and static routes of FRR have no rules "
            "that choose them",
            "choose another target for these routes, or 'routing: {daemon: ospf}'",
        )
    for route in node.routes:
        if route.table:
            continue
        if route.metric > LONGEST_DISTANCE:
            raise CapabilityError(
                f"a route of {node.node} has the metric {route.metric}, and FRR has distances up "
                f"to {LONGEST_DISTANCE}",
                "choose another target, or 'routing: {daemon: ospf}'",
            )
        via = f"{route.via} " if route.via else ""
        family = ADDRESS_LISTS[route.is_v6]
        words = f"{route.destination} {via}{route.interface} {route.metric}{route.onlink}"
        yield f"{family} route {words}"
    for identity in node.host.identities:
        yield from from_identity(identity, "static")


START = """
mount -t tmpfs tmpfs /var/tmp
own=/var/tmp/frr
mkdir -p $own
chown frr:frr $own
for program in zebra $(sed -n 's/=yes//p' "$folder/etc/frr/daemons"); do
    /usr/lib/frr/$program -d -f /dev/null -z $own/zserv.api -i $own/$program.pid \\
        --vty_socket $own -P 0 2>> "$folder/log"
done
vtysh --vty_socket $own -f "$folder/etc/frr/frr.conf"
cat $own/*.pid > "$folder/pids"
echo $$ >> "$folder/pids"
exec sleep infinity
"""
"""Script that starts FRR in folders of its own."""
VTYSH = Program("/usr/bin/vtysh", "frr")
FRR_START = Loading(script=START, programs=(VTYSH,), stays=True)
"""The same for a configuration alone, beside the files of a network manager."""

FRR = Exporter(
    reader="FRR: OSPF, OpenFabric or static routes",
    of_node=_files,
    takes_ports=True,
    for_switches=True,
    loading=Loading(script=LOAD + START, programs=(VTYSH,), stays=True, undo=TAKE_BACK),
)
