"""The available names of every kind as records: one function per kind.

Nothing is listed by hand; the registries are read. Each function imports only its registry, so that
one list does not wait for the others. Papers list themselves.
"""

from __future__ import annotations

__all__ = [
    "calibrations",
    "catalogues",
    "engines",
    "exporters",
    "findings",
    "importers",
    "parts",
    "stacks",
    "topologies",
    "workloads",
]


def topologies() -> list[dict[str, str]]:
    """Return the kinds of network, with their parameters and cabling."""
    from linkwright.design.topologies import TOPOLOGIES

    return [
        {
            "topology": kind,
            "parameters": ", ".join(name for name in topology.model_fields if name != "kind"),
            "built as": _sentence(topology),
        }
        for kind, topology in TOPOLOGIES.items()
    ]


def parts(catalogue: str | None = None) -> list[dict[str, str]]:
    """Return the parts of one catalogue, or of all."""
    from linkwright.design.parts import catalogue as load
    from linkwright.design.parts import catalogue_names
    from linkwright.views.part_texts import ports_text, slots_text

    return [
        {
            "part": part.key,
            "catalogue": name,
            "role": part.role,
            "price": f"{part.price:g} {part.currency} per {part.price_per}",
            "date": part.date.isoformat(),
            "source": part.source,
            "confidence": part.confidence,
            "ports": ports_text(part),
            "slots": slots_text(part),
            "name": part.name,
        }
        for name in ([catalogue] if catalogue else catalogue_names())
        for part in load(name).parts.values()
    ]


def catalogues() -> list[dict[str, str]]:
    """Return the catalogues of parts."""
    from linkwright.design.parts import catalogue, catalogue_names

    found = [catalogue(name) for name in catalogue_names()]
    return [
        {
            "catalogue": one.name,
            "date": one.date.isoformat(),
            "currency": one.currency,
            "parts": str(len(one.parts)),
            "title": one.title,
        }
        for one in found
    ]


def workloads() -> list[dict[str, str]]:
    """Return the workloads, with their settings and measurements."""
    from linkwright.workloads import WORKLOADS

    return [
        {"workload": name, "settings": ", ".join(one.setting_names()), "measures": one.summary()}
        for name, one in WORKLOADS.items()
    ]


def calibrations() -> list[dict[str, str]]:
    """Return the shipped calibrations."""
    from linkwright.calibrations import load, names

    return [
        {
            "calibration": name,
            "stack": load(name).stack,
            "title": load(name).title,
        }
        for name in names()
    ]


def stacks() -> list[dict[str, str]]:
    """Return the presets of kernels for calibrations."""
    from linkwright.calibrations.stacks import names, title

    return [{"stack": name, "title": title(name)} for name in names()]


def engines() -> list[dict[str, str]]:
    """Return the engines."""
    from linkwright.engines import ENGINES

    return [{"engine": name} for name in ENGINES]


def exporters() -> list[dict[str, str]]:
    """Return the targets of `linkwright plan --for`, with the readers of their files."""
    from linkwright.plan.exporters import ALIASES, EXPORTERS

    return [
        {
            "target": name,
            "read by": one.reader,
            "also": ", ".join(other for other, target in ALIASES.items() if target == name),
        }
        for name, one in EXPORTERS.items()
    ]


def importers() -> list[dict[str, str]]:
    """Return the formats of `linkwright import`, with the programs that write them."""
    from linkwright.design.importers import IMPORTERS

    return [
        {"format": name, "suffixes": " ".join(one.suffixes), "written by": one.source}
        for name, one in IMPORTERS.items()
    ]


def findings() -> list[dict[str, str]]:
    """Return the kinds of findings of `linkwright verify`."""
    from linkwright.as_built.kinds import KINDS

    return [
        {"finding": one.name, "severity": str(one.severity), "meaning": one.meaning}
        for one in KINDS.values()
    ]


def _sentence(described: type) -> str:
    return (described.__doc__ or "").strip().partition("\n")[0]
