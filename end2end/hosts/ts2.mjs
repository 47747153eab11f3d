// `@modelcontextprotocol/client` 2.x: the official TypeScript client, of both eras.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answer, manifest, obey, prompted, say } from './lines.mjs';

const { version } = manifest('@modelcontextprotocol/client');
const client = new Client({ name: 'ts2', version }, { capabilities: { elicitation: { url: {} } } });
client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => prompted(params, mcpReq.signal));
client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
  say({ event: 'complete', elicitationId: params.elicitationId }),
);
client.onerror = (error) => say({ event: 'trouble', message: error.message });

obey({
  async connect({ url, era }) {
    client.setVersionNegotiation({ mode: era === 'modern' ? 'auto' : 'legacy' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    const { tools } = await client.listTools();
    return { version, revision: client.getNegotiatedProtocolVersion(), tools: tools.map(({ name }) => name) };
  },
  call: ({ tool, arguments: args }) => client.callTool({ name: tool, arguments: args }),
  answer,
  close: () => client.close(),
});
