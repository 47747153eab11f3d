// One client program of this folder, running: what it is told to do, and what it tells.

import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
/** Where `./dev setup --browser` puts what requirements.txt names. */
const VENV = process.env.HOSTS_VENV;

/** The two eras of the protocol: by a handshake up to 2025-11-25, and stateless from 2026-07-28 on. */
export type Era = 'legacy' | 'modern';

/** A client program, and the era that it is to speak. */
export interface Kind {
  name: string;
  program: string;
  era: Era;
  /** Whether it has an elicitation callback of its own. */
  prompts: boolean;
}

/** What a client says of its connection. */
export interface Connected {
  version: string;
  /** The revision that was agreed on, where the client tells. */
  revision?: string;
  tools: string[];
}

/** What a client hands its elicitation callback. */
export interface Prompt {
  prompt: number;
  params: { mode?: string; message?: string; url?: string; elicitationId?: string };
}

/** What a tool answers, as the client hands it over. */
export interface Answer {
  isError?: boolean;
  structuredContent: any;
  content: { text?: string }[];
}

export type Action = 'accept' | 'decline' | 'cancel';

interface Event {
  id?: number;
  result?: any;
  error?: string;
  event?: 'prompt' | 'withdrawn' | 'complete' | 'trouble';
  prompt?: number;
  params?: Prompt['params'];
  elicitationId?: string;
}

interface Pending {
  resolve(result: any): void;
  reject(error: Error): void;
}

export class Host {
  /** Everything that it told, for who looks into a failure. */
  readonly heard: Event[] = [];
  /** How to answer prompts without anybody having looked at them. */
  reflex?: Action;
  private readonly pending = new Map<number, Pending>();
  private readonly prompts: Prompt[] = [];
  private readonly listeners = new Set<() => void>();
  private complaints = '';
  private lastId = 0;

  private constructor(
    private readonly process: ChildProcess,
    private readonly kind: Kind,
  ) {
    process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.complaints += text));
    createInterface({ input: process.stdout! }).on('line', (line) => this.hear(JSON.parse(line)));
    process.once('close', (code) => {
      const error = new Error(`${kind.program} has left with ${code}\n${this.complaints}`);
      for (const { reject } of this.pending.values()) reject(error);
    });
  }

  static start(kind: Kind): Host {
    if (!VENV) throw new Error('HOSTS_VENV is not set: run these tests by `./dev test browser`');
    const node = kind.program.endsWith('.mjs');
    const child = spawn(node ? process.execPath : `${VENV}/bin/python`, [kind.program], {
      cwd: FOLDER,
      env: { ...process.env, HOSTS_NODE: `${VENV}/bin/node` },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return new Host(child, kind);
  }

  connect(url: string): Promise<Connected> {
    return this.tell('connect', { url: `${url}/mcp`, era: this.kind.era });
  }

  call(tool: string, args: Record<string, unknown>): Promise<Answer> {
    return this.tell('call', { tool, arguments: args });
  }

  /** What a tool that is to succeed answers. */
  ask(tool: string, args: Record<string, unknown>): Promise<any> {
    const answer = this.call(tool, args).then(({ isError, structuredContent }) => {
      if (isError) throw new Error(`${tool} was refused: ${JSON.stringify(structuredContent)}`);
      return structuredContent;
    });
    answer.catch(() => {}); // whoever needs it awaits it
    return answer;
  }

  answer({ prompt }: Prompt, action: Action): Promise<{ wanted: boolean }> {
    return this.tell('answer', { prompt, action });
  }

  /** The next prompt that nobody has taken yet. */
  async prompt(): Promise<Prompt> {
    await this.until(() => this.prompts.length > 0, 'a prompt');
    return this.prompts.shift()!;
  }

  /** How many prompts there were in all. */
  get prompted(): number {
    return this.heard.filter(({ event }) => event === 'prompt').length;
  }

  /** Waits until the client has heard that this request is complete. */
  completed(elicitationId: string): Promise<void> {
    return this.told('complete', (event) => event.elicitationId === elicitationId);
  }

  /** Waits until the answer to a prompt is no longer wanted. */
  withdrawn({ prompt }: Prompt): Promise<void> {
    return this.told('withdrawn', (event) => event.prompt === prompt);
  }

  async stop(): Promise<void> {
    const left = new Promise((done) => this.process.once('close', done));
    if (this.process.exitCode === null) {
      const late = setTimeout(() => this.process.kill('SIGKILL'), 3_000);
      this.process.stdin?.end();
      await left;
      clearTimeout(late);
    }
  }

  private tell(verb: string, more: Record<string, unknown>): Promise<any> {
    const id = ++this.lastId;
    const told = new Promise((resolve, reject) => this.pending.set(id, { resolve, reject }));
    told.catch(() => {}); // whoever needs it awaits it
    this.process.stdin!.write(`${JSON.stringify({ id, do: verb, ...more })}\n`);
    return told;
  }

  private hear(event: Event): void {
    this.heard.push(event);
    if (event.id !== undefined) {
      const waiting = this.pending.get(event.id);
      this.pending.delete(event.id);
      if (event.error === undefined) waiting?.resolve(event.result);
      else waiting?.reject(new Error(`${this.kind.program}: ${event.error}`));
    } else if (event.event === 'prompt') {
      const prompt = event as unknown as Prompt;
      if (this.reflex) void this.answer(prompt, this.reflex);
      else this.prompts.push(prompt);
    }
    for (const listener of this.listeners) listener();
  }

  private told(kind: string, which: (event: Event) => boolean): Promise<void> {
    return this.until(() => this.heard.some((event) => event.event === kind && which(event)), `that it is ${kind}`);
  }

  private until(holds: () => boolean, what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const done = (act: () => void) => {
        clearTimeout(late);
        this.listeners.delete(look);
        act();
      };
      const look = () => holds() && done(resolve);
      const late = setTimeout(() => {
        done(() => reject(new Error(`${this.kind.name} did not hear ${what}; it heard\n${this.story()}`)));
      }, 10_000);
      this.listeners.add(look);
      look();
    });
  }

  private story(): string {
    return this.heard.map((event) => JSON.stringify(event).slice(0, 300)).join('\n');
  }
}
