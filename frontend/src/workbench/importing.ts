// Graphs of other tools as designs: a dialogue takes files or a text, the server makes the design,
// and the page opens it as one that is not on disk yet.
import { byId, element } from "../check/dom";
import { type Imported } from "./answers";
import { notice } from "./saving";
import { type Catalogues } from "./schema";
import { answerOf } from "./server";
import { wordsOf } from "./taking";

interface Known {
  catalogues: Catalogues;
  importers: { format: string; source: string }[];
}

const FIRST = "ethernet-2026";

/** Joins the dialogue; `open` takes the text of the design. */
export function wireImport({ catalogues, importers }: Known, open: (text: string) => void): void {
  const dialog = byId<HTMLDialogElement>("import-dialog");
  const formats = importers.map(({ format, source }) =>
    element("option", { value: format }, `${format}: ${source}`),
  );
  byId("import-format").append(...formats);
  const options = Object.keys(catalogues).map((name) => element("option", { value: name }, name));
  byId("import-catalogue").append(...options);
  byId<HTMLSelectElement>("import-catalogue").value = FIRST;
  byId("import").addEventListener("click", () => dialog.showModal());
  byId("import-cancel").addEventListener("click", () => dialog.close());
  byId("import-form").addEventListener("submit", (event) => {
    event.preventDefault();
    void importGraph().then((found) => {
      if (found === null) return;
      dialog.close();
      open(found.text);
      if (found.remarks.length > 0) notice("import", found.remarks.join("; "));
    });
  });
}

/** Returns the design of the graph in the dialogue; null where it says why there is none. */
async function importGraph(): Promise<Imported | null> {
  const state = byId("import-state");
  state.textContent = "reading …";
  try {
    const found = await answerOf("/api/import", await question(), "imported");
    state.textContent = "";
    return found;
  } catch (trouble) {
    state.textContent = wordsOf(trouble);
    return null;
  }
}

async function question(): Promise<object> {
  const chosen = [...(byId<HTMLInputElement>("import-files").files ?? [])];
  const files = chosen.map(async (one) => ({ name: one.name, text: await one.text() }));
  const pasted = [{ name: "imported", text: valueOf("import-text") }];
  return {
    files: chosen.length > 0 ? await Promise.all(files) : pasted,
    format: valueOf("import-format"),
    catalogue: valueOf("import-catalogue"),
    switches: words("import-switches"),
    hubs: words("import-hubs"),
    routers: words("import-routers"),
  };
}

function words(id: string): string[] {
  return valueOf(id).split(/[\s,]+/).filter(Boolean);
}

function valueOf(id: string): string {
  return byId<HTMLInputElement>(id).value;
}
