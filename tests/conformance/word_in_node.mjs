// Words errors of runs in Node: takes the path of the bundled words; reads the names and templates,
// and a list of errors as the core gives them, from its input; prints the reasons.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { reasonOf } = await import(pathToFileURL(process.argv[2]).href);

const { known, errors } = JSON.parse(readFileSync(0, "utf8"));
const reasons = errors.map((run) => reasonOf({ reasons: { run } }, known));
process.stdout.write(JSON.stringify(reasons));
