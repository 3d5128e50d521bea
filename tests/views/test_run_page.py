"""The page of a run that is not played: its origin, and figures in words."""

from __future__ import annotations

from dataclasses import replace

from tests.views.html import outside_references
from tests.views.sample import manifest, network

from linkwright import engines
from linkwright.results import Result
from linkwright.views.run_answer import run_answer
from linkwright.views.run_page import run_page
from linkwright.workloads import Barrier


def test_a_measured_run_has_the_page_of_a_run_with_its_origin() -> None:
    built = network("ring", shape=[3])
    predicted = engines.run(built, Barrier(repeats=1), engine="analytic")
    measured = Result.from_rows(
        replace(row, origin="measured", engine="hardware") for row in predicted.rows()
    )
    text = run_page(built, measured, manifest("linkwright", "measure", "/srv/d.yaml"))
    assert "<dt>origin</dt><dd>measured</dd>" in text
    assert "<dt>engine</dt><dd>hardware</dd>" in text
    answer = run_answer(measured)
    assert answer is not None
    assert f"<p>{answer.sentence}</p>" in text
    assert answer.about.startswith("measured by the hardware engine; hosts ")
    assert f'<p class="note">{answer.about}</p>' in text
    assert '<th scope="row" title="simulated_s">simulated time</th>' in text
    assert text.count('<svg class="topology"') == 1
    assert "command: linkwright measure d.yaml" in text
    assert "/srv" not in text
    assert outside_references(text) == []
