// What the measurements share: arguments, the browser, our own page made equal to the peers', and figures.

import { chromium } from '@playwright/test';

/** `--name value` pairs of the command line; a name without a value is true. */
export function options(defaults) {
  const found = { ...defaults };
  const words = process.argv.slice(2);
  for (let at = 0; at < words.length; at++) {
    const name = words[at].replace(/^--/, '');
    if (!words[at].startsWith('--') || !(name in defaults)) {
      console.error(`unknown argument ${words[at]}; there are ${Object.keys(defaults).map((name) => `--${name}`).join(' ')}`);
      process.exit(2);
    }
    found[name] = words[at + 1] === undefined || words[at + 1].startsWith('--') ? true : words[++at];
  }
  return found;
}

export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
  });
}

/** The conditions of a load, as the DevTools name them. */
export const CONDITIONS = {
  none: {},
  cpu4: { cpu: 4 },
  'fast3g+cpu4': { cpu: 4, net: { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 } },
};

/** A page of a context of its own: nothing cached, and what goes over its wire counted. */
export async function open(browser, url, { condition = {}, init, arg } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const wire = { requests: 0, bytes: 0 };
  cdp.on('Network.requestWillBeSent', ({ request }) => (wire.requests += request.url.startsWith('data:') ? 0 : 1));
  cdp.on('Network.loadingFinished', ({ encodedDataLength }) => (wire.bytes += encodedDataLength));
  await cdp.send('Network.enable');
  if (condition.net) await cdp.send('Network.emulateNetworkConditions', condition.net);
  if (condition.cpu) await cdp.send('Emulation.setCPUThrottlingRate', { rate: condition.cpu });
  if (init) await page.addInitScript(init, arg);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(url, { waitUntil: 'commit' });
  return { page, cdp, wire, errors, close: () => context.close() };
}

/** How our page is found and worked, with the names that docs promise to keep where there are any. */
export const OURS = {
  row: 'tbody tr[data-field]',
  include: '[data-include]',
  counter: '.count',
  proposed: 'input[data-control][type=text][inputmode=text]',
  accept: '.bar button:nth-of-type(1)',
  reject: '.bar button:nth-of-type(2)',
};

/** Asks a running Sayso to review a grid of the peers; the URL of the page. */
export async function review(sayso, { title, rows }) {
  const answer = await call(sayso, 'elicit_proposal', {
    message: title,
    columns: {
      sources: [
        { key: 'registry', label: 'Registry' },
        { key: 'supplier', label: 'Supplier sheet' },
      ],
      current: { label: 'Current' },
    },
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(rows.map((row) => [row.key, { ...kind(row), default: row.proposed }])),
    },
    fields: Object.fromEntries(
      rows.map((row) => [
        row.key,
        {
          sources: { registry: typed(row, row.source[0].value), supplier: typed(row, row.source[1].value) },
          current: row.current,
          include: row.include,
        },
      ]),
    ),
    timeoutSeconds: 86_400,
  });
  return answer.reviewUrl;
}

/** The property of a row: one-line texts, as the peers have them. */
function kind({ type, options }) {
  switch (type) {
    case 'string':
      return { type, maxLength: 200 };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'enum':
      return { type: 'string', enum: options };
    default:
      return { type };
  }
}

/** The peers' sources are texts; ours have the type of their field, so that they compare. */
function typed({ type }, text) {
  return type === 'number' || type === 'boolean' ? JSON.parse(text) : text;
}

/** Calls a tool in the stateless form of MCP. */
async function call(sayso, name, args) {
  const revision = '2026-07-28';
  const response = await fetch(new URL('/mcp', sayso), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': revision,
          'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  });
  const text = await response.text();
  const message = JSON.parse(text.startsWith('{') ? text : text.match(/^data: ?(\{.*)$/m)[1]);
  if (message.error || message.result.isError) throw new Error(`${name}: ${text}`);
  return message.result.structuredContent;
}

export function median(samples) {
  const sorted = samples.filter((sample) => sample != null).sort((a, b) => a - b);
  return sorted.length ? sorted[sorted.length >> 1] : undefined;
}

/** A Markdown table. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

export function figure(value, digits = value < 10 ? 1 : 0) {
  return Number.isFinite(value) ? value.toFixed(digits) : '—';
}
