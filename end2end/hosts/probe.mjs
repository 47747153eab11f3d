// Measures the clients of this folder against a server that does one thing at a time; docs/hosts.md is written from
// what it prints. Takes seven minutes, most of them waiting for the slowest client to give up.
//   HOSTS_VENV=… node probe.mjs [PART OF A PROGRAM'S NAME [SECONDS]]

import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const CLIENTS = [
  ['TypeScript SDK 1', 'ts1.mjs', 'legacy'],
  ['TypeScript client 2', 'ts2.mjs', 'legacy'],
  ['TypeScript client 2', 'ts2.mjs', 'modern'],
  ['Python mcp 2', 'python/mcp2.py', 'legacy'],
  ['Python mcp 2', 'python/mcp2.py', 'modern'],
  ['fastmcp 4', 'python/fastmcp4.py', 'legacy'],
  ['fastmcp 4', 'python/fastmcp4.py', 'modern'],
  ['mcp-inspector --cli', 'inspector.mjs', 'legacy'],
  ['mcp-inspector --cli', 'inspector.mjs', 'modern'],
];
const [only, longest = '330'] = process.argv.slice(2);
/** For how long a client is left without an answer. */
const LONGEST = Number(longest) * 1000;
const tool = { name: 'probe', inputSchema: { type: 'object' } };
const done = { content: [{ type: 'text', text: 'done' }], resultType: 'complete' };
const prompt = { mode: 'url', message: 'Please review', url: 'http://127.0.0.1/review' };

/** A server that notes what it is sent, and answers `tools/call` as its one argument `how` says. */
class Probe {
  heard = [];
  lost = false;
  answered = new Map();

