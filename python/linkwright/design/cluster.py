"""The design file: a description of a cluster, validated; nothing is built here.

The models below define the keys, defaults and limits of YAML designs; the published JSON Schema is
made from them (schema.py).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import (
    ConfigDict,
    Discriminator,
    Field,
    InstanceOf,
    PrivateAttr,
    SerializeAsAny,
    StrictBool,
    Tag,
    ValidationError,
    ValidationInfo,
    create_model,
    field_validator,
    model_validator,
)

from linkwright.design.addressing import ON_LOOPBACK, reserved_prefix
from linkwright.design.document import HINT, Source, read_document
from linkwright.design.machines import MachineSection
from linkwright.design.parts import Part, PartsSection, Role, catalogue
from linkwright.design.places import Place
from linkwright.design.topologies import TOPOLOGIES, Topology
from linkwright.design.validation_errors import validation_errors
from linkwright.errors import DesignError, LinkwrightError, shown
from linkwright.files import named, read_text
from linkwright.notebook import Shown
from linkwright.records.plain_numbers import NumpySettings
from linkwright.records.validation import as_one

__all__ = ["AddressingSection", "Cluster", "RoutingScheme", "RoutingSection", "described_design"]

RoutingScheme = Literal["dimension-order", "shortest-path", "stack", "explicit"]

_DEFAULT_IPV4 = IPv4Network("10.0.0.0/8")
_DEFAULT_IPV6 = IPv6Network("fd00:6c77::/48")
"""A unique local prefix (RFC 4193); 6c77 is "lw"."""

_MOST_OF_PREFIX = 60
"""Characters of a prefix in a message; the longest has 43."""

_WITH_TIES = ("dimension-order", "stack")
"""Routing schemes that support rings."""

_IN_ORDER = Field(union_mode="left_to_right")

if TYPE_CHECKING:
    _ReadTopology = Topology
else:
    _ReadTopology = SerializeAsAny[InstanceOf[Topology]]


class _Section(NumpySettings):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, validate_default=True)


class AddressingSection(_Section):
    """The addresses of interfaces."""

    scheme: (
        Literal[
            "per-link",
            "per-link-30",
            "unnumbered",
            "per-segment",
            "mixed",
            "coordinates",
            "p-mesh",
            "stack-ring",
            "stack-mesh",
        ]
        | None
    ) = None
    """Address scheme. Default: the one that suits the topology."""
    ipv4: Annotated[StrictBool | IPv4Network | None, _IN_ORDER] = None
    """Base prefix, or true for 10.0.0.0/8. Default: true, unless only IPv6 is requested."""
    ipv6: Annotated[StrictBool | IPv6Network | None, _IN_ORDER] = None
    """Base prefix, or true for fd00:6c77::/48."""
    identities: Literal["interface", "loopback"] | None = None
    """Location of the address that applications use: a NIC, or the loopback, which any NIC reaches.
    Default: the one that suits the topology; `per-link` uses the loopback.
    """
    grow_to: Annotated[int, Field(strict=True, ge=1, le=1_000_000)] | None = None
    """Longest side (or largest segment) planned for, so that growth does not renumber."""

    @field_validator("ipv4", "ipv6", mode="before")
    @classmethod
    def _prefix(cls, value: object, info: ValidationInfo) -> object:
        return value if value is None or isinstance(value, bool) else _base(value, info.field_name)

    @model_validator(mode="after")
    def _check_any(self) -> AddressingSection:
        if not self.bases:
            raise DesignError("'addressing' has neither IPv4 nor IPv6", "set ipv4: true")
        return self

    @property
    def bases(self) -> tuple[IPv4Network | IPv6Network, ...]:
        """Base prefixes in use, IPv4 first."""
        ipv4 = self.ipv4 if self.ipv4 is not None else not self.ipv6
        chosen = (
            _DEFAULT_IPV4 if ipv4 is True else ipv4,
            _DEFAULT_IPV6 if self.ipv6 is True else self.ipv6,
        )
        return tuple(base for base in chosen if isinstance(base, IPv4Network | IPv6Network))


class ByInterfaceSection(_Section):
    """Backup routes in tables that a node chooses by the incoming interface."""

    by: Literal["interface"]
    failures: Annotated[int, Field(strict=True, ge=1, le=3)] = 1
    """Number of cut cables that the tables survive. Default: 1."""


def _fallback_tag(value: object) -> str:
    """Return the form of a value of `fallback`, in which alone a mistake is explained."""
    if isinstance(value, Mapping | ByInterfaceSection):
        return "interface"
    return "str" if isinstance(value, str) else "bool"


_Fallback = Annotated[
    Annotated[StrictBool, Tag("bool")]
    | Annotated[Literal["by-interface"], Tag("str")]
    | Annotated[ByInterfaceSection, Tag("interface")],
    Discriminator(_fallback_tag),
]


class RoutingSection(_Section):
    """The routes of the nodes."""

    scheme: RoutingScheme | None = None
    """Routing scheme. Default: the one that suits the topology."""
    ties: Literal["spread", "paper"] | None = None
    """Tie-break at the antipode of an even ring: `spread` alternates (default), `paper` always goes
    forward, as in the papers.
    """
    table: Path | None = None
    """Routes of the explicit scheme: a CSV file with the columns of `routes.csv`, relative to the
    design.
    """
    fallback: _Fallback = False
    """Whether nodes also get backup routes, used when the link of the best route has no carrier;
    `by-interface` adds tables chosen by the incoming interface, so that no single cut of a network
    of cables loses a pair, and `{by: interface, failures: 3}` so that no three do.
    """
    daemon: Literal["ospf", "openfabric"] | None = None
    """Protocol of the routing daemons by which the nodes find their routes in an emulation, instead
    of those of the plan. Default: no daemon.
    """

    @property
    def cuts_survived(self) -> int:
        """Number of cut cables that tables by incoming interface survive; 0 without such tables."""
        if isinstance(self.fallback, ByInterfaceSection):
            return self.fallback.failures
        return int(self.fallback == "by-interface")

    @model_validator(mode="after")
    def _check_table(self) -> RoutingSection:
        if (self.scheme == "explicit") != (self.table is not None):
            raise DesignError(
                "'routing': the explicit scheme and 'table' go together",
                "give both {scheme: explicit, table: routes.csv}, or neither",
            )
        return self


class Cluster(Shown, _Section):
    """A design: topology, parts, addressing, routing and front end.

    Examples
    --------
    >>> Cluster.parse("topology: {kind: torus, shape: [4, 4]}").name
    'torus-4x4'
    """

    name: Annotated[
        str,
        Field(
            min_length=1,
            max_length=100,
            pattern=r"^[^\x00-\x1f\x7f]*$",
            validate_default=False,
        ),
    ] = ""
    """Name of the design. Default: kind and size of the topology."""
    topology: _ReadTopology
    parts: PartsSection = PartsSection()
    addressing: AddressingSection = AddressingSection()
    routing: RoutingSection = RoutingSection()
    front_end: StrictBool = False
    """Whether there is a front end, a file server and launcher besides the nodes."""
    names: Literal["numbers", "coordinates"] | None = None
    """Names of nodes: by number (n00, n01, ...), or by coordinates (n0-0, n0-1, ...), which stay
    when the shape grows. Default: numbers.
    """
    mtu: Annotated[int, Field(strict=True, ge=1280, le=65535)] | None = None
    """Longest IP packet of every interface, in bytes. Default: 1500. NICs under 'nodes' can have
    another one.
    """
    nodes: dict[str, MachineSection] | None = None
    """The real machines, by the names of their nodes in the plan: host names, NICs, management
    addresses, and addresses and MTUs of their own. Default: those of the plan.
    """
    places: dict[str, Place] | None = None
    """Places of nodes, hubs and switches: metres along two or three axes, for the lengths of cables
    on the page to print, or a map with `metres` and `drawn`, points to the right and downwards in
    the drawing. Default: no lengths, and the layout of the topology.
    """

    _folder: Path = PrivateAttr(default=Path())
    _where: str = PrivateAttr(default="design")

    @model_validator(mode="after")
    def _check_fallback(self) -> Cluster:
        if not self.routing.cuts_survived:
            return self
        if self.routing_scheme == "explicit":
            raise DesignError(
                "'routing.fallback' by interface has no meaning for explicit routing, whose table "
                "has the fallback routes of its author",
                "leave it out, or choose another scheme",
            )
        if not self.has_loopback_identities:
            raise DesignError(
                "'routing.fallback' by interface serves identities on the loopback, and here an "
                "identity is the address of an interface",
                "add 'identities: loopback' under 'addressing'",
            )
        return self

    @model_validator(mode="after")
    def _check_ties(self) -> Cluster:
        if self.routing.ties == "paper" and self.routing_scheme not in _WITH_TIES:
            raise DesignError(
                f"'routing.ties: paper' has no meaning for {self.routing_scheme} routing",
                "leave it out, or choose the scheme " + " or ".join(_WITH_TIES),
            )
        return self

    @model_validator(mode="before")
    @classmethod
    def _read_topology(cls, fields: Any, info: ValidationInfo) -> Any:
        """Read the topology by its kind alone, and name a design without a name after it.

        `described_design` finds the mistakes in a topology together with all others.
        """
        topology = fields.get("topology") if isinstance(fields, dict) else None
        kind = topology.get("kind") if isinstance(topology, dict) else None
        if isinstance(kind, str) and kind in TOPOLOGIES:
            try:
                topology = TOPOLOGIES[kind].model_validate(topology, context=info.context)
            except ValidationError:
                return fields
        if not isinstance(topology, Topology):
            return fields
        return {"name": topology.label, **fields, "topology": topology}

    @model_validator(mode="after")
    def _check_identities(self) -> Cluster:
        scheme = self.addressing_scheme
        if scheme in ON_LOOPBACK and self.addressing.identities == "interface":
            raise DesignError(
                f"'addressing.identities' is interface, {scheme} has identities on the loopback",
                "leave it out, or choose 'per-segment' addressing",
            )
        return self

    @classmethod
    def load(cls, path: str | Path) -> Cluster:
        """Return the design in a YAML file.

        Raises
        ------
        DesignError
            If the file cannot be read or is not a valid design.
        """
        file = Path(path)
        text = read_text(file, "design file", hint=HINT, error=DesignError)
        fields = read_document(text, named("design file", file))
        return cls._from(fields, file.name, file.parent, Source(file.name, text))

    @classmethod
    def parse(cls, text: str, folder: Path = Path()) -> Cluster:
        """Return the design in a YAML text; files it names are relative to a folder.

        Raises
        ------
        DesignError
            If the text is not a valid design.
        """
        fields = read_document(text, "design")
        return cls._from(fields, "design", folder, Source("design", text))

    @classmethod
    def from_fields(
        cls, fields: Mapping[str, Any], folder: Path = Path(), where: str = "design"
    ) -> Cluster:
        """Return the design with the keys and values of a file, whose paths are relative to a
        folder; messages name it.

        Raises
        ------
        DesignError
            If they are not a valid design.
        """
        return cls._from(dict(fields), where, folder)

    @classmethod
    def _from(
        cls, fields: dict[str, Any], where: str, folder: Path, source: Source | None = None
    ) -> Cluster:
        try:
            cluster = cls.model_validate(fields, context=source)
        except ValidationError:
            raise _all_mistakes(fields, where, folder, source) from None
        cluster._folder, cluster._where = folder, where
        return cluster

    @property
    def summary(self) -> str:
        """Name, size and parts of the design."""
        topology = self.topology
        return f"{self.name}: {topology.label}, {topology.n_nodes:,} nodes, {self.parts.catalogue}"

    @property
    def folder(self) -> Path:
        """Folder that the paths in the design are relative to."""
        return self._folder

    @property
    def design_hash(self) -> str:
        """First 16 hex digits of the SHA-256 of the design in canonical JSON.

        Missing keys do not enter the hash, so that a new optional key changes no hash. Nor do
        places in the drawing: a moved box is the same network.
        """
        fields = self.model_dump(mode="json", exclude_none=True)
        in_room = {
            name: metres
            for name, place in fields.pop("places", {}).items()
            if (metres := place.get("metres") if isinstance(place, dict) else place)
        }
        if in_room:
            fields["places"] = in_room
        text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def addressing_scheme(self) -> str:
        """The scheme in use: the design's, or the default of the topology."""
        return self.addressing.scheme or self.topology.default_addressing

    @property
    def has_loopback_identities(self) -> bool:
        """Whether the address that applications use is on the loopback."""
        topology = self.topology
        default = topology.default_identities
        if self.routing.fallback:
            default = topology.fallback_identities or default
        is_chosen = (self.addressing.identities or default) == "loopback"
        return is_chosen or self.addressing_scheme in ON_LOOPBACK

    @property
    def routing_scheme(self) -> RoutingScheme:
        """The scheme in use: the design's, or the default of the topology."""
        return self.routing.scheme or self.topology.default_routing

    @property
    def calibration(self) -> str:
        """Calibration of the hosts that the catalogue of the parts names."""
        return catalogue(self.parts.catalogue).calibration

    def resolve_parts(self) -> Mapping[Role, Part]:
        """Return the part of each role that the catalogue or the design serves.

        Raises
        ------
        DesignError
            If a catalogue, part or price file is unknown or wrong.
        """
        return self.parts.resolve(self._folder, self._where)

    def part(self, role: str, key: str) -> Part:
        """Return the part of the catalogue with a key, for a device that names it.

        Raises
        ------
        DesignError
            If there is none, it is of another role, or the price file is wrong.
        """
        return self.parts.part(role, key, self._folder)


