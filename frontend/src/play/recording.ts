// One run as columns: what happened on the wires, in the queues, on the processors and to the
// ranks. The engine (engine.ts) fills it, the page plays it. Times are seconds from the start of
// the run; a table's rows are in the order of its first time, unless it says otherwise.

/** In place of a port, a connection or a part that there is not. */
export const NONE = 0xffffffff;

// The kinds of frames.
export const DATA = 0;
export const ACKNOWLEDGEMENT = 1;
export const CONTROL = 2;
export const DATAGRAM = 3;
export const PAUSE = 4;

// Fates of frames.
export const ARRIVED = 0;
export const LOST_ON_WIRE = 3;

export interface Recording {
  /** Simulated seconds. */
  end: number;
  /** Whether all that happened was kept; false beyond the limit of frames. */
  isWhole: boolean;
  /** One row per frame put on one wire. */
  frames: {
    /** Ports, counted over all devices; `to` is NONE where a hub repeats to all its ports, or where
     * no node receives. */
    from: Uint32Array;
    to: Uint32Array;
    /** The first bit leaves; the last bit has arrived. */
    start: Float64Array;
    end: Float64Array;
    bytes: Uint32Array;
    kind: Uint8Array;
    /** Number of the connection, or NONE. */
    connection: Uint32Array;
    isResent: Uint8Array;
    /** 0 arrived, 1 queue full, 2 receiver full, 3 lost on the wire or at a failed part, 4 too many
     * collisions, 5 no route, or no answer to a request for the hardware address. What is dropped
     * before it is sent has a row of no length: `end` equals `start`, `to` is NONE. */
    fate: Uint8Array;
  };
  /** `hub` is a device; its jam is over at `until`. */
  collisions: {
    hub: Uint32Array;
    time: Float64Array;
    until: Float64Array;
    stations: Uint32Array;
  };
  /** Bytes that wait at an outgoing port after each change. */
  queues: { port: Uint32Array; time: Float64Array; bytes: Uint32Array };
  /** Work on a node's processor: 0 compute, 1 send, 2 receive, 3 forward, 4 acknowledge, 5 other
   * work of the kernel. In the order of nodes and processors. */
  work: {
    node: Uint32Array;
    /** Number of the processor on its node; 0 has the process. */
    cpu: Uint32Array;
    start: Float64Array;
    end: Float64Array;
    kind: Uint8Array;
  };
  /** 0 compute, 1 send, 2 wait for data, 3 sleep. In the order of their ends. */
  ranks: { rank: Uint32Array; start: Float64Array; end: Float64Array; state: Uint8Array };
  /** Ranks; from the begin of the write until the last byte was read. */
  messages: {
    from: Uint32Array;
    to: Uint32Array;
    start: Float64Array;
    end: Float64Array;
    bytes: Float64Array;
  };
  /** Ranks; one row per direction. */
  connections: { from: Uint32Array; to: Uint32Array };
  /** Bytes. */
  windows: {
    connection: Uint32Array;
    time: Float64Array;
    congestion: Float64Array;
    inFlight: Float64Array;
    limit: Float64Array;
  };
  timeouts: { connection: Uint32Array; time: Float64Array };
  faults: { part: string[]; time: Float64Array; isRepair: Uint8Array };
  marks: { mark: Uint32Array; rank: Uint32Array; time: Float64Array };
  /** The time between the marks that each figure of the workload is read from; `row` is its place
   * among the rows. */
  spans: { row: Uint32Array; from: Float64Array; to: Float64Array };
  figures: Record<string, number>;
  /** The rows that `linkwright simulate` prints. */
  rows: { metric: string; value: number; unit: string; parameters: Record<string, unknown> }[];
}

/** Differences from the run that the page was made for. */
export interface Changes {
  seed?: number;
  /** Number of an embedded program, for another size. */
  program?: number;
  faults?: PulledPart[];
}

/** A part that is pulled at a time, and put back at another. */
export interface PulledPart {
  kind: "cable" | "nic" | "switch" | "hub" | "node";
  id: number;
  time: number;
  until?: number;
}
