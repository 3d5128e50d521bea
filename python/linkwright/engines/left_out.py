"""What the engines without frames leave out of the hosts of a run, and which way they err by it.

A constant that an engine does not know must not be left out unsaid: every manifest carries these
remarks, the commands print them, pages show them.
"""

from __future__ import annotations

from linkwright.calibrations import Calibration

__all__ = ["remarks"]


def remarks(engine: str, hosts: Calibration) -> tuple[str, ...]:
    """Return what an engine leaves out of some hosts, each with the constant and the effect."""
    if engine == "packet":
        return ()
    return tuple(
        f"the {engine} engine leaves out {constant} of {hosts.name}: {effect}; "
        "the packet engine knows it"
        for constant, effect in _left_out(hosts)
    )


def _left_out(hosts: Calibration) -> list[tuple[str, str]]:
    costs, queues = hosts.host.derived(), hosts.queues.derived()
    hold_us = queues["interrupt_hold_us"]
    found = []
    if hold_us:
        effect = f"latencies are up to {hold_us} us too low for every node that is reached"
        found.append((f"queues.interrupt_hold_us = {hold_us}", effect))
    for name, done in (("tso_bytes", "sent"), ("gro_bytes", "taken")):
        if queues[name]:
            effect = f"every segment is {done} at full expense, and one stream is too slow"
            found.append((f"queues.{name} = {queues[name]}", effect))
    if costs["cpus"] != 1:
        effect = "one processor does all the work of a node, and is busy too early"
        found.append((f"host.cpus = {costs['cpus']}", effect))
    return found
