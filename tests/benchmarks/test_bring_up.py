"""Mininet gets the links, addresses and routes that our own nodes get."""

from __future__ import annotations

from pathlib import Path

from bring_up import batches, built, links
from linkwright.nodes.table import node_table


def test_mininet_has_every_link_address_and_route(tmp_path: Path) -> None:
    network = built("4x4")
    table = node_table(network)
    files = batches(table, tmp_path)
    assert list(files) == list(table.hostnames)
    lines = [line for file in files.values() for line in Path(file).read_text().splitlines()]
    assert sum(line.startswith("address add") for line in lines) == len(table.address_length)
    assert sum(line.startswith("route add") for line in lines) == len(table.routes.via)
    assert "address add 10.128.0.1/32 dev lo" in lines
    ends = [end for link in links(network) for end in link]
    assert len(set(ends)) == len(ends) == 16 * 4
