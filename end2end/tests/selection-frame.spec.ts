// The frame of a selection: how it looks and reads, with a mouse, keys or a thumb, and who may decide in it.

import { expect, test } from '../support/test';
import { SelectionReview } from '../support/review';
import { companies, examples, type Selection } from '../support/selections';
import { hardToRead } from '../support/sight';
import { send } from '../support/wire';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** What the browser says where a test looks around in a frame without scripts. */
const LOOKING = /Blocked script execution/;

/** The museums, with more about each. */
function detailed(): Selection {
  return { ...examples.table(), hoverTemplate: '<p>See <b>{{ option.domain }}</b> for more</p>' };
}

test.describe('more about an option', () => {
  test('shows while its row is pointed at', async ({ selection }) => {
    const page = await selection(detailed());
    const detail = (domain: string) => page.document.getByText(`See ${domain} for more`);
    await expect(detail('guggenheim.org')).toBeHidden();
    await page.row('nyc').hover();
    await expect(detail('guggenheim.org')).toBeVisible();
    await expect(detail('guggenheim-bilbao.eus')).toBeHidden();
    await detail('guggenheim.org').hover();
    await expect(detail('guggenheim.org')).toBeVisible();
    await page.button('Choose').hover();
    await expect(detail('guggenheim.org')).toBeHidden();
  });

  test('shows while its control has the focus', async ({ agent, selection }) => {
    const page = await selection(detailed());
    const detail = (domain: string) => page.document.getByText(`See ${domain} for more`);
    await page.option('bilbao').focus();
    await expect(detail('guggenheim-bilbao.eus')).toBeVisible();
    await page.page.keyboard.press('ArrowDown');
    await expect(detail('guggenheim-bilbao.eus')).toBeHidden();
    await expect(detail('guggenheim.org')).toBeVisible();
    await page.button('Choose').click();
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['nyc']);
  });
});

test('more about an option moves nothing and covers no option', async ({ agent, complaints, selection }) => {
  complaints.allow(LOOKING);
  const options = Array.from({ length: 12 }, (_, at) => ({ id: `option-${at}`, label: `Option ${at}` }));
  const page = await selection({ message: 'Which?', options, hoverTemplate: '<p>About {{ option.id }}</p>'.repeat(20) });
  const places = () => page.document.getByRole('radio').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().y));
  const before = await places();
  for (const { id, label } of [0, 1, 2, 11, 10].map((at) => options[at]!)) {
    await page.row(label).hover();
    await expect(page.document.getByText(`About ${id}`, { exact: true }).first()).toBeVisible();
    expect(await places()).toEqual(before);
  }
  // Where the pointer rests on one row and another has the focus, the one that is pointed at is told of.
  await page.option('Option 3').focus();
  await page.row('Option 5').hover();
  await expect(page.document.getByText('About option-5', { exact: true }).first()).toBeVisible();
  await expect(page.document.getByText('About option-3', { exact: true }).first()).toBeHidden();
  await page.option('Option 11').click();
  await page.button('Choose').click();
  await expect(page.outcome).toContainText('Approved');
  expect(await agent.chosen(page.id)).toEqual(['option-11']);
});

test.describe('to those who do not see it', () => {
  test('it is a table, with a named control in every row and two buttons', async ({ selection }) => {
    const page = await selection(examples.table());
    const { document } = page;
    await expect(document.getByRole('table')).toHaveCount(1);
    await expect(document.getByRole('row')).toHaveCount(4);
    await expect(document.getByRole('columnheader')).toHaveCount(3);
    for (const [at, name] of ['Choose', 'Name', 'Domain'].entries()) {
      await expect(document.getByRole('columnheader').nth(at)).toHaveAccessibleName(name);
    }
    for (const id of ['bilbao', 'nyc', 'venice']) {
      const named = document.getByRole('radio', { name: id, exact: true });
      await expect(page.row(id).getByRole('radio')).toHaveCount(1);
      await expect(named).toHaveAccessibleName(id);
    }
    await expect(document.getByRole('button')).toHaveText(['Reject — refine search', 'Choose']);
    await expect(page.frame).toHaveAttribute('sandbox', 'allow-forms');
  });

  test('several are boxes, named by their labels', async ({ selection }) => {
    const page = await selection(examples.several());
    for (const { label } of examples.several().options) {
      await expect(page.document.getByRole('checkbox', { name: label!, exact: true })).toBeVisible();
    }
    await expect(page.document.getByRole('button')).toHaveText(['Reject — refine search', 'Submit selection']);
    await expect(page.document.getByText('Choose 1 to 3', { exact: true })).toBeVisible();
  });

  test('what is wrong is an alert, and counts are a status', async ({ complaints, selection }) => {
    complaints.allow(/422/);
    const page = await selection(companies(40));
    await expect(page.said).toHaveText('40 of 40 shown, 0 chosen');
    await page.button('Submit selection').click();
    await expect(page.reason).toContainText('0 chosen');
  });
});

for (const [colorScheme, background] of [
  ['light', 'rgb(255, 255, 255)'],
  ['dark', 'rgb(22, 25, 30)'],
] as const) {
  test(`it is ${colorScheme} where the page is, and easy to read`, async ({ complaints, page, selection }) => {
    complaints.allow(LOOKING);
    await page.emulateMedia({ colorScheme });
    const review = await selection({ ...companies(40), footerTemplate: '<td>40 in all</td>', hoverTemplate: 'More' });
    for (const element of [review.document.locator('html'), review.frame]) {
      await expect(element).toHaveCSS('background-color', background);
    }
    await page.goto(await review.address());
    expect(await hardToRead(page)).toEqual([]);
  });
}

