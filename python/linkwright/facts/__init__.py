"""Facts about machines that are up: one file per fact, read-only, in one session per machine."""

from __future__ import annotations

from linkwright.facts.fact import Answers, Fact
from linkwright.facts.found import ClusterFacts, MachineFacts, gather

__all__ = ["Answers", "ClusterFacts", "Fact", "MachineFacts", "gather"]
