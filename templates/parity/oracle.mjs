// Reads JSON lines {"template": …, "context": {…}, "now"?: RFC 3339} and answers each with what LiquidJS makes of it:
// {"output": …} or {"error": …}. The clock stands at `now`, or at the start of 2026. {"list": true} asks for the names of all
// filters and tags.
import { createInterface } from "node:readline";
import { at, engine } from "./engine.mjs";

const liquid = engine("2026-01-01T00:00:00Z");

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(answer(line)) + "\n");
}

function answer(line) {
  try {
    const { template, context, list, now = "2026-01-01T00:00:00Z" } = JSON.parse(line);
    if (list) return { filters: Object.keys(liquid.filters), tags: Object.keys(liquid.tags) };
    at(now);
    // A template is given a second and 64 MB: beyond that LiquidJS counts as refusing it, as the crate would.
    const limits = { memoryLimit: 64e6, renderLimit: 1000 };
    const output = liquid.renderSync(liquid.parse(template), context ?? {}, limits);
    return { output: output.toWellFormed() };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}
