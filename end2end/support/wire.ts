// MCP by hand, for what a client library would not send or would round: broken bodies, foreign headers, the text
// of numbers.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Sends bytes as they are, with any header; `fetch` would mend the `Host`. */
export function send(url: string, method: string, headers: Record<string, string> = {}, body = ''): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...headers, 'content-length': Buffer.byteLength(body) } });
    let answered = false;
    request.on('response', (response) => {
      answered = true;
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
    });
    // A server may refuse a large body before it has read it; the answer counts, the broken pipe does not.
    request.on('error', (error) => answered || reject(error));
    request.end(body);
  });
}

export class Wire {
  private session: Record<string, string> = {};
  private lastId = 0;

  private constructor(private readonly url: string) {}

  static async open(server: string): Promise<Wire> {
    const wire = new Wire(`${server}/mcp`);
    const hello = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'by hand', version: '1.0.0' },
    };
    const { headers } = await wire.post(wire.request('initialize', JSON.stringify(hello)));
    const id = headers['mcp-session-id'];
    wire.session = { 'mcp-protocol-version': '2025-06-18', ...(typeof id === 'string' && { 'mcp-session-id': id }) };
    await wire.post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return wire;
  }

  /** A JSON-RPC request with these parameters, already JSON. */
  request(method: string, params: string): string {
    return `{"jsonrpc":"2.0","id":${++this.lastId},"method":${JSON.stringify(method)},"params":${params}}`;
  }

  post(body: string, headers: Record<string, string> = {}): Promise<Reply> {
    const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return send(this.url, 'POST', { ...usual, ...this.session, ...headers }, body);
  }

  /** Calls a tool with arguments that are already JSON; answers the JSON text of the response. */
  async call(tool: string, argumentsJson: string): Promise<string> {
    const { text } = await this.post(
      this.request('tools/call', `{"name":${JSON.stringify(tool)},"arguments":${argumentsJson}}`),
    );
    const events = text.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
    return events.findLast((event) => event.includes('"result"') || event.includes('"error"')) ?? text;
  }
}
