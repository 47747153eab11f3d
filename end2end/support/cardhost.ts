// A host that shows cards: a real MCP client that says so, and a page with the card in a sandboxed frame, to which it
// speaks by postMessage. What the card asks is carried out, or not, as a host would.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { FrameLocator, Page } from '@playwright/test';

/** One message between card and host. */
export interface Message {
  jsonrpc: '2.0';
  id?: number;
  method?: string;
  params?: any;
  result?: any;
  error?: { code: number; message: string };
}

/** How this host answers what the card asks; what is left out is answered as most hosts do. */
export interface Manners {
  /** Instead of asking the server. */
  call?: (name: string, args: Record<string, unknown>) => Promise<CallToolResult>;
  /** Refuses to open links. */
  noLinks?: boolean;
  context?: Record<string, unknown>;
}

// What a host has to allow a card that declares nothing, and no more.
const POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'";

export class CardHost {
  /** Everything that the card sent. */
  readonly heard: Message[] = [];

  private constructor(
    private readonly client: Client,
    private readonly page: Page,
    /** The tools as a host with cards is told them. */
    readonly tools: Tool[],
    /** The card's document. */
    readonly html: string,
  ) {}

  /** Connects to a server as a host that can show cards, and fetches the card of its tools. */
  static async connect(url: string, page: Page): Promise<CardHost> {
    const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
    const client = new Client({ name: 'card host', version: '1.0.0' }, { capabilities: { extensions: ui } });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    const { tools } = await client.listTools();
    const uri = tools.map((tool) => (tool._meta?.ui as any)?.resourceUri).find(Boolean);
    const { contents } = await client.readResource({ uri });
    return new CardHost(client, page, tools, (contents[0] as { text: string }).text);
  }

  async call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    return (await this.client.callTool({ name, arguments: args })) as CallToolResult;
  }

  /** Shows the card in a frame; comes back when it has said hello. */
  async show(manners: Manners = {}): Promise<FrameLocator> {
    await this.page.exposeFunction('carryOut', async (message: Message): Promise<Partial<Message> | undefined> => {
      this.heard.push(message);
      if (message.id === undefined) return undefined;
      switch (message.method) {
        case 'ui/initialize': {
          const hostCapabilities = { openLinks: {}, serverTools: {} };
          const hostInfo = { name: 'card host', version: '1.0.0' };
          return { result: { protocolVersion: '2026-01-26', hostCapabilities, hostInfo, hostContext: manners.context ?? {} } };
        }
        case 'tools/call':
          return { result: await (manners.call ?? this.call.bind(this))(message.params.name, message.params.arguments) };
        case 'ui/open-link':
          return manners.noLinks ? { error: { code: -32000, message: 'not here' } } : { result: {} };
        default:
          return message.method ? { error: { code: -32601, message: 'unknown' } } : undefined;
      }
    });
    await this.page.setContent(
      `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}">
      <iframe title="card" sandbox="allow-scripts" style="width: 420px; height: 260px"></iframe>
      <script>
        const frame = document.querySelector('iframe');
        window.post = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
        addEventListener('message', async ({ source, data }) => {
          if (source !== frame.contentWindow) return;
          const answer = await carryOut(data);
          if (answer) post({ id: data.id, ...answer });
        });
      </script>`,
    );
    await this.page.locator('iframe[title=card]').evaluate((frame: HTMLIFrameElement, html) => void (frame.srcdoc = html), this.html);
    await this.until('ui/notifications/initialized');
    return this.page.frameLocator('iframe[title=card]');
  }

  /** Tells the card something, as the host. */
  async tell(message: Partial<Message>): Promise<void> {
    await this.page.evaluate((message) => (window as any).post(message), message);
  }

  /** Calls a tool and tells the card what went in and what came out. */
  async run(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
    await this.tell({ method: 'ui/notifications/tool-input', params: { arguments: args } });
    const result = await this.call(name, args);
    await this.tell({ method: 'ui/notifications/tool-result', params: result });
    return result;
  }

  /** What the card sent by this method. */
  sent(method: string): Message[] {
    return this.heard.filter((message) => message.method === method);
  }

  /** Waits until the card has sent this. */
  async until(method: string, count = 1): Promise<void> {
    for (const since = Date.now(); this.sent(method).length < count; await this.page.waitForTimeout(20)) {
      if (Date.now() - since > 7_000) throw new Error(`no ${method}; it sent ${JSON.stringify(this.heard)}`);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
