"""The wiring that a hub and a switch share: every node on one box."""

from __future__ import annotations

import numpy as np

from linkwright.design.topologies.wiring import Boxes, Cables, Wiring, assemble

__all__ = ["star"]


def star(*, n_nodes: int, part_role: str, stem: str, stack_units: int, front_end: bool) -> Wiring:
    """Return `n_nodes` nodes, each with one cable to the one hub or switch."""
    nodes = np.arange(n_nodes)
    box = n_nodes + int(front_end)
    return assemble(
        shape=(n_nodes,),
        nodes=nodes[:, None].astype(np.int32),
        boxes=[
            Boxes(
                part_role=part_role,
                stem=stem,
                coordinates=np.array([[-1]], dtype=np.int32),
                stack_units=stack_units,
            )
        ],
        cables=[
            Cables(
                a=np.column_stack([nodes, np.zeros_like(nodes)]),
                b=np.column_stack([np.full_like(nodes, box), nodes]),
            )
        ],
        front_end=front_end,
        front_end_at=box,
    )
