// How a payload is shown: as JSON to be folded and copied, or in the agent's own layout in a frame.

import { expect, test } from '../support/test';
import { examples } from '../support/approvals';
import { numberText, toJson } from '../support/proposals';
import { ApprovalReview } from '../support/review';
import { tabTo } from '../support/sight';
import { Wire } from '../support/wire';

/** Texts that would do something if they were taken for markup. */
const hostile = [
  '</textarea><script>window.ran = 1</script>',
  '<img src="x" onerror="window.ran = 2">',
  '</details></section></main><svg onload="window.ran = 3">',
  '" onmouseover="window.ran = 4" autofocus onfocus="window.ran = 5',
  '<!-- ]]> &lt;b&gt; &amp; \\u003cscript>',
];

test.describe('as JSON', () => {
  test('its keys stand in the agent’s order, its numbers as they were written', async ({ page, server }) => {
    const context = toJson({
      zebra: numberText('1.10'),
      apple: [numberText('3791411052119578828'), numberText('1e+400'), numberText('-0.0'), true, null],
      empty: {},
      none: [],
    }).replace('{', '{"10":"ten","9":"nine",'); // JavaScript would sort these two
    const wire = await Wire.open(server.url);
    const answer = await wire.call('elicit_approval', `{"message":"Deploy","context":${context}}`);
    const review = await ApprovalReview.open(page, JSON.parse(answer).result.structuredContent.reviewUrl);
    const keys = ['10', '9', 'zebra', 'apple', 'empty', 'none'].map((key) => `"${key}"`);
    await expect(review.json.locator('b')).toHaveText(keys);
    await expect(review.json.locator('b ~ span, div > span:first-child')).toHaveText(
      ['1.10', '3791411052119578828', '1e+400', '-0.0', 'true', 'null', '{}', '[]'],
    );
  });

  test('its line breaks break, and what only looks like one does not', async ({ approval }) => {
    const page = await approval({ message: 'Run', context: { script: 'cd /srv\nmake', path: 'C:\\new' } });
    const [script, path] = [page.json.locator('q').first(), page.json.locator('q').last()];
    await expect(script).toHaveText(/"cd \/srv\\n\s*make"/);
    const height = async (of: typeof script) => (await of.boundingBox())!.height;
    expect(await height(script)).toBeGreaterThan(1.5 * (await height(path)));
    await expect(path).toHaveText('"C:\\\\new"');
  });

  test('a long text is folded after its beginning, and opens', async ({ approval }) => {
    const page = await approval({ message: 'Read', context: { log: `${'x'.repeat(700)} the end`, short: 'y' } });
    const end = page.json.getByText('the end');
    const more = page.json.getByText(/^\d+ more characters$/);
    await expect(end).toBeHidden();
    await expect(more).toHaveText('110 more characters');
    await more.click();
    await expect(end).toBeVisible();
    await expect(page.json.getByText('"y"')).toBeVisible();
  });

  test('it folds and unfolds by keyboard, each part on its own', async ({ approval }) => {
    const page = await approval({ message: 'Look', context: { first: { inner: 1 }, second: { inner: 2 } } });
    const inner = page.json.locator('b', { hasText: 'inner' });
    await tabTo(page.page, page.json.locator('summary', { hasText: '"first"' }));
    await page.page.keyboard.press('Enter');
    await expect(inner.first()).toBeHidden();
    await expect(inner.last()).toBeVisible();
    await expect(page.json.getByText('1 member', { exact: true }).first()).toBeVisible();
    await page.page.keyboard.press('Space');
    await expect(inner.first()).toBeVisible();

    await tabTo(page.page, page.json.locator('summary').first(), 'Shift+Tab');
    await page.page.keyboard.press('Space');
    await expect(inner.last()).toBeHidden();
    await expect(page.json.getByText('2 members', { exact: true })).toBeVisible();
  });

  test('Copy copies it whole, folded or not, to the letter', async ({ context, page, server }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const payload = {
      zebra: { nested: [1, [], {}, 'two\nlines', '\ttab "quoted" \\ \u0007\u007f'] },
      long: 'x'.repeat(700),
      'שלום \u202e': 'a\u200bb',
      hostile,
    };
    const wire = await Wire.open(server.url);
    const json = toJson({ price: numberText('1.10'), ...payload });
    const answer = await wire.call('elicit_approval', `{"message":"Copy","context":${json}}`);
    const review = await ApprovalReview.open(page, JSON.parse(answer).result.structuredContent.reviewUrl);
    await review.json.locator('summary').first().click();
    await review.button('Copy').click();
    await expect(review.button('Copied')).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(toJsonIn2({ price: numberText('1.10'), ...payload }));
  });

  test('where the browser does not let it copy, it says so', async ({ approval, context }) => {
    await context.grantPermissions([]);
    const page = await approval(examples.payload());
    await page.page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
    });
    await page.button('Copy').click();
    await expect(page.button('Could not copy')).toBeVisible();
  });

  test('hostile texts are texts, wherever they stand', async ({ agent, approval }) => {
    const [first, second, third, fourth] = hostile as [string, string, string, string];
    const page = await approval({
      message: hostile.join('\n'),
      context: { ...Object.fromEntries(hostile.map((text) => [text, text])), all: hostile },
      labels: { submit: second.slice(0, 40), decline: first.slice(0, 40) },
      requestedSchema: {
        type: 'object',
        properties: {
          [first]: { type: 'string', title: second, description: third, default: hostile.join('\n') },
          [third]: { type: 'string', title: fourth, enum: hostile, default: first },
          [fourth]: { type: 'string', title: first, enum: [...hostile, 'a', 'b', 'c'], default: second },
          [second]: { type: 'array', title: third, items: { enum: hostile }, default: [hostile[0]] },
        },
      },
    });
    for (const text of hostile) await expect(page.json.getByText(JSON.stringify(text)).first()).toBeVisible();
    await expect(page.page.getByRole('heading', { level: 1 })).toHaveText(hostile.join(' '));
    await expect(page.text(second)).toHaveValue(hostile.join('\n'));
    await expect(page.select(first)).toHaveValue(second);
    await page.pick(third, first).hover();
    await expect(page.page.locator('main :is(img, svg, script, [onmouseover], [autofocus])')).toHaveCount(0);
    await page.button(second.slice(0, 40)).click();
    await expect(page.outcome).toContainText('Approved');
    await expect(page.outcome).toContainText(first);
    await expect(page.page.locator('main :is(img, svg, script, [onmouseover], [autofocus])')).toHaveCount(0);
    expect(await page.page.evaluate(() => 'ran' in window)).toBe(false);
    expect(await agent.submission(page.id)).toEqual({
      [first]: hostile.join('\n'),
      [third]: first,
      [fourth]: second,
      [second]: [first],
    });
  });

  test('1,000 entries open, fold and can be approved', async ({ agent, approval }) => {
    const context = Array.from({ length: 1_000 }, (_, at) => ({ id: at, name: `Entry ${at}`, tags: [`tag ${at}`] }));
    const page = await approval({ message: 'Import 1,000 entries', context });
    await expect(page.json.getByText('"Entry 999"')).toBeVisible();
    // Two levels are open, the third can be opened.
    await expect(page.json.getByText('"tag 999"')).toBeHidden();
    await page.json.locator('summary', { hasText: '"tags"' }).last().click();
    await expect(page.json.getByText('"tag 999"')).toBeVisible();
    await page.json.locator('summary').first().click();
    await expect(page.json.getByText('"Entry 999"')).toBeHidden();
    await page.approve();
    expect((await agent.result(page.id)).data.context).toEqual(context);
  });

  test('30,000 entries open, are copied and can be approved', async ({ agent, approval, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const entries = Array.from({ length: 30_000 }, (_, at) => `Entry ${at}`);
    const page = await approval({ message: 'Import 30,000 entries', context: entries });
    await expect(page.json).toContainText('"Entry 29999"');
    await page.button('Copy').click();
    await expect(page.button('Copied')).toBeVisible();
    expect(await page.page.evaluate(() => navigator.clipboard.readText())).toBe(JSON.stringify(entries, null, 2));
    await page.approve();
    expect((await agent.result(page.id)).data.context).toEqual(entries);
  });
});

