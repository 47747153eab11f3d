// The main job: the reference page's own example, from an agent through a person's browser and back.

import { expect, test } from '../support/test';
import { example } from '../support/proposals';
import { Review, hydrated } from '../support/review';

test('the tools introduce themselves', async ({ agent }) => {
  const named = Object.fromEntries(agent.tools.map((tool) => [tool.name, tool]));
  expect(Object.keys(named)).toEqual(
    expect.arrayContaining([
      ...['elicit_approval', 'elicit_proposal', 'elicit_selection', 'elicit_preview'],
      ...['elicit_await', 'elicit_status', 'elicit_result', 'elicit_cancel'],
    ]),
  );
  for (const { name, title, description, inputSchema, outputSchema, annotations } of agent.tools) {
    expect(title, name).toBeTruthy();
    expect(description, name).toBeTruthy();
    expect(inputSchema.additionalProperties, name).toBe(false);
    expect(outputSchema?.type, name).toBe('object');
    expect(outputSchema?.additionalProperties, name).not.toBe(false);
    for (const hint of ['readOnlyHint', 'idempotentHint', 'destructiveHint', 'openWorldHint'] as const) {
      expect(typeof annotations?.[hint], `${name} ${hint}`).toBe('boolean');
    }
  }
  expect(named.elicit_status?.annotations?.readOnlyHint).toBe(true);
  expect(named.elicit_await?.annotations?.readOnlyHint).toBe(true);
  expect(named.elicit_preview?.annotations?.readOnlyHint).toBe(true);
  expect(named.elicit_approval?.annotations?.readOnlyHint).toBe(false);
  expect(named.elicit_proposal?.annotations?.readOnlyHint).toBe(false);
  expect(named.elicit_selection?.annotations?.readOnlyHint).toBe(false);
  expect(named.elicit_result?.annotations?.idempotentHint).toBe(true);
  expect(named.elicit_cancel?.annotations?.readOnlyHint).toBe(false);
});

test('the instructions tell the whole workflow at their beginning', async ({ agent }) => {
  const beginning = agent.instructions.slice(0, 512);
  for (const step of ['elicit_proposal', 'reviewUrl', 'elicit_await', 'elicit_result'])
    expect(beginning).toContain(step);
});

test('a proposal is answered at once with the address to show', async ({ agent, server }) => {
  const before = Date.now();
  const { isError, data, text, content } = await agent.call('elicit_proposal', { ...example() });
  expect(isError).toBe(false);
  expect(data).toEqual({
    elicitationId: expect.stringMatching(/^[0-9a-f]{32}$/),
    status: 'pending',
    reviewUrl: `${server.url}/review?elicitationId=${data.elicitationId}`,
    expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    elicitationDelivered: false,
  });
  const lasts = Date.parse(data.expiresAt) - before;
  expect(lasts).toBeGreaterThan(3_590_000);
  expect(lasts).toBeLessThan(3_610_000);
  expect(text.split('\n').map((line) => line.trim())).toContain(data.reviewUrl);
  expect(content).toContainEqual(expect.objectContaining({ type: 'resource_link', uri: data.reviewUrl }));
});

test('the structured answer stands in a text as well, for hosts that read only texts', async ({ agent }) => {
  const { data, content } = await agent.call('elicit_proposal', { ...example() });
  const parsed = content.map((block) => {
    try {
      return block.type === 'text' ? JSON.parse(block.text) : undefined;
    } catch {
      return undefined;
    }
  });
  expect(parsed).toContainEqual(data);
});

test('the page arrives with all that there is to read, and without the context', async ({ agent }) => {
  const { reviewUrl } = await agent.propose(example());
  const response = await fetch(reviewUrl);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/html; charset=utf-8/i);
  const html = await response.text();
  for (const told of [
    'Sync NorthMark Strategies from Apollo into Salesforce',
    ...['Apollo', 'Crunchbase', 'Salesforce', 'Proposed'],
    ...['Name', 'Website', 'Number of Employees', 'Institution Types'],
    ...['NorthMark Strategies Inc.', 'https://www.northmarkstrategies.com/', '230'],
    ...['Asset Manager', 'Private Equity', 'Hedge Fund', 'REIT'],
    ...['Submit Changes', 'Cancel', 'Accept All', 'Reject All', 'Restore Proposed'],
  ]) {
    expect(html).toContain(told);
  }
  for (const field of ['name', 'website', 'employeeCount', 'institutionTypes']) {
    expect(html).toContain(`data-field="${field}"`);
  }
  expect(html).not.toContain('678cd3');
  expect(html).not.toContain('objectType');
  expect(html).not.toMatch(/<html[^>]*data-hydrated/);
});

