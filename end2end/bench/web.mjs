// Our review page beside pages of the same job in other frameworks, in one interleaved run: medians, and ratios to
// them. What it measures and how to run it is told in README.md.

import { spawn } from 'node:child_process';
import { appendFile, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { CONDITIONS, OURS, figure, launch, median, open, options, review, table } from './lib.mjs';

const { sayso, peers, targets, only, reps, keys, phases, out } = options({
  sayso: 'http://127.0.0.1:3000',
  peers: undefined,
  targets: undefined,
  only: undefined,
  reps: '9',
  keys: '30',
  phases: 'load,interact',
  out: undefined,
});
const GRIDS = { grid4: 4, grid200: 200 };
const THEIRS = {
  row: 'tbody tr:has([data-include], [data-icell])',
  include: '[data-include], [data-icell] input[type=checkbox]',
  counter: '[data-counter]',
  proposed: 'input[data-proposed], [data-pcell=string] input',
  accept: '[data-accept]',
  reject: '[data-reject]',
};

const samples = []; // { variant, measure, value }, one a repetition

async function main() {
  if (!peers) {
    console.error('usage: node bench/web.mjs --sayso URL --peers DIR [--reps 9] [--phases load,interact] [--only NAME,…] [--targets FILE] [--out FILE]');
    process.exit(2);
  }
  const port = await freePort();
  const served = spawn(process.execPath, [join(peers, 'serve.mjs'), String(port)], { stdio: 'inherit' });
  try {
    const variants = (await allVariants(port)).filter(({ name }) => !only || only.split(',').includes(name));
    for (let rep = 0; rep < Number(reps); rep++) {
      // Each repetition begins with another variant, so that none always follows the heaviest, and has its own browser.
      const order = variants.map((_, at) => variants[(at + rep) % variants.length]);
      const browser = await launch();
      if (!rep) console.log(`Chromium ${browser.version()}, ${cpus().length} cores, medians of ${reps}\n`);
      try {
        if (phases.includes('load')) await loads(browser, order);
        if (phases.includes('interact')) await interactions(browser, order);
      } catch (error) {
        console.error(`the browser is gone: ${error.message.split('\n')[0]}`);
      }
      await browser.close().catch(() => {});
      console.error(`repetition ${rep + 1} of ${reps}, load ${loadavg()[0].toFixed(1)}`);
    }
    report(variants.map(({ name }) => name));
  } finally {
    served.kill();
  }
}

async function allVariants(port) {
  const grids = Object.keys(GRIDS);
  const ours = { name: 'sayso', selectors: OURS, urls: {}, alive: 'html[data-hydrated]' };
  for (const grid of grids) {
    ours.urls[grid] = await review(sayso, JSON.parse(await readFile(join(peers, 'public', `${grid}.json`))));
  }
  if (targets) return [ours, ...JSON.parse(await readFile(targets))];
  const peer = (name, app, query = '') => ({
    name,
    selectors: THEIRS,
    urls: Object.fromEntries(grids.map((grid) => [grid, `http://127.0.0.1:${port}/${app}/?p=${grid}${query}`])),
  });
  return [
    ours,
    peer('rjsf', 'rjsf'),
    peer('react', 'react'),
    peer('solid', 'solid'),
    peer('vanilla', 'vanilla'),
    peer('vanilla-cv', 'vanilla', '&cv=1'),
  ];
}

// ------------------------------------------------------------------------------------------------ loading

async function loads(browser, variants) {
  for (const grid of Object.keys(GRIDS)) {
    for (const condition of ['none', 'fast3g+cpu4']) {
      for (const variant of variants) await load(browser, variant, grid, condition);
    }
  }
}

async function load(browser, { name, selectors, urls }, grid, condition) {
  const arg = { selectors, count: GRIDS[grid] };
  const { page, cdp, wire, errors, close } = await open(browser, urls[grid], {
    condition: CONDITIONS[condition],
    init: watchLoad,
    arg,
  });
  try {
    await page.waitForFunction(() => globalThis.seen.interactive && globalThis.seen.rows, undefined, { polling: 50 });
    await page.waitForTimeout(300);
    const seen = await page.evaluate(() => globalThis.seen);
    const at = `${grid} ${condition}`;
    for (const what of ['firstPaint', 'rows', 'alive', 'interactive']) await keep(name, `${at} ${what}`, seen[what]);
    await keep(name, `${at} longest`, seen.longest);
    if (condition === 'none') {
      await keep(name, `${grid} requests`, wire.requests);
      await keep(name, `${grid} bytes`, wire.bytes);
      await cdp.send('HeapProfiler.enable');
      await cdp.send('HeapProfiler.collectGarbage');
      await cdp.send('Performance.enable');
      const { metrics } = await cdp.send('Performance.getMetrics');
      const metric = (wanted) => metrics.find(({ name }) => name === wanted).value;
      const wasm = await page.evaluate(() => globalThis.wasmMemories.reduce((sum, memory) => sum + memory.buffer.byteLength, 0));
      await keep(name, `${grid} heap`, (metric('JSHeapUsedSize') + wasm) / 2 ** 20);
      await keep(name, `${grid} wasm`, wasm / 2 ** 20);
      await keep(name, `${grid} nodes`, metric('Nodes'));
    }
    if (errors.length) console.error(`${name}, ${at}: ${errors.join('; ')}`);
  } catch (error) {
    console.error(`${name}, ${grid} ${condition}: ${error.message.split('\n')[0]} ${errors.join('; ')}`);
  } finally {
    await close();
  }
}

/** In the page, before anything of it: notes when it paints, when all rows are on view, and when a click counts. */
function watchLoad({ selectors, count }) {
  const seen = (globalThis.seen = { longest: 0 });
  const afterPaint = (then) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = then;
      channel.port2.postMessage(0);
    });

  // The memory of a WASM instance is in no figure of the heap: kept here as soon as there is one.
  const memories = (globalThis.wasmMemories = []);
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const made = await original.apply(WebAssembly, args);
      memories.push(...Object.values((made.instance ?? made).exports).filter((part) => part instanceof WebAssembly.Memory));
      return made;
    };
  }

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') seen.firstPaint = entry.startTime;
  }).observe({ type: 'paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.longest = Math.max(seen.longest, entry.duration);
  }).observe({ type: 'longtask', buffered: true });

  let shown = false;
  let before; // what the counter said before the click
  const look = () => {
    if (!shown && document.querySelectorAll(selectors.row).length >= count) {
      shown = true;
      afterPaint(() => (seen.rows = performance.now()));
    }
    seen.alive ??= document.documentElement?.hasAttribute('data-hydrated') ? performance.now() : undefined;
    const counter = document.querySelector(selectors.counter)?.textContent;
    if (before !== undefined && counter !== undefined && counter !== before) {
      seen.interactive ??= performance.now();
    }
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  // A click on a checkbox that is disabled until the page comes alive does nothing, as for a person.
  const click = () => {
    if (seen.interactive) return;
    const include = document.querySelector(selectors.include);
    const counter = document.querySelector(selectors.counter);
    if (include && counter) {
      before ??= counter.textContent;
      include.click();
      look();
    }
    setTimeout(click, 8);
  };
  click();
}

