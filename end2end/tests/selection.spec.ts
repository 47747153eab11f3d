// Selections: which of these did you mean? The table is the agent's, the controls are ours, and no script runs in it.

import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/test';
import { SelectionReview } from '../support/review';
import { companies, examples } from '../support/selections';

/** How long something may take that happens at once; the page asks by itself only every 15 seconds. */
const AT_ONCE = { timeout: 3_000 };

test.describe('the examples of the reference page', () => {
  test('a plain list: one is chosen, and the agent gets its id', async ({ agent, selection }) => {
    const page = await selection(examples.plain());
    await expect(page.page.getByRole('heading', { level: 1 })).toHaveText('Which environment?');
    for (const label of ['Staging', 'Production']) {
      await expect(page.document.getByRole('radio', { name: label, exact: true })).not.toBeChecked();
      await expect(page.row(label)).toHaveText(label);
    }
    const waiting = agent.wait(page.id);
    await waiting.begun;
    await page.choose(['Production']);
    await expect(page.outcome).toContainText(/^\s*Approved/);
    await expect(page.outcome).toContainText('Production');
    await expect(page.outcome).toContainText('prod');

    expect((await waiting.ended).data).toEqual({ elicitationId: page.id, status: 'approved' });
    const first = await agent.result(page.id);
    const { decidedAt, review: _, comment: __, ...envelope } = first.data;
    expect(envelope).toMatchObject({ status: 'consumed', decision: 'approved', selectedIds: ['prod'] });
    expect(decidedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await agent.result(page.id)).text).toBe(first.text);
  });

  test('a table of the agent’s own', async ({ agent, selection }) => {
    const page = await selection(examples.table());
    const { document } = page;
    for (const heading of ['Name', 'Domain']) {
      await expect(document.getByRole('columnheader', { name: heading, exact: true })).toBeVisible();
    }
    const domain = document.getByRole('cell', { name: 'guggenheim.org', exact: true });
    await expect(domain).toHaveCSS('color', 'rgb(102, 102, 102)');
    await expect(domain).toHaveCSS('font-family', 'monospace');
    await expect(page.row('nyc')).toContainText('Solomon R. Guggenheim Museum');
    await page.choose(['nyc']);
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['nyc']);
  });

  test('several of a list', async ({ agent, selection }) => {
    const page = await selection(examples.several());
    await expect(page.document.getByRole('checkbox')).toHaveCount(4);
    await expect(page.document.getByRole('radio')).toHaveCount(0);
    await page.choose(['v1.4.0-beta', 'v1.2.0'], 'Submit selection');
    await expect(page.outcome).toContainText('Approved');
    for (const told of ['v1.2.0', 'v1', 'v1.4.0-beta', 'v4']) await expect(page.outcome).toContainText(told);
    await expect(page.outcome).not.toContainText('v1.3.0');
    expect(await agent.chosen(page.id)).toEqual(['v1', 'v4']);
  });

  test('with the keyboard alone', async ({ agent, selection }) => {
    const page = await selection(examples.table());
    const { keyboard } = page.page;
    await tabInto(page, page.option('bilbao'));
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await expect(page.option('nyc')).toBeChecked();
    await expect(page.option('nyc')).toBeFocused();
    await keyboard.press('ArrowDown');
    await expect(page.option('venice')).toBeChecked();
    await tabInto(page, page.button('Choose'));
    await expect(page.button('Choose')).toHaveCSS('outline-style', 'solid');
    await keyboard.press('Enter');
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['venice']);
  });

  test('several with the keyboard alone', async ({ agent, selection }) => {
    const page = await selection(examples.several());
    for (const label of ['v1.3.0-rc1', 'v1.3.0-rc2']) {
      await tabInto(page, page.option(label));
      await page.page.keyboard.press('Space');
    }
    await tabInto(page, page.button('Submit selection'));
    await page.page.keyboard.press('Space');
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['v2', 'v3']);
  });
});

test.describe('JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('the frame decides by itself', async ({ agent, page }) => {
    const { elicitationId, reviewUrl } = await agent.which(examples.table());
    await page.goto(reviewUrl);
    const review = new SelectionReview(page, reviewUrl);
    await review.choose(['venice']);
    await expect(review.said).toHaveText('Your choice was made.');
    expect(await agent.chosen(elicitationId)).toEqual(['venice']);
    await page.reload();
    await expect(review.outcome).toContainText(/^\s*Approved/);
    await expect(review.frame).toHaveCount(0);
  });

  test('the frame rejects by itself', async ({ agent, page }) => {
    const { elicitationId, reviewUrl } = await agent.which(examples.plain());
    await page.goto(reviewUrl);
    const review = new SelectionReview(page, reviewUrl);
    await review.button('Reject — refine search').click();
    await expect(review.said).toHaveText('All options were refused.');
    expect(await agent.status(elicitationId)).toBe('rejected');
  });
});

