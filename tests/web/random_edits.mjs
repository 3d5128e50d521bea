// Makes random edits of drawings by the functions of the workbench: takes the path of their module,
// and reads a list of {text, seed, n}; answers with the texts, the edits, and the graph that each
// text is read as. A model that knows only names and pairs of ends
// says what each edit should have made.
import { pathToFileURL } from "node:url";

const module = await import(pathToFileURL(process.argv[2]).href);
const { edits, graph: graphs, patch, layout, yaml } = module;
const questions = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(questions.map(walked)));

function walked({ text, seed, n }) {
  const chance = randomOf(seed);
  const steps = [];
  let clip = null;
  for (let step = 0; step < n; step++) {
    const design = yaml.parse(text) ?? {};
    const graph = graphs.graphOf(design);
    const wanted = modelOf(graph);
    const made = edit(chance, design, graph, wanted, clip);
    clip = made.clip ?? clip;
    text = patch.changed(text, made.changes);
    const after = graphs.graphOf(yaml.parse(text));
    steps.push({ name: made.name, text, wanted: plain(wanted), read: plain(modelOf(after)) });
  }
  return steps;
}

function modelOf(graph) {
  return {
    devices: [...graph.devices.values()].map((one) => ({ ...one, nics: [...one.nics] })),
    cables: graph.cables.map(({ a, b, part }) => [a.device, a.port, b.device, b.port, part]),
    places: new Map(graph.places),
  };
}

/** The order of devices of one kind counts, that of kinds does not. */
function plain({ devices, cables, places }) {
  const kinds = ["node", "switch", "hub"];
  const byKind = kinds.flatMap((kind) => devices.filter((one) => one.kind === kind));
  return {
    devices: byKind.map(({ name, kind, part, nics }) => [name, kind, part, nics]),
    cables,
    places: [...places].map(([name, { x, y }]) => [name, x, y]).sort(),
  };
}

function edit(chance, design, graph, wanted, clip) {
  const names = [...graph.devices.keys()];
  const pick = (all) => all[Math.floor(chance() * all.length)];
  const some = names.filter(() => chance() < 0.3);
  const kinds = {
    add: () => {
      const kind = pick(["node", "node", "switch", "hub"]);
      const n = kind === "node" ? 2 : 0;
      const device = { kind, part: pick([null, "key-1"]), nics: n, nic: null };
      const at = { x: Math.round(chance() * 500), y: Math.round(chance() * 500) };
      const { name, changes } = edits.addDevice(graph, device);
      changes.push(...edits.setPlaces(design, new Map([[name, at]])));
      const nics = kind === "node" ? [["eth0", null], ["eth1", null]] : [];
      wanted.devices.push({ name, kind, part: device.part, nics });
      wanted.places.set(name, at);
      return { changes };
    },
    move: () => {
      const moved = new Map(some.map((name) => [name, { x: Math.round(chance() * 99), y: 7 }]));
      for (const [name, place] of moved) wanted.places.set(name, place);
      return { changes: edits.setPlaces(design, moved) };
    },
    arrange: () => {
      const old = layout.placesFor(graph, new Map());
      const all = layout.arranged(old, pick(["circle", "grid", "row"]));
      for (const [name, place] of all) wanted.places.set(name, place);
      return { changes: edits.setPlaces(design, all) };
    },
    cable: () => {
      const ends = names.flatMap((device) => {
        const { kind } = graph.devices.get(device);
        const nics = graphs.freeNics(graph, device);
        if (kind !== "node") return [{ device, port: "" }];
        return nics.slice(0, 1).map((port) => ({ device, port }));
      });
      const [a, b] = [pick(ends), pick(ends)];
      if (!a || !b || a.device === b.device) return { changes: [] };
      const part = pick([null, "cat-6a"]);
      wanted.cables.push([a.device, a.port, b.device, b.port, part]);
      return { changes: edits.addCables(design, [{ a, b, part }]) };
    },
    remove: () => {
      const gone = new Set(chance() < 0.5 ? [pick(names)] : some);
      const cables = graph.cables.filter(() => chance() < 0.1).map(({ index }) => index);
      wanted.devices = wanted.devices.filter(({ name }) => !gone.has(name));
      wanted.cables = wanted.cables.filter(
        ([a, , b], at) => !gone.has(a) && !gone.has(b) && !cables.includes(at),
      );
      for (const name of gone) wanted.places.delete(name);
      return { changes: edits.remove(design, graph, gone, cables) };
    },
    rename: () => {
      const [from, to] = [pick(names), `x${Math.floor(chance() * 1e6)}`];
      if (!from) return { changes: [] };
      for (const one of wanted.devices) if (one.name === from) one.name = to;
      for (const one of wanted.cables) for (const at of [0, 2]) if (one[at] === from) one[at] = to;
      if (wanted.places.has(from)) wanted.places.set(to, wanted.places.get(from));
      wanted.places.delete(from);
      return { changes: edits.rename(design, graph, from, to) };
    },
    port: () => {
      const device = pick([...graph.devices.values()].filter(({ nics }) => nics.size > 0));
      if (!device) return { changes: [] };
      const [from, to] = [pick([...device.nics.keys()]), `wan${Math.floor(chance() * 1e4)}`];
      const own = wanted.devices.find(({ name }) => name === device.name);
      for (const nic of own.nics) if (nic[0] === from) nic[0] = to;
      for (const one of wanted.cables) {
        for (const at of [0, 2]) {
          if (one[at] === device.name && one[at + 1] === from) one[at + 1] = to;
        }
      }
      return { changes: edits.renamePort(design, graph, device.name, from, to) };
    },
    paste: () => {
      const now = clip && chance() < 0.5 ? clip : edits.copy(graph, some, graph.places);
      const { names: fresh, changes, places } = edits.paste(design, graph, now);
      changes.push(...edits.setPlaces(design, places));
      const renamed = new Map(now.devices.map(({ name }, at) => [name, fresh[at]]));
      for (const one of now.devices) {
        wanted.devices.push({ ...one, name: renamed.get(one.name), nics: [...one.nics] });
      }
      for (const { a, b, part } of now.cables) {
        wanted.cables.push([renamed.get(a.device), a.port, renamed.get(b.device), b.port, part]);
      }
      for (const [name, { x, y }] of now.places) {
        wanted.places.set(renamed.get(name), { x: x + 40, y: y + 40 });
      }
      return { changes, clip: now };
    },
    part: () => {
      const device = pick([...graph.devices.values()]);
      if (!device || device.isRouted) return { changes: [] };
      const part = pick([null, "other"]);
      wanted.devices.find(({ name }) => name === device.name).part = part;
      return { changes: edits.setPart(device, part) };
    },
  };
  const name = pick(Object.keys(kinds));
  return { name, ...kinds[name]() };
}

/** A generator of numbers from 0 to 1 (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
