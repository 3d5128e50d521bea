"""Names of nodes for programs: lines for /etc/hosts, and records of dnsmasq."""

from __future__ import annotations

from linkwright.plan.exporters.comments import header, text_of
from linkwright.plan.exporters.exporter import Exporter, Files
from linkwright.plan.exporters.network_plan import NetworkPlan

__all__ = ["DNSMASQ", "HOSTS"]

IDENTITIES = "Names stand for the addresses that applications use, which no failed link takes away."


def _hosts(network: NetworkPlan) -> Files:
    use = "Append these lines to /etc/hosts of every machine."
    lines = header(network, None, use, IDENTITIES)
    for host in network.hosts:
        known = "" if host.name == host.node else f" {host.node}"
        lines += [f"{identity} {host.name}{known}" for identity in host.identities]
    return {"hosts": text_of(lines)}


def _dnsmasq(network: NetworkPlan) -> Files:
    lines = header(network, None, IDENTITIES, "Load it with: systemctl restart dnsmasq")
    lines += [f"host-record={','.join((host.name, *host.identities))}" for host in network.hosts]
    return {"etc/dnsmasq.d/linkwright.conf": text_of(lines)}


HOSTS = Exporter(reader="the C library: lines for /etc/hosts", of_all=_hosts)
DNSMASQ = Exporter(reader="dnsmasq", of_all=_dnsmasq)