test.describe('on a phone', () => {
  test.use(PHONE);

  test('nothing runs over the page, and a thumb hits the buttons', async ({ agent, complaints, page, selection }) => {
    complaints.allow(LOOKING);
    const labels = { ok: 'x'.repeat(40), cancel: 'y '.repeat(20) };
    for (const asked of [companies(40), { ...examples.several(), labels }]) {
      const review = await selection(asked);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      const frame = (await review.frame.boundingBox())!;
      const buttons = await review.document.getByRole('button').all();
      for (const button of buttons.slice(-2)) {
        await expect(button).toBeInViewport({ ratio: 1 });
        const { x, width, height } = (await button.boundingBox())!;
        expect(height).toBeGreaterThanOrEqual(44);
        expect(x).toBeGreaterThanOrEqual(frame.x);
        expect(x + width).toBeLessThanOrEqual(frame.x + frame.width);
      }
      await review.document.getByRole('checkbox').first().tap();
      await buttons.at(-1)!.tap();
      await expect(review.outcome).toContainText('Approved');
      expect(await agent.chosen(review.id)).toEqual([asked.options[0]!.id]);
    }
  });

  test('more about an option shows where it is tapped', async ({ selection }) => {
    const page = await selection(detailed());
    await page.option('venice').tap();
    await expect(page.option('venice')).toBeChecked();
    await expect(page.document.getByText('See guggenheim-venice.it for more')).toBeVisible();
  });
});

test.describe('who may decide', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded', origin: 'null', 'sec-fetch-site': 'cross-site' };

  test('nobody without the token of this request', async ({ agent, selection }) => {
    const other = await selection(examples.plain());
    const foreign = await token(other);
    const page = await selection(examples.plain());
    const address = await page.address();
    for (const forged of ['', 'x', foreign, `${foreign}x`, (await token(page)).slice(0, -1)]) {
      for (const verb of ['choose', 'reject']) {
        const body = new URLSearchParams({ token: forged, do: verb, pick: '1' }).toString();
        const { status, text } = await send(address, 'POST', FORM, body);
        expect(status, forged).toBe(403);
        expect(text).toContain('too old to decide');
        expect(text).toMatch(/title="Production" checked/);
      }
    }
    expect(await agent.status(page.id)).toBe('pending');
    await page.choose(['Staging']);
    await expect(page.outcome).toContainText('Approved');
  });

  test('looking decides nothing, whatever is asked', async ({ agent, selection }) => {
    const page = await selection(examples.plain());
    const query = new URLSearchParams({ token: await token(page), do: 'choose', pick: '1' });
    for (const method of ['GET', 'HEAD']) {
      for (const address of [await page.address(), page.url, page.url.replace('/review', '/events-of-nobody')]) {
        await send(`${address}&${query}`, method);
      }
    }
    expect(await agent.status(page.id)).toBe('pending');
  });

  test('what is sent again after the decision changes nothing and says so', async ({ agent, selection }) => {
    const page = await selection(examples.plain());
    const [address, good] = [await page.address(), await token(page)];
    await page.choose(['Staging']);
    await expect(page.outcome).toContainText('Approved');
    const first = await agent.result(page.id);
    for (const verb of ['choose', 'reject', 'filter']) {
      const body = new URLSearchParams({ token: good, do: verb, pick: '1' }).toString();
      const { status, text } = await send(address, 'POST', FORM, body);
      expect(status).toBe(200);
      expect(text).toContain('A choice had been made already. What you sent changed nothing.');
      expect(text).not.toContain('<form');
    }
    expect((await agent.result(page.id)).text).toBe(first.text);
  });

  test('of two tabs the first one, and the second is told', async ({ agent, complaints, context, selection }) => {
    complaints.allow(/Failed to load resource/);
    const first = await selection(examples.plain());
    const deaf = await context.newPage();
    await deaf.route('**/events?*', (route) => route.fulfill({ status: 503 }));
    const second = await SelectionReview.open(deaf, first.url);
    await first.choose(['Production']);
    await expect(first.outcome).toContainText('Production');
    await second.button('Reject — refine search').click();
    await expect(second.said.or(second.outcome)).toHaveText(/A choice had been made already|Approved/);
    await SelectionReview.open(deaf, second.url);
    await expect(second.outcome).toContainText('Production');
    expect(await agent.chosen(first.id)).toEqual(['prod']);
  });

  test('a new signing key leaves what is open good', async ({ agent, selection, server }) => {
    const page = await selection(examples.plain());
    const old = await token(page);
    await server.command('keys', 'rotate');
    await page.choose(['Staging']);
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['staging']);
    const [key] = (await token(await selection(examples.plain()))).split('.');
    expect(key).not.toBe(old.split('.')[0]);
  });

  test('a page that has become too old keeps what is chosen', async ({ agent, complaints, selection }) => {
    complaints.allow(/403/);
    complaints.allow(LOOKING);
    const page = await selection(examples.several());
    await page.document.locator('input[name="token"]').evaluate((field: HTMLInputElement) => (field.value = 'old'));
    await page.choose(['v1.2.0', 'v1.3.0-rc1'], 'Submit selection');
    await expect(page.reason).toContainText('Your choice is still here: send it again.');
    await page.button('Submit selection').click();
    await expect(page.outcome).toContainText('Approved');
    expect(await agent.chosen(page.id)).toEqual(['v1', 'v2']);
  });
});

/** The token that a form holds. */
async function token(review: SelectionReview): Promise<string> {
  return review.document.locator('input[name="token"]').inputValue();
}