test('all options can be rejected, whatever is chosen', async ({ agent, selection }) => {
  const page = await selection(examples.table());
  const waiting = agent.wait(page.id);
  await waiting.begun;
  await page.option('nyc').check();
  await page.button('Reject — refine search').click();
  await expect(page.outcome).toContainText(/^\s*Rejected/);
  expect((await waiting.ended).data).toEqual({ elicitationId: page.id, status: 'rejected' });
  const { isError, data } = await agent.result(page.id);
  expect(isError).toBe(false);
  expect(data).toMatchObject({ status: 'consumed', decision: 'rejected' });
  expect(data).not.toHaveProperty('selectedIds');
});

test('the buttons have the agent’s own words and mean the same', async ({ agent, selection }) => {
  const labels = { ok: ' Promote <b> ', cancel: 'None & "none"' };
  const page = await selection({ ...examples.several(), labels });
  await expect(page.document.getByRole('button')).toHaveText(['None & "none"', 'Promote <b>']);
  await page.choose(['v1.2.0'], 'Promote <b>');
  await expect(page.outcome).toContainText('Approved');
  expect(await agent.chosen(page.id)).toEqual(['v1']);

  const other = await selection({ ...examples.plain(), labels });
  await other.button('None & "none"').click();
  await expect(other.outcome).toContainText('Rejected');
});

test.describe('how many', () => {
  test('too few and too many are refused in words, and nothing chosen is lost', async ({
    agent,
    complaints,
    selection,
  }) => {
    complaints.allow(/422/);
    const page = await selection({ ...examples.several(), minSelections: 2, maxSelections: 3 });
    await page.choose(['v1.3.0-rc2'], 'Submit selection');
    await expect(page.reason).toContainText('1 chosen');
    await expect(page.option('v1.3.0-rc2')).toBeChecked();
    await page.choose(['v1.2.0', 'v1.3.0-rc1', 'v1.4.0-beta'], 'Submit selection');
    await expect(page.reason).toContainText('4 chosen');
    for (const box of await page.document.getByRole('checkbox').all()) await expect(box).toBeChecked();
    expect(await agent.status(page.id)).toBe('pending');
    await page.option('v1.3.0-rc1').uncheck();
    await page.button('Submit selection').click();
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['v1', 'v3', 'v4']);
  });

  test('none is refused where one is to be chosen', async ({ agent, complaints, selection }) => {
    complaints.allow(/422/);
    const page = await selection(examples.plain());
    await page.button('Choose').click();
    await expect(page.reason).toContainText('0 chosen');
    expect(await agent.status(page.id)).toBe('pending');
    await page.choose(['Staging']);
    await expect(page.outcome).toContainText('Approved');
  });
});

test('ids come back to the byte and in the order of the options', async ({ agent, selection }) => {
  const ids = [
    ...[' leading', 'trailing ', 'two  spaces', 'line\nbreak', 'carriage\r\nreturn', 'tab\there', '"\'`'],
    ...['</td><b>', '&amp;', 'ä', 'a\u0308', '👩‍👩‍👧', '0', '1', '-1', 'pick=2&do=reject', '\u202Etxt.exe', '%00+%20', '\u00a0'],
  ];
  const options = ids.map((id) => ({ id }));
  const page = await selection({ message: 'All of them', options, maxSelections: ids.length });
  const boxes = await page.document.getByRole('checkbox').all();
  expect(boxes).toHaveLength(ids.length);
  for (const box of boxes.toReversed()) await box.check();
  await page.button('Submit selection').click();
  await expect(page.outcome).toContainText('Approved');
  expect(await agent.chosen(page.id)).toEqual(ids);
});

