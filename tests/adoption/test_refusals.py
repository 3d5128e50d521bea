"""Facts that are not enough for a design, and values that it cannot keep.

Facts are those of a ring of four, changed.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adoption.permuted import permuted_facts
from tests.as_built.rendered import Rendered, facts_of
from tests.kinds import KINDS, compiled

from linkwright.adoption import Adopted, adopt
from linkwright.cli import run
from linkwright.design.cluster import Cluster
from linkwright.errors import CapabilityError, LinkwrightError, UsageError
from linkwright.network import compile as compile_network


def ring() -> Rendered:
    return facts_of(compiled({"kind": "ring", "shape": [4]}))


def of(rendered: Rendered, **options: Any) -> Adopted:
    return adopt(rendered.facts(), catalogue="whitney-1998", **options)


def fails(rendered: Rendered) -> None:
    rendered.machine("n2")["failure"] = "Connection timed out"


def has_no_cable(rendered: Rendered) -> None:
    rendered.given["cables"] = rendered.given["cables"][1:]


def has_no_cables(rendered: Rendered) -> None:
    rendered.given["cables"] = []
    for machine in rendered.given["machines"]:
        for one in machine["interfaces"]:
            one["carrier"] = False


def is_alone(rendered: Rendered) -> None:
    rendered.given["machines"] = rendered.given["machines"][:1]


def is_bonded(rendered: Rendered) -> None:
    machine = rendered.machine("n1")
    machine["interfaces"].append({"name": "bond0", "kind": "bond", "addresses": ["10.5.0.1/24"]})
    for name in ("eth0", "eth1"):
        rendered.interface("n1", name).update(master="bond0", addresses=[])


REFUSED: dict[Callable[[Rendered], None], tuple[type[LinkwrightError], str, str]] = {
    fails: (UsageError, "n2 gave no facts: Connection timed out", "ask again"),
    has_no_cable: (UsageError, "n0: the other end of the cable at eth0 is not known", "lldpd"),
    has_no_cables: (UsageError, "n0: no cable of the fabric is known", "lldpd"),
    is_alone: (UsageError, "at least two machines", "name all machines"),
    is_bonded: (CapabilityError, "n1: bond0 joins eth0, eth1", "take the bond apart"),
}


@pytest.mark.parametrize("change", REFUSED, ids=lambda one: one.__name__)
def test_facts_that_are_not_enough_name_the_machine_and_the_remedy(
    change: Callable[[Rendered], None],
) -> None:
    kind, reason, remedy = REFUSED[change]
    rendered = ring()
    change(rendered)
    with pytest.raises(kind) as error:
        of(rendered)
    assert reason in error.value.message
    assert remedy in (error.value.hint or "")


def test_addresses_that_no_design_can_have_are_left_to_the_scheme_with_a_remark() -> None:
    rendered = ring()
    rendered.interface("n0", "eth0")["addresses"] = ["10.9.0.1/24"]
    rendered.interface("n1", "eth1")["addresses"] = ["10.8.0.1/24"]
    found = of(rendered)
    assert any("n0:eth0, n1:eth1: they are of several subnets" in one for one in found.remarks)
    network = compile_network(Cluster.parse(found.text))
    assert {"10.9.0.1", "10.8.0.1"}.isdisjoint(str(ip.ip) for ip in network.addresses.ip)


def test_a_network_of_the_machines_own_is_left_out_by_name_or_by_its_reach() -> None:
    rendered = ring()
    for machine in rendered.given["machines"]:
        machine["routes"] = [one for one in machine["routes"] if one["dst"] != "default"]
    assert "mgmt0" not in of(rendered).text
    rendered.interface("n3", "mgmt0")["addresses"] = ["192.168.78.1/24"]
    with pytest.raises(UsageError, match="n0: the other end of the cable at mgmt0"):
        of(rendered)
    assert "mgmt0" not in of(rendered, leave_out=frozenset(["mgmt0"])).text


def test_a_machine_with_the_name_of_another_node_makes_a_custom_design() -> None:
    rendered = facts_of(compiled({"kind": "ring", "shape": [5]}))
    text = json.dumps(rendered.given)
    for before, after in (("n0", "n9"), ("n1", "n0"), ("n9", "n1")):
        text = text.replace(f'"{before}"', f'"{after}"')
    rendered.given = json.loads(text)
    assert "kind: custom" in of(rendered).text


def test_a_switch_that_announces_itself_is_one_segment() -> None:
    rendered = facts_of(compiled({"kind": "switch", "nodes": 3}))
    rendered.given["cables"] = []
    for number, machine in enumerate(rendered.given["machines"]):
        machine["lldp"] = [
            {"interface": "eth0", "neighbour": "tor1", "port": f"swp{number}", "mac": None}
        ]
    assert "kind: switch" in of(rendered).text


def test_the_command_writes_a_design_that_check_takes(tmp_path: Path) -> None:
    (tmp_path / "facts.json").write_text(json.dumps(ring().given))
    design = tmp_path / "ours.yaml"
    words = [str(tmp_path / "facts.json"), "-c", "whitney-1998", "-o", str(design)]
    assert run(["adopt", *words]) == 0
    assert Cluster.load(design).name == "ours"


def test_a_file_that_exists_is_replaced_only_by_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("facts.json").write_text(json.dumps(ring().given))
    Path("ours.yaml").write_text("name: mine\n")
    words = ["adopt", "facts.json", "-c", "whitney-1998", "-o", "ours.yaml"]
    assert run(words) == 4
    assert "--force" in capsys.readouterr().err
    assert Path("ours.yaml").read_text() == "name: mine\n"
    assert run([*words, "--force"]) == 0
    assert Cluster.load("ours.yaml").name == "ours"


@pytest.mark.parametrize("suffix", [".html", ".json", ".csv"])
def test_a_design_is_no_file_of_another_format(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts, output = tmp_path / "facts.json", tmp_path / f"ours{suffix}"
    facts.write_text(json.dumps(ring().given))
    assert run(["adopt", str(facts), "-o", str(output)]) == 2
    assert "a design is YAML" in capsys.readouterr().err
    assert not output.exists()


def test_the_table_of_routes_is_beside_the_design_and_no_other_file_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    given = permuted_facts(KINDS["torus"], seed=3, box="n").to_json()
    Path("facts.json").write_text(json.dumps(given))
    words = ["adopt", "facts.json", "-c", "whitney-1998", "-o", "ours.yaml"]
    Path("ours-routes.csv").write_text("mine")
    assert run(words) == 4
    assert not Path("ours.yaml").exists()
    Path("ours-routes.csv").unlink()
    assert run(words) == 0
    assert run(["verify", "ours.yaml", "--facts", "facts.json"]) == 0
