// LiquidJS set up as the reference: the options that the crate imitates, in UTC, in English, and with a clock that stands still.
import { Liquid } from "liquidjs";

process.env.TZ = "UTC";

/** @returns a fresh engine; `globalThis.Date.now` stands still at `now` (RFC 3339) from here on. */
export function engine(now) {
  at(now);
  return new Liquid({ outputEscape: "escape", jsTruthy: true, ownPropertyOnly: true, locale: "en-US" });
}

/** Stops the clock at `now`. */
export function at(now) {
  const instant = Date.parse(now);
  Date.now = () => instant;
}
