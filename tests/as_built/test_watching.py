"""Comparisons one after the other: the lines of changes, findings of silent machines, and
neighbours that only a memory of earlier comparisons knows.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from tests.as_built.rendered import Rendered
from tests.as_built.test_incomplete import neighbours, ring

from linkwright.as_built.metrics import metrics_text
from linkwright.as_built.probed_cables import ProbedCables
from linkwright.as_built.watching import Event, Watch


class Watched:
    """A cluster that is compared after each change."""

    def __init__(self) -> None:
        self.facts = ring()
        self.watch = Watch(self.facts.planned)

    def after(self, change: Callable[[Rendered], object] = lambda _: None) -> list[str]:
        """Return the events after a change: what happened, kind and place."""
        change(self.facts)
        self.verdict, events = self.watch.compared(self.facts.facts())
        return [self._said(one) for one in events]

    def _said(self, one: Event) -> str:
        assert set(one.to_json()) > {"time", "event", "since", "severity", "kind", "reason"}
        return f"{one.event} {one.finding.kind} {one.finding.place}"


def carrier(name: str, nic: str, *, has: bool) -> Callable[[Rendered], None]:
    """Change the carrier of a port, and with it the counter of its changes."""

    def change(facts: Rendered) -> None:
        port = facts.interface(name, nic)
        counters = port.setdefault("counters", {})
        counters["carrier_changes"] = counters.get("carrier_changes", 0) + 1
        port["carrier"] = has

    return change


def unplug(facts: Rendered) -> None:
    """Take out the cable between n2 and n3, of which no probe tells."""
    for place in (("n2", "eth0"), ("n3", "eth1")):
        carrier(*place, has=False)(facts)
    for name, nic in (("n2", "eth0"), ("n3", "eth1")):
        machine = facts.machine(name)
        machine["neighbours"] = [one for one in machine["neighbours"] if one["dev"] != nic]


def plug(facts: Rendered) -> None:
    for place in (("n2", "eth0"), ("n3", "eth1")):
        carrier(*place, has=True)(facts)


def out_and_in(facts: Rendered) -> None:
    for has in (False, True):
        carrier("n2", "eth0", has=has)(facts)


def forget(facts: Rendered) -> None:
    for machine in facts.given["machines"]:
        machine["neighbours"] = []


def setting(name: str, nic: str, **values: object) -> Callable[[Rendered], None]:
    return lambda facts: facts.interface(name, nic).update(values)


def silence(name: str) -> Callable[[Rendered], None]:
    def change(facts: Rendered) -> None:
        facts.machine(name)["failure"] = f"{name} is not reached: timed out; look"

    return change


def speak(name: str) -> Callable[[Rendered], None]:
    return lambda facts: facts.machine(name).pop("failure")


def test_a_finding_is_found_changed_and_cleared_once() -> None:
    seen = Watched()
    assert seen.after() == []
    speed = seen.facts.interface("n1", "eth0")["speed_mbps"]
    assert seen.after(setting("n1", "eth0", speed_mbps=1000)) == ["found slow-cable n1:eth0"]
    assert seen.after() == []
    assert seen.after(setting("n1", "eth0", speed_mbps=100)) == ["changed slow-cable n1:eth0"]
    assert [one.kind for one in seen.verdict.findings] == ["slow-cable"]
    assert seen.after(setting("n1", "eth0", speed_mbps=speed)) == ["cleared slow-cable n1:eth0"]
    assert seen.verdict.findings == ()


def test_a_cable_that_is_pulled_and_plugged_again() -> None:
    seen = Watched()
    neighbours(seen.facts)
    assert seen.after() == []
    assert seen.after(unplug) == ["found missing-cable n2:eth0"]
    # Nothing is known of the cable until something passes it.
    assert seen.after(plug) == ["cleared missing-cable n2:eth0", "found unseen-cable n2:eth0"]


def test_a_cable_that_was_out_between_two_comparisons() -> None:
    seen = Watched()
    seen.facts.interface("n2", "eth0")["counters"] = {"carrier_changes": 1}
    assert seen.after() == []
    assert seen.after(out_and_in) == ["found unsteady-cable n2:eth0"]
    assert [one.kind for one in seen.verdict.findings] == ["unsteady-cable"]
    assert seen.after() == ["cleared unsteady-cable n2:eth0"]


def test_a_neighbour_that_the_kernel_forgets_is_still_there() -> None:
    seen = Watched()
    neighbours(seen.facts)
    assert seen.after() == []
    assert seen.after(forget) == []


def lldp(facts: Rendered) -> None:
    for cable in facts.given["cables"]:
        for own, other in (cable["ends"], cable["ends"][::-1]):
            entry = {"interface": own[1], "neighbour": other[0], "port": other[1]}
            facts.machine(own[0]).setdefault("lldp", []).append(entry)


def test_a_neighbour_that_announces_itself_no_more_is_lost() -> None:
    seen = Watched()
    assert seen.after(lldp) == []
    entries = seen.facts.machine("n0")["lldp"]
    own = next(one for one in entries if one["interface"] == "eth0")
    assert seen.after(lambda _: entries.remove(own)) == ["found lost-neighbour n0:eth0"]
    assert [one.kind for one in seen.verdict.findings] == ["lost-neighbour"]
    assert seen.after() == []
    assert seen.after(lambda _: entries.append(own)) == ["cleared lost-neighbour n0:eth0"]


def test_a_neighbour_whose_address_fails_is_lost() -> None:
    seen = Watched()
    peer = next(text.partition("/")[0] for text in seen.facts.interface("n1", "eth1")["addresses"])
    entry = {"dst": peer, "dev": "eth0", "lladdr": "02:00:00:00:01:01", "state": ["REACHABLE"]}
    seen.facts.machine("n0")["neighbours"].append(entry)
    assert seen.after() == []
    assert seen.after(lambda _: entry.update(state=["FAILED"], lladdr=None)) == [
        "found lost-neighbour n0:eth0"
    ]
    assert seen.after(lambda _: entry.update(state=["STALE"])) == ["cleared lost-neighbour n0:eth0"]


def test_a_neighbour_that_is_asked_for_at_two_comparisons_is_lost() -> None:
    seen = Watched()
    peer = next(text.partition("/")[0] for text in seen.facts.interface("n1", "eth1")["addresses"])
    entry = {"dst": peer, "dev": "eth0", "lladdr": "02:00:00:00:01:01", "state": ["REACHABLE"]}
    seen.facts.machine("n0")["neighbours"].append(entry)
    assert seen.after() == []
    asks = {"state": ["INCOMPLETE"], "lladdr": None}
    assert seen.after(lambda _: entry.update(asks)) == []
    assert seen.after() == ["found lost-neighbour n0:eth0"]
    assert seen.after() == []
    answers = {"state": ["REACHABLE"], "lladdr": "02:00:00:00:01:01"}
    assert seen.after(lambda _: entry.update(answers)) == ["cleared lost-neighbour n0:eth0"]


def test_a_silent_machine_keeps_its_other_findings_until_it_answers() -> None:
    seen = Watched()
    right = seen.facts.interface("n1", "eth0")["mtu"]
    assert seen.after(setting("n1", "eth0", mtu=1400)) == ["found wrong-mtu n1:eth0"]
    assert seen.after(silence("n1")) == ["found missing-machine n1"]
    assert {one.kind for one in seen.verdict.findings} == {"missing-machine", "wrong-mtu"}
    assert seen.after(speak("n1")) == ["cleared missing-machine n1"]
    assert seen.after(setting("n1", "eth0", mtu=right)) == ["cleared wrong-mtu n1:eth0"]


def test_a_machine_that_is_known_by_its_host_name_is_itself_when_it_is_silent() -> None:
    seen = Watched()
    seen.facts.machine("n1").update(name="10.0.0.7", hostname="n1")
    for cable in seen.facts.given["cables"]:
        cable["ends"] = [["10.0.0.7" if m == "n1" else m, nic] for m, nic in cable["ends"]]
    assert seen.after() == []
    for machine in list(seen.facts.given["machines"]):
        machine["failure"] = "not reached: timed out; look"
    assert sorted(seen.after()) == [f"found missing-machine n{number}" for number in range(6)]


def test_cables_of_a_probe_are_known_as_long_as_their_ports_keep_their_carriers() -> None:
    facts = ring()
    for name in ("n2", "n3"):
        for one in facts.machine(name)["interfaces"]:
            one["counters"] = {"carrier_changes": 1}
    probed = facts.facts()
    cables = ProbedCables()
    assert cables.is_due(probed)
    cables.note(probed)
    facts.given["cables"] = []
    assert cables.completed(facts.facts()).cables == probed.cables
    unplug(facts)
    left = cables.completed(facts.facts())
    assert not cables.is_due(left), "nothing is in these ports"
    assert len(left.cables) == len(probed.cables) - 1
    silence("n0")(facts)
    assert cables.completed(facts.facts()).cables == left.cables
    plug(facts)
    assert cables.is_due(facts.facts())
    assert cables.completed(facts.facts()).cables == left.cables, "it may be another cable"


LABEL = r'[a-z]+="(?:[^"\\\n]|\\.)*"'
SAMPLE = re.compile(rf"(linkwright_[a-z_]+)(\{{{LABEL}(?:,{LABEL})*\}})? ([0-9.e+-]+)")


@pytest.mark.parametrize("nic", ["eth0", 'a"b\\c'])
def test_metrics_have_the_form_of_prometheus(nic: str) -> None:
    seen = Watched()
    seen.after(lambda facts: facts.interface("n1", "eth0").update(mtu=1400))
    findings = [*seen.verdict.findings]
    from dataclasses import replace

    verdict = replace(seen.verdict, findings=(replace(findings[0], nic=nic),))
    text = metrics_text(verdict, n_comparisons=7, took_s=0.25, time_s=1.5e9, interval_s=30.0)
    types: dict[str, str] = {}
    series = set()
    for line in text.splitlines():
        if line.startswith("# "):
            _, word, name, says = line.split(" ", 3)
            assert word == "HELP" or name not in types, "one type per family, before its samples"
            if word == "TYPE":
                types[name] = says
            continue
        found = SAMPLE.fullmatch(line)
        assert found, line
        assert found[1] in types
        assert (found[1], found[2]) not in series
        series.add((found[1], found[2]))
        float(found[3])
    assert {name for name in types if name.endswith("_total")} == {
        name for name, kind in types.items() if kind == "counter"
    }
    assert "linkwright_comparisons_total 7\n" in text
    assert 'linkwright_findings{kind="wrong-mtu",severity="error"} 1\n' in text
    assert 'linkwright_machine_up{node="n1"} 1\n' in text
    assert text.endswith("\n")
