// The JSON Schema of designs, as the editor and the form read it: which keys and values are known
// at a path. The kind of the topology, where it is written, decides between the schemas of kinds.
import { type Path } from "./patch";

export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  anyOf?: Schema[];
  oneOf?: Schema[];
  type?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export interface CataloguePart {
  title: string;
  /** Key and name of the parts of each role. */
  parts: Record<string, [string, string][]>;
  defaults: Record<string, string>;
  /** Figures of each part that decide where it fits, by its key. */
  facts: Record<string, PartFacts>;
}

export interface PartFacts {
  connector?: string | null;
  rate_mbps?: number | null;
  /** Ports of the largest hub or switch of this part. */
  ports?: number;
  /** Ports of each NIC that a computer has room for; null for no limit. */
  room?: Record<string, number | null>;
}

export type Catalogues = Record<string, CataloguePart>;

/** A word that may stand somewhere, and what it means. */
export interface Word {
  label: string;
  info: string;
}

export class DesignSchema {
  constructor(
    private readonly root: Schema,
    readonly catalogues: Catalogues,
  ) {}

  /** Returns the kinds of topologies in the order of their names. */
  get kinds(): string[] {
    return this.topologies()
      .map((one) => String(one.properties!.kind!.const))
      .sort();
  }

  /** Returns the schema of a kind of topology. */
  topology(kind: unknown): Schema | undefined {
    return this.topologies().find((one) => one.properties?.kind?.const === kind);
  }

  private topologies(): Schema[] {
    return this.alternatives(this.root.properties!.topology!).filter(
      (one) => one.properties?.kind !== undefined,
    );
  }

  /** Returns the schemas that a value at a path may follow, in a design as far as it is written. */
  at(path: Path, design: unknown): Schema[] {
    let found = this.alternatives(this.root);
    for (const [depth, key] of path.entries()) {
      found = found.flatMap((one) => this.inside(one, key));
      if (depth === 0 && key === "topology") {
        const kind = (design as { topology?: { kind?: unknown } } | null)?.topology?.kind;
        const chosen = found.filter((one) => one.properties?.kind?.const === kind);
        if (chosen.length > 0) found = chosen;
      }
    }
    return found;
  }

  /** Returns the keys that a map at a path may have. */
  keys(path: Path, design: unknown): Word[] {
    const words = new Map<string, string>();
    for (const one of this.at(path, design)) {
      for (const [key, { description }] of Object.entries(one.properties ?? {})) {
        if (!words.has(key)) words.set(key, this.text(description));
      }
    }
    return [...words].map(([label, info]) => ({ label, info }));
  }

  /** Returns the words that a value at a path may be. */
  values(path: Path, design: unknown): Word[] {
    const named = this.partNames(path, design);
    if (named.length > 0) return named;
    const words = new Map<string, string>();
    for (const one of this.at(path, design)) {
      const given = one.enum ?? (one.const !== undefined ? [one.const] : []);
      const all = one.type === "boolean" ? [...given, true, false] : given;
      for (const value of all) if (value !== null) words.set(String(value), "");
    }
    if (path.join(".") === "topology.kind") {
      for (const kind of this.kinds) words.set(kind, this.text(this.topology(kind)?.description));
    }
    return [...words].map(([label, info]) => ({ label, info }));
  }

  private partNames(path: Path, design: unknown): Word[] {
    if (path[0] !== "parts" || path.length !== 2) return [];
    if (path[1] === "catalogue") {
      return Object.entries(this.catalogues).map(([label, { title }]) => ({ label, info: title }));
    }
    return this.partsOf(String(path[1]), design).map(([label, info]) => ({ label, info }));
  }

  /** Returns the key and the name of each part of a role in the catalogue of a design. */
  partsOf(role: string, design: unknown): [string, string][] {
    return this.catalogues[this.catalogueOf(design)]?.parts[role] ?? [];
  }

  /** Returns the catalogue that a design names, or the one it gets without a name. */
  catalogueOf(design: unknown): string {
    const given = (design as { parts?: { catalogue?: unknown } } | null)?.parts?.catalogue;
    const usual = this.at(["parts"], design).find((one) => one.properties?.catalogue);
    return String(given ?? usual?.properties?.catalogue?.default ?? "");
  }

  /** Returns a schema with its references followed and its alternatives apart. */
  alternatives(schema: Schema): Schema[] {
    if (schema.$ref) return this.alternatives(this.root.$defs![schema.$ref.split("/").at(-1)!]!);
    const apart = schema.anyOf ?? schema.oneOf;
    return apart ? apart.flatMap((one) => this.alternatives(one)) : [schema];
  }

  private inside(schema: Schema, key: string | number): Schema[] {
    if (typeof key === "number") {
      const items = schema.prefixItems?.[key] ?? schema.items;
      return items && items !== true ? this.alternatives(items) : [];
    }
    const { properties, additionalProperties } = schema;
    const found = properties?.[key] ?? additionalProperties;
    return found && typeof found === "object" ? this.alternatives(found) : [];
  }

  private text(description = ""): string {
    return description.replaceAll("\n", " ");
  }
}