test('the page comes alive without a word on the console', async ({ agent, page }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const { reviewUrl } = await agent.propose(example());
  await page.goto(reviewUrl);
  await hydrated(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(example().message);
  await expect(page.getByRole('button', { name: 'Submit Changes' })).toBeEnabled();
  expect(said).toEqual([]);
});

test('the deadline counts down', async ({ review }) => {
  const { deadline } = await review(example());
  await expect(deadline).toContainText(/Expires in /);
  const first = await deadline.textContent();
  await expect(deadline).not.toHaveText(first ?? '');
});

test('a person edits, leaves out and submits, and the agent gets exactly that', async ({ agent, page }) => {
  const { elicitationId, reviewUrl } = await agent.propose(example());
  const waiting = agent.wait(elicitationId);
  await waiting.begun;

  const grid = await Review.open(page, reviewUrl);
  for (const [field, source] of [
    ['name', 'apollo'],
    ['name', 'crunchbase'],
    ['website', 'apollo'],
    ['employeeCount', 'apollo'],
    ['institutionTypes', 'apollo'],
  ] as const) {
    await expect(grid.source(field, source)).toContainClass('differs');
  }
  await expect(grid.source('website', 'crunchbase')).not.toContainClass('differs');
  await expect(grid.counter).toHaveText('4 of 4 included');

  await grid.text('Number of Employees').fill('231');
  await grid.include('Website').uncheck();
  await expect(grid.counter).toHaveText('3 of 4 included');
  await grid.submit();

  await expect(grid.outcome).toContainText(/^\s*Approved/);
  for (const told of [
    'Name',
    'NorthMark Strategies',
    'Number of Employees',
    '231',
    'Asset Manager',
    'Private Equity',
  ]) {
    await expect(grid.outcome).toContainText(told);
  }
  await expect(grid.outcome).not.toContainText('northmarkstrategies.com');
  await expect(grid.row('name')).toHaveCount(0);

  expect((await waiting.ended).data).toEqual({ elicitationId, status: 'approved' });
  expect(await agent.status(elicitationId)).toBe('approved');

  const first = await agent.result(elicitationId);
  const { decidedAt, review: _, comment: __, ...envelope } = first.data;
  expect(envelope).toEqual({
    status: 'consumed',
    decision: 'approved',
    action: 'submit',
    context: { objectType: 'Account', recordId: null, externalKey: '678cd3…' },
    values: {
      name: 'NorthMark Strategies',
      employeeCount: 231,
      institutionTypes: ['Asset Manager', 'Private Equity'],
    },
  });
  expect(Object.keys(envelope.values)).toEqual(['name', 'employeeCount', 'institutionTypes']);
  if (decidedAt !== undefined) expect(decidedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  expect(await agent.status(elicitationId)).toBe('consumed');
  const second = await agent.result(elicitationId);
  expect(second.data).toEqual(first.data);
  expect(second.text).toBe(first.text);
});

test('submitted as proposed, it comes back as the reference page shows', async ({ agent, review }) => {
  const grid = await review(example());
  await grid.approve();
  expect((await agent.result(grid.id)).data).toMatchObject({
    status: 'consumed',
    decision: 'approved',
    action: 'submit',
    context: example().context,
    values: {
      name: 'NorthMark Strategies',
      website: 'https://www.northmarkstrategies.com/',
      employeeCount: 230,
      institutionTypes: ['Asset Manager', 'Private Equity'],
    },
  });
});

test('a person cancels, and the agent can fetch that too', async ({ agent, page }) => {
  const { elicitationId, reviewUrl } = await agent.propose(example());
  const waiting = agent.wait(elicitationId);
  await waiting.begun;
  const grid = await Review.open(page, reviewUrl);
  await grid.cancel();

  await expect(grid.outcome).toContainText(/^\s*Rejected/);
  expect((await waiting.ended).data).toEqual({ elicitationId, status: 'rejected' });
  const { isError, data } = await agent.result(elicitationId);
  expect(isError).toBe(false);
  expect(data).toMatchObject({ status: 'consumed', decision: 'rejected', action: 'cancel' });
  expect(data.context).toEqual(example().context);
  expect(data).not.toHaveProperty('values');
});

test('without a context the answer says null', async ({ agent, review }) => {
  const { context: _, ...rest } = example();
  const grid = await review(rest);
  await grid.cancel();
  await expect(grid.outcome).toContainText('Rejected');
  expect((await agent.result(grid.id)).data.context).toBeNull();
});

test('a page that is opened again says what was decided', async ({ review }) => {
  const grid = await review(example());
  await grid.approve();
  await Review.open(grid.page, grid.url);
  await expect(grid.outcome).toContainText(/^\s*Approved/);
  await expect(grid.outcome).toContainText('NorthMark Strategies');
  await expect(grid.button('Submit Changes')).toHaveCount(0);
});

test('while nobody has decided, there is no result and a wait ends at its bound', async ({ agent }) => {
  const { elicitationId } = await agent.propose(example());
  expect((await agent.wait(elicitationId, 1).ended).data).toEqual({ elicitationId, status: 'pending' });
  const { isError, data } = await agent.result(elicitationId);
  expect(isError).toBe(true);
  expect(data).toMatchObject({ code: 'pending' });
  expect(await agent.status(elicitationId)).toBe('pending');
});

test('an unknown request is not found, whoever asks', async ({ agent, complaints, page, server }) => {
  complaints.allow(/404/);
  for (const elicitationId of ['00000000000000000000000000000000', 'no-id', '']) {
    const response = await page.goto(`${server.url}/review?elicitationId=${elicitationId}`);
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: 'No such request' })).toBeVisible();
  }
  for (const tool of ['elicit_status', 'elicit_await', 'elicit_result', 'elicit_cancel']) {
    const { isError, data } = await agent.call(tool, { elicitationId: '00000000000000000000000000000000' });
    expect(isError, tool).toBe(true);
    expect(data, tool).toMatchObject({ code: 'not_found' });
  }
});
