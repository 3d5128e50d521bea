// The choices of the form that can be built: each is tried as the text that it would make. One that
// cannot be built stays to be seen, with its reason, and is not offered.
import { type Choice, Trying } from "./trying";

export class Offers {
  private readonly trying: Trying;
  /** Reasons against choices of the last text, by name; empty for one that can be built. */
  private reasons = new Map<string, string>();
  private fields: { name: string; option: HTMLOptionElement }[] = [];
  private choices: Choice[] = [];

  constructor(file: () => string) {
    this.trying = new Trying(file);
  }

  /** Begins a new form. */
  clear(): void {
    this.trying.stop();
    this.fields = [];
    this.choices = [];
  }

  /** Offers all again, beside a text with mistakes: its choices are the way out. */
  forget(): void {
    this.trying.stop();
    this.reasons.clear();
    for (const { name, option } of this.fields) this.mark(name, option);
  }

  /** Takes a choice of the form: an option, and the changes that it makes. */
  add(choice: Choice, option: HTMLOptionElement): void {
    this.choices.push(choice);
    this.fields.push({ name: choice.name, option });
    this.mark(choice.name, option);
  }

  /** Tries all choices of the form. */
  async ask(text: string): Promise<void> {
    const fresh = new Map<string, string>();
    await this.trying.ask(text, this.choices, (name, reasons) => {
      fresh.set(name, reasons[0] ?? "");
      this.reasons.set(name, reasons[0] ?? "");
      for (const field of this.fields) if (field.name === name) this.mark(name, field.option);
    });
    if (fresh.size === this.choices.length) this.reasons = fresh;
  }

  private mark(name: string, option: HTMLOptionElement): void {
    const reason = this.reasons.get(name) ?? "";
    if (option.selected) return;
    option.disabled = reason !== "";
    option.title = reason;
  }
}
