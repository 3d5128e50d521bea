"""NAS-97-017: the printed rates against operation counts, and the misprints they show.

And what its front end was: where it stands, and what its files cost.
"""

from __future__ import annotations

import pytest

from linkwright.papers import PAPERS, Runner, Verdict, entries
from linkwright.papers.clusters import network_of
from linkwright.workloads.npb.classes import operations

# Millions of operations as the benchmark's own reports print them.
COUNTS = [
    ("bt", "S", 228.3),
    ("bt", "A", 168284.5),
    ("sp", "B", 355011.9),
    ("lu", "C", 2038997.3),
    ("ft", "A", 7136.4),
    ("mg", "B", 19461.6),
    ("is", "A", 83.9),
    ("ep", "A", 536.9),
]


@pytest.mark.parametrize(("benchmark", "problem_class", "millions"), COUNTS)
def test_operation_counts(benchmark: str, problem_class: str, millions: float) -> None:
    assert round(operations(benchmark, problem_class) / 1e6, 1) == millions


def test_every_rate_fits_its_time_or_is_corrected() -> None:
    found = entries("NAS-97-017/appendix-rates")
    assert len(found) == 163
    assert [entry for entry in found if entry.verdict is Verdict.DIFFERS] == []


@pytest.mark.parametrize(
    ("erratum", "printed", "right"),
    [
        ("npb-bt-rate", 88.84e6, 89.84e6),
        ("npb-mg-time", 9.44, 29.44),
        ("npb-ft-rate-per-node", 9.94e6, 4.97e6),
    ],
)
def test_misprints(erratum: str, printed: float, right: float) -> None:
    (entry,) = [one for one in entries("NAS-97-017") if one.claim.erratum == erratum]
    assert entry.verdict is Verdict.CORRECTED
    assert entry.claim.printed == pytest.approx(printed)
    assert entry.ours == pytest.approx(right, rel=2e-3)
    as_printed = entry.claim.model_copy(update={"corrected": None})
    assert as_printed.verdict(entry.ours) is Verdict.DIFFERS, "the printed value does not fit"


def test_nodes_are_as_far_as_the_numbering_says() -> None:
    found = entries("NAS-97-017/text")
    assert [entry.ours for entry in found] == [4, 6, 4, 1]
    assert {entry.verdict for entry in found} == {Verdict.AGREES}


@pytest.mark.parametrize(
    ("paper", "cluster", "at"),
    [
        ("nas_97_017", "hub-16", ("hub0", 16)),
        # On a fifth NIC of the paper's node 1.
        ("nas_97_017", "torus-4x4", ("n00", 4)),
        ("nas_97_025", "switch-36", ("sw0", 36)),
        ("nas_97_025", "density-4", ("sw0", 9)),
    ],
)
def test_the_front_end_stands_where_it_stood(paper: str, cluster: str, at: tuple[str, int]) -> None:
    network = network_of(f"linkwright.papers.{paper}", cluster)
    ends = zip(network.wiring.cable_a.tolist(), network.wiring.cable_b.tolist(), strict=True)
    (other,) = [b for a, b in ends if a[0] == network.front_end]
    assert (network.device_names[other[0]], other[1]) == at


def test_files_of_the_front_end_cost_both_networks() -> None:
    study = PAPERS["NAS-97-017"].run_tables["front-end"]()
    found = Runner(is_brief=True).run({"front-end": study})["front-end"]
    (plot,) = study.plots(found)
    for panel in plot.panels:
        hub, torus = (list(curve.y) for curve in panel.curves)
        # Eight passes on the hub are a sketch, but three times the files are beyond its chance.
        # They do not say which network pays more. The fewest files move the phases of clocks more
        # than they cost.
        assert 0.98 * torus[0] < torus[1] < torus[2]
        assert 1.03 < torus[2] < 1.5
        assert 1.03 < hub[2] < 1.5
