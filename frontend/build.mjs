// Bundles src/report.ts and the parts of ECharts it uses into the package's assets. The result is
// kept in git, so that neither users nor contributors need node; its first line carries a digest of
// everything it was built from, which tests/views compares with the files here.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync } from "node:fs";
import { build } from "esbuild";

const OUTPUT = "../python/linkwright/views/assets";

const sources = ["build.mjs", "package-lock.json"];
for (const name of readdirSync("src").sort()) sources.push(`src/${name}`);
const digest = createHash("sha256");
for (const name of sources) digest.update(readFileSync(name));

mkdirSync(OUTPUT, { recursive: true });
await build({
  entryPoints: ["src/report.ts"],
  outfile: `${OUTPUT}/report.js`,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "eof",
  banner: { js: `/*! Built by frontend/build.mjs from sources ${digest.digest("hex")}. */` },
  footer: { js: `/*!\n${licences()}\n*/` },
});

// Whoever passes a report on passes these libraries on: their notices travel with them.
function licences() {
  return [
    "Contains Apache ECharts under the Apache License 2.0,",
    "https://www.apache.org/licenses/LICENSE-2.0, with this notice:",
    readFileSync("node_modules/echarts/NOTICE", "utf8"),
    "Contains zrender under this licence:",
    readFileSync("node_modules/zrender/LICENSE", "utf8"),
  ].join("\n").replaceAll("*/", "");
}
