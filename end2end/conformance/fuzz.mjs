// Sends mutated MCP sessions to a server: whatever arrives, no task panics, nothing is logged above `warn`, and the next good
// call is answered.
//
//   node fuzz.mjs BUILD [SECONDS] [SEED]     SECONDS: 600 unless told; SEED: any number, told at the start

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [build, seconds = '600', seed = String(Date.now() % 1e9)] = process.argv.slice(2);
if (!build) throw new Error('usage: node fuzz.mjs BUILD [SECONDS] [SEED]');
const PORT = 20_000 + (process.pid % 10_000);
const AT_ONCE = 8;

let state = Number(seed) >>> 0;
/** mulberry32: the same numbers for the same seed. */
function chance() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = state;
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
const below = (count) => Math.floor(chance() * count);
const pick = (list) => list[below(list.length)];

const CALLS = [
  ['elicit_approval', { message: 'Deploy?', context: { a: [1, 2.50, null] }, displayTemplate: '<b>{{ context.a | join: "," }}</b>', idempotencyKey: 'k' }],
  ['elicit_approval', { message: 'Fill', requestedSchema: { type: 'object', properties: { n: { type: 'integer', minimum: 1, default: 2 }, s: { type: 'string', format: 'email' } }, required: ['n'] } }],
  ['elicit_proposal', { message: 'Sync', columns: { sources: [{ key: 'a', label: 'A' }], current: { label: 'C' } }, requestedSchema: { type: 'object', properties: { name: { type: 'string', default: 'x' } } }, fields: { name: { sources: { a: 'y' }, current: null } } }],
  ['elicit_selection', { message: 'Which?', options: [{ id: 'a', label: 'A' }, { id: 'b' }], rowTemplate: '<td>{{ option.id }}</td>', css: 'td{color:red}', maxSelections: 2 }],
  ['elicit_preview', { tool: 'elicit_approval', arguments: { message: 'm', context: 1 } }],
  ['elicit_await', { elicitationId: '0'.repeat(32), waitSeconds: 1 }],
  ['elicit_status', { elicitationId: '0'.repeat(32) }],
  ['elicit_result', { elicitationId: '0'.repeat(32) }],
  ['elicit_cancel', { elicitationId: '0'.repeat(32), reason: 'no' }],
  ['elicit_doctor', {}],
];
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  progressToken: 'p',
};
const VALUES = [null, true, 0, -1, 1e308, 0.1, '', '\0', '\ud800', '../../etc/passwd', [], {}, [[[[]]]], { $ref: '#' }, 'x'.repeat(70_000), '{{ a | b: c }}', '2026-07-28', 9007199254740993];

/** A recorded message and the headers that it went with. */
function recorded(session) {
  const id = below(50);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const [name, args] = structuredClone(pick(CALLS));
  switch (below(7)) {
    case 0:
      return [headers, { jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: { elicitation: { url: {} } }, clientInfo: { name: 'fuzz', version: '1' } } }];
    case 1:
      return [{ ...headers, 'mcp-session-id': session }, pick([
        { jsonrpc: '2.0', method: 'notifications/initialized' },
        { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } },
        { jsonrpc: '2.0', id, result: { action: 'accept' } },
        { jsonrpc: '2.0', id, error: { code: -1, message: 'no' } },
      ])];
    case 2:
      return [{ ...headers, 'mcp-session-id': session }, { jsonrpc: '2.0', id, method: pick(['tools/list', 'prompts/list', 'resources/list', 'ping', 'resources/read', 'prompts/get', 'completion/complete', 'skills/list']), params: { uri: 'sayso://requests/0', name: 'get-approval', arguments: { action: 'a' } } }];
    case 3:
    case 4:
      return [{ ...headers, 'mcp-session-id': session }, { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } }];
    default:
      return [
        { ...headers, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name },
        { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, _meta: structuredClone(META), ...(chance() < 0.2 ? { requestState: 'rs2.x.y.z', inputResponses: { review: { action: 'accept' } } } : {}) } },
      ];
  }
}

