// Real MCP clients, each from its creating call through a person's browser to the result, in the eras that it speaks;
// see hosts/ for the programs, and docs/hosts.md for what they do.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { Host, type Kind } from '../hosts/host';
import { form } from '../support/approvals';
import type { Opened } from '../support/agent';
import { example } from '../support/proposals';
import { ApprovalReview, Review, SelectionReview } from '../support/review';
import { examples as selections } from '../support/selections';
import { Server } from '../support/server';
import { expect, test as base } from '../support/test';

const HOSTS: Kind[] = [
  { name: 'TypeScript SDK 1', program: 'ts1.mjs', era: 'legacy', prompts: true },
  { name: 'TypeScript client 2', program: 'ts2.mjs', era: 'legacy', prompts: true },
  { name: 'TypeScript client 2', program: 'ts2.mjs', era: 'modern', prompts: true },
  { name: 'Python mcp 2', program: 'python/mcp2.py', era: 'legacy', prompts: true },
  { name: 'Python mcp 2', program: 'python/mcp2.py', era: 'modern', prompts: true },
  { name: 'fastmcp 4', program: 'python/fastmcp4.py', era: 'legacy', prompts: true },
  { name: 'fastmcp 4', program: 'python/fastmcp4.py', era: 'modern', prompts: true },
  { name: 'mcp-inspector --cli', program: 'inspector.mjs', era: 'legacy', prompts: false },
  { name: 'mcp-inspector --cli', program: 'inspector.mjs', era: 'modern', prompts: false },
];
const REVISIONS = { legacy: '2025-11-25', modern: '2026-07-28' };

const test = base.extend<{ start: (kind: Kind) => Host }>({
  start: async ({}, use) => {
    const started: Host[] = [];
    await use((kind) => {
      const host = Host.start(kind);
      started.push(host);
      return host;
    });
    await Promise.all(started.map((host) => host.stop()));
  },
});

// A client is a process that has to start, or one for every call.
test.describe.configure({ timeout: 60_000 });

