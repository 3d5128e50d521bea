"""Machines by name: from the command line, files of hosts, designs, and inventories of Ansible.

A wrong file must give an error that names the mistake.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from linkwright.errors import DesignError, UsageError
from linkwright.machines.inventory import Host, inventory, reachable

INI = """\
# the cluster
n0 ansible_host=10.0.0.1
[ring]
n[1:2] ansible_user=ops
n3:2222
[ring:vars]
ansible_user = root
ansible_ssh_common_args='-o ProxyJump=door -o StrictHostKeyChecking=yes'
[everything:children]
ring
[everything:vars]
ansible_user=nobody
ansible_ssh_private_key_file=id
"""
YAML = """\
all:
  vars: {ansible_user: root}
  hosts:
    n0: {ansible_host: 10.0.0.1}
  children:
    ring:
      hosts:
        n[1:2]:
      vars: {ansible_port: 2222}
      children:
        inner:
          hosts: {n2: {ansible_user: ops}}
"""
WRONG = {
    "machines: {n0: {shs: box}}": "shs",
    "machines: {n0: {ssh: box, options: {'a b': 1}}}": "options",
    "machines: {n0: {ssh: -oProxyCommand=x}, n1: {ssh: ''}}": "ssh",
    "machines: {}": "machines",
    "hosts: {n0: box}": "machines",
    "all: {hosts: {n0: {ansible_host: '{{ address }}'}}}": "template",
    "all: {hosts: {n0: 7}}": "no part of an inventory",
    "all: {hosts: {'n[1:99999999]': }}": "stands for",
    "[a]\nn0 what": "sets no variable",
    "[a:children]\nb\n[b:children]\na\n[a]\nn0": "child of itself",
    '[a]\nn0 ansible_host="x': "quote",
    "[a]\nn0 ansible_ssh_extra_args='-oProxyCommand'": "no option",
    "[a]": "0 machines",
    "": "0 machines",
}


def read(folder: Path, text: str) -> list[tuple[str, str, dict[str, str]]]:
    """Return name, destination and options of each machine of a file."""
    path = folder / "hosts"
    path.write_text(text)
    return [(one.name, one.ssh, dict(one.options)) for one in inventory(str(path))]


def test_files_of_hosts_have_options_and_files_beside_them(tmp_path: Path) -> None:
    (tmp_path / "id").touch()
    text = (
        "machines:\n  n0: {ssh: root@box, options: {IdentityFile: id, Port: 2222, Compression: yes,"
        " CertificateFile: other, IdentitiesOnly: true}}\n"
    )
    options = {
        "IdentityFile": str(tmp_path / "id"),
        "Port": "2222",
        "Compression": "yes",
        "CertificateFile": "other",
        "IdentitiesOnly": "yes",
    }
    assert read(tmp_path, text) == [("n0", "root@box", options)]


def test_an_inventory_in_ini_form_has_ranges_groups_and_variables(tmp_path: Path) -> None:
    (tmp_path / "id").touch()
    common = {
        "ProxyJump": "door",
        "StrictHostKeyChecking": "yes",
        "IdentityFile": str(tmp_path / "id"),
    }
    assert read(tmp_path, INI) == [
        ("n0", "10.0.0.1", {}),
        ("n1", "ops@n1", common),
        ("n2", "ops@n2", common),
        ("n3", "root@n3", {"Port": "2222", **common}),
    ]


def test_an_inventory_in_yaml_form_gives_the_variables_nearest_to_a_host(tmp_path: Path) -> None:
    assert read(tmp_path, YAML) == [
        ("n0", "root@10.0.0.1", {}),
        ("n1", "root@n1", {"Port": "2222"}),
        ("n2", "ops@n2", {"Port": "2222"}),
    ]


@pytest.mark.parametrize("text", WRONG)
def test_other_files_are_errors_that_name_the_mistake(tmp_path: Path, text: str) -> None:
    with pytest.raises((UsageError, DesignError), match=WRONG[text]) as wrong:
        read(tmp_path, text)
    assert wrong.value.hint


@pytest.mark.parametrize(
    ("hosts", "message"),
    [
        ("n0=a,n0=b", "twice"),
        ("hosts.yaml", "no file"),
        ("n0=a,n1=n1.tar", "no file"),
        ("a\x1b=box", "no name"),
        ("a" * 300, "no name"),
        (",", "0 machines"),
    ],
)
def test_words_that_name_no_machine_are_errors(hosts: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        inventory(hosts)


def test_files_and_words_stand_side_by_side_in_long_lists(tmp_path: Path) -> None:
    path = tmp_path / "hosts.yaml"
    path.write_text("machines: {n0: {ssh: box0}, n1: {ssh: box1}}\n")
    many = [f"m{number}=root@10.0.0.{number}" for number in range(100)]
    found = inventory(",".join([str(path), *many]))
    assert [one.name for one in found[:3]] == ["n0", "n1", "m0"]
    assert len(found) == 102
    assert found[-1].ssh == "root@10.0.0.99"


def test_an_archive_of_facts_is_refused_where_a_machine_is_changed() -> None:
    found = [Host("n0", "box0"), Host("n1", "n1.tar", archive="n1.tar")]
    with pytest.raises(UsageError, match="n1 is an archive of facts, and no machine to change"):
        reachable(found, "change")
    assert reachable(found[:1], "change") == found[:1]
