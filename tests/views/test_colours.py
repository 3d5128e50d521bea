"""The colours of the style sheets can be told apart: text from its ground, and series from each
other, by readers with and without colour blindness.

Colour blindness is simulated as in G. M. Machado et al., "A Physiologically-based Model for
Simulation of Color Vision Deficiency", IEEE TVCG 15 (2009), severity 1.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from linkwright.views.plots import COLOURS

ASSETS = Path(__file__).parents[2] / "python" / "linkwright" / "views" / "assets"
SIGHTS = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
LEAST_APART = 20.0
"""Difference in CIELAB between two series; 2 is just noticeable side by side."""
SERIES = [f"series-{n}" for n in range(1, 9)]
GROUNDS = ["paper", "raised"]


def tokens(theme: str) -> dict[str, str]:
    """Return the colours of a theme by name, without their dashes."""
    text = (ASSETS / "base.css").read_text()
    light, dark = re.findall(r":root(?:\[data-theme=\"dark\"\])? \{(.*?)\n\}", text, re.DOTALL)[:2]
    return dict(re.findall(r"--([\w-]+): (#\w{6});", light if theme == "light" else dark))


def linear(colour: str) -> NDArray[np.float64]:
    """Return the amounts of light of red, green and blue."""
    parts = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    """Return the contrast of WCAG 2."""
    dark, light = sorted(float(linear(c) @ [0.2126, 0.7152, 0.0722]) + 0.05 for c in (one, other))
    return light / dark


def lab(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the place of a colour in CIELAB, white being that of D65."""
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    xyz = to_xyz @ np.clip(light, 0, 1) / [0.95047, 1.0, 1.08883]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_series_differ_for_every_sight(theme: str, sight: str) -> None:
    found = tokens(theme)
    seen = {name: lab(SIGHTS[sight] @ linear(found[name])) for name in SERIES}
    apart = {(a, b): float(np.linalg.norm(seen[a] - seen[b])) for a, b in combinations(SERIES, 2)}
    closest = min(apart, key=lambda pair: apart[pair])
    assert apart[closest] >= LEAST_APART, closest


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_and_lines_stand_out(theme: str) -> None:
    found = tokens(theme)
    words = ("ink", "quiet", "accent", "good", "bad", "warn")
    lines = (*SERIES, "field-line", "node-line", "switch-line", "hub-line", "front-end-line")
    for names, least in ((words, 4.5), (lines, 3.0)):
        for name in names:
            worst = min(contrast(found[name], found[ground]) for ground in GROUNDS)
            assert worst >= least, f"{name} of {theme}: {worst:.2f} to 1"
    assert contrast(found["on-accent"], found["accent"]) >= 4.5


def test_plots_have_the_colours_of_the_pages() -> None:
    found = tokens("light")
    assert sorted(COLOURS) == sorted(found[name] for name in SERIES)
