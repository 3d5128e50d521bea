// Entry of the report's script: charts from the page's data, the theme switch, sorting and zooming.
// Everything else on the page is plain HTML and works without this script.
import { drawCharts } from "./charts";
import { makeSortable } from "./sort";
import { onThemeChange } from "./theme";
import { makeZoomable } from "./zoom";

document.documentElement.classList.add("has-script");
for (const table of document.querySelectorAll<HTMLTableElement>("table.sortable")) {
  makeSortable(table);
}
makeZoomable(document.querySelectorAll<HTMLElement>("figure.drawing"));
const redraw = drawCharts(document.getElementById("chart-data")?.textContent ?? "[]");
onThemeChange(redraw);
