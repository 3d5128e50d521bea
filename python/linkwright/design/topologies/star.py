"""The common wiring of hub and switch: every node on one box, or on each of several.

The topologies give the number of units of a box and check its ports.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linkwright.design.topologies.wiring import Boxes, Cables, Wiring, assemble

__all__ = ["star"]


def star(
    *,
    n_nodes: int,
    part_role: str,
    stems: Sequence[str],
    stack_units: int,
    front_end: bool,
    is_bonded: bool = False,
) -> Wiring:
    """Return `n_nodes` nodes with NIC k on box k, and a front end, if any, with the same cables; in
    a bond, the NICs of a node are one interface.
    """
    nodes = np.arange(n_nodes)
    first = n_nodes + int(front_end)
    boxes = range(first, first + len(stems))
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
            for stem in stems
        ],
        cables=[
            Cables(
                a=np.column_stack([nodes, np.full_like(nodes, nic)]),
                b=np.column_stack([np.full_like(nodes, box), nodes]),
            )
            for nic, box in enumerate(boxes)
        ],
        front_end=front_end,
        front_end_at=boxes,
        is_bonded=is_bonded,
    )
