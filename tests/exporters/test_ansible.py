"""The playbook of Ansible: its own checker, and a run of its copying on this machine.

Nothing outside a temporary folder is written.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from tests.plan.networks import network

from linkwright.plan import export

MISSING = "" if shutil.which("ansible-playbook") else "ansible-playbook: apt install ansible-core"
NODES = {"nodes": {"n1": {"name": "beta", "management": "192.0.2.1"}}}


def written(folder: Path, manager: str = "networkd") -> Path:
    files = export(network("ring", shape=[3], sections=NODES), [manager, "hosts", "ansible"])
    for name, text in files.files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "nodes/all/ansible"


def test_the_inventory_has_management_addresses(tmp_path: Path) -> None:
    inventory = yaml.safe_load((written(tmp_path) / "inventory.yaml").read_text())
    hosts = inventory["linkwright"]["hosts"]
    assert {name: one["ansible_host"] for name, one in hosts.items()} == {
        "n0": "n0", "n1": "192.0.2.1", "n2": "n2",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(bool(MISSING), reason=MISSING)
@pytest.mark.parametrize("manager", ["networkd", "netplan", "ifupdown2", "networkmanager", "frr"])
def test_ansible_accepts_the_playbook(manager: str, tmp_path: Path) -> None:
    folder = written(tmp_path, manager)
    command = ["ansible-playbook", "-i", str(folder / "inventory.yaml")]
    command.append(str(folder / "playbook.yaml"))
    assert ran([*command, "--syntax-check"])
    # Nothing is written in check mode.
    here = [*command, "-e", "ansible_connection=local", "--check", "--diff"]
    told = ran([*here, "-e", f"manager={manager}", "--limit", "n0"])
    assert "failed=0" in told
    assert "+10.128.0.2 beta n1" in told
    for copied in (tmp_path / "nodes/n0" / manager / "etc").iterdir():
        assert re.search(rf"(?:changed|ok): \[n0\] => \(item={re.escape(copied.name)}\)", told)


def ran(command: list[str], code: int = 0) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout
