// Text that hides, reorders or passes itself off as something else shows itself, and still comes back as it was sent.

import type { Locator, Page } from '@playwright/test';
import { expect, test } from '../support/test';
import { form, letters } from '../support/approvals';
import { proposal } from '../support/proposals';
import { ApprovalReview, Review } from '../support/review';
import { hardToRead } from '../support/sight';

/** What it is called, an example, what is to be seen in its place, what it looks like with that. */
const hiding: [name: string, text: string, shown: string, seen: string][] = [
  ['right-to-left override', 'cat \u202etxt.exe', 'U+202E', 'cat U+202Etxt.exe'],
  ['zero-width space', '/tmp/\u200bimportant', 'U+200B', '/tmp/U+200Bimportant'],
  ['no-break space', 'ok\u00a0\u00a0\u00a0rm', 'U+00A0×3', 'okU+00A0×3rm'],
  ['ideographic space', `ok${'\u3000'.repeat(20)}rm`, 'U+3000×20', 'okU+3000×20rm'],
  ['private-use character', 'app\ue000le', 'U+E000', 'appU+E000le'],
  ['line separator', 'one\u2028two', 'U+2028', 'oneU+2028two'],
  ['tag character', 'hi\u{e0072}!', 'U+E0072', 'hiU+E0072!'],
];

/** Texts that need what would hide elsewhere, or read from the right, with their direction. */
const honest: [language: string, text: string, direction: 'ltr' | 'rtl'][] = [
  ['Hebrew', 'שָׁלוֹם עוֹלָם (1)', 'rtl'],
  ['Arabic', 'السلام عليكم!', 'rtl'],
  ['Persian', 'می\u200cخواهم', 'rtl'],
  ['a family', '👨\u200d👩\u200d👧\u200d👦 ❤\ufe0f', 'ltr'],
  ['the flag of England', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'ltr'],
  ['French', '10\u202f000\u00a0€ «\u00a0oui\u00a0»', 'ltr'],
];

/** A form whose every text is this one, with a value that is this one. */
function everywhere(text: string) {
  return form({
    text: { type: 'string', title: text, description: text, maxLength: 100, default: text },
    radio: { type: 'string', title: 'Radio', enum: [text, 'b'], default: text },
    select: { type: 'string', title: 'Select', enum: [text, ...letters(8)], default: text },
    boxes: { type: 'array', title: 'Boxes', items: { enum: [text, 'b'] }, default: [text] },
  });
}

/** Sees that the mark is there, so often, and says what it is. */
async function expectMarks(place: Locator, shown: string, name: string, count = 1): Promise<void> {
  const marks = place.locator('mark');
  await expect(marks).toHaveText(Array<string>(count).fill(shown));
  for (const mark of await marks.all()) {
    await expect(mark).toHaveAttribute('title', name);
    await expect(mark).toBeVisible();
  }
}

for (const [name, text, shown, seen] of hiding) {
  test.describe(name, () => {
    test('shows itself in an approval, and comes back as it is', async ({ agent, approval }) => {
      const context = { [text]: text, list: [text] };
      const page = await approval({
        message: text,
        context,
        labels: { submit: text, decline: `No ${text}` },
        requestedSchema: everywhere(text),
      });
      await expectMarks(page.page.getByRole('heading', { level: 1 }), shown, name);
      await expectMarks(page.json, shown, name, 3);
      await expectMarks(page.row('text'), shown, name, 2);
      await expectMarks(page.page.getByRole('radiogroup', { name: 'Radio' }), shown, name);
      await expectMarks(page.page.getByRole('group', { name: 'Boxes' }), shown, name);
      await expect(page.select('Select').locator('option').nth(1)).toHaveText(seen.replace(shown, `[${shown}]`));
      await expect(page.text(text)).toHaveValue(text);
      await expect(page.row('text')).toContainText('holds characters that hide or reorder text');
      for (const button of [seen, `No ${seen}`]) await expectMarks(page.button(button), shown, name);

      await page.button(seen).click();
      await expect(page.outcome).toContainText('Approved');
      // The label, and the values of all four.
      await expectMarks(page.outcome, shown, name, 5);
      await expectMarks(page.json, shown, name, 3);
      const { data } = await agent.result(page.id);
      expect(data.context).toEqual(context);
      expect(data.formSubmission).toEqual({ text, radio: text, select: text, boxes: [text] });

      await ApprovalReview.open(page.page, page.url);
      await expectMarks(page.outcome, shown, name, 5);
    });

    test('shows itself in a grid, and comes back as it is', async ({ agent, review }) => {
      const grid = await review(
        proposal(
          {
            text: {
              property: { type: 'string', title: text, description: text, maxLength: 100, default: text },
              sources: { apollo: text },
              current: `old ${text}`,
            },
            radio: {
              property: { type: 'string', title: 'Radio', enum: [text, 'b'], default: text },
              sources: { crunchbase: text },
            },
            boxes: { property: { type: 'array', title: 'Boxes', items: { enum: ['a'] } }, sources: { apollo: [text] } },
          },
          {
            message: text,
            columns: {
              sources: [
                { key: 'apollo', label: text },
                { key: 'crunchbase', label: 'Crunchbase' },
              ],
              current: { label: `Now ${text}` },
            },
            labels: { ok: text, cancel: 'No' },
          },
        ),
      );
      await expectMarks(grid.page.getByRole('heading', { level: 1 }), shown, name);
      await expectMarks(grid.page.locator('thead'), shown, name, 2);
      await expectMarks(grid.row('text').getByRole('rowheader'), shown, name, 2);
      await expectMarks(grid.source('text', 'apollo'), shown, name);
      await expectMarks(grid.current('text'), shown, name);
      await expectMarks(grid.source('radio', 'crunchbase'), shown, name);
      await expectMarks(grid.proposed('radio'), shown, name);
      await expect(grid.proposed('text')).toContainText('holds characters that hide or reorder text');

      // A pick that is no option is shown as what it is, in the list and in its fault.
      const taken = grid.use(text, 'Boxes');
      await taken.click();
      await expect(grid.proposed('boxes').locator('[data-stranger]')).toHaveText(
        `${seen.replace(shown, `[${shown}]`)} (not an option)`,
      );
      await expect(grid.fault('boxes')).toContainText(`[${shown}]`);
      await grid.include('Boxes').uncheck();

      await grid.button(seen).click();
      await expect(grid.outcome).toContainText('Approved');
      await expectMarks(grid.outcome, shown, name, 3);
      expect(await agent.values(grid.id)).toEqual({ text, radio: text });
    });
  });
}

test('what is wrong with a field is told without turning around what stands beside it', async ({ approval }) => {
  const title = 'Name \u202eeman';
  const page = await approval({
    message: 'Fill in',
    requestedSchema: form({ name: { type: 'string', title, format: 'email' } }),
  });
  await page.text(title).fill('a\u202eb');
  await page.submit();
  await expect(page.fault('name')).toHaveText(/^“a\[U\+202E\]b” is not an e-mail address/);
  await expect(page.page.getByRole('alert')).toHaveText(/^Name \[U\+202E\]eman: “a\[U\+202E\]b” is not/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('marks are easy to read', async ({ approval }) => {
      const text = 'cat \u202etxt.exe';
      const page = await approval({
        message: text,
        context: { [text]: text },
        labels: { submit: text, decline: `No ${text}` },
        requestedSchema: everywhere(text),
      });
      expect(await page.page.locator('mark').count()).toBeGreaterThan(8);
      expect(await hardToRead(page.page)).toEqual([]);
    });
  });
}

test('hundreds of blanks do not push text out of view', async ({ agent, approval }) => {
  const context = { command: `echo ok${'\u3000'.repeat(400)}rm -rf ~`, plain: `a${' '.repeat(200)}b` };
  const page = await approval({ message: 'Run', context });
  await expect(page.json.locator('q')).toHaveText(['"echo okU+3000×400rm -rf ~"', '"a␠×200b"']);
  await expect(page.json.getByText('rm -rf ~')).toBeInViewport();
  await page.approve();
  expect((await agent.result(page.id)).data.context).toEqual(context);
});

for (const [language, text, direction] of honest) {
  test.describe(language, () => {
    test('stands unmarked in an approval, and comes back as it is', async ({ agent, approval }) => {
      const page = await approval({
        message: text,
        context: { [text]: text },
        labels: { submit: text, decline: 'No' },
        requestedSchema: everywhere(text),
      });
      await expect(page.page.locator('mark')).toHaveCount(0);
      await expect(page.page.getByText('hide or reorder')).toHaveCount(0);
      await expectIsolated(page.page.getByRole('heading', { level: 1 }), text, direction);
      await expectIsolated(page.button(text), text, direction);
      await expectIsolated(page.row('text').locator('.label'), text, direction);
      await expectIsolated(page.json.locator('b'), JSON.stringify(text), direction);
      await expectIsolated(page.json.locator('q'), JSON.stringify(text), direction);
      await page.button(text).click();
      await expectIsolated(page.outcome.locator('dt').first(), text, direction);
      await expectIsolated(page.outcome.locator('dd').first(), text, direction);
      await expect(page.page.locator('mark')).toHaveCount(0);
      const { data } = await agent.result(page.id);
      expect(data.context).toEqual({ [text]: text });
      expect(data.formSubmission).toEqual({ text, radio: text, select: text, boxes: [text] });
    });

    test('stands unmarked in a grid, and comes back as it is', async ({ agent, review }) => {
      const property = { type: 'string', title: text, maxLength: 100, default: text } as const;
      const grid = await review(
        proposal({ text: { property, sources: { apollo: text }, current: `${text} ${text}` } }, { message: text }),
      );
      await expect(grid.page.locator('mark')).toHaveCount(0);
      await expectIsolated(grid.source('text', 'apollo'), text, direction);
      await expectIsolated(grid.current('text'), `${text} ${text}`, direction);
      await grid.approve();
      await expectIsolated(grid.outcome.locator('dd'), text, direction);
      expect(await agent.values(grid.id)).toEqual({ text });
    });
  });
}

test.describe('a host that looks like another', () => {
  const url = 'https://аpple.com/login';
  const punycode = 'xn--pple-43d.com';
  const name = /look like others/;

  test('stands with its name in plain letters, and comes back as it is', async ({ agent, approval }) => {
    const context = { url, honest: 'https://bücher.example/ and https://apple.com/' };
    const page = await approval({
      message: `Open ${url}`,
      context,
      requestedSchema: form({ url: { type: 'string', title: url, maxLength: 100, default: url } }),
    });
    for (const place of [page.page.getByRole('heading', { level: 1 }), page.json, page.row('url')]) {
      await expect(place.locator('mark')).toHaveText(punycode);
      await expect(place.locator('mark')).toHaveAttribute('title', name);
    }
    await page.approve();
    await expect(page.json.locator('mark')).toHaveText(punycode);
    await Review.open(page.page, page.url);
    await expect(page.outcome.locator('mark')).toHaveText([punycode, punycode]);
    const { data } = await agent.result(page.id);
    expect(data.context).toEqual(context);
    expect(data.formSubmission).toEqual({ url });
  });

  test('does so in a grid too', async ({ review }) => {
    const property = { type: 'string', title: 'Website', maxLength: 100, default: url } as const;
    const grid = await review(proposal({ url: { property, sources: { apollo: url }, current: 'https://apple.com/' } }));
    await expect(grid.source('url', 'apollo').locator('mark')).toHaveText(punycode);
    await expect(grid.current('url').locator('mark')).toHaveCount(0);
  });
});

/** Sees a text to the letter, in an isolate of its own that reads in its own direction. */
async function expectIsolated(place: Locator, text: string, direction: 'ltr' | 'rtl'): Promise<void> {
  const isolate = place.locator('bdi');
  await expect(isolate).toHaveCount(1);
  const found = await isolate.evaluate((element) => ({
    text: element.textContent,
    rightToLeft: element.matches(':dir(rtl)'),
    isolated: getComputedStyle(element).unicodeBidi,
  }));
  expect(found).toEqual({ text, rightToLeft: direction === 'rtl', isolated: 'isolate' });
}

test('the page itself keeps its direction', async ({ page, agent }) => {
  const { reviewUrl } = await agent.ask({ message: 'שלום \u202e', context: { שלום: '\u202eabc' } });
  await ApprovalReview.open(page, reviewUrl);
  expect(await directions(page)).toEqual(['ltr', 'ltr', 'ltr']);
});

function directions(page: Page): Promise<string[]> {
  const parts = page.locator('html, main, footer');
  return parts.evaluateAll((elements) => elements.map((element) => getComputedStyle(element).direction));
}
