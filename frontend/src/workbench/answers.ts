// The answers of the server, by task and event. Written by tools/answers.py from the description in
// python/linkwright/web/answers.py: change that, and run the tool.

/** A mistake of the user, with its remedy. */
export interface Mistake {
  message: string;
  hint: string;
}

/** A computation that ended without an answer, by no mistake of the user. */
export interface Died {
  message: string;
  hint?: string;
}

/** A stage that has no answer, while others have. */
export interface Failed {
  message: string;
  hint: string;
  stage: string;
}

/** The share of a computation that is done. */
export interface Progress {
  done: number;
  all: number;
  label: string;
}

/** The time since the last event of a computation that goes on. */
export interface Age {
  seconds: number;
}

/** A fact about a valid design. */
export interface Finding {
  severity: string;
  place: string;
  rule: string;
  reason: string;
  fix: string;
}

/** A design that can be built, and the findings about it. */
export interface Checked {
  name: string;
  kind: string;
  shape: number[];
  nodes: number;
  parts: string;
  addressing: string;
  routing: string;
  findings: Finding[];
}

/** The drawing of a network. */
export interface Drawn {
  svg: string;
}

/** A line of the bill. */
export interface Line {
  item: string;
  part: string;
  name: string;
  quantity: number;
  unit_price: number;
  total: number;
  date: string;
  source: string;
  confidence: string;
}

/** The bill of a network, per node by the ports in use and by whole units. */
export interface Price {
  currency: string;
  nodes: number;
  ports_used_per_node: number;
  units_bought_per_node: number;
  total: number;
  lines: Line[];
}

/** Failures of one kind of part, and how many of them cut no node off. */
export interface Connected {
  n_failures: number;
  n_survived: number;
}

/** Nodes that stay joined after single failures; lengths of routes, and bisection. */
export interface Connectivity {
  kinds: Record<string, Connected>;
  diameter_hops: number;
  forwards_mean: number;
  bisection_Bps_per_node: number;
}

/** Single failures of a cable, NIC, hub or switch by their outcome; null where it is unknown. */
export interface Outcomes {
  tried: number;
  heal: number | null;
  need_new_tables: number | null;
  cut_off: number;
}

/** The cost of the failures of one kind of part. */
export interface KindOfFailure {
  kind: string;
  n_failures: number;
  n_by_itself: number;
  n_recomputed: number;
  n_daemon: number;
  n_disconnected: number;
  n_out_of_reach: number;
  worst_extra_hops: number;
  most_forwarded: number;
  n_strict: number | null;
  n_loose: number | null;
}

/** The cost of every single failure. */
export interface Rerouting {
  kinds: KindOfFailure[];
  outcomes: Outcomes;
}

/** A metric of a ping-pong over the bytes of its messages. */
export interface Curve {
  metric: "latency" | "throughput";
  unit: string;
  pair: string;
  nodes: string[];
  points: ([number, number])[];
}

/** One figure of a workload. */
export interface Figure {
  workload: string;
  metric: string;
  value: number;
  unit: string;
  size_bytes: number | null;
}

/** The predictions of one engine, and the workloads that it cannot run. */
export interface Predicted {
  engine: string;
  calibration: string;
  refused: string[];
  curves: Curve[];
  figures: Figure[];
}

/** A figure for the best and for the worst pair of nodes. */
export interface Range {
  best: number | null;
  worst: number | null;
}

/** One network of a comparison. */
export interface Row {
  architecture: string;
  nodes: number;
  cost_per_node: number | null;
  cost_per_node_units_bought: number | null;
  currency: string;
  latency_us: Range;
  bandwidth_MBps: Range;
  bisection_MBps_per_node: number | null;
  failures: Outcomes;
  figures: Record<string, Record<string, number>>;
  svg: string;
}

/** A network that a comparison leaves out. */
export interface LeftOut {
  name: string;
  reason: string;
}

/** Networks side by side. */
export interface Compared {
  engine: string;
  workloads: string[];
  rows: Row[];
  left_out: LeftOut[];
}

/** A table, of which only the first rows may be here. */
export interface Table {
  headings: string[];
  rows: ((string | number | boolean | null)[])[];
  n_rows: number;
  caption?: string;
}

/** Numbers of cables and nodes with findings about real machines, with their marks. */
export interface Marks {
  cables: Record<string, string>;
  nodes: Record<string, string>;
}

