// One request resolves once, whoever comes at the same time, and what was acknowledged stays.

import type { BrowserContext } from '@playwright/test';
import { expect, test } from '../support/test';
import { Agent } from '../support/agent';
import { example } from '../support/proposals';
import { Review, decisions, hold, isDecision } from '../support/review';
import { Server } from '../support/server';
import { send } from '../support/wire';

const CAME_FIRST = /already|first|before/i;

/** Holds the decisions of these tabs until so many are on their way, then lets all go at once. */
async function together(context: BrowserContext, count: number): Promise<void> {
  let gathered = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await context.route('**/api/**', async (route) => {
    if (isDecision(route.request())) {
      if (++gathered === count) open();
      await opened;
    }
    await route.continue();
  });
}

test('of two tabs that decide at once, one wins and the other is told', async ({ agent, context }) => {
  const { elicitationId, reviewUrl } = await agent.propose(example());
  const waiting = agent.wait(elicitationId);
  const tabs = [
    await Review.open(await context.newPage(), reviewUrl),
    await Review.open(await context.newPage(), reviewUrl),
  ];
  await together(context, 2);
  await Promise.all([tabs[0]!.submit(), tabs[1]!.cancel()]);
  for (const tab of tabs) await expect(tab.outcome).toBeVisible();

  const { status } = (await waiting.ended).data;
  const word = { approved: 'Approved', rejected: 'Rejected' }[status as 'approved' | 'rejected'];
  const said = await Promise.all(tabs.map((tab) => tab.page.locator('main').innerText()));
  for (const tab of tabs) await expect(tab.outcome).toContainText(new RegExp(`^\\s*${word}`));
  expect(said.filter((text) => CAME_FIRST.test(text))).toHaveLength(1);
  expect((await agent.result(elicitationId)).data.decision).toBe(status);
});

test('another tab learns of the decision at once', async ({ agent, context }) => {
  const { reviewUrl } = await agent.propose(example());
  const first = await Review.open(await context.newPage(), reviewUrl);
  const second = await Review.open(await context.newPage(), reviewUrl);
  await first.approve();
  await expect(second.outcome).toContainText(/^\s*Approved/);
  await expect(second.page.locator('main')).not.toContainText(CAME_FIRST);
});

test('a tab that comes later changes nothing and is told who came first', async ({ agent, complaints, context }) => {
  complaints.allow(/503/);
  const { elicitationId, reviewUrl } = await agent.propose(example());
  const first = await Review.open(await context.newPage(), reviewUrl);
  const deaf = await context.newPage();
  await deaf.route('**/events?*', (route) => route.fulfill({ status: 503 }));
  const second = await Review.open(deaf, reviewUrl);
  await first.approve();
  await second.cancel();
  await expect(second.outcome).toContainText(/^\s*Approved/);
  await expect(second.outcome).toContainText('NorthMark Strategies');
  await expect(second.page.locator('main')).toContainText(CAME_FIRST);
  expect(await agent.status(elicitationId)).toBe('approved');
});

test('a double click on Submit sends one decision', async ({ review }) => {
  const grid = await review(example());
  const sent = decisions(grid.page);
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await grid.page.route('**/api/**', async (route) => {
    await released;
    await route.continue();
  });
  await grid.button('Submit Changes').dblclick();
  await grid.page.keyboard.press('Enter');
  release();
  await expect(grid.outcome).toContainText('Approved');
  expect(sent).toHaveLength(1);
});

test('a decision that does not arrive is not lost: the page says so and lets you try again', async ({
  agent,
  complaints,
  review,
}) => {
  complaints.allow(/Failed to load resource/);
  const grid = await review(example());
  await grid.text('Number of Employees').fill('231');
  await grid.page.route('**/api/**', (route) => route.abort());
  await grid.submit();
  await expect(grid.page.getByRole('alert')).toBeVisible();
  await expect(grid.text('Number of Employees')).toHaveValue('231');
  await grid.page.unroute('**/api/**');
  await grid.approve();
  expect(await agent.values(grid.id)).toMatchObject({ employeeCount: 231 });
});

