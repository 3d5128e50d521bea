"""The version of Linkwright, which is that of its compiled core."""

from __future__ import annotations

from linkwright._core import VERSION

__all__ = ["VERSION"]
