// Bundles the scripts of the pages into the package's assets: src/report.ts and src/figures.ts with
// the parts of ECharts they use, src/check.ts with failures.wasm, src/play.ts with play.wasm, and
// src/workbench.ts with ECharts, failures.wasm and the editor. tools/assets.py calls it, builds the
// cores, and says which digest of all sources the first line of each result carries.
import { mkdirSync, readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { build } from "esbuild";

const OUTPUT = "../python/linkwright/views/assets";

mkdirSync(OUTPUT, { recursive: true });
const banner = `/*! Built by tools/assets.py from sources ${process.argv[2]}. */`;
await bundle("report", `/*!\n${licences()}\n*/`);
await bundle("figures", `/*!\n${licences()}\n*/`);
await bundle("check", "");
await bundle("play", "");
await bundle("workbench", `/*!\n${licences()}\n${editorLicences()}\n*/`);

async function bundle(name, footer) {
  await build({
    entryPoints: [`src/${name}.ts`],
    outfile: `${OUTPUT}/${name}.js`,
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2022",
    charset: "utf8",
    legalComments: "eof",
    banner: { js: banner },
    footer: { js: footer },
    plugins: [{ name: "wasm", setup: embedWasm }],
  });
}

// A WebAssembly file becomes a string: deflated, in base64.
function embedWasm(bundler) {
  bundler.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
    contents: deflateSync(readFileSync(path), { level: 9 }).toString("base64"),
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
  ].join("\n").replaceAll("*/", "");
}

function editorLicences() {
  return [
    "Contains CodeMirror and Lezer under this licence:",
    readFileSync("node_modules/@codemirror/state/LICENSE", "utf8"),
    "Contains yaml under this licence:",
    readFileSync("node_modules/yaml/LICENSE", "utf8"),
  ].join("\n").replaceAll("*/", "");
}