def _wrong_parts(parts: object, folder: Path) -> list[DesignError]:
    """Return the mistakes inside the parts of a design that has other mistakes too."""
    try:
        PartsSection.model_validate(parts or {}).resolve(folder)
    except ValidationError:
        return []  # The design's own errors have it.
    except DesignError as error:
        return [error]
    return []


@cache
def described_design() -> type[Cluster]:
    """Return the model of a design with the fields of every kind of topology.

    It accepts the same as `Cluster`. Only reports of mistakes and the JSON Schema need it; to read
    a
    design, a single kind is imported.
    """
    every: Any = Union[tuple(TOPOLOGIES.values())]  # noqa: UP007 - made from the registry
    kinds: Any = (Annotated[every, Field(discriminator="kind")], ...)
    return create_model("Cluster", __base__=Cluster, __doc__=Cluster.__doc__, topology=kinds)


def _all_mistakes(
    fields: dict[str, Any], where: str, folder: Path, source: Source | None
) -> LinkwrightError:
    """Return the mistakes of a design that `Cluster` refuses."""
    model = described_design()
    try:
        model.model_validate(fields, context=source)
    except ValidationError as error:
        found = validation_errors(error, where, [model])
        return as_one([*found, *_wrong_parts(fields.get("parts"), folder)], where)
    raise AssertionError("both models of a design accept the same")


def _base(value: object, family: str | None) -> IPv4Network | IPv6Network:
    """Return a base prefix in which nodes can have addresses.

    Raises
    ------
    DesignError
        If it is not a prefix of its family, or not one for nodes.
    """
    private = _DEFAULT_IPV4 if family == "ipv4" else _DEFAULT_IPV6
    remedy = f"give a prefix whose host bits are zero, for example {private}"
    if isinstance(value, IPv4Network | IPv6Network):
        value = str(value)
    try:
        base = ip_network(value) if isinstance(value, str) else None
    except ValueError as error:
        reason = str(error) if len(str(value)) < _MOST_OF_PREFIX else f"{shown(value)} is no prefix"
        raise DesignError(f"'addressing.{family}': {reason}", remedy) from None
    if base is None or base.version != private.version:
        rule = f"{shown(value)} is no prefix of {family}"
        raise DesignError(f"'addressing.{family}': {rule}", remedy)
    taken = reserved_prefix(base)
    if taken:
        raise DesignError(
            f"'addressing.{family}': {base} has addresses of {taken[0]}, which is for {taken[1]}",
            f"give a private prefix such as {private}",
        )
    return base
