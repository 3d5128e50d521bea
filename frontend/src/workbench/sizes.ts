// The fields of a topology that give its size, and the fields that another kind needs to have about
// as many nodes.
import { type Change, type Value } from "./patch";
import { type DesignSchema, type Schema } from "./schema";

export type Topology = Record<string, unknown>;

/** Kinds of one dimension: their shape is a list of one number. */
const IN_A_LINE = new Set(["ring"]);

/** Returns about how many nodes a topology has. */
export function nodesOf(topology: Topology): number {
  const count = (name: string) => Number(topology[name]) || 0;
  const { nodes } = topology;
  if (typeof nodes === "object" && nodes !== null) return Object.keys(nodes).length;
  const product = Array.isArray(topology.shape)
    ? topology.shape.reduce((all: number, side) => all * (Number(side) || 1), 1)
    : 0;
  const k = count("k");
  return (
    product * (count("nodes_per_group") || 1) ||
    count("nodes") ||
    (count("dimension") && 2 ** count("dimension")) ||
    count("stages") * count("nodes_per_stage") ||
    count("leaves") * (count("nodes_per_leaf") || 1) ||
    (k * k * k) / 4 ||
    2
  );
}

/** Returns the changes that make a topology one of another kind with about as many nodes. */
export function asKind(schema: DesignSchema, topology: Topology, kind: string): Change[] {
  const wanted = schema.topology(kind);
  const known = wanted?.properties ?? {};
  const fitting = fieldsFor(wanted, kind, Math.max(2, nodesOf(topology)), topology);
  const path = (name: string) => ["topology", name];
  return [
    { path: path("kind"), value: kind },
    ...Object.keys(topology)
      .filter((name) => name !== "kind" && !(name in known && !(name in fitting)))
      .filter((name) => !(name in fitting))
      .map((name) => ({ path: path(name), value: undefined })),
    ...Object.entries(fitting).map(([name, value]) => ({ path: path(name), value })),
  ];
}

/** Returns the fields that a kind requires and a topology does not have in a fitting form. */
function fieldsFor(
  schema: Schema | undefined,
  kind: string,
  nodes: number,
  topology: Topology,
): Record<string, Value> {
  const known = schema?.properties ?? {};
  const required = new Set(schema?.required ?? []);
  if (kind === "tree" || kind === "fat-tree") required.add("nodes");
  const per = kind === "stack-mesh" ? perGroup(nodes) : 1;
  const stages = squarest(nodes)[1]!;
  const sizes: Record<string, Value> = {
    nodes,
    shape: IN_A_LINE.has(kind) ? [nodes] : sides(nodes / per, topology.shape, kind),
    dimension: Math.max(1, Math.round(Math.log2(nodes))),
    density: 4,
    stages,
    nodes_per_stage: nodes / stages,
    nodes_per_group: per,
  };
  const missing = [...required].filter((name) => name in known && name in sizes);
  return Object.fromEntries(missing.map((name) => [name, sizes[name]!]));
}

function perGroup(nodes: number): number {
  const sizes = Array.from({ length: Math.floor(Math.sqrt(nodes)) }, (_, at) => at + 1);
  return sizes.reverse().find((size) => nodes % size === 0) ?? 1;
}

/** Keeps a shape that has the same number of nodes and two sides or more. */
function sides(nodes: number, shape: unknown, kind: string): number[] {
  const given = Array.isArray(shape) ? shape.map(Number) : [];
  const isSame = given.length > 1 && given.reduce((all, side) => all * side, 1) === nodes;
  const isFlat = /-mesh$/.test(kind) && kind !== "p-mesh";
  return isSame && !(isFlat && given.length !== 2) ? given : squarest(nodes);
}

function squarest(nodes: number): number[] {
  let side = Math.floor(Math.sqrt(nodes));
  while (nodes % side !== 0) side--;
  return [side, nodes / side];
}

/** One way to drag the size of a drawing: the number that changes. */
export interface Side {
  path: (string | number)[];
  name: string;
  value: number;
  least: number;
  /** Length of one step in the drawing, in its units. */
  pitch: number;
}

const PITCH = { across: 62, down: 56, single: 20 };

/** Returns the numbers that the right and the lower edge of a drawing change. */
export function sidesOf(topology: Topology): { across?: Side; down?: Side } {
  const { shape, kind } = topology;
  if (Array.isArray(shape) && shape.every((side) => Number.isInteger(side))) {
    const last = shape.length - 1;
    const side = (at: number, pitch: number, name: string): Side => ({
      path: ["topology", "shape", at],
      name,
      value: shape[at] as number,
      least: shape.length > 1 ? 1 : 2,
      pitch,
    });
    if (last === 0) return { across: side(0, PITCH.across, "nodes in a line") };
    return {
      across: side(last, PITCH.across, "columns"),
      down: side(last - 1, PITCH.down, "rows"),
    };
  }
  const field = (name: string, pitch: number): Side | undefined =>
    Number.isInteger(topology[name])
      ? {
          path: ["topology", name],
          name: name.replaceAll("_", " "),
          value: topology[name] as number,
          least: name === "nodes" || name === "stages" ? 2 : 1,
          pitch,
        }
      : undefined;
  const across =
    field("stages", PITCH.across) ??
    field("dimension", PITCH.across) ??
    field("nodes", PITCH.single);
  const down = field("nodes_per_stage", PITCH.down) ?? field("density", PITCH.down);
  return { ...(across && { across }), ...(down && kind !== "custom" && { down }) };
}