test(
  'a request expires while the page is open, and nobody decides it any more',
  { tag: '@slow' },
  async ({ agent, page }) => {
    test.setTimeout(120_000);
    const { elicitationId, reviewUrl, expiresAt } = await agent.propose({ ...example(), timeoutSeconds: 60 });
    const waiting = agent.wait(elicitationId, 90);
    const other = await Review.open(await page.context().newPage(), reviewUrl);
    const held = await hold(other.page, () => other.submit());

    const grid = await Review.open(page, reviewUrl);
    await expect(grid.deadline).toContainText(/Expires in/);
    await expect(grid.outcome).toContainText(/^\s*Expired/, { timeout: 70_000 });
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expiresAt));
    await expect(grid.button('Submit Changes')).toHaveCount(0);
    expect((await waiting.ended).data).toEqual({ elicitationId, status: 'expired' });

    const late = await send(held.url, 'POST', held.headers, held.body);
    expect(late.text).toContain('expired');
    expect(await agent.status(elicitationId)).toBe('expired');
    const { isError, data } = await agent.result(elicitationId);
    expect(isError).toBe(true);
    expect(data).toMatchObject({ code: 'expired' });
    await Review.open(page, reviewUrl);
    await expect(grid.outcome).toContainText(/^\s*Expired/);
  },
);

test('the agent takes it back while the page is open', async ({ agent, review }) => {
  const grid = await review(example());
  const waiting = agent.wait(grid.id);
  await waiting.begun;
  const { isError } = await agent.call('elicit_cancel', { elicitationId: grid.id, reason: 'The account was merged' });
  expect(isError).toBe(false);
  expect((await waiting.ended).data).toEqual({ elicitationId: grid.id, status: 'canceled' });

  await expect(grid.outcome).toContainText(/^\s*Canceled/);
  await expect(grid.outcome).toContainText('The account was merged');
  expect(await agent.status(grid.id)).toBe('canceled');
  expect((await agent.result(grid.id)).data).toMatchObject({ code: 'canceled' });
});

test('what is decided cannot be taken back', async ({ agent, review }) => {
  const grid = await review(example());
  await grid.approve();
  const { isError, data, text } = await agent.call('elicit_cancel', { elicitationId: grid.id });
  expect(isError).toBe(true);
  expect(data).toMatchObject({ code: 'already_decided' });
  expect(text).toContain('approved');
  expect(await agent.status(grid.id)).toBe('approved');
});

test('looking changes nothing, however often', async ({ agent, review }) => {
  const grid = await review(example());
  for (const method of ['HEAD', 'GET', 'OPTIONS']) {
    await Promise.all(Array.from({ length: 20 }, () => send(grid.url, method)));
  }
  expect(await agent.status(grid.id)).toBe('pending');
  await grid.approve();
  for (const method of ['HEAD', 'GET', 'OPTIONS']) await send(grid.url, method);
  expect(await agent.status(grid.id)).toBe('approved');
});

test('the address that decides does not do so by GET', async ({ agent, review }) => {
  const grid = await review(example());
  const held = await hold(grid.page, () => grid.submit());
  const query = new URLSearchParams({ body: held.body });
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
    await send(held.url, method, held.headers, method === 'GET' ? '' : held.body);
    await send(`${held.url}?${query}`, method);
  }
  expect(await agent.status(grid.id)).toBe('pending');
});

test('what was acknowledged survives a server that is killed', async ({ complaints, page }) => {
  // The page may still have listened for news when the server went.
  complaints.allow(/ERR_/);
  const server = await Server.start();
  try {
    const asked = await Agent.connect(server.url);
    const { elicitationId, reviewUrl } = await asked.propose(example());
    const grid = await Review.open(page, reviewUrl);
    await grid.approve();
    await server.kill();
    await asked.close().catch(() => {});

    await server.run();
    const agent = await Agent.connect(server.url);
    expect(await agent.status(elicitationId)).toBe('approved');
    expect(await agent.values(elicitationId)).toMatchObject({ name: 'NorthMark Strategies', employeeCount: 230 });
    await Review.open(page, reviewUrl);
    await expect(grid.outcome).toContainText(/^\s*Approved/);
    await agent.close();
  } finally {
    await server.dispose();
  }
});

test('a server that is asked to leave wakes those who wait, and knows them again', async () => {
  const server = await Server.start();
  try {
    const asked = await Agent.connect(server.url);
    const { elicitationId } = await asked.propose(example());
    const waiting = asked.wait(elicitationId, 120);
    await waiting.begun;
    await server.stop();
    expect((await waiting.ended).data).toEqual({ elicitationId, status: 'pending' });
    await asked.close().catch(() => {});

    await server.run();
    const agent = await Agent.connect(server.url);
    expect(await agent.status(elicitationId)).toBe('pending');
    await agent.close();
  } finally {
    await server.dispose();
  }
});
