// The text of a study from the choices of a form: designs, a workload, axes, engines, seeds. The
// server judges it; a value that is no list of YAML stays as it was typed.
import { parse, stringify } from "yaml";

/** A key that varies, and its values. */
export interface Axis {
  /** Path of a key of the designs, or `workload` and the name of a setting. */
  of: string;
  /** Values as a list of YAML without its brackets. */
  values: string;
}

export interface Question {
  name: string;
  /** A design is a file of the folder, or written out. */
  designs: (string | object)[];
  workload: string;
  axes: Axis[];
  engines: string[];
  /** Figures of the designs beside those of the runs, such as their cost. */
  plan: string[];
  seeds: number;
  placement: string;
  /** Faults, each in a run of its own beside one without any; separated by semicolons. */
  faults: string;
}

/** The beginning of an axis that is a setting of the workload. */
export const SETTING = "workload ";

/** Returns the text of a study file. */
export function studyText(asked: Question): string {
  const axes = asked.axes.filter(({ of, values }) => of !== "" && values.trim() !== "");
  const settings = axes.filter(({ of }) => of.startsWith(SETTING));
  const keys = axes.filter(({ of }) => !of.startsWith(SETTING));
  const faults = asked.faults.split(";").map((one) => one.trim()).filter(Boolean);
  const study = {
    name: asked.name,
    designs: asked.designs.map((one) => withAxes(keyOf(one), one, keys)),
    workloads: [withAxes("name", asked.workload, settings)],
    engines: asked.engines,
    ...(asked.placement !== "row" && { placements: [asked.placement] }),
    ...(asked.plan.length > 0 && { plan: asked.plan }),
    ...(faults.length > 0 && { faults: [[], ...faults.map((one) => [one])] }),
    seeds: asked.seeds,
  };
  return stringify(study, { flowCollectionPadding: false, lineWidth: 0 });
}

function keyOf(design: string | object): string {
  return typeof design === "string" ? "file" : "design";
}

function withAxes(key: string, value: string | object, axes: Axis[]): unknown {
  if (axes.length === 0) return typeof value === "string" ? value : { [key]: value };
  const entries = axes.map(({ of, values }) => [of.replace(SETTING, ""), listed(values)]);
  return { [key]: value, axes: Object.fromEntries(entries) };
}

/** Returns the values of an axis; a text that is no list stays one, and the server says so. */
function listed(values: string): unknown {
  try {
    return parse(`[${values}]`) as unknown;
  } catch {
    return values;
  }
}