/** Changes a value somewhere inside of a message. */
function wound(message) {
  let at = message;
  for (;;) {
    const keys = Object.keys(at);
    if (keys.length === 0) return;
    const key = pick(keys);
    if (typeof at[key] === 'object' && at[key] !== null && chance() < 0.75) {
      at = at[key];
      continue;
    }
    const how = below(4);
    if (how === 0) delete at[key];
    else if (how === 1) at[pick(['x', '__proto__', 'constructor', '\0', 'requestId'])] = structuredClone(at[key]);
    else at[key] = structuredClone(pick(VALUES));
    return;
  }
}

function mutated(session) {
  const [headers, message] = recorded(session);
  for (let times = below(4); times > 0; times -= 1) wound(message);
  let body = Buffer.from(JSON.stringify(chance() < 0.03 ? [message, message] : message));
  switch (below(12)) {
    case 0:
      body = body.subarray(0, below(body.length + 1));
      break;
    case 1:
      for (let times = 1 + below(8); times > 0 && body.length > 0; times -= 1) body[below(body.length)] = below(256);
      break;
    case 2:
      body = Buffer.concat([body, Buffer.from('['.repeat(below(60_000)))]);
      break;
    case 3:
      body = Buffer.from('{"a":'.repeat(1 + below(20_000)));
      break;
    default:
  }
  if (chance() < 0.15) {
    const name = pick([...Object.keys(headers), 'last-event-id', 'mcp-session-id', 'content-encoding', 'origin']);
    headers[name] = pick(['', 'x', 'gzip', 'null', '0/0', '2025-11-25', 'é', 'application/json', 'a'.repeat(9_000)]);
  }
  return { method: chance() < 0.93 ? 'POST' : pick(['GET', 'DELETE', 'PUT', 'HEAD', 'OPTIONS', 'PATCH']), headers, body };
}

function send({ method, headers, body }, patience = 3_000) {
  return new Promise((done) => {
    const sent = request({ host: '127.0.0.1', port: PORT, path: '/mcp', method, headers, timeout: patience }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      // Some streams do not end by themselves.
      const tired = setTimeout(() => answer.destroy(), below(1_500));
      answer.on('close', () => (clearTimeout(tired), done({ status: answer.statusCode, headers: answer.headers, text })));
      answer.on('error', () => {});
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', (error) => done({ status: 0, headers: {}, text: String(error) }));
    sent.end(method === 'POST' ? body : undefined);
  });
}

const folder = await mkdtemp(join(tmpdir(), 'sayso-fuzz-'));
let log = '';
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SAYSO_')));
const server = spawn(resolve(build), ['serve', '--listen', `127.0.0.1:${PORT}`, '--database-url', `sqlite:${join(folder, 'sayso.db')}`], { env: environment });
for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text));
let left;
server.on('exit', (code, signal) => (left = code ?? signal));
while (left === undefined && !(await fetch(`http://127.0.0.1:${PORT}/healthz`).catch(() => undefined))?.ok) await new Promise((go) => setTimeout(go, 50));

if (left !== undefined) throw new Error(`the server left with ${left}\n${log}`);
console.log(`seed ${seed}, ${seconds} s`);
const end = Date.now() + Number(seconds) * 1000;
const statuses = {};
const sessions = ['none'];
async function worker() {
  while (Date.now() < end && left === undefined) {
    const { status, headers } = await send(mutated(pick(sessions)));
    statuses[status] = (statuses[status] ?? 0) + 1;
    const session = headers['mcp-session-id'];
    if (session) sessions[sessions.length < 40 ? sessions.length : below(40)] = session;
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, worker));

const complaints = log.split('\n').filter((line) => /panicked|"level":"ERROR"| ERROR /.test(line));
const good = await send({ method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'elicit_approval' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'elicit_approval', arguments: { message: 'm', context: 1 }, _meta: META } }) }, 10_000);
console.log(statuses, `${Object.values(statuses).reduce((sum, count) => sum + count, 0)} messages`);
for (const line of complaints.slice(0, 20)) console.log(line);
const sound = left === undefined && complaints.length === 0 && good.text.includes('reviewUrl');
if (!good.text.includes('reviewUrl')) console.log('a good call got', good);
server.kill();
await rm(folder, { recursive: true, force: true });
console.log(sound ? 'sound' : 'NOT SOUND');
process.exitCode = sound ? 0 : 1;
