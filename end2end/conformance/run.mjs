// Runs the MCP conformance suite at each revision that we claim: all of it against a test build of the server, and what
// needs no fixture against an ordinary build.
// It stops with an error where anything fails or warns that expected.yml does not name, where something named there
// passes, and where the ordinary build takes the flag that mounts the fixtures.
//
//   node run.mjs TEST_BUILD ORDINARY_BUILD        (Node.js 22 or newer)

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The revisions, and which scenarios an ordinary build passes at each. */
const REVISIONS = {
  '2025-11-25': [
    'dns-rebinding-protection', 'ping', 'prompts-list', 'resources-list', 'server-initialize',
    'server-session-lifecycle', 'server-sse-multiple-streams', 'tools-list',
  ],
  '2026-07-28': [
    'caching', 'dns-rebinding-protection', 'http-header-validation', 'input-required-result-unsupported-methods',
    'prompts-list', 'resources-list', 'sep-2164-resource-not-found', 'server-sse-multiple-streams', 'tools-list',
  ],
};
// A suite that ran a handful of scenarios has not run.
const AT_LEAST = 30;
const SUITE = here('node_modules/@modelcontextprotocol/conformance/dist/index.js');
const EXPECTED = here('expected.yml');
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SAYSO_')));

const [testBuild, ordinaryBuild] = process.argv.slice(2).map((path) => resolve(path));
if (!ordinaryBuild) throw new Error('usage: node run.mjs TEST_BUILD ORDINARY_BUILD');

const folder = await mkdtemp(join(tmpdir(), 'sayso-conformance-'));
let sound = true;
try {
  await hold(refuses(ordinaryBuild));
  await against(testBuild, ['--conformance'], async (url) => {
    for (const revision of Object.keys(REVISIONS)) await hold(conforms(`with fixtures, ${revision}`, url, revision));
  });
  await against(ordinaryBuild, [], async (url) => {
    for (const [revision, scenarios] of Object.entries(REVISIONS)) {
      await hold(conforms(`without, ${revision}`, url, revision, scenarios));
    }
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = sound ? 0 : 1;

async function hold(claim) {
  if (!(await claim)) sound = false;
}

/** Does something with a server, and looks whether that made it panic. */
async function against(build, flags, does) {
  const server = await start(build, flags);
  try {
    await does(server.url);
  } finally {
    await server.stop();
  }
  const panics = server.log().split('\n').filter((line) => line.includes('panicked'));
  await hold(panics.length === 0);
  for (const panic of panics) console.log(panic);
}

/**
 * Whether these scenarios of a revision, else all of them and the pending ones as well, ended as expected; says what did
 * not.
 */
async function conforms(what, url, revision, scenarios) {
  const results = await mkdtemp(join(folder, 'results-'));
  const everything = ['--suite', 'all', '--expected-failures', EXPECTED];
  const chosen = scenarios?.map((scenario) => ['--scenario', scenario]) ?? [everything];
  const failed = [];
  for (const choice of chosen) {
    const args = [SUITE, 'server', '--url', url, '--spec-version', revision, '--output-dir', results, ...choice];
    const { code, output } = await run(process.execPath, args);
    if (code !== 0) failed.push(output);
  }
  const counts = {};
  const remarks = [];
  const ran = await readdir(results);
  for (const scenario of ran) {
    for (const check of JSON.parse(await readFile(join(results, scenario, 'checks.json'), 'utf8'))) {
      counts[check.status] = (counts[check.status] ?? 0) + 1;
      if (check.status === 'FAILURE' || check.status === 'WARNING') {
        const name = scenario.replace(/^server-|-\d{4}-\d\d-\d\dT.*$/g, '');
        remarks.push(`  ${check.status} ${name}:${check.id}: ${check.errorMessage ?? check.description}`);
      }
    }
  }
  const said = Object.entries(counts).map(([status, count]) => `${count} ${status.toLowerCase()}`);
  console.log(`${what}: ${ran.length} scenarios, ${said.join(', ')}`);
  for (const remark of remarks) console.log(remark);
  for (const output of failed) console.log(output.slice(Math.max(0, output.lastIndexOf('\nTotal: '))));
  const enough = ran.length >= (scenarios?.length ?? AT_LEAST);
  // Of single scenarios the suite takes a warning for a pass.
  return enough && failed.length === 0 && (!scenarios || remarks.length === 0);
}

/** Whether a build does not know the flag; says if it does. */
async function refuses(build) {
  const { code, output } = await run(build, ['--conformance', '--help']);
  if (code !== 0 && output.includes("unexpected argument '--conformance'")) return true;
  console.log(`${build} takes --conformance:\n${output}`);
  return false;
}

/** A server on a free port, with a database of its own, ready to answer. */
async function start(build, flags) {
  const port = await freePort();
  const database = `sqlite:${join(await mkdtemp(join(folder, 'database-')), 'sayso.db')}`;
  const child = spawn(build, [...flags, '--listen', `127.0.0.1:${port}`, '--database-url', database], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  let left;
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (log += text));
  const exited = new Promise((done) => {
    child.once('error', (error) => done((left = error.message)));
    child.once('exit', (code, signal) => done((left = `it left with ${code ?? signal}`)));
  });
  for (const since = Date.now(); ; await sleep(30)) {
    if (left) throw new Error(`${build} did not start: ${left}\n${log}`);
    if (Date.now() - since > 20_000) {
      child.kill('SIGKILL');
      throw new Error(`${build} is not ready after 20 s\n${log}`);
    }
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (ready?.ok) break;
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await Promise.race([exited, sleep(15_000).then(() => child.kill('SIGKILL'))]);
  };
  return { url: `http://127.0.0.1:${port}/mcp`, log: () => log, stop };
}

/** Runs a program to its end. */
function run(program, args) {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', failed);
    child.once('close', (code) => done({ code, output }));
  });
}

function freePort() {
  return new Promise((done, failed) => {
    const probe = createServer().once('error', failed).listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

function here(path) {
  return fileURLToPath(new URL(path, import.meta.url));
}
