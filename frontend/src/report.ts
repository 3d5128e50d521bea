// Entry of the report's script: charts from the page's data, the networks that are shown, the theme
// switch, sorting and zooming. Everything else is plain HTML and works without this script.
import { type CostSpec, drawCharts, writtenCharts } from "./charts";
import { frontOf } from "./charts/costs";
import { markBest } from "./report/best";
import { Networks, onPoint } from "./report/choice";
import { wirePlayed } from "./play/door";
import { makeSortable } from "./sort";
import { wireTheme } from "./theme";
import { makeZoomable } from "./zoom";

document.documentElement.classList.add("has-script");
const specs = writtenCharts();
const costs = specs.find((one): one is CostSpec => "kind" in one);
const table = document.querySelector<HTMLTableElement>("table.sortable")!;

const answer = document.getElementById("answer")?.dataset.named?.split(" ").map(Number) ?? [];
const networks = new Networks(costs?.prices.at(-1)?.values ?? [], show, few);
networks.price = (costs?.prices.length ?? 1) - 1;
const charts = drawCharts(specs, networks);

/** Returns the networks that the answer names, and those that no other beats. */
function few(): Set<number> {
  return new Set([...answer, ...(costs ? frontOf(costs, everyNetwork()) : [])]);
}

function everyNetwork() {
  const { price, duration, hasFarthest } = networks;
  return { price, duration, hasFarthest, has: () => true, standsOut: () => true };
}

function show(): void {
  markBest(table);
  for (const chart of charts) chart.redraw();
}

for (const [id, name] of [
  ["cost-of", "price"],
  ["time-of", "duration"],
] as const) {
  document.getElementById(id)?.addEventListener("change", (event) => {
    networks[name] = Number((event.target as HTMLSelectElement).value);
    show();
  });
}
document.getElementById("show-front")?.addEventListener("click", () => {
  const front = new Set(costs ? frontOf(costs, everyNetwork()) : []);
  networks.only((network) => front.has(network));
});
onPoint((network) => {
  for (const chart of charts) chart.highlight(network);
});
makeSortable(table);
wirePlayed();
makeZoomable(document.querySelectorAll<HTMLElement>("figure.drawing"));
wireTheme();
