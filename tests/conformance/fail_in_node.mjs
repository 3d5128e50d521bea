// Fails parts of a packed network in Node: takes the path of the bundled core; reads the network
// and a list of failures from its input; prints for each of these the impact, and the routes of
// some pairs before and after it.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { Trial } = await import(pathToFileURL(process.argv[2]).href);
const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);

const { network, failures, pairs } = JSON.parse(readFileSync(0, "utf8"));
const trial = await Trial.of(network);
const tried = failures.map((parts) => {
  const impact = trial.fail(parts);
  const routes = (tables) => pairs.map(([from, to]) => trial.route(from, to, tables));
  return { impact, before: routes("before"), after: routes("after") };
});
process.stdout.write(JSON.stringify(tried, plain));