  static async start() {
    const probe = new Probe();
    probe.server = createServer((request, response) => probe.serve(request, response));
    await new Promise((listening) => probe.server.listen(0, '127.0.0.1', listening));
    return probe;
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}/mcp`;
  }

  async serve(request, response) {
    let body = '';
    for await (const part of request) body += part;
    const session = request.headers['mcp-session-id'];
    if (this.lost && session === 'first') return response.writeHead(404).end();
    if (request.method === 'DELETE') return response.writeHead(200).end();
    if (request.method === 'GET') {
      this.heard.push({ method: 'GET' });
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      this.side = response;
      return;
    }
    const message = JSON.parse(body);
    const { id, method, params } = message;
    this.heard.push(message);
    if (id === undefined || !method) {
      if (!method) this.answered.get(id)?.(message);
      return response.writeHead(202).end();
    }
    const modern = params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
    const send = (extra, result) =>
      response
        .writeHead(200, { 'content-type': 'application/json', ...extra })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...result }));
    const hints = { ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
    const me = { serverInfo: { name: 'probe', version: '1.0.0' }, capabilities: { tools: {} } };
    switch (method) {
      case 'server/discover':
        if (!this.modern) return send({}, { error: { code: -32601, message: 'Method not found' } });
        return send({}, { result: { supportedVersions: ['2026-07-28'], ...me, ...hints } });
      case 'initialize':
        this.sessions = (this.sessions ?? 0) + 1;
        return send(
          { 'mcp-session-id': this.sessions === 1 ? 'first' : 'next' },
          { result: { protocolVersion: params.protocolVersion, ...me } },
        );
      case 'tools/list':
        return send({}, { result: { tools: [tool], ...(modern && hints) } });
      case 'tools/call':
        return this.call(params, response, send, id);
      default:
        return send({}, { error: { code: -32601, message: 'Method not found' } });
    }
  }

  async call({ arguments: args, inputResponses }, response, send, id) {
    if (args.how === 'plain') return send({}, { result: done });
    if (args.how === 'gone') return void setTimeout(() => response.destroy(), 500);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const event = (message) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
    const end = (result) => {
      event({ id, result });
      response.end();
    };
    if (args.how === 'silent') return;
    if (args.how === 'cut') return void setTimeout(() => response.destroy(), 500);
    if (args.how === 'comments') return void setInterval(() => response.write(': \n\n'), 5_000).unref();
    if (args.how === 'push' || args.how === 'hold') {
      const reply = new Promise((resolve) => this.answered.set('p1', resolve));
      event({ id: 'p1', method: 'elicitation/create', params: { ...prompt, elicitationId: 'e1' } });
      if (args.how === 'hold') await reply;
      end(done);
    }
    if (args.how === 'ask') {
      if (inputResponses) return end(done);
      end({
        resultType: 'input_required',
        requestState: 'sealed',
        inputRequests: { review: { method: 'elicitation/create', params: prompt } },
      });
    }
  }
}

/** One client program, told a line at a time. */
class Driven {
  events = [];
  pending = new Map();
  last = 0;

  constructor(program) {
    const venv = process.env.HOSTS_VENV;
    const node = program.endsWith('.mjs');
    this.child = spawn(node ? process.execPath : `${venv}/bin/python`, [program], {
      cwd: fileURLToPath(new URL('.', import.meta.url)),
      env: { ...process.env, HOSTS_NODE: `${venv}/bin/node` },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const event = JSON.parse(line);
      this.events.push(event);
      if (event.event === 'prompt') this.tell('answer', { prompt: event.prompt, action: 'accept' });
      this.pending.get(event.id)?.(event);
    });
    this.child.once('close', () => this.pending.forEach((end) => end({ error: 'it has left' })));
  }

  tell(verb, more) {
    const id = ++this.last;
    const told = new Promise((resolve) => this.pending.set(id, resolve));
    this.child.stdin.write(`${JSON.stringify({ id, do: verb, ...more })}\n`);
    return told;
  }

  call(how) {
    return this.tell('call', { tool: 'probe', arguments: { how } });
  }
}

async function within(ms, promise) {
  const since = Date.now();
  const bound = new Promise((resolve) => setTimeout(resolve, ms, { error: 'nothing yet' }).unref());
  const { error, result } = await Promise.race([promise, bound]);
  const told = error ? error.split('\n')[0].slice(0, 160) : JSON.stringify(result).slice(0, 90);
  return `${told} after ${((Date.now() - since) / 1000).toFixed(1)} s`;
}

async function measure([name, program, era]) {
  const probe = await Probe.start();
  probe.modern = era === 'modern';
  const client = new Driven(program);
  const found = { client: name, era };
  const { result, error } = await client.tell('connect', { url: probe.url, era });
  if (error) return { ...found, error };
  if (!probe.heard.length) return { ...found, error: 'it did not come' };
  const hello = probe.heard.find(({ method }) => method === 'initialize' || method === 'tools/list');
  const meta = hello.params._meta ?? {};
  found.version = result.version;
  found.revision = hello.params.protocolVersion ?? meta['io.modelcontextprotocol/protocolVersion'];
  found.capabilities = JSON.stringify(hello.params.capabilities ?? meta['io.modelcontextprotocol/clientCapabilities']);
  found.listens = probe.heard.some(({ method }) => method === 'GET');

  for (const how of era === 'modern' ? ['ask'] : ['push', 'hold']) {
    found[how] = await within(40_000, client.call(how));
    await new Promise((wait) => setTimeout(wait, 500));
    found[`${how}, callback got`] = JSON.stringify(client.events.findLast(({ event }) => event === 'prompt')?.params);
    found[`${how}, server got`] = JSON.stringify(
      how === 'ask'
        ? probe.heard.findLast(({ params }) => params?.inputResponses)?.params.inputResponses
        : (({ result, error }) => ({ result, error }))(probe.heard.findLast(({ id }) => id === 'p1') ?? {}),
    );
  }
  const call = probe.heard.findLast(({ method }) => method === 'tools/call');
  found.progressToken = call.params._meta?.progressToken !== undefined;

  found.cut = await within(LONGEST, client.call('cut'));
  const quiet = within(LONGEST, client.call('silent'));
  const other = new Driven(program);
  await other.tell('connect', { url: probe.url, era });
  const comments = within(LONGEST, other.call('comments'));
  if (era === 'legacy' && program !== 'inspector.mjs') {
    const third = await Probe.start();
    const losing = new Driven(program);
    await losing.tell('connect', { url: third.url, era });
    third.lost = true;
    found['lost session'] = await within(40_000, losing.call('plain'));
    found['lost session, then'] = await within(40_000, losing.call('plain'));
    found['initializes anew'] = third.sessions > 1;
    losing.child.kill();
  }
  const fourth = await Probe.start();
  fourth.modern = probe.modern;
  const dropped = new Driven(program);
  await dropped.tell('connect', { url: fourth.url, era });
  found['gone before the headers'] = await within(LONGEST, dropped.call('gone'));
  found['gone, then'] = await within(20_000, dropped.call('plain'));
  dropped.child.kill();
  found.silent = await quiet;
  found.comments = await comments;
  const told = probe.heard.filter(({ method }) => method === 'notifications/cancelled');
  found['says cancelled'] = told.length > 0;
  client.child.kill();
  other.child.kill();
  return found;
}

await Promise.all(
  CLIENTS.filter(([, program]) => !only || program.includes(only)).map(async (client) => {
    console.log(JSON.stringify(await measure(client).catch((error) => ({ client, error: error.stack })), null, 1));
  }),
);
process.exit(0);
