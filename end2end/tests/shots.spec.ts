// Pictures to look at: end2end/test-results/shots/, and the README's own where README_SHOT is set.

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test';
import { everyControl, update } from '../support/proposals';
import { examples } from '../support/selections';
import { Review } from '../support/review';
import { ROOT } from '../support/server';

const FOLDER = join(ROOT, 'end2end/test-results/shots');

/** The page from its top to the end of its content. */
async function shoot(page: Page, path: string): Promise<void> {
  const { width, height } = page.viewportSize()!;
  const bottom = await page.locator('main').evaluate((main) => {
    const ends = [...main.children].map((child) => child.getBoundingClientRect().bottom);
    return Math.ceil(Math.max(...ends) + window.scrollY + 24);
  });
  await page.setViewportSize({ width, height: bottom });
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  await page.setViewportSize({ width, height });
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test.describe(`${colorScheme}, ${width}`, () => {
      const phone = width < 500 && { hasTouch: true, isMobile: true };
      test.use({ colorScheme, viewport: { width, height: 844 }, ...phone });

      test('the grid and its end', async ({ review }) => {
        const grid = await review(update());
        const path = (what: string) => join(FOLDER, `${what}-${width}-${colorScheme}.png`);
        await shoot(grid.page, path('grid'));
        await grid.text('Phone').fill('+1 555 0100 ext');
        await expect(grid.fault('phone')).toBeVisible();
        await shoot(grid.page, path('fault'));
        await grid.text('Phone').fill('+1 555 0100');
        await grid.approve();
        await shoot(grid.page, path('approved'));
      });

      test('a selection, and what happened', async ({ agent, selection }) => {
        const page = await selection({ ...examples.table(), requireCommentOnReject: true });
        await page.page.screenshot({ path: join(FOLDER, `selection-${width}-${colorScheme}.png`) });
        await page.document.getByRole('textbox', { name: 'Comment' }).fill('neither of them');
        await page.button('Reject — refine search').click();
        await expect(page.outcome).toContainText('neither of them');
        await agent.result(page.id);
        await page.page.getByRole('link', { name: 'What happened so far' }).click();
        await page.page.screenshot({ path: join(FOLDER, `trail-${width}-${colorScheme}.png`) });
      });

      test('every control', async ({ review }) => {
        const grid = await review(everyControl());
        await shoot(grid.page, join(FOLDER, `controls-${width}-${colorScheme}.png`));
      });
    });
  }
}

test.describe('the README’s picture', () => {
  test.skip(!process.env.README_SHOT, 'README_SHOT is not set');
  test.use({ colorScheme: 'light', viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 });

  test('the grid', async ({ agent, page }) => {
    const { reviewUrl } = await agent.propose(update());
    await Review.open(page, reviewUrl);
    await shoot(page, join(ROOT, 'docs/grid.png'));
  });
});
