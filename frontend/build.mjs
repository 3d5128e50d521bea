// Bundles the scripts of the pages into the package's assets: src/report.ts and src/figures.ts with
// the parts of ECharts they use, both deflated, src/check.ts with failures.wasm, src/play.ts with
// play.wasm, and src/workbench.ts with ECharts, failures.wasm and the editor. tools/assets.py calls
// it, builds the cores, and says which digest of all sources the first line of each result carries.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { build } from "esbuild";

const OUTPUT = "../python/linkwright/views/assets";

mkdirSync(OUTPUT, { recursive: true });
const banner = `/*! Built by tools/assets.py from sources ${process.argv[2]}. */`;
await packed("report", commented(licences()));
await packed("figures", commented(licences()));
await bundle("check", "");
await bundle("play", "");
await bundle("workbench", commented(`${licences()}\n${editorLicences()}`));

async function bundle(name, footer, options = {}) {
  return build({
    entryPoints: [`src/${name}.ts`],
    outfile: fileOf(name),
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "eof",
    banner: { js: banner },
    footer: { js: footer },
    plugins: [{ name: "wasm", setup: embedWasm }],
    ...options,
  });
}

function fileOf(name) {
  return `${OUTPUT}/${name}.js`;
}

// Most of such a script is the charting library, and each page that is saved or mailed holds it:
// the page holds it deflated, at 46 % of its size, and the notices of licences as they are.
// data-unpacking stands at the root until the script has run.
async function packed(name, footer) {
  const apart = { write: false, banner: {}, footer: {}, legalComments: "external" };
  const { outputFiles } = await bundle(name, "", apart);
  const isCode = ({ path }) => path.endsWith(".js");
  const [{ text: notices }] = outputFiles.filter((one) => !isCode(one));
  const script = `(async (text) => {
const { dataset } = document.documentElement;
dataset.unpacking = "";
const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
const script = document.createElement("script");
script.textContent = await new Response(stream).text();
document.head.append(script);
delete dataset.unpacking;
})("${deflated(outputFiles.find(isCode).contents)}");`;
  writeFileSync(fileOf(name), [banner, script, commented(notices), footer, ""].join("\n"));
}

function commented(text) {
  return `/*!\n${text.replaceAll(/\/\*!?|\*\//g, "")}\n*/`;
}

function deflated(bytes) {
  return deflateSync(bytes, { level: 9 }).toString("base64");
}

// A WebAssembly file becomes a string: deflated, in base64.
function embedWasm(bundler) {
  bundler.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
    contents: deflated(readFileSync(path)),
    loader: "text",
  }));
}

// Whoever passes a report on passes these libraries on: their notices travel with them.
function licences() {
  return [
    "Contains Apache ECharts under the Apache License 2.0,",
    "https://www.apache.org/licenses/LICENSE-2.0, with this notice:",
    readFileSync("node_modules/echarts/NOTICE", "utf8"),
    "Contains zrender under this licence:",
    readFileSync("node_modules/zrender/LICENSE", "utf8"),
    "Contains parts of d3.js, which ECharts embeds, under this licence:",
    readFileSync("node_modules/echarts/licenses/LICENSE-d3", "utf8"),
  ].join("\n");
}

function editorLicences() {
  return [
    "Contains CodeMirror and Lezer under this licence:",
    readFileSync("node_modules/@codemirror/state/LICENSE", "utf8"),
    "Contains yaml under this licence:",
    readFileSync("node_modules/yaml/LICENSE", "utf8"),
  ].join("\n");
}