// ------------------------------------------------------------------------------------------------ working

async function interactions(browser, variants) {
  for (const condition of ['none', 'cpu4']) {
    for (const variant of variants) await interact(browser, variant, condition);
  }
}

async function interact(browser, { name, selectors, urls, alive }, condition) {
  const { page, cdp, close } = await open(browser, urls.grid200);
  try {
    await page.waitForSelector(alive ?? selectors.include, { state: 'attached' });
    await page.waitForTimeout(500);
    if (CONDITIONS[condition].cpu) await cdp.send('Emulation.setCPUThrottlingRate', { rate: CONDITIONS[condition].cpu });
    const typed = await type(page, cdp, selectors);
    await keep(name, `key ${condition} work`, median(typed.map(({ work }) => work)));
    await keep(name, `key ${condition} paint`, median(typed.map(({ paint }) => paint)));
    const accepted = await acceptAll(page, selectors);
    await keep(name, `accept ${condition} work`, median(accepted.map(({ work }) => work)));
    await keep(name, `accept ${condition} paint`, median(accepted.map(({ paint }) => paint)));
  } catch (error) {
    console.error(`${name}, ${condition}: ${error.message.split('\n')[0]}`);
  } finally {
    await close();
  }
}

/** Types into a text in the middle of the grid; for each key, milliseconds until scripts and until the paint are done. */
async function type(page, cdp, selectors) {
  await page.evaluate((selector) => {
    const texts = document.querySelectorAll(selector);
    const text = texts[texts.length >> 1];
    text.scrollIntoView({ block: 'center' });
    text.focus();
    text.setSelectionRange(text.value.length, text.value.length);
    globalThis.text = text;
    globalThis.typed = [];
    let pressed, stamped;
    addEventListener('keydown', (event) => ([pressed, stamped] = [performance.now(), event.timeStamp]), true);
    addEventListener('input', async () => {
      const one = { work: 0, paint: 0 };
      const [from, stamp] = [pressed, stamped];
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => {
          one.paint = performance.now() - stamp;
          globalThis.typed.push(one);
        };
        channel.port2.postMessage(0);
      });
      for (let hop = 0; hop < 10; hop++) await undefined; // what frameworks put off to microtasks
      one.work = performance.now() - from;
    });
  }, selectors.proposed);
  await page.waitForTimeout(300);
  const before = await page.evaluate(() => globalThis.text.value.length);
  for (let at = 0; at < Number(keys); at++) {
    const key = 'abcdefghij'[at % 10];
    const event = { key, code: `Key${key.toUpperCase()}`, windowsVirtualKeyCode: key.toUpperCase().charCodeAt(0) };
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', text: key, ...event });
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
    await page.waitForTimeout(37 + ((at * 7) % 23)); // out of step with the frames
  }
  await page.waitForTimeout(400);
  const [typed, after] = await page.evaluate(() => [globalThis.typed, document.activeElement.value.length]);
  if (after - before !== Number(keys)) throw new Error(`typed ${keys}, arrived ${after - before}`);
  return typed;
}

