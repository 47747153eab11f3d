// The server under test: one process, one port, one database file.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const END2END = fileURLToPath(new URL('..', import.meta.url));
/** The root of the repository. */
export const ROOT = resolve(END2END, '..');
const BINARY = resolve(END2END, process.env.SAYSO_BIN ?? '../target/debug/sayso');

export class Server {
  /** What it wrote to its standard output and error. */
  log = '';
  private process?: ChildProcess;
  private exited?: Promise<void>;

  private constructor(
    private readonly port: number,
    private readonly folder: string,
    private readonly settings: Record<string, string>,
  ) {}

  /** A server on a free port with a database of its own, ready to answer; `settings` are variables of its environment. */
  static async start(settings: Record<string, string> = {}): Promise<Server> {
    const folder = await mkdtemp(join(tmpdir(), 'sayso-end2end-'));
    const server = new Server(await freePort(), folder, settings);
    await server.run();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Runs it, again if need be, on the same port and the same file. */
  async run(): Promise<void> {
    const database = `sqlite:${join(this.folder, 'sayso.db')}`;
    const started = spawn(BINARY, ['serve', '--listen', `127.0.0.1:${this.port}`, '--database-url', database], {
      cwd: ROOT,
      env: { ...environment(), ...this.settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let failure: string | undefined;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (this.log += text));
    }
    this.process = started;
    this.exited = new Promise((done) => {
      started.once('error', (error) => done(void (failure = error.message)));
      started.once('exit', (code, signal) => done(void (failure = `it left with ${code ?? signal}`)));
    });
    for (const since = Date.now(); ; await sleep(30)) {
      if (failure) throw new Error(`${BINARY} did not start: ${failure}\n${this.log}`);
      if (Date.now() - since > 20_000) throw new Error(`${BINARY} is not healthy after 20 s\n${this.log}`);
      const health = await fetch(`${this.url}/healthz`).catch(() => undefined);
      if (health?.status === 200) return;
    }
  }

  /** Runs another command of the same program on the same database; what it wrote. */
  async command(...words: string[]): Promise<string> {
    const database = `sqlite:${join(this.folder, 'sayso.db')}`;
    const { stdout } = await promisify(execFile)(BINARY, [...words, '--database-url', database], {
      cwd: ROOT,
      env: environment(),
    });
    return stdout;
  }

  /** Asks it to leave, and holds it to the 10 seconds that it promises. */
  async stop(): Promise<void> {
    this.process?.kill('SIGTERM');
    const late = await Promise.race([this.exited, sleep(10_500, 'late', { ref: false })]);
    if (late) {
      await this.kill();
      throw new Error(`still running 10 s after SIGTERM\n${this.log}`);
    }
  }

  /** Takes it away without a word. */
  async kill(): Promise<void> {
    this.process?.kill('SIGKILL');
    await this.exited;
  }

  /** Everything that lies in its database's folder, as bytes in a string. */
  async stored(): Promise<string> {
    const files = await readdir(this.folder);
    const parts = await Promise.all(files.map((file) => readFile(join(this.folder, file), 'latin1')));
    return parts.join('');
  }

  async dispose(): Promise<void> {
    try {
      await this.stop();
    } finally {
      await rm(this.folder, { recursive: true, force: true });
    }
  }
}

/** This process's environment, without what would configure the server. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SAYSO_')));
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
