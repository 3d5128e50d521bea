// The parts panel: the failed parts, and one part in detail with its connectors, each of which can
// fail by itself.
import { type Failure } from "../failures/core";
import { byId, button, element } from "./dom";
import {
  type Model,
  cabledPorts,
  connectorName,
  deviceFailure,
  failureName,
  portName,
} from "./model";
import { type State } from "./state";

/** Shows the parts that failed, each with a button that repairs it. */
export function showFailed(model: Model, state: State): void {
  const failed = [...state.failures.values()];
  const chips = failed.map((failure) => {
    const name = failureName(model, failure);
    const repair = button("×", () => state.toggle(failure), `Repair ${name}`);
    return element("li", {}, name, repair);
  });
  byId("failed").replaceChildren(
    failed.length > 0
      ? element("ul", { class: "chips" }, ...chips)
      : element(
          "p",
          { class: "note" },
          "Nothing. Click a cable, a switch, a hub or a node in the drawing to fail it, or " +
            "search for it by name; click it again to repair it.",
        ),
  );
  byId<HTMLButtonElement>("repair-all").disabled = failed.length === 0;
}

/** Shows the part last pressed, with those of its parts that can fail. */
export function showLooked(model: Model, state: State): void {
  const place = byId("looked");
  const { looked } = state;
  place.hidden = !looked;
  if (!looked) return;
  const { fabric, written } = model;
  const ends = looked.kind === "cable" ? [fabric.linkA, fabric.linkB] : [];
  const devices = ends.map((end) => fabric.deviceOf[end[looked.id]!]!);
  if (looked.kind === "nic") devices.push(fabric.deviceOf[looked.id]!);
  const isDevice = devices.length === 0;
  place.replaceChildren(
    element("h3", {}, isDevice ? written.names[looked.id]! : failureName(model, looked)),
    element("p", { class: "note" }, isDevice ? `${looked.kind}, ${written.parts[looked.id]}` : ""),
    element(
      "p",
      { class: "actions" },
      failButton(state, looked, looked.kind),
      ...(looked.kind === "node" ? routeButtons(model, state, looked.id) : []),
      ...devices.map((device) => lookButton(model, state, device)),
    ),
    isDevice ? connectors(model, state, looked.id) : "",
  );
}

function lookButton(model: Model, state: State, device: number): HTMLElement {
  return button(model.written.names[device]!, () => {
    state.looked = deviceFailure(model, device);
    state.changed();
  });
}

function failButton(state: State, failure: Failure, noun: string, of = ""): HTMLElement {
  const isDead = state.has(failure);
  const text = `${isDead ? "Repair" : "Fail"} ${noun}`;
  return button(text, () => state.toggle(failure), of && `${text} ${of}`, isDead ? "pressed" : "");
}

function routeButtons(model: Model, state: State, node: number): HTMLElement[] {
  const address = model.owner.indexOf(node);
  if (address < 0) return [];
  const set = (end: "from" | "to") => () => {
    state.isFollowing = false;
    state[end] = address;
    state.changed();
  };
  return [button("Route from here", set("from")), button("Route to here", set("to"))];
}

/** Returns the connectors of a device with their cables, each of which can fail by itself. */
function connectors(model: Model, state: State, device: number): HTMLElement {
  const isNode = device < model.fabric.nNodes;
  const rows = cabledPorts(model, device).map(({ port, link, far }) => {
    const name = connectorName(model, port);
    const address = isNode ? model.written.port_address[port] : "";
    return element(
      "tr",
      {},
      element("th", {}, portName(model, port), address ? element("small", {}, address) : null),
      element("td", {}, `to ${connectorName(model, far)}`),
      element(
        "td",
        {},
        element(
          "div",
          { class: "actions" },
          isNode ? failButton(state, { kind: "nic", id: port }, "NIC", name) : null,
          failButton(state, { kind: "cable", id: link }, "cable", `of ${name}`),
        ),
      ),
    );
  });
  return element("table", { class: "connectors" }, element("tbody", {}, ...rows));
}