test.describe('in the agent’s own layout', () => {
  test('the summary of the reference page is a definition list', async ({ agent, approval }) => {
    const page = await approval(examples.summary());
    await expect(page.document.locator('dl > dt')).toHaveText(['Customer', 'Amount', 'Reason']);
    await expect(page.document.locator('dl > dd')).toHaveText(['acme@co', '$1,240.00', 'duplicate charge']);
    await expect(page.json).toHaveCount(0);
    await page.approve();
    await expect(page.document.locator('dl > dd').first()).toHaveText('acme@co');
    expect((await agent.result(page.id)).data).toMatchObject({
      decision: 'approved',
      context: examples.summary().context,
      formSubmission: null,
    });
  });

  test('the change table of the reference page has a row for each change', async ({ approval }) => {
    const page = await approval(examples.changes());
    await expect(page.document.locator('strong')).toHaveText('Deploy elicitly-api v2.4.0');
    const rows = page.document.getByRole('row');
    await expect(rows).toHaveCount(3);
    await expect(rows.nth(0).getByRole('columnheader')).toHaveText(['File', '+', '−']);
    await expect(rows.nth(1).getByRole('cell')).toHaveText(['src/auth.ts', '+12', '−3']);
    await expect(rows.nth(2).getByRole('cell')).toHaveText(['src/db.ts', '+5', '−40']);
  });

  test('the comparison of the reference page strikes the old and marks the new', async ({ approval }) => {
    const page = await approval(examples.comparison());
    await expect(page.document.locator('strong')).toHaveText('Plan');
    await expect(page.document.locator('s')).toHaveText('Starter');
    await expect(page.document.locator('mark')).toHaveText('Enterprise');
    await expect(page.document.locator('p').last()).toHaveText('Starter → Enterprise');
  });

  test('the last example of the reference page has its form below', async ({ agent, approval }) => {
    const page = await approval(examples.both());
    await expect(page.document.locator('p')).toHaveText('Deploying elicitly-api v2.4.0');
    await expect(page.document.locator('strong')).toHaveText('elicitly-api v2.4.0');
    const [above, below] = [
      await page.page.locator('iframe').boundingBox(),
      await page.text('Your name').boundingBox(),
    ];
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
    await page.text('Your name').fill('Ann');
    await page.text('Confidence %').fill('95');
    await page.approve();
    await expect(page.document.locator('strong')).toHaveText('elicitly-api v2.4.0');
    const { data } = await agent.result(page.id);
    expect(data.context).toEqual(examples.both().context);
    expect(data.formSubmission).toEqual({ approver: 'Ann', confidence: 95 });
  });

  test('it stands in a frame that can run scripts and nothing else, without the buttons', async ({ approval }) => {
    const page = await approval(examples.summary());
    await expect(page.page.locator('iframe')).toHaveAttribute('sandbox', 'allow-scripts');
    await expect(page.document.getByRole('button')).toHaveCount(0);
    await expect(page.button('Submit')).toHaveCount(1);
  });

  test('its data is text', async ({ approval }) => {
    const page = await approval({
      message: 'Look',
      context: { text: hostile.join('\n') },
      displayTemplate: '<p>{{ context.text }}</p>',
    });
    await expect(page.document.locator('p')).toHaveText(hostile.join(' '));
    await expect(page.document.locator('p *')).toHaveCount(0);
  });

  test('a template that cannot be shown leaves the JSON, and tells the agent where', async ({ agent, page }) => {
    const opened = await agent.ask({
      message: 'Approve refund',
      context: { amount: '$1,240.00' },
      displayTemplate: '<p>{{ context.amount }}</p>\n  {% nonsense %}',
    });
    expect(opened.warnings).toEqual([
      {
        pointer: '/displayTemplate',
        code: 'template_falls_back',
        message: expect.stringContaining('JSON'),
        line: 2,
        column: 3,
      },
    ]);
    const review = await ApprovalReview.open(page, opened.reviewUrl);
    await expect(review.payload.getByRole('note')).toContainText('cannot be shown');
    await expect(review.json).toContainText('"amount": "$1,240.00"');
    await expect(page.locator('iframe')).toHaveCount(0);
    await review.approve();
    await expect(review.json).toContainText('"amount": "$1,240.00"');
    expect((await agent.result(review.id)).data.context).toEqual({ amount: '$1,240.00' });
  });

  test('one without a context says that it has none', async ({ agent }) => {
    const { warnings } = await agent.ask({ ...examples.form(), displayTemplate: '<p>{{ context.amount }}</p>' });
    expect(warnings).toContainEqual(
      expect.objectContaining({ pointer: '/displayTemplate', code: 'template_without_context' }),
    );
  });
});

/** As a person would copy it: JSON by two blanks a level, with its numbers as they were written. */
function toJsonIn2(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/"number text ([^"]+)"/g, '$1');
}
