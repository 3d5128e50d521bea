// Bundles a part of a page's script as a module for Node: takes the folder of the frontend, the
// file in its src and the path of the module.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { deflateSync } from "node:zlib";

const [frontend, file, outfile] = process.argv.slice(2);
const esbuild = pathToFileURL(`${frontend}/node_modules/esbuild/lib/main.js`);
const { build } = await import(esbuild.href);
const embedWasm = (bundler) =>
  bundler.onLoad({ filter: /\.wasm$/ }, ({ path }) => ({
    contents: deflateSync(readFileSync(path)).toString("base64"),
    loader: "text",
  }));
await build({
  entryPoints: [`${frontend}/src/${file}`],
  outfile,
  bundle: true,
  format: "esm",
  target: "es2022",
  plugins: [{ name: "wasm", setup: embedWasm }],
});
