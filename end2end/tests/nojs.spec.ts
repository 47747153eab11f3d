// Before the WebAssembly is there, and where it never comes: all can be read, and nothing pretends to work.

import type { Page } from '@playwright/test';
import { expect, test } from '../support/test';
import { update } from '../support/proposals';
import { Review, hydrated } from '../support/review';

async function expectReadable(page: Page): Promise<void> {
  const grid = new Review(page, page.url());
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(update().message);
  for (const column of ['Apollo', 'Crunchbase', 'Salesforce', 'Proposed']) {
    await expect(page.getByRole('columnheader', { name: column })).toBeVisible();
  }
  await expect(grid.source('name', 'crunchbase')).toContainText('NorthMark Strategies Inc.');
  await expect(grid.source('name', 'crunchbase')).toContainClass('differs');
  await expect(grid.current('website')).toContainText('http://northmark.example');
  await expect(grid.source('employeeCount', 'crunchbase')).toContainText('201–500');
  await expect(grid.source('institutionTypes', 'apollo')).toContainText('Asset Manager');
  await expect(grid.text('Name')).toHaveValue('NorthMark Strategies');
  await expect(grid.text('Number of Employees')).toHaveValue('230');
  await expect(grid.pick('Institution Types', 'Private Equity')).toBeChecked();
  await expect(grid.include('Website')).toBeChecked();
  await expect(grid.include('Number of Employees')).not.toBeChecked();
  await expect(grid.counter).toHaveText('4 of 5 included');
}

async function expectNothingPretends(page: Page): Promise<void> {
  const controls = page.locator('button, input, select, textarea').filter({ visible: true });
  expect(await controls.count()).toBeGreaterThan(15);
  for (const control of await controls.all()) await expect(control).toBeDisabled();
  await expect(page.locator('html')).not.toHaveAttribute('data-hydrated');
}

test.describe('JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('the grid can be read, nothing works, and a note says why', async ({ agent, page }) => {
    const { elicitationId, reviewUrl } = await agent.propose(update());
    await page.goto(reviewUrl);
    await expectReadable(page);
    await expectNothingPretends(page);
    await expect(page.getByText(/JavaScript/)).toBeVisible();
    expect(await agent.status(elicitationId)).toBe('pending');
  });

  test('the end of a request can be read as well', async ({ agent, page }) => {
    const { elicitationId, reviewUrl } = await agent.propose(update());
    await agent.call('elicit_cancel', { elicitationId, reason: 'The account was merged' });
    await page.goto(reviewUrl);
    const { outcome } = new Review(page, reviewUrl);
    await expect(outcome).toContainText(/^\s*Canceled/);
    await expect(outcome).toContainText('The account was merged');
  });
});

test('until the WebAssembly is there the page can be read and nothing pretends to work', async ({ agent, page }) => {
  const { reviewUrl } = await agent.propose(update());
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\.wasm(\?|$)/, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(reviewUrl, { waitUntil: 'domcontentloaded' });
  await expectReadable(page);
  await expectNothingPretends(page);

  release();
  await hydrated(page);
  await expectReadable(page);
  await expect(page.getByRole('button', { name: 'Submit Changes' })).toBeEnabled();
});

test('where the WebAssembly never comes, the page stays readable', async ({ agent, complaints, page }) => {
  complaints.allow(/Failed to load resource|Failed to fetch|WebAssembly|wasm/i);
  const { reviewUrl } = await agent.propose(update());
  await page.route(/\.wasm(\?|$)/, (route) => route.abort());
  const refused = page.waitForEvent('requestfailed', (request) => /\.wasm(\?|$)/.test(request.url()));
  await page.goto(reviewUrl);
  await refused;
  await expectReadable(page);
  await expectNothingPretends(page);
});
