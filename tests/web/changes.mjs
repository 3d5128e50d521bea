// Makes changes of texts by the functions of the workbench: takes the path of their module, and
// reads a list of {text, changes}; answers with the texts.
import { pathToFileURL } from "node:url";

const { patch } = await import(pathToFileURL(process.argv[2]).href);
const questions = JSON.parse(await new Response(process.stdin).text());
console.log(JSON.stringify(questions.map(({ text, changes }) => patch.changed(text, changes))));
