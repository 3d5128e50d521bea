// Requests to the server of this page. Each carries the secret of the page's address in a header;
// long answers are server-sent events in the answer to the request, which ends the computation when
// it is closed.
import { type Answers, type Common, type Died, type Events } from "./answers";

const token = new URLSearchParams(location.search).get("token") ?? "";
/** One page has one name, also if the browser duplicates its tab. */
const tab = Array.from(crypto.getRandomValues(new Uint32Array(3)), String).join("-");
let number = 0;

/** Takes the last words of each computation that ends by no mistake of the user. */
let died: (died: Died) => void = () => {};

/** Hears of each computation that ends by no mistake of the user. */
export function onDied(listener: typeof died): void {
  died = listener;
}

/** An answer that is no success: the user's mistake, or a server that is gone. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly hint = "",
  ) {
    super(message);
  }
}

/** No answer, or none to its end: the server is gone, which the page says for all requests. */
export class Lost extends Error {}

type Of<A extends keyof Events> = Events[A] & Common;
/** An event of an address: its name, and its data. */
export type EventOf<A extends keyof Events> = {
  [E in keyof Of<A>]: [event: E, data: Of<A>[E]];
}[keyof Of<A>];
type Take = (event: string, data: unknown) => void;

/** Asks for JSON; with fields, as a request that may change or compute something. */
export async function ask<A extends keyof Answers>(path: A, fields?: object): Promise<Answers[A]> {
  const answer = await request(path, fields && { ...fields, tab, number: number++ });
  return (await answer.json()) as Answers[A];
}

/** Asks for events and hands each out as it comes; ends with the last or with the signal. */
export function listen<A extends keyof Events>(
  path: A,
  fields: object,
  signal: AbortSignal,
  take: (...said: EventOf<A>) => void,
): Promise<void> {
  return stream(path, fields, signal, take as Take);
}

async function stream(
  path: string,
  fields: object | undefined,
  signal: AbortSignal,
  take: Take,
): Promise<void> {
  const asked = fields && { ...fields, tab, number: number++ };
  const answer = await request(path, asked, signal);
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const next = () => reader.read().catch(lost);
  for (let part = await next(); !part.done; part = await next()) {
    text += part.value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [event, data] = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      if (signal.aborted) continue;
      const [name, value] = [event!.slice(7), JSON.parse(data!.slice(6)) as unknown];
      take(name, value);
      if (name === "died") died(value as Died);
    }
  }
}

/** Asks for the data of one event of an answer; a refusal or a mistake is an error. */
export async function answerOf<A extends keyof Events, E extends keyof Events[A]>(
  path: A,
  fields: object,
  wanted: E,
): Promise<Events[A][E]> {
  const found: Events[A][E][] = [];
  let said: Died = { message: "the answer ended early", hint: "try it again" };
  await stream(path, fields, new AbortController().signal, (event, data) => {
    if (event === wanted) found.push(data as Events[A][E]);
    if (event === "refused") said = (data as Common["refused"])[0]!;
    if (event === "died") said = { message: (data as Died).message };
  });
  if (found.length === 0) throw new Refused(400, said.message, said.hint);
  return found[0]!;
}

async function request(path: string, fields?: object, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(path, {
    method: fields ? "POST" : "GET",
    headers: { "x-linkwright-token": token, "content-type": "application/json" },
    ...(fields && { body: JSON.stringify(fields) }),
    ...(signal && { signal }),
  }).catch(lost);
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => ({}))) as { message?: string; hint?: string };
  throw new Refused(answer.status, said.message ?? answer.statusText, said.hint);
}

/** Throws the error of a request that this page did not close as a lost server. */
function lost(trouble: unknown): never {
  throw isClosed(trouble) ? trouble : new Lost("the server does not answer");
}

/** Whether an error says that a request was closed by this page. */
export function isClosed(trouble: unknown): boolean {
  return trouble instanceof DOMException && trouble.name === "AbortError";
}

const RETRY_MS = 1500;

/** The server is there, is gone, or does not know the secret of this page. */
export type Presence = "there" | "gone" | "foreign";

/** Tells whenever the server goes or comes back: a new start in its folder has the same address. */
export async function watchServer(changed: (presence: Presence) => void): Promise<never> {
  for (;;) {
    const closed = new AbortController();
    let found: Presence = "gone";
    try {
      await stream("/api/alive", undefined, closed.signal, () => changed("there"));
    } catch (trouble) {
      if (trouble instanceof Refused) found = "foreign";
    }
    changed(found);
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}
