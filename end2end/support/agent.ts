// An agent's side of the conversation, on the official MCP client.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult, Progress, Tool } from '@modelcontextprotocol/sdk/types.js';
import type { Approval } from './approvals';
import type { Proposal } from './proposals';
import type { Selection } from './selections';

/** What a tool answered. */
export interface Answer {
  isError: boolean;
  /** Its structured content. */
  data: any;
  /** Its text blocks, joined. */
  text: string;
  content: CallToolResult['content'];
}

/** What a creating tool answers. */
export interface Opened {
  elicitationId: string;
  status: string;
  reviewUrl: string;
  expiresAt: string;
  elicitationDelivered: boolean;
  /** What was taken, but will not work as written. */
  warnings?: Warning[];
}

/** One thing that an agent should know about a request that was taken. */
export interface Warning {
  pointer: string;
  code: string;
  message: string;
  line?: number;
  column?: number;
}

/** A call that waits. */
export interface Waiting {
  /** The server has taken the call up. */
  begun: Promise<Progress>;
  ended: Promise<Answer>;
}

export class Agent {
  private constructor(
    private readonly client: Client,
    /** Every tool that the server offers. */
    readonly tools: Tool[],
  ) {}

  static async connect(url: string): Promise<Agent> {
    const client = new Client({ name: 'end2end', version: '1.0.0' });
    await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url)));
    // Having listed the tools, the client checks every answer against its tool's output schema.
    const { tools } = await client.listTools();
    return new Agent(client, tools);
  }

  get instructions(): string {
    return this.client.getInstructions() ?? '';
  }

  async call(
    name: string,
    args: Record<string, unknown> = {},
    onprogress?: (progress: Progress) => void,
  ): Promise<Answer> {
    const options = { timeout: 120_000, ...(onprogress && { onprogress }) };
    const result = (await this.client.callTool({ name, arguments: args }, undefined, options)) as CallToolResult;
    const texts = result.content.filter((block) => block.type === 'text').map((block) => block.text);
    return {
      isError: result.isError ?? false,
      data: result.structuredContent,
      text: texts.join('\n'),
      content: result.content,
    };
  }

  /** Proposes something that the server accepts. */
  propose(proposal: Proposal): Promise<Opened> {
    return this.open('elicit_proposal', { ...proposal });
  }

  /** Asks for an approval in words that the server accepts. */
  ask(approval: Approval): Promise<Opened> {
    return this.open('elicit_approval', { ...approval });
  }

  /** Asks in words that the server accepts which of these options it is. */
  which(selection: Selection): Promise<Opened> {
    return this.open('elicit_selection', { ...selection });
  }

  private async open(tool: string, args: Record<string, unknown>): Promise<Opened> {
    const answer = await this.call(tool, args);
    if (answer.isError) throw new Error(`${tool} was refused: ${answer.text}`);
    return answer.data as Opened;
  }

  async status(elicitationId: string): Promise<string> {
    return (await this.call('elicit_status', { elicitationId })).data.status;
  }

  /** What `elicit_result` hands over. */
  async result(elicitationId: string): Promise<Answer> {
    return this.call('elicit_result', { elicitationId });
  }

  /** The values that the reviewer submitted. */
  async values(elicitationId: string): Promise<Record<string, unknown>> {
    const { isError, text, data } = await this.result(elicitationId);
    if (isError) throw new Error(`there is no result: ${text}`);
    return data.values;
  }

  /** What the reviewer filled in. */
  async submission(elicitationId: string): Promise<Record<string, unknown>> {
    const { isError, text, data } = await this.result(elicitationId);
    if (isError) throw new Error(`there is no result: ${text}`);
    return data.formSubmission;
  }

  /** The ids that the reviewer chose. */
  async chosen(elicitationId: string): Promise<string[]> {
    const { isError, text, data } = await this.result(elicitationId);
    if (isError) throw new Error(`there is no result: ${text}`);
    return data.selectedIds;
  }

  /** Starts to wait for the decision. */
  wait(elicitationId: string, waitSeconds = 60): Waiting {
    let ended!: Promise<Answer>;
    const begun = new Promise<Progress>((resolve, reject) => {
      ended = this.call('elicit_await', { elicitationId, waitSeconds }, resolve);
      ended.catch(reject);
    });
    begun.catch(() => {}); // whoever needs it awaits it
    return { begun, ended };
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}
