// Sayso beside the same tools on the official TypeScript SDK (`ts2`) and on Node without any SDK (`tsraw`), in turns in one
// run, so that whatever else the machine does hits all alike: only medians and ratios of such a run mean much.
//
//   node server/benches/load/compare.mjs PEERS [--rounds 7] [--seconds 3] [--sessions] [--only create,status,cold,waiters]
//
// PEERS is a folder with `ts2/server.mjs` and `tsraw/server.mjs`, their modules installed, each called with a port and a
// database file. The release binary and the bench `load` are built first, unless LOAD_BIN and LOAD name them.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '3' },
    waiters: { type: 'string', default: '5000' },
    only: { type: 'string', default: 'create,status,cold,waiters' },
    sessions: { type: 'boolean', default: false },
  },
});
if (positionals.length !== 1) {
  console.error('usage: compare.mjs PEERS [--rounds N] [--seconds N] [--waiters N] [--sessions] [--only create,status,cold,waiters]');
  process.exit(2);
}
const peers = resolve(positionals[0]);
const rounds = Number(options.rounds);
const wanted = new Set(options.only.split(','));
const folder = mkdtempSync(join(tmpdir(), 'sayso-load-'));
const { load, sayso } = binaries();

const node = (name) => ({ dialect: 'peer', command: (port, file) => [process.execPath, join(peers, name, 'server.mjs'), `${port}`, file] });
const ours = (dialect) => ({ dialect, command: (port, file) => [sayso, 'serve', '--listen', `127.0.0.1:${port}`, '--database-url', `sqlite:${file}`, '--rate-limit', 'decisions=off,pages=off'] });
const targets = { sayso: ours('sayso'), ...(options.sessions && { 'sayso, sessions': ours('sayso-sessions') }), ts2: node('ts2'), tsraw: node('tsraw') };

const running = [];
try {
  for (const call of ['create', 'status']) if (wanted.has(call)) await calls(call);
  if (wanted.has('cold')) await coldStarts();
  if (wanted.has('waiters')) await waiters();
} finally {
  running.forEach(stop);
  rmSync(folder, { recursive: true, force: true });
}

// ------------------------------------------------------------------------------------------------ what is measured

async function calls(call) {
  const started = {};
  for (const name of Object.keys(targets)) started[name] = await start(name, call);
  const run = (name, seconds) => measure('calls', targets[name].dialect, started[name].address, call, '32', `${seconds}`);
  for (const name of Object.keys(targets)) run(name, 2); // compilers warm up, caches fill
  const results = await inTurns((name) => run(name, options.seconds));
  Object.values(started).forEach(stop);
  table(`${call}, 32 connections, ${options.seconds} s a turn`, results, {
    'a second': (r) => r.rate,
    'p50, ms': (r) => r.ms.p50,
    'p99, ms': (r) => r.ms.p99,
  });
}

async function coldStarts() {
  const results = await inTurns(async (name) => {
    const port = await freePort();
    const file = join(folder, `cold-${name.replace(/\W/g, '')}-${port}.db`);
    return measure('cold', targets[name].dialect, `127.0.0.1:${port}`, ...targets[name].command(port, file));
  });
  table('cold start, on an empty database', results, { 'first answer, ms': (r) => r.first_answer_ms, 'memory then, MB': (r) => r.rss_mb });
}

async function waiters() {
  const results = await inTurns(async (name) => {
    const server = await start(name, 'waiters');
    try {
      return measure('waiters', targets[name].dialect, server.address, `${server.process.pid}`, options.waiters);
    } finally {
      stop(server);
    }
  }, Math.min(rounds, 3));
  table(`${options.waiters} waiters`, results, {
    'KB each': (r) => r.kb_each,
    'idle, MB': (r) => r.idle_mb,
    'steady: sent to woken p50, ms': (r) => r.steady.decision_sent_to_woken_ms.p50,
    'steady: sent to woken p99, ms': (r) => r.steady.decision_sent_to_woken_ms.p99,
    'all: over, ms': (r) => r.all.over_ms,
    'all: answered to woken p99, ms': (r) => r.all.decision_answered_to_woken_ms.p99,
    'all: sent to woken p99, ms': (r) => r.all.decision_sent_to_woken_ms.p99,
  });
}

/** Every target once a round, each round beginning with another. */
async function inTurns(run, times = rounds) {
  const names = Object.keys(targets);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < times; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length];
      results[name].push(await run(name));
    }
  }
  return results;
}

function measure(...words) {
  const done = spawnSync(load, words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${words.join(' ')}: ${done.stderr || done.signal}`);
  return JSON.parse(done.stdout);
}

function table(title, results, columns) {
  const names = Object.keys(results);
  console.log(`\n${title}; medians of ${results[names[0]].length}; load ${loadavg()[0].toFixed(1)}\n`);
  console.log(`| | ${names.join(' | ')} | ${names.slice(1).map((name) => `${names[0]} / ${name}`).join(' | ')} |`);
  console.log(`| --- |${' ---: |'.repeat(2 * names.length - 1)}`);
  for (const [column, read] of Object.entries(columns)) {
    const medians = names.map((name) => median(results[name].map(read)));
    // Ratios round by round: both sides of each had the same machine.
    const ratios = names.slice(1).map((name) => median(results[name].map((other, round) => read(results[names[0]][round]) / read(other))));
    console.log(`| ${column} | ${medians.map(short).join(' | ')} | ${ratios.map((ratio) => ratio.toFixed(2)).join(' | ')} |`);
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function short(number) {
  return number >= 100 ? Math.round(number).toLocaleString('en') : number.toFixed(1);
}

// ------------------------------------------------------------------------------------------------ servers

async function start(name, what) {
  const port = await freePort();
  const [program, ...words] = targets[name].command(port, join(folder, `${what}-${name.replace(/\W/g, '')}-${port}.db`));
  const child = spawn(program, words, { stdio: 'ignore', env: { ...process.env, NODE_ENV: 'production' } });
  const server = { process: child, address: `127.0.0.1:${port}` };
  running.push(server);
  for (let tries = 0; tries < 1500; tries++) {
    if (child.exitCode !== null) break;
    if (await listens(port)) return server;
    await new Promise((then) => setTimeout(then, 20));
  }
  throw new Error(`${name} does not start: ${program} ${words.join(' ')}`);
}

function stop(server) {
  server.process.kill('SIGKILL');
}

function listens(port) {
  return new Promise((then) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), then(true)));
    socket.on('error', () => then(false));
  });
}

function freePort() {
  return new Promise((then) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => then(port));
    });
  });
}

function binaries() {
  const { LOAD, LOAD_BIN } = process.env;
  if (LOAD && LOAD_BIN) return { load: LOAD, sayso: LOAD_BIN };
  const cargo = ['bench', '-q', '-p', 'sayso', '--bench', 'load', '--no-run', '--message-format=json'];
  const told = execFileSync('cargo', cargo, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] });
  const built = told.split('\n').filter((line) => line.startsWith('{')).map((line) => JSON.parse(line)).filter((line) => line.executable);
  const named = (name) => built.find((line) => line.target.name === name)?.executable;
  return { load: LOAD ?? named('load'), sayso: LOAD_BIN ?? named('sayso') };
}
