// Bundles the scripts of the pages into the package's assets: src/report.ts with the parts of
// ECharts it uses, and src/check.ts. The results are kept in git, so that neither users nor
// contributors need node; their first line carries a digest of everything they were built from,
// which tests/views compares with the files here.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { build } from "esbuild";

const OUTPUT = "../python/linkwright/views/assets";

const sources = ["build.mjs", "package-lock.json"];
for (const entry of readdirSync("src", { recursive: true, withFileTypes: true })) {
  if (entry.isFile()) sources.push(`${entry.parentPath}/${entry.name}`);
}
sources.sort();
const digest = createHash("sha256");
for (const name of sources) digest.update(readFileSync(name));

mkdirSync(OUTPUT, { recursive: true });
const banner = `/*! Built by frontend/build.mjs from sources ${digest.digest("hex")}. */`;
await bundle("report", `/*!\n${licences()}\n*/`);
await bundle("check", "");

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
  });
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
