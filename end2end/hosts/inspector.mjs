// `mcp-inspector --cli` 2.x: a process, and a connection of its own, for every call. It advertises no elicitation.
// It wants a newer Node than ours: HOSTS_NODE names one.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { answer, manifest, obey } from './lines.mjs';

const { bin, version } = manifest('@modelcontextprotocol/inspector');
const home = new URL('node_modules/@modelcontextprotocol/inspector/', import.meta.url);
const program = fileURLToPath(new URL(bin['mcp-inspector'], home));
let server = [];

/** Runs it once; gives the result that it prints. It leaves with 0, or with 5 where a tool said `isError`. */
async function inspect(...options) {
  const child = spawn(process.env.HOSTS_NODE, [program, '--cli', ...server, '--format', 'json', ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [told, complained] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (told += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (complained += text));
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  if (code !== 0 && code !== 5) throw new Error(`mcp-inspector left with ${code}: ${complained}`);
  return JSON.parse(told).result;
}

obey({
  async connect({ url, era }) {
    server = ['--server-url', url, '--transport', 'http', '--protocol-era', era];
    // Leaves with 6 where a tool's schema has what it calls an error.
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    return { version, tools: tools.map(({ name }) => name) };
  },
  call: ({ tool, arguments: args }) =>
    inspect('--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)),
  answer,
  close: () => {},
});
