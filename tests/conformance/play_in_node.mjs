// Plays packed runs in Node: takes the path of the bundled engine; reads a list of paths of packed
// runs, each with the changes to play it with, from its input; prints the recordings as JSON, their
// columns as lists, a line for each run.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Engine } = await import(pathToFileURL(process.argv[2]).href);
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);

for (const { path, changes } of JSON.parse(readFileSync(0, "utf8"))) {
  const engine = await Engine.of(Uint8Array.from(readFileSync(path)).buffer);
  const played = changes.map((change) => {
    try {
      return engine.run(change);
    } catch (error) {
      return { trouble: error.message };
    }
  });
  process.stdout.write(JSON.stringify(played, plain) + "\n");
}