/** Reject All, then Accept All, three times; for each acceptance, milliseconds until scripts and the paint are done. */
function acceptAll(page, selectors) {
  return page.evaluate(async ({ accept, reject, include }) => {
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    const press = (selector) =>
      new Promise((done) => {
        const one = {};
        const from = performance.now();
        requestAnimationFrame(() => {
          const channel = new MessageChannel();
          channel.port1.onmessage = () => {
            one.paint = performance.now() - from;
            done(one);
          };
          channel.port2.postMessage(0);
        });
        document.querySelector(selector).click();
        (async () => {
          for (let hop = 0; hop < 10; hop++) await undefined;
          one.work = performance.now() - from;
        })();
      });
    const all = [];
    for (let round = 0; round < 3; round++) {
      await press(reject);
      await pause(300);
      all.push(await press(accept));
      await pause(300);
      const boxes = [...document.querySelectorAll(include)];
      if (!boxes.every((box) => box.checked)) throw new Error('Accept All left some out');
    }
    return all;
  }, selectors);
}

// ------------------------------------------------------------------------------------------------ reporting

async function keep(variant, measure, value) {
  samples.push({ variant, measure, value });
  if (out) await appendFile(out, `${JSON.stringify({ variant, measure, value, load: loadavg()[0] })}\n`);
}

function report(variants) {
  const of = (variant, measure) =>
    median(samples.filter((sample) => sample.variant === variant && sample.measure === measure).map(({ value }) => value));
  const measures = [...new Set(samples.map(({ measure }) => measure))].sort();
  const compared = ['rjsf', 'react', 'solid', 'vanilla', 'vanilla-cv'].filter((name) => variants.includes(name));
  const rows = measures.map((measure) => [measure, ...variants.map((variant) => figure(of(variant, measure)))]);
  console.log(table(['medians: ms, bytes, MB', ...variants], rows));
  console.log();
  const ratios = measures.map((measure) => [
    measure,
    ...compared.map((variant) => figure(of('sayso', measure) / of(variant, measure), 2)),
  ]);
  console.log(table(['sayso divided by', ...compared], ratios));
}

async function freePort() {
  const probe = createServer();
  await new Promise((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address();
  await new Promise((closed) => probe.close(closed));
  return port;
}

await main();
