// The test that everything here is written with: a server, an agent, a page, and no tolerance for a console message.

import { test as base, expect } from '@playwright/test';
import { Agent } from './agent';
import type { Approval } from './approvals';
import type { Proposal } from './proposals';
import { ApprovalReview, Review, SelectionReview } from './review';
import type { Selection } from './selections';
import { Server } from './server';

/** What the browser complained of. */
interface Complaints {
  /** Lets complaints of this kind pass, in this test only. */
  allow(kind: RegExp): void;
}

interface Fixtures {
  complaints: Complaints;
  agent: Agent;
  /** Proposes and opens the page. */
  review: (proposal: Proposal) => Promise<Review>;
  /** Asks for an approval and opens the page. */
  approval: (approval: Approval) => Promise<ApprovalReview>;
  /** Asks which of some options it is, and opens the page. */
  selection: (selection: Selection) => Promise<SelectionReview>;
}

export const test = base.extend<Fixtures, { server: Server }>({
  server: [
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  complaints: [
    async ({ context }, use) => {
      const allowed: RegExp[] = [];
      const heard: string[] = [];
      context.on('console', (message) => {
        if (['warning', 'error', 'assert'].includes(message.type())) heard.push(`${message.type()}: ${message.text()}`);
      });
      context.on('weberror', (webError) => heard.push(`thrown: ${webError.error().message}`));
      await use({ allow: (kind) => allowed.push(kind) });
      expect(heard.filter((text) => !allowed.some((kind) => kind.test(text)))).toEqual([]);
    },
    { auto: true },
  ],

  agent: async ({ server }, use) => {
    const agent = await Agent.connect(server.url);
    await use(agent);
    await agent.close();
  },

  review: async ({ agent, page }, use) => {
    await use(async (proposal) => Review.open(page, (await agent.propose(proposal)).reviewUrl));
  },

  approval: async ({ agent, page }, use) => {
    await use(async (approval) => ApprovalReview.open(page, (await agent.ask(approval)).reviewUrl));
  },

  selection: async ({ agent, page }, use) => {
    await use(async (selection) => SelectionReview.open(page, (await agent.which(selection)).reviewUrl));
  },
});

export { expect };
