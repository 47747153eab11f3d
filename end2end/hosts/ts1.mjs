// `@modelcontextprotocol/sdk` 1.x: the official TypeScript client, of the revisions with a handshake.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitationCompleteNotificationSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { answer, manifest, obey, prompted, say } from './lines.mjs';

const { version } = manifest('@modelcontextprotocol/sdk');
const client = new Client({ name: 'ts1', version }, { capabilities: { elicitation: { url: {} } } });
client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => prompted(params, signal));
client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) =>
  say({ event: 'complete', elicitationId: params.elicitationId }),
);
client.onerror = (error) => say({ event: 'trouble', message: error.message });

obey({
  async connect({ url }) {
    const transport = new StreamableHTTPClientTransport(new URL(url));
    await client.connect(transport);
    const { tools } = await client.listTools();
    return { version, revision: transport.protocolVersion, tools: tools.map(({ name }) => name) };
  },
  call: ({ tool, arguments: args }) => client.callTool({ name: tool, arguments: args }),
  answer,
  close: () => client.close(),
});
