// Where the time of our page goes on 200 rows: from the navigation until it is alive, in a keystroke and in Accept All. A trace of the
// main thread, summed by what it did; see README.md.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CONDITIONS, OURS, figure, launch, median, open, options, review, table } from './lib.mjs';

const { sayso, peers, url, reps, cpu } = options({
  sayso: 'http://127.0.0.1:3000',
  peers: undefined, // whose public/grid200.json we review
  url: undefined, // or any page of ours
  reps: '5',
  cpu: 'cpu4', // none, cpu4, fast3g+cpu4
});

/** What the events of a trace are called, and what they are; the first that fits counts. */
const KINDS = [
  ['parsing HTML', /^ParseHTML|^ParseAuthorStyleSheet|HTMLDocumentParser/],
  ['compiling', /compile|Compile|v8\.parse|CacheModule|v8\.wasm/],
  ['collecting garbage', /GC|Scavenge|BlinkGC|CppGC/],
  ['style', /UpdateLayoutTree|RecalculateStyles|InvalidateStyle|Document::updateStyle|StyleEngine/],
  ['layout', /^Layout$|LocalFrameView::(perform)?[lL]ayout|HitTest|IntersectionObserver/],
  ['paint', /^(Pre)?Paint|Layerize|Commit|UpdateLayer|CompositeLayers|RasterTask|ImageDecode/],
  ['scripts', /EvaluateScript|FunctionCall|RunMicrotasks|EventDispatch|TimerFire|FireAnimationFrame|^v8\.|^V8\.|Script/],
];
const NAMES = [...KINDS.map(([name]) => name), 'other'];

async function main() {
  const page = url ?? (await review(sayso, JSON.parse(await readFile(join(peers, 'public/grid200.json')))));
  const browser = await launch();
  try {
    console.log(`Chromium ${browser.version()}, ${cpu}, medians of ${reps}, ms of the main thread\n`);
    const loads = [];
    const keys = [];
    const accepts = [];
    for (let rep = 0; rep < Number(reps); rep++) {
      loads.push(await load(browser, page));
      keys.push(await working(browser, page, type));
      accepts.push(await working(browser, page, acceptAll));
    }
    const middle = (of) => figure(median(of), 1);
    console.log(
      table(
        ['', 'until alive', 'a keystroke', 'Accept All'],
        NAMES.map((name) => [name, ...[loads.map(({ spent }) => spent), keys, accepts].map((all) => middle(all.map((spent) => spent[name])))]),
      ),
    );
    console.log();
    const steps = Object.keys(loads[0].steps);
    console.log(table(['step', 'at ms'], steps.map((step) => [step, middle(loads.map(({ steps }) => steps[step]))])));
  } finally {
    await browser.close();
  }
}

async function load(browser, address) {
  const trace = await record(browser);
  const { page, close } = await open(browser, 'about:blank', { condition: CONDITIONS[cpu], init: mark });
  await page.goto(address);
  await page.waitForSelector('html[data-hydrated]', { state: 'attached', timeout: 60_000 });
  await page.waitForTimeout(500);
  const steps = await page.evaluate(() => {
    const of = (type, name) => performance.getEntriesByName(name, type)[0]?.startTime;
    const files = performance.getEntriesByType('resource');
    const file = (ending) => files.find(({ name }) => name.endsWith(ending))?.responseEnd;
    const [document] = performance.getEntriesByType('navigation');
    return {
      'document begins to arrive': document.responseStart,
      'document is here': document.responseEnd,
      'style is here': file('.css'),
      'first contentful paint': of('paint', 'first-contentful-paint'),
      'script is here': file('.js'),
      'document is parsed': document.domInteractive,
      'WASM is asked for by the script': of('mark', 'wasm asked'),
      'WASM is here': file('.wasm'),
      'WASM is compiled': of('mark', 'wasm ready'),
      'page is alive': of('mark', 'alive'),
    };
  });
  const events = await trace.stop();
  await close();
  const thread = mainThread(events, (event) => event.name === 'alive');
  const alive = events.find((event) => event.name === 'alive' && event.pid === thread.pid);
  return { steps, spent: spent(events, thread, alive.ts - steps['page is alive'] * 1_000, alive.ts) };
}

