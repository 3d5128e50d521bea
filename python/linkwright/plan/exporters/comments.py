"""Comments of files for machines: their first lines, and the reasons of settings.

Scripts, YAML and ini files all take lines that begin with a number sign.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from linkwright.nodes.sysctls import Sysctl
from linkwright.plan.exporters.network_plan import NetworkPlan
from linkwright.plan.exporters.node_plan import InterfacePlan, NodePlan, RulePlan

__all__ = [
    "BOND",
    "ROUTES",
    "UNCUT_REASON",
    "assignments",
    "cable_of",
    "comment",
    "grouped",
    "header",
    "rules_reason",
    "sentence",
    "text_of",
]

MOST_COLUMNS = 96

BOND = (
    "Frames use the members in turn, as the prediction assumes; a member without carrier is left "
    "out."
)
ROUTES = (
    "Among routes to one destination, the smallest metric wins; a larger one is a backup. The "
    "source is the node's identity, so that connections survive a failed link."
)
RULES = (
    "Packets that come in by a NIC ask a table of its own before the main one: a packet that comes "
    "back was turned back at a cut, and its table leads it around the cut."
)
SOURCE_RULES = (
    "Packets from the address of a port ask a table of its own before the main one: several ports "
    "share a segment, and the kernel would send all by the first of them."
)
UNCUT_REASON = (
    "Forwarded packets crawl over USB4 and Thunderbolt if segments are merged: offload is off."
)


def comment(text: str, indent: str = "") -> list[str]:
    """Return a text as lines of comment, in the form of scripts, YAML and ini files.

    Examples
    --------
    >>> comment("Because.", "  ")
    ['  # Because.']
    """
    mark = f"{indent}# "
    return textwrap.wrap(
        text,
        MOST_COLUMNS,
        initial_indent=mark,
        subsequent_indent=mark,
        break_on_hyphens=False,
        break_long_words=False,
    )


def header(network: NetworkPlan, node: NodePlan | None, *words: str) -> list[str]:
    """Return the first lines of a file: its origin, then sentences about its use."""
    of = f"of the network '{network.name}'"
    if node is not None:
        known = f" ({node.host.name})" if node.host.name != node.node else ""
        of = f"of node {node.node}{known} {of}"
    first = f"Part {of}, written by `linkwright plan --for`. A new plan replaces it."
    return [line for text in (first, *words) for line in comment(text)]


def rules_reason(rules: Sequence[RulePlan]) -> str:
    """Return the reason of rules, which a design has of one kind."""
    return SOURCE_RULES if rules[0].source else RULES


def cable_of(interface: InterfacePlan) -> str:
    """Return the sentence on the other ends of an interface's cables."""
    if interface.is_identity:
        return (
            "The address that applications use. It has an interface of its own: any port reaches "
            "it, no failed link takes it away, and MPI libraries pass over loopback interfaces."
        )
    return f"Cable to {', '.join(interface.peers)}."


def grouped(settings: Sequence[Sysctl]) -> Iterator[tuple[str, list[Sysctl]]]:
    """Yield neighbouring settings of one reason together, with the reason as a sentence."""
    for reason, members in groupby(settings, key=lambda one: one.reason):
        yield sentence(reason), list(members)


def sentence(reason: str) -> str:
    """Return a reason as a sentence."""
    return f"{reason[:1].upper()}{reason[1:]}."


def assignments(variables: Mapping[str, str]) -> list[str]:
    """Return variables as lines of a shell.

    Examples
    --------
    >>> assignments({"A": "1", "B": "2"})
    ['A=1', 'B=2']
    """
    return [f"{name}={value}" for name, value in variables.items()]


def text_of(lines: Sequence[str]) -> str:
    """Return lines as the text of a file."""
    return "".join(f"{line}\n" for line in lines)
