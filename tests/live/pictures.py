"""Small pictures of pages, compared with those kept in screenshots/.

A picture is a screenshot of the window, reduced to a few pixels: it tells a missing panel or a
wrong colour, and no letter. Two are alike if their mean difference is small, and the difference of
each block of pixels too. `--rewrite-golden` keeps the new one.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Page

FOLDER = Path(__file__).parent / "screenshots"
WIDTH = 140
"""Pixels of a picture; its height follows."""
BLOCK = 10
"""Pixels of a block's side."""
MOST_MEAN, MOST_BLOCK = 4.0, 24.0
"""Allowed differences of a colour, of 255: over all, and in a block."""


def picture(page: Page) -> Image.Image:
    """Return the window of a page as a small picture."""
    shot = Image.open(io.BytesIO(page.screenshot(animations="disabled", caret="hide")))
    height = round(shot.height * WIDTH / shot.width)
    return shot.convert("RGB").resize((WIDTH, height), Image.Resampling.BOX)


def difference(one: Image.Image, other: Image.Image) -> str:
    """Return how two pictures differ; empty if they are alike."""
    if one.size != other.size:
        return f"{one.size} pixels instead of {other.size}"
    apart = np.abs(np.asarray(one, dtype=float) - np.asarray(other, dtype=float)).mean(axis=2)
    blocks = _blocks(apart)
    row, column = np.unravel_index(blocks.argmax(), blocks.shape)
    if apart.mean() <= MOST_MEAN and blocks.max() <= MOST_BLOCK:
        return ""
    return (
        f"mean {apart.mean():.1f} (at most {MOST_MEAN}), block {blocks.max():.1f} (at most "
        f"{MOST_BLOCK}) at {100 * column * BLOCK // WIDTH} % across, "
        f"{100 * row * BLOCK // one.height} % down"
    )


def _blocks(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean of each block of pixels; incomplete ones at the edges are left out."""
    rows, columns = apart.shape[0] // BLOCK, apart.shape[1] // BLOCK
    whole = apart[: rows * BLOCK, : columns * BLOCK]
    means: NDArray[np.float64] = whole.reshape(rows, BLOCK, columns, BLOCK).mean(axis=(1, 3))
    return means