/** What one of several equal things costs on a page that is alive. */
async function working(browser, address, work) {
  const { page, cdp, close } = await open(browser, address);
  await page.waitForSelector('html[data-hydrated]', { state: 'attached' });
  await page.waitForTimeout(1_000);
  if (CONDITIONS[cpu].cpu) await cdp.send('Emulation.setCPUThrottlingRate', { rate: CONDITIONS[cpu].cpu });
  const times = 10;
  const sums = await work(page, times, async (then) => {
    const trace = await record(browser);
    await page.evaluate(() => performance.mark('working'));
    await then();
    const events = await trace.stop();
    const thread = mainThread(events, (event) => event.name === 'working');
    return spent(events, thread, 0, Infinity);
  });
  await close();
  return Object.fromEntries(NAMES.map((name) => [name, sums.reduce((sum, one) => sum + one[name], 0) / times]));
}

async function type(page, times, traced) {
  await page.evaluate((selector) => {
    const texts = document.querySelectorAll(selector);
    const text = texts[texts.length >> 1];
    text.scrollIntoView({ block: 'center' });
    text.focus();
  }, OURS.proposed);
  await page.waitForTimeout(500);
  const sum = await traced(async () => {
    for (let at = 0; at < times; at++) {
      await page.keyboard.press('a');
      await page.waitForTimeout(120);
    }
  });
  return [sum];
}

async function acceptAll(page, times, traced) {
  const sums = [];
  const press = (selector) => page.evaluate((selector) => document.querySelector(selector).click(), selector);
  for (let at = 0; at < times; at++) {
    await press(OURS.reject);
    await page.waitForTimeout(200);
    sums.push(await traced(async () => {
      await press(OURS.accept);
      await page.waitForTimeout(200);
    }));
  }
  return sums;
}

/** In the page: puts into the trace when the WASM is asked for, compiled, and the page alive. */
function mark() {
  const original = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (...args) => {
    performance.mark('wasm asked');
    const made = await original.apply(WebAssembly, args);
    performance.mark('wasm ready');
    return made;
  };
  new MutationObserver(() => {
    if (document.documentElement?.hasAttribute('data-hydrated') && !performance.getEntriesByName('alive').length) performance.mark('alive');
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-hydrated'] });
}

async function record(browser) {
  const session = await browser.newBrowserCDPSession();
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: {
      includedCategories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'blink.user_timing', 'v8', 'v8.wasm', 'disabled-by-default-v8.compile'],
    },
  });
  return {
    async stop() {
      const complete = new Promise((done) => session.once('Tracing.tracingComplete', done));
      await session.send('Tracing.end');
      await complete;
      await session.detach();
      return events;
    },
  };
}

function mainThread(events, marks) {
  const { pid } = events.find((event) => event.cat?.includes('blink.user_timing') && marks(event));
  const { tid } = events.find(
    (event) => event.name === 'thread_name' && event.pid === pid && event.args.name === 'CrRendererMain',
  );
  return { pid, tid };
}

/** Milliseconds by kind: each event's own time, without what ran inside of it. */
function spent(events, { pid, tid }, from, to) {
  const sum = Object.fromEntries(NAMES.map((name) => [name, 0]));
  const open = [];
  const close = (until) => {
    while (open.length && open.at(-1).end <= until) {
      const { kind, self } = open.pop();
      sum[kind] += self / 1_000;
    }
  };
  const complete = events
    .filter((event) => event.ph === 'X' && event.pid === pid && event.tid === tid && event.ts >= from && event.ts < to)
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  for (const { name, ts, dur = 0 } of complete) {
    close(ts);
    // What no rule knows is part of what it runs in.
    const kind = KINDS.find(([, names]) => names.test(name))?.[0] ?? open.at(-1)?.kind ?? 'other';
    if (open.length) open.at(-1).self -= dur;
    open.push({ end: ts + dur, kind, self: dur });
  }
  close(Infinity);
  return sum;
}

await main();
