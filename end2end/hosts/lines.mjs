// What the client programs in this folder have in common. Commands come in and events go out, a line of JSON each:
//
//   {"id":1,"do":"connect","url":"http://…/mcp","era":"legacy"}   era: legacy (a handshake) or modern (2026-07-28)
//   {"id":2,"do":"call","tool":"elicit_status","arguments":{…}}
//   {"id":3,"do":"answer","prompt":1,"action":"accept"}
//   {"id":4,"do":"close"}
//
// Every command is answered by `{"id":…,"result":…}` or `{"id":…,"error":"…"}`. What happens of itself is
// `{"event":"prompt","prompt":1,"params":{…}}` where the client's own elicitation callback was called,
// `{"event":"withdrawn","prompt":1}` where its answer is no longer wanted, `{"event":"complete","elicitationId":"…"}`
// where the server said so, and `{"event":"trouble","message":"…"}` where the client complained beside its calls.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** What stands in the package.json of one of the packages here. */
export function manifest(name) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url)));
}

/** Writes one event. */
export function say(event) {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** Obeys commands, several at a time, until there are no more. */
export function obey(commands) {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (line) => {
    const { id, do: verb, ...rest } = JSON.parse(line);
    try {
      say({ id, result: (await commands[verb](rest)) ?? null });
    } catch (error) {
      say({ id, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
    }
  });
  lines.on('close', () => process.exit(0));
}

const open = new Map();
let last = 0;

/** An elicitation callback: tells of the prompt, and waits for what to answer. */
export function prompted(params, signal) {
  const prompt = ++last;
  return new Promise((resolve, reject) => {
    open.set(prompt, resolve);
    signal.addEventListener('abort', () => {
      if (open.delete(prompt)) say({ event: 'withdrawn', prompt });
      reject(new Error('withdrawn'));
    });
    say({ event: 'prompt', prompt, params });
  });
}

/** Answers a prompt; says whether the answer was still wanted. */
export function answer({ prompt, action }) {
  const resolve = open.get(prompt);
  resolve?.({ action });
  return { wanted: open.delete(prompt) };
}
