// The text of the design in CodeMirror: the one state of the workbench. Forms and handles change it
// as a user would, so that the editor's undo takes their changes back too.
import {
  type Completion,
  type CompletionContext,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentWithTab,
  isolateHistory,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  syntaxHighlighting,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Transaction } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { contextAt } from "./context";
import { type Placed } from "./mistakes";
import { type Change, changed } from "./patch";
import { type DesignSchema, type Word } from "./schema";
import { parseDocument } from "yaml";

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  {
    tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace],
    color: "var(--quiet)",
  },
]);

export class Editor {
  private readonly view: EditorView;

  constructor(
    place: HTMLElement,
    text: string,
    schema: DesignSchema,
    nonce: string,
    private readonly onChange: () => void,
  ) {
    const complete = (context: CompletionContext) => {
      const whole = context.state.doc.toString();
      const found = contextAt(whole, context.pos);
      if (!found || (!context.explicit && found.word === "")) return null;
      const design = designOf(whole.slice(0, found.from) + whole.slice(context.pos));
      const words = schema[found.place === "key" ? "keys" : "values"](found.path, design);
      const options = words.map((word) => option(word, found.place));
      return { from: found.from, options, validFor: /^[\w.-]*$/ };
    };
    this.view = new EditorView({
      parent: place,
      state: EditorState.create({ doc: text, extensions: [this.extensions(nonce, complete)] }),
    });
  }

  private extensions(nonce: string, complete: (context: CompletionContext) => unknown) {
    return [
      EditorView.cspNonce.of(nonce),
      lineNumbers(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      lintGutter(),
      yaml(),
      syntaxHighlighting(COLOURS),
      autocompletion({ override: [complete as never], icons: false }),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Text of the design, YAML", tabindex: "0" }),
      EditorView.updateListener.of((update) => update.docChanged && this.onChange()),
      keymap.of([
        ...closeBracketsKeymap,
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...completionKeymap,
        indentWithTab,
      ]),
    ];
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Replaces the letters that differ, as one step of undo. */
  change(text: string): void {
    const old = this.text;
    if (text === old) return;
    let [start, oldEnd, newEnd] = [0, old.length, text.length];
    while (start < Math.min(oldEnd, newEnd) && old[start] === text[start]) start++;
    while (oldEnd > start && newEnd > start && old[oldEnd - 1] === text[newEnd - 1]) {
      oldEnd--;
      newEnd--;
    }
    this.view.dispatch({
      changes: { from: start, to: oldEnd, insert: text.slice(start, newEnd) },
      annotations: [Transaction.userEvent.of("input.form"), isolateHistory.of("full")],
      scrollIntoView: false,
    });
  }

  /** Makes changes of values, and keeps comments and format. */
  patch(changes: Change[]): void {
    this.change(changed(this.text, changes));
  }

  /** Shows the mistakes at their places. */
  showMistakes(mistakes: Placed[]): void {
    const most = this.text.length;
    const found = mistakes.map(({ from, to, message, hint }): Diagnostic => ({
      from: Math.min(from, most),
      to: Math.min(to, most),
      severity: "error",
      message: hint ? `${message}\n${hint}` : message,
    }));
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  /** Puts the cursor at a place of the text. */
  go(at: number): void {
    const anchor = Math.min(at, this.text.length);
    this.view.dispatch({ selection: { anchor }, scrollIntoView: true });
    this.view.focus();
  }

  undo(): void {
    undo(this.view);
  }

  redo(): void {
    redo(this.view);
  }

  get canUndo(): boolean {
    return undoDepth(this.view.state) > 0;
  }

  get canRedo(): boolean {
    return redoDepth(this.view.state) > 0;
  }
}

function option({ label, info }: Word, place: "key" | "value"): Completion {
  const detail = info.length > 90 ? `${info.slice(0, 88)}…` : info;
  return { label, apply: place === "key" ? `${label}: ` : label, detail };
}

/** Returns the values of a text as far as it can be read; a text must be `whole` to be one. */
export function designOf(text: string, isWhole = false): unknown {
  try {
    const document = parseDocument(text);
    return isWhole && document.errors.length > 0 ? null : document.toJS();
  } catch {
    return null;
  }
}
