// On a phone, in the dark, and without a jump.

import { expect, test } from '../support/test';
import { everyControl, example, proposal, update } from '../support/proposals';
import { Review, hydrated } from '../support/review';
import { hardToRead, layoutJumps, watchLayout } from '../support/sight';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test.describe('phone', () => {
  test.use(PHONE);

  test('the rows are cards: sources, current and proposed one below the other', async ({ review }) => {
    const grid = await review(update());
    const tops = [];
    for (const cell of [
      grid.source('name', 'apollo'),
      grid.source('name', 'crunchbase'),
      grid.current('name'),
      grid.proposed('name'),
    ]) {
      await expect(cell).toBeVisible();
      const box = (await cell.boundingBox())!;
      tops.push(box.y);
      expect(box.width).toBeGreaterThan(300);
    }
    expect(tops).toEqual(tops.toSorted((a, b) => a - b));
    expect(new Set(tops).size).toBe(tops.length);
    await expect(grid.page.locator('thead')).not.toBeInViewport();
  });

  for (const width of [390, 360]) {
    test(`nothing scrolls sideways at ${width}`, async ({ agent, page }) => {
      await page.setViewportSize({ width, height: 844 });
      const long = 'x'.repeat(300);
      const rows = proposal(
        {
          long: { property: { type: 'string', title: long, default: long }, sources: { apollo: long }, current: long },
          single: {
            property: { type: 'string', title: 'Single', maxLength: 200, default: 'x' },
            sources: { apollo: long },
          },
          many: { property: { type: 'array', title: 'Many', items: { enum: [long, 'b', 'c'] }, default: [long] } },
          one: { property: { type: 'string', title: 'One', enum: [...'abcdefgh', long], default: long } },
          when: {
            property: { type: 'string', format: 'date-time', title: 'When', default: '2026-03-24T12:00:00+02:00' },
          },
        },
        { message: long },
      );
      for (const asked of [example(), update(), everyControl(), rows]) {
        await Review.open(page, (await agent.propose(asked)).reviewUrl);
        const scroll = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(scroll).toBeLessThanOrEqual(width);
      }
    });
  }

  test('the use and keep buttons are in sight and large enough to tap', async ({ agent, review }) => {
    const grid = await review(update());
    for (const button of [grid.use('Crunchbase', 'Name'), grid.keep('Salesforce', 'Phone')]) {
      await button.scrollIntoViewIfNeeded();
      expect(
        await button.evaluate((element) =>
          element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
        ),
      ).toBe(true);
      const { width, height } = (await button.boundingBox())!;
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
    }
    await grid.use('Crunchbase', 'Name').tap();
    await expect(grid.text('Name')).toHaveValue('NorthMark Strategies Inc.');
    await grid.keep('Salesforce', 'Phone').tap();
    await expect(grid.include('Phone')).not.toBeChecked();

    await grid.include('Website').tap();
    await expect(grid.counter).toHaveText('2 of 5 included');
    await grid.button('Submit Changes').tap();
    await expect(grid.outcome).toContainText('Approved');
    await expect(grid.outcome).toBeInViewport();
    expect(await agent.values(grid.id)).toEqual({
      name: 'NorthMark Strategies Inc.',
      institutionTypes: ['Asset Manager', 'Private Equity'],
    });
  });

  test('the decision is always within reach', async ({ review }) => {
    const grid = await review(update());
    await expect(grid.button('Submit Changes')).toBeInViewport({ ratio: 1 });
    await expect(grid.button('Cancel')).toBeInViewport({ ratio: 1 });
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [screen, use] of [
    ['wide', {}],
    ['phone', PHONE],
  ] as const) {
    test.describe(`${colorScheme}, ${screen}`, () => {
      test.use({ colorScheme, ...use });

      test('every text is easy to read', async ({ review }) => {
        const grid = await review(update());
        await grid.text('Website').fill('no address');
        await grid.text('Phone').fill('');
        await expect(grid.fault('website')).toBeVisible();
        expect(await hardToRead(grid.page)).toEqual([]);

        await grid.text('Website').fill('https://example.com/');
        await grid.approve();
        expect(await hardToRead(grid.page)).toEqual([]);
      });

      test('so is every control, proposed or left out', async ({ review }) => {
        const grid = await review(everyControl());
        expect(await hardToRead(grid.page)).toEqual([]);
      });
    });
  }
}

test('dark is dark', async ({ page, agent }) => {
  const { reviewUrl } = await agent.propose(example());
  const brightness = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme });
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 8, height: 8 }, type: 'png' });
    return page.evaluate(async (base64) => {
      const blob = new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]);
      const canvas = new OffscreenCanvas(8, 8).getContext('2d')!;
      canvas.drawImage(await createImageBitmap(blob), 0, 0);
      return canvas.getImageData(4, 4, 1, 1).data[1]!;
    }, picture.toString('base64'));
  };
  await Review.open(page, reviewUrl);
  expect(await brightness('light')).toBeGreaterThan(200);
  expect(await brightness('dark')).toBeLessThan(60);
});

for (const [screen, use] of [
  ['wide', {}],
  ['phone', PHONE],
] as const) {
  test.describe(`${screen}, while it comes alive`, () => {
    test.use(use);

    test('nothing moves', async ({ agent, page }) => {
      const { reviewUrl } = await agent.propose(everyControl());
      await watchLayout(page);
      let release = () => {};
      const released = new Promise<void>((resolve) => (release = resolve));
      await page.route(/\.wasm(\?|$)/, async (route) => {
        await released;
        await route.continue();
      });
      const boxes = () =>
        page
          .locator('h1, tr[data-field], tr[data-field] > *, button, input, textarea, select')
          .evaluateAll((elements) =>
            elements.map((element) => {
              const { x, y, width, height } = element.getBoundingClientRect();
              return [element.tagName, x, y, width, height];
            }),
          );

      await page.goto(reviewUrl, { waitUntil: 'domcontentloaded' });
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
      await page.evaluate(() => document.fonts.ready);
      const before = await boxes();
      release();
      await hydrated(page);
      expect(await boxes()).toEqual(before);
      expect(await layoutJumps(page)).toEqual([]);
    });
  });
}
