"""Files of systemd that several targets share: names of NICs (udev), parameters of the kernel, and
the interfaces that the machine makes.

udev names NICs under any network manager, and systemd-sysctl sets parameters again whenever an
interface appears.
"""

from __future__ import annotations

from linkwright.plan.exporters.comments import (
    BOND,
    UNCUT_REASON,
    cable_of,
    comment,
    grouped,
    header,
    sentence,
    text_of,
)
from linkwright.plan.exporters.exporter import Files
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import BOND_CHECK_MS, InterfacePlan, NodePlan
from linkwright.plan.tables import BOND_MODE

__all__ = ["SYSTEMD", "link_files", "made_interfaces", "marks_file", "sysctl_file"]

SYSTEMD = "etc/systemd/network/10-linkwright-"
MARKS = "etc/systemd/system/linkwright-marks.service"
MARKS_TITLE = "Marks of linkwright, for routes of IPv6 that are looked up per packet"
MARKS_USE = (
    "Start it, now and at each boot, with: systemctl enable --now linkwright-marks. It needs "
    "ip6tables, of the package iptables."
)
SYSCTL = "etc/sysctl.d/60-linkwright.conf"
NAMES = "NamePolicy=keep kernel database onboard slot path"
"""The line of systemd's own file for links, which a file of one's own takes the place of."""


def link_files(network: NetworkPlan, node: NodePlan) -> Files:
    """Return udev's files for the NICs that are found by an address or a place, and for those
    without segmentation offload.
    """
    return {
        f"{SYSTEMD}{one.name}.link": text_of([*header(network, node), *_link(one)])
        for one in node.interfaces
        if one.mac or one.path or one.cuts_segments
    }


def _link(one: InterfacePlan) -> list[str]:
    lines = [*comment(cable_of(one)), "[Match]"]
    if one.mac:
        lines += [
            *comment("A bond or a VLAN repeats the address in use, not the permanent one."),
            f"PermanentMACAddress={one.mac}",
        ]
    elif one.path:
        lines.append(f"Path={one.path}")
    else:
        lines.append(f"OriginalName={one.name}")
    lines += ["", "[Link]", f"Name={one.name}" if one.mac or one.path else NAMES]
    if one.cuts_segments:
        lines += [*comment(UNCUT_REASON), "TCPSegmentationOffload=no"]
    return lines


def sysctl_file(network: NetworkPlan, node: NodePlan) -> Files:
    """Return the file of kernel parameters; none if the node needs none."""
    if not node.settings:
        return {}
    lines = header(network, node, "Load it with: systemctl restart systemd-sysctl")
    for reason, settings in grouped(node.settings):
        lines += ["", *comment(reason)]
        lines += [f"{one.key} = {one.value}" for one in settings]
    return {SYSCTL: text_of(lines)}


def marks_file(network: NetworkPlan, node: NodePlan) -> Files:
    """Return the service that marks packets; none if the node marks none."""
    if not node.marks:
        return {}
    lines = [*header(network, node, MARKS_USE), "[Unit]", f"Description={MARKS_TITLE}", ""]
    lines += ["[Service]", "Type=oneshot", "RemainAfterExit=yes"]
    for mark in node.marks:
        lines += comment(sentence(mark.reason))
        lines += [f"ExecStart=ip6tables -w -t mangle -A {mark.rule}"]
        lines += [f"ExecStop=ip6tables -w -t mangle -D {mark.rule}"]
    return {MARKS: text_of([*lines, "", "[Install]", "WantedBy=multi-user.target"])}


def made_interfaces(network: NetworkPlan, node: NodePlan) -> Files:
    """Return the files of networkd for interfaces that are no NICs: the identity and bonds."""
    files = {}
    for one in node.interfaces:
        if one.is_nic:
            continue
        lines = [*header(network, node, cable_of(one)), "[NetDev]", f"Name={one.name}"]
        if one.is_identity:
            lines.append("Kind=dummy")
        else:
            lines += ["Kind=bond", "", *comment(BOND), "[Bond]", f"Mode={BOND_MODE}"]
            lines.append(f"MIIMonitorSec={BOND_CHECK_MS}ms")
        files[f"{SYSTEMD}{one.name}.netdev"] = text_of(lines)
    return files
