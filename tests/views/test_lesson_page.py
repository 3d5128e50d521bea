"""The page of a lesson without a browser: every scene is in it once, every figure of the text is
that of a run, and names stay text.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import cache

import pytest
from tests.views.html import SPITE, outside_references
from tests.views.sample import manifest

from linkwright.engines import Observation, observe
from linkwright.errors import UsageError
from linkwright.lessons import LESSONS
from linkwright.lessons.making import made_page
from linkwright.views.lesson_page import PlayedScene, lesson_page
from linkwright.views.quantities import quantity

NAMES = list(LESSONS)


@cache
def page(name: str) -> str:
    """Return the page of a lesson."""
    return made_page(name, lambda: manifest("linkwright", "lesson"))


def scenes() -> list[PlayedScene]:
    """Return the scenes of a lesson, made."""
    found = []
    for scene in LESSONS["capture-effect"].scenes:
        network, run, result = observe(scene.run, Observation(page=True)).played
        found.append(
            PlayedScene(
                key=scene.key,
                name=scene.name,
                caption=scene.caption,
                network=network,
                run=run,
                result=result,
            )
        )
    return found


def page_of(given: list[PlayedScene], metrics: tuple[str, ...] = ("latency",)) -> str:
    """Return a page of some scenes with the text of a lesson."""
    return lesson_page(
        "capture-effect",
        title=SPITE,
        question=SPITE,
        scenes=given,
        metrics=metrics,
        charts=[],
        sources=[(SPITE, SPITE)],
        manifest=manifest("linkwright", "lesson"),
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_scene_is_in_the_page_with_its_run(name: str) -> None:
    keys = [scene.key for scene in LESSONS[name].scenes]
    assert re.findall(r'<template data-scene="([^"]+)">', page(name)) == keys
    assert re.findall(r'<span id="([^"]+)" class="place">', page(name)) == keys
    blocks = re.findall(r'<script type="application/json">(.+?)</script>', page(name), re.S)
    runs = [json.loads(block)["run"] for block in blocks]
    assert len(set(runs)) == len(keys)


@pytest.mark.parametrize("name", NAMES)
def test_every_link_leads_to_a_place_of_the_page(name: str) -> None:
    places = set(re.findall(r'\bid="([^"]+)"', page(name)))
    links = re.findall(r'href="#([^"]+)"', page(name))
    assert set(links) <= places
    assert len(links) > 10


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_is_one_small_file_that_loads_nothing(name: str) -> None:
    assert len(page(name)) < 1_200_000
    assert outside_references(page(name)) == []


def test_figures_of_the_text_are_those_of_the_runs() -> None:
    made = scenes()
    row = made[0].row("latency_p99")
    assert f"takes {quantity(row.value, row.unit)} or more" in " ".join(page_of(made).split())


def test_names_stay_text() -> None:
    first, *others = scenes()
    spiteful = replace(first, name=SPITE, caption=SPITE)
    assert SPITE not in page_of([spiteful, *others])


def test_scenes_without_a_figure_have_a_dash_and_unknown_figures_no_column() -> None:
    text = page_of(scenes(), ("delivered", "no_such_metric"))
    assert "no_such_metric" not in text
    with pytest.raises(UsageError, match="has 0 rows of no_such_metric"):
        scenes()[0].row("no_such_metric")