/** Real machines beside the design; null if nothing writes their file again. */
export interface Machines {
  html: string;
  marks: Marks;
  next_s: number | null;
}

/** A question to a study. */
export interface Question {
  metric: string;
  x: string;
  by: string;
}

/** The questions that a study can answer, and the one to begin with. */
export interface Study {
  columns: string[];
  metrics: string[];
  figures: string[];
  usual: Question;
}

/** A figure of a study. */
export interface Charts {
  charts: unknown[];
}

/** A design with the digest of its file; null where there is none yet. */
export interface Opened {
  name: string;
  text: string;
  digest: string | null;
}

/** A design that was written. */
export interface Saved {
  name: string;
  digest: string | null;
}

/** The files of the folder, as paths below it. */
export interface Listed {
  designs: string[];
  results: string[];
  studies: string[];
}

/** A setting of a workload, with the words that it takes if it takes only those. */
export interface Setting {
  name: string;
  about: string;
  default: string;
  words: string[];
}

/** The settings of a workload. */
export interface Described {
  settings: Setting[];
}

/** The address of a page that was made. */
export interface Kept {
  address: string;
}

/** A study whose runs are made: their number, those that failed, and the reasons of some. */
export interface Studied {
  name: string;
  n_runs: number;
  n_failed: number;
  reasons: string[];
  remarks: string[];
}

/** A file to keep, its content in base64. */
export interface Taken {
  name: string;
  content: string;
}

/** A file for machines. */
export interface FileText {
  path: string;
  text: string;
}

/** A target that cannot express the design. */
export interface RefusedTarget {
  message: string;
  hint: string;
  target: string;
}

/** Files for machines, and the number of facts about the machines that the design lacks. */
export interface Exported {
  files: FileText[];
  n_missing: number;
  refused: RefusedTarget[];
}

/** A design that is made of a graph, and what is changed or left out. */
export interface Imported {
  text: string;
  remarks: string[];
}

/** A figure as it was measured, beside the prediction of frames. */
export interface RehearsedRow {
  metric: string;
  words: string;
  measured: string;
  predicted: string;
}

/** The bytes that the node of a rank sent and received in each span. */
export interface RehearsedLane {
  name: string;
  sent: number[];
  received: number[];
}

/** A workload that real processes ran, with the verdict on its times. */
export interface Rehearsed {
  word: string;
  verdict: string;
  remarks: string[];
  dilation: number;
  rows: RehearsedRow[];
  lanes: RehearsedLane[];
  span_s: number;
}

/** Kernels beside the proofs. */
export interface Verified {
  text: string;
  agrees: boolean;
  disagreements: string[];
}

/** The mistakes of a text; none if a network can be built from it. */
export interface Tried {
  name: string;
  reasons: string[];
}

/** A value of a text at the keys that lead to it. */
export interface Change {
  path: string[];
  value: unknown;
}

/** Changes of a text, and the keys that go. */
export interface Changes {
  changes: Change[];
  gone: string[][];
}

/** The events of each address. */
export interface Events {
  "/api/follow": {
    check: Checked;
    drawing: Drawn;
    price: Price;
    connectivity: Connectivity;
    proof: Record<string, unknown>;
    analytic: Predicted;
    flow: Predicted;
    packet: Predicted;
    rerouting: Rerouting;
    failed: Failed;
  };
  "/api/compare": {
    rows: Compared;
  };
  "/api/open": {
    table: Table;
    machines: Machines;
    study: Study;
    figure: Charts;
  };
  "/api/play": {
    page: Kept;
  };
  "/api/study": {
    studied: Studied;
  };
  "/api/take": {
    file: Taken;
  };
  "/api/export": {
    exported: Exported;
  };
  "/api/try": {
    tried: Tried;
  };
  "/api/by-hand": {
    changes: Changes;
  };
  "/api/import": {
    imported: Imported;
  };
  "/api/rehearse": {
    rehearsed: Rehearsed;
    verified: Verified;
  };
}

/** The events that every address can have. */
export interface Common {
  refused: Mistake[];
  died: Died;
  progress: Progress;
  waiting: Age;
  done: null;
}

/** The answers of the addresses that answer at once. */
export interface Answers {
  "/api/files": Listed;
  "/api/design": Opened;
  "/api/save": Saved;
  "/api/workload": Described;
}