test.describe('the page', () => {
  test('shows the outcome at once where the frame decides', async ({ selection }) => {
    const page = await selection(examples.plain());
    await page.choose(['Staging']);
    await expect(page.outcome).toContainText(/^\s*Approved/, AT_ONCE);
    await expect(page.frame).toHaveCount(0);
    await expect(page.outcome).toBeFocused();
  });

  test('shows at once what another tab decides', async ({ context, selection }) => {
    const page = await selection(examples.plain());
    const other = await SelectionReview.open(await context.newPage(), page.url);
    await other.choose(['Production']);
    for (const tab of [other, page]) {
      await expect(tab.outcome).toContainText('Production', AT_ONCE);
      await expect(tab.frame).toHaveCount(0);
    }
  });

  test('shows at once that the agent takes it back', async ({ agent, selection }) => {
    const page = await selection(examples.plain());
    await agent.call('elicit_cancel', { elicitationId: page.id, reason: 'Found it myself' });
    await expect(page.outcome).toContainText(/^\s*Canceled/, AT_ONCE);
    await expect(page.outcome).toContainText('Found it myself');
    await expect(page.frame).toHaveCount(0);
  });

  for (const [how, block] of [
    ['are cut off', (page: Page) => page.route('**/events?*', (route) => route.abort())],
    ['are refused', (page: Page) => page.route('**/events?*', (route) => route.fulfill({ status: 503 }))],
  ] as const) {
    test(`asks by itself where events ${how}`, async ({ agent, complaints, page }) => {
      complaints.allow(/Failed to load resource/);
      // The clock is a script, and none runs in the frame.
      complaints.allow(/Blocked script execution/);
      await page.clock.install();
      await block(page);
      const { reviewUrl } = await agent.which(examples.plain());
      const review = await SelectionReview.open(page, reviewUrl);
      await review.choose(['Staging']);
      await expect(review.said).toHaveText('Your choice was made.');
      await expect(review.outcome).toHaveCount(0);
      await page.clock.fastForward(15_500);
      await expect(review.outcome).toContainText(/^\s*Approved/);
    });
  }
});

test.describe('500 options', () => {
  test('are a document of a decent size, with the first of them and the buttons in view', async ({ selection }) => {
    const page = await selection(companies(500));
    const response = await fetch(await page.address());
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(250_000);
    await expect(page.document.getByRole('checkbox')).toHaveCount(500);
    for (const seen of [page.option('Company 0'), page.button('Submit selection'), page.query]) {
      await expect(seen).toBeInViewport({ ratio: 1 });
    }
    await expect(page.option('Company 499')).not.toBeInViewport();
  });

  test('can be filtered, and choices stay over all filters', async ({ agent, selection }) => {
    const page = await selection(companies(500));
    await expect(page.counts).toHaveText('500 of 500 shown, 0 chosen');
    await page.option('Company 3').check();
    await page.query.fill('bilbao');
    await page.button('Filter').click();
    await expect(page.counts).toHaveText('250 of 500 shown, 1 chosen');
    await expect(page.option('Company 3')).toHaveCount(0);
    await expect(page.query).toHaveValue('bilbao');

    await page.query.fill('company-498.example');
    await page.query.press('Enter');
    await expect(page.counts).toHaveText('1 of 500 shown, 1 chosen');
    await page.option('Company 498').check();
    await page.query.fill('no such company');
    await page.query.press('Enter');
    await expect(page.counts).toHaveText('0 of 500 shown, 2 chosen');
    await expect(page.document.getByText('No option matches.')).toBeVisible();
    await page.query.fill('');
    await page.query.press('Enter');
    await expect(page.counts).toHaveText('500 of 500 shown, 2 chosen');
    for (const label of ['Company 3', 'Company 498']) await expect(page.option(label)).toBeChecked();
    expect(await agent.status(page.id)).toBe('pending');

    await page.query.fill('Company 77');
    await page.query.press('Enter');
    await page.choose(['Company 77'], 'Submit selection');
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['company-3', 'company-77', 'company-498']);
  });

  test('Enter on an option keeps it and decides nothing', async ({ agent, selection }) => {
    const page = await selection(companies(500));
    await page.option('Company 1').check();
    await page.option('Company 1').press('Enter');
    await expect(page.counts).toHaveText('500 of 500 shown, 1 chosen');
    await expect(page.option('Company 1')).toBeChecked();
    expect(await agent.status(page.id)).toBe('pending');
  });
});

/** Presses Tab, from the page into the frame if need be, until `target` has the focus. */
async function tabInto(review: SelectionReview, target: Locator): Promise<void> {
  for (let stop = 0; stop < 40; stop++) {
    await review.page.keyboard.press('Tab');
    if ((await target.and(review.document.locator(':focus')).count()) === 1) return;
  }
  throw new Error(`no way to ${target} by Tab`);
}
