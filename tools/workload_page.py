"""Make the reference of workloads from the workloads: what each measures, and its settings.

Settings that several share are written out with each, so that a page can be read at one place.
"""

from __future__ import annotations

from linkwright.placement import GRAMMAR
from linkwright.records.docstrings import field_docstrings
from linkwright.workloads import BACKGROUNDS, WORKLOADS, Workload

__all__ = ["workload_reference"]

BESIDE = " or ".join(BACKGROUNDS)

INTRODUCTION = f"""# Workloads

Made from the workloads themselves by `make golden`.

`linkwright simulate DESIGN --workload NAME --set SETTING=VALUE` runs one of them, in Python
`linkwright.workloads.parse(NAME, {{SETTING: VALUE}})` is one. Sizes are bytes and may be written
`4K`, `1MiB` or `1MB`; commas separate several. Ranks count from 0. `--placement` says on which
node each runs: {GRAMMAR}.

`--background NAME`, which is {BESIDE}, runs beside any of them, with the settings of
`--background-set SETTING=VALUE`; in Python it is `linkwright.run(..., background=)`
([traffic of the front end](../design/front-end-traffic.md)).
"""


def workload_reference() -> str:
    """Return the page as Markdown."""
    return INTRODUCTION + "".join(_section(workload) for workload in WORKLOADS.values())


def _section(workload: type[Workload]) -> str:
    docstrings = field_docstrings(workload)
    rows = [
        f"| `{field.alias or name}` | {_default(field.default)} | {_text(docstrings.get(name))} |"
        for name, field in workload.model_fields.items()
    ]
    table = ["| setting | default | meaning |", "|---|---|---|", *rows]
    return "\n".join([f"\n## {workload.name}", "", workload.summary(), "", *table, ""])


def _default(value: object) -> str:
    if value is None or value in ((), ""):
        return ""
    if isinstance(value, tuple):
        several = ",".join(map(str, value[:3]))
        return f"`{several}`" if len(value) <= 3 else f"`{several},...,{value[-1]}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _text(description: str | None) -> str:
    return " ".join((description or "").split())
