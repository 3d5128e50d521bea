"""Problems that measured paths show, each with its place, its evidence and the next step."""

from __future__ import annotations

from dataclasses import asdict, dataclass

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """A problem.

    Attributes
    ----------
    kind : str
        "wrong-plane", "slow-cable", "slow-path", "offload", "loss" or "failed".
    place : str
        The path, cable or node.
    text : str
        The evidence, in a sentence.
    next_step : str
    """

    kind: str
    place: str
    text: str
    next_step: str

    @property
    def sentence(self) -> str:
        """The problem with its next step."""
        return f"{self.kind.replace('-', ' ')}: {self.text}. Next: {self.next_step}."

    def to_json(self) -> dict[str, str]:
        """Return the problem as JSON values."""
        return asdict(self)