for (const kind of HOSTS) {
  const { name, era, prompts } = kind;
  test.describe(`${name}, ${era}`, () => {
    test('an approval: what the person filled in is what the client gets', async ({ server, start, page }) => {
      const host = start(kind);
      const { revision, tools } = await host.connect(server.url);
      if (revision) expect(revision).toBe(REVISIONS[era]);
      expect(tools).toEqual(expect.arrayContaining(['elicit_approval', 'elicit_await', 'elicit_result']));

      const opened: Opened = await host.ask('elicit_approval', { ...approval });
      const { elicitationId, reviewUrl } = opened;
      expect(opened.elicitationDelivered).toBe(prompts && era === 'legacy');
      // An era without requests of the server is asked by the answer to the call that waits.
      const pushed = prompts && era === 'legacy' ? await host.prompt() : undefined;
      const waiting = host.ask('elicit_await', { elicitationId });
      const asked = prompts && era === 'modern' ? await host.prompt() : undefined;
      const prompt = pushed ?? asked;
      if (prompt) expect(prompt.params).toMatchObject({ mode: 'url', url: reviewUrl, message: expect.any(String) });
      if (pushed) expect(pushed.params.elicitationId).toBe(elicitationId);

      await fill(page, prompt?.params.url ?? reviewUrl);
      if (asked) await host.answer(asked, 'accept');
      expect(await waiting).toEqual({ elicitationId, status: 'approved' });
      const result = await host.ask('elicit_result', { elicitationId });
      expect(result).toMatchObject({ status: 'consumed', decision: 'approved' });
      expect(result.context).toEqual(approval.context);
      expect(result.formSubmission).toEqual({ approver: 'Ada Lovelace', confidence: 80, announce: true });
      if (pushed) {
        await host.completed(elicitationId);
        await host.withdrawn(pushed);
      }
      expect(host.prompted).toBe(prompts ? 1 : 0);
    });

    test('a server killed in the middle: the next call goes on', async ({ start, complaints, page }) => {
      complaints.allow(/ERR_/);
      const server = await Server.start();
      try {
        const host = start(kind);
        host.reflex = 'accept';
        await host.connect(server.url);
        const { elicitationId, reviewUrl }: Opened = await host.ask('elicit_proposal', { ...example() });
        // Python's client ends for good where the server goes away while it sends its answer to a prompt.
        if (prompts) await expect.poll(async () => (await host.ask('elicit_doctor', {})).prompts.open).toBe(0);
        await server.kill();
        await server.run();
        expect(await host.ask('elicit_status', { elicitationId })).toEqual({ elicitationId, status: 'pending' });

        // This call is lost with the server: some clients say so, others wait on.
        void host.ask('elicit_await', { elicitationId }).catch(() => undefined);
        await sleep(prompts ? 500 : 2_000); // for a client that has to start first
        await server.kill();
        await server.run();
        const again = host.ask('elicit_await', { elicitationId });
        const grid = await Review.open(page, reviewUrl);
        await grid.text('Number of Employees').fill('231');
        await grid.include('Website').uncheck();
        await grid.approve();
        expect(await again).toEqual({ elicitationId, status: 'approved' });
        const result = await host.ask('elicit_result', { elicitationId });
        expect(result).toMatchObject({ decision: 'approved', action: 'submit', context: example().context });
        expect(result.values).toEqual({
          name: 'NorthMark Strategies',
          employeeCount: 231,
          institutionTypes: ['Asset Manager', 'Private Equity'],
        });
      } finally {
        await server.dispose();
      }
    });

    if (!prompts) return;
    test('a prompt that no person saw decides nothing, and is offered again', async ({ server, start, page }) => {
      const host = start(kind);
      await host.connect(server.url);
      const { elicitationId, reviewUrl }: Opened = await host.ask('elicit_selection', { ...selections.several() });
      if (era === 'legacy') await host.answer(await host.prompt(), 'cancel');
      expect(await host.ask('elicit_status', { elicitationId })).toEqual({ elicitationId, status: 'pending' });

      const refused = host.call('elicit_await', { elicitationId, waitSeconds: 2 });
      const offered = await host.prompt();
      expect(offered.params).toMatchObject({ mode: 'url', url: reviewUrl });
      await host.answer(offered, 'decline');
      const { structuredContent, content } = await refused;
      expect(structuredContent).toMatchObject({ elicitationId, status: 'pending' });
      expect(content.map(({ text }) => text).join('\n')).toContain(reviewUrl);
      const before = host.prompted;
      const unasked = await host.ask('elicit_await', { elicitationId, waitSeconds: 1 });
      expect(unasked).toMatchObject({ elicitationId, status: 'pending' });
      expect(host.prompted).toBe(before);

      const reminded = host.ask('elicit_await', { elicitationId, remind: true });
      const prompt = await host.prompt();
      const options = await SelectionReview.open(page, prompt.params.url ?? '');
      await host.answer(prompt, 'accept');
      await options.choose(['v1.4.0-beta', 'v1.2.0'], 'Submit selection');
      expect(await reminded).toEqual({ elicitationId, status: 'approved' });
      const result = await host.ask('elicit_result', { elicitationId });
      expect(result).toMatchObject({ decision: 'approved', selectedIds: ['v1', 'v4'] });
    });
  });
}

const approval = {
  message: 'Approve the deploy',
  context: { service: 'elicitly-api', version: 'v2.4.0', steps: [1, 2.5, null, 'three'] },
  requestedSchema: form(
    {
      approver: { type: 'string', title: 'Your name', minLength: 2 },
      confidence: { type: 'integer', title: 'Confidence %', minimum: 0, maximum: 100 },
      announce: { type: 'boolean', title: 'Announce it' },
    },
    ['approver', 'confidence'],
  ),
};

async function fill(page: Page, url: string): Promise<void> {
  const review = await ApprovalReview.open(page, url);
  await review.text('Your name').fill('Ada Lovelace');
  await review.text('Confidence %').fill('80');
  await review.box('Announce it').check();
  await review.approve();
}
