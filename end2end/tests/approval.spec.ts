// Approvals: a payload to say yes or no to, a form to fill in, or both.

import { expect, test } from '../support/test';
import { everyField, examples, form, letters, one } from '../support/approvals';
import { numberText, toJson } from '../support/proposals';
import { ApprovalReview, altered, decisions, expectFault, expectNoFault, hold, hydrated } from '../support/review';
import { focus, hardToRead, layoutJumps, tabTo, watchLayout } from '../support/sight';
import { Wire, send } from '../support/wire';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

test.describe('a payload', () => {
  test('is approved as it is, and the agent gets it back', async ({ agent, approval }) => {
    const page = await approval(examples.payload());
    await expect(page.page.getByRole('heading', { level: 1 })).toHaveText('Deploy to production');
    await expect(page.json).toContainText('"target": "prod"');
    const waiting = agent.wait(page.id);
    await waiting.begun;
    await page.approve();
    await expect(page.outcome).toContainText('its own data back, unchanged, as approved');

    expect((await waiting.ended).data).toEqual({ elicitationId: page.id, status: 'approved' });
    const first = await agent.result(page.id);
    const { decidedAt, review: _, comment: __, ...envelope } = first.data;
    expect(envelope).toEqual({
      status: 'consumed',
      decision: 'approved',
      context: { target: 'prod' },
      formSubmission: null,
    });
    expect(decidedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await agent.status(page.id)).toBe('consumed');
    expect((await agent.result(page.id)).text).toBe(first.text);
  });

  test('is declined, and the agent can fetch that too', async ({ agent, approval }) => {
    const page = await approval(examples.payload());
    const waiting = agent.wait(page.id);
    await waiting.begun;
    await page.decline();
    await expect(page.outcome).toContainText(/^\s*Rejected/);
    expect((await waiting.ended).data).toEqual({ elicitationId: page.id, status: 'rejected' });
    const { isError, data } = await agent.result(page.id);
    expect(isError).toBe(false);
    expect(data).toMatchObject({
      status: 'consumed',
      decision: 'rejected',
      context: { target: 'prod' },
      formSubmission: null,
    });
    expect(data).not.toHaveProperty('action');
    expect(data).not.toHaveProperty('values');
  });

  for (const [decision, decide] of [
    ['approved', (page: ApprovalReview) => page.submit()],
    ['declined', (page: ApprovalReview) => page.decline()],
  ] as const) {
    test(`comes back to the letter where it is ${decision}`, async ({ page, server }) => {
      const context = toJson({
        zebra: numberText('1.10'),
        apple: [numberText('3791411052119578828'), numberText('1e+400'), numberText('-0.0'), null, true, ''],
        'ä"\\\n': { z: {}, y: [] },
      }).replace('{', '{"2":"two","1":"one",'); // JavaScript would sort these two
      const wire = await Wire.open(server.url);
      const answer = await wire.call('elicit_approval', `{"message":"Deploy","context":${context}}`);
      const { structuredContent: opened } = JSON.parse(answer).result;
      const review = await ApprovalReview.open(page, opened.reviewUrl);
      await decide(review);
      await expect(review.outcome).toBeVisible();
      const result = await wire.call('elicit_result', JSON.stringify({ elicitationId: opened.elicitationId }));
      expect(result).toContain(`"context":${context}`);
      expect(result).toContain('"formSubmission":null');
    });
  }

  for (const context of [null, false, 0, '', [], {}, 'Deploy it']) {
    test(`${JSON.stringify(context)} is one as well`, async ({ agent, approval }) => {
      const page = await approval({ message: 'Approve', context });
      await expect(page.json).toContainText(JSON.stringify(context));
      await page.approve();
      const { data } = await agent.result(page.id);
      expect(data.context).toEqual(context);
      expect(data.formSubmission).toBeNull();
    });
  }

  test('that is not there, and no form either, leaves nothing to approve', async ({ agent }) => {
    const { isError, data } = await agent.call('elicit_approval', { message: 'Approve' });
    expect(isError).toBe(true);
    expect(data.faults).toEqual([expect.objectContaining({ pointer: '', code: 'missing' })]);
  });

  test('stays on view above what was decided, now and later', async ({ approval }) => {
    const page = await approval(examples.payload());
    await page.approve();
    for (const again of [false, true]) {
      if (again) await ApprovalReview.open(page.page, page.url);
      await expect(page.outcome).toContainText(/^\s*Approved/);
      await expect(page.json).toContainText('"target": "prod"');
      const [above, below] = [await page.payload.boundingBox(), await page.outcome.boundingBox()];
      expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
      for (const button of ['Submit', 'Decline']) await expect(page.button(button)).toHaveCount(0);
    }
  });

  test('cannot be changed by what a page sends', async ({ agent, approval }) => {
    const page = await approval(examples.payload());
    const held = await hold(page.page, () => page.submit());
    const body = altered(held.body, 'submit', (draft) => (draft.submit = { target: 'dev' }));
    const { text } = await send(held.url, 'POST', held.headers, body);
    expect(text).toContain('unknown_field');
    expect(await agent.status(page.id)).toBe('pending');
  });
});

test.describe('the buttons', () => {
  test('have the agent’s own words, trimmed, and mean the same', async ({ agent, approval }) => {
    const labels = { submit: ' Ship it ', decline: 'Hold' };
    const page = await approval({ ...examples.payload(), labels });
    await expect(page.button('Submit')).toHaveCount(0);
    await expect(page.button('Decline')).toHaveCount(0);
    await expect(page.button('Hold')).toBeVisible();
    await page.button('Ship it').click();
    await expect(page.outcome).toContainText('Approved');
    expect((await agent.result(page.id)).data.decision).toBe('approved');

    const other = await approval({ ...examples.form(), labels });
    await other.button('Hold').click();
    await expect(other.outcome).toContainText('Rejected');
    expect((await agent.result(other.id)).data.decision).toBe('rejected');
  });

  test('can be renamed alone, and stand where they stood', async ({ approval }) => {
    const usual = await approval(examples.payload());
    const before = await usual.button('Decline').boundingBox();
    const page = await approval({ ...examples.payload(), labels: { submit: 'Go ahead' } });
    await expect(page.button('Go ahead')).toBeVisible();
    const after = await page.button('Decline').boundingBox();
    expect(after!.y).toBe(before!.y);
    expect(after!.x).toBeLessThan((await page.button('Go ahead').boundingBox())!.x);
  });

  test('have labels of 1 to 40 characters, under known names', async ({ agent }) => {
    const labels = { submit: ' ', decline: 'x'.repeat(41), ok: 'Go' };
    const { isError, data } = await agent.call('elicit_approval', { ...examples.payload(), labels });
    expect(isError).toBe(true);
    expect(data.faults.map(({ pointer, code }: any) => [pointer, code]).toSorted()).toEqual([
      ['/labels/decline', 'too_long'],
      ['/labels/ok', 'unknown_property'],
      ['/labels/submit', 'too_short'],
    ]);
  });
});

test('an approval lasts an hour, or as long as the agent says between a minute and a week', async ({ agent }) => {
  for (const [expiresInSeconds, lasts] of [
    [undefined, 3_600],
    [7_200, 7_200],
    [1, 60],
    [1e9, 604_800],
  ] as const) {
    const { expiresAt } = await agent.ask({ message: 'Deploy', context: {}, expiresInSeconds });
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - lasts * 1000)).toBeLessThan(5_000);
  }
});

test.describe('a form', () => {
  test('comes back as the approved data', async ({ agent, approval }) => {
    const page = await approval(examples.form());
    await page.text('Confidence %').fill('95');
    await page.text('Your name').fill('Ann');
    await page.approve();
    for (const told of ['Your name', 'Ann', 'Confidence %', '95']) await expect(page.outcome).toContainText(told);
    const { data } = await agent.result(page.id);
    expect(data).toMatchObject({ status: 'consumed', decision: 'approved', context: null });
    expect(JSON.stringify(data.formSubmission)).toBe('{"approver":"Ann","confidence":95}');
  });

  test('has a control for every kind of field, and each value its type', async ({ agent, approval }) => {
    const page = await approval(everyField());
    // Not in the order of the schema.
    await page.text('Instant').fill('2026-03-24T12:00');
    await page.text('Day').fill('2024-02-29');
    await page.page.getByLabel('Filter List', { exact: true }).fill('z');
    await page.pick('List', 'Option Z').check();
    await page.page.getByLabel('Filter List', { exact: true }).fill('');
    await page.pick('List', 'Option B').check();
    for (const option of ['Option F', 'Option A', 'Option C']) await page.pick('Boxes', option).check();
    await page.select('Select').selectOption('Option I');
    await page.radio('Radios', 'Option D').check();
    await page.box('Yes or no').click();
    await page.text('Number').fill('-1.50');
    await page.text('Whole').fill('42');
    await page.text('Address').fill('https://example.com/a?b#c');
    await page.text('Email').fill('ann@example.com');
    await page.text('Lines').fill('one\n\ntwo ');
    await page.text('Line').fill(' R&D <b>');
    await expect(page.row('Lines').getByText('What the register of companies says')).toBeVisible();
    await page.approve();

    const { Instant: at, ...submission } = await agent.submission(page.id);
    expect(at).toMatch(/^2026-03-24T12:00:00[+-]\d\d:\d\d$/);
    expect(JSON.stringify(submission)).toBe(
      JSON.stringify({
        Line: ' R&D <b>',
        Lines: 'one\n\ntwo ',
        Email: 'ann@example.com',
        Address: 'https://example.com/a?b#c',
        Whole: 42,
        Number: -1.5,
        'Yes or no': true,
        Radios: 'Option D',
        Select: 'Option I',
        Boxes: ['Option A', 'Option C', 'Option F'],
        List: ['Option B', 'Option Z'],
        Day: '2024-02-29',
      }),
    );
  });

  test('that is left as it is, with nothing in it, gives nothing', async ({ agent, approval }) => {
    const page = await approval(everyField());
    for (const option of letters(4)) await expect(page.radio('Radios', option)).not.toBeChecked();
    await expect(page.select('Select')).toHaveValue('');
    await expect(page.box('Yes or no')).toBeChecked({ indeterminate: true });
    await expect(page.row('Yes or no')).toContainText('Not set');
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({});
    await expect(page.outcome).toContainText('no values');
  });

  test('starts with its defaults, which come back to the letter', async ({ page, server }) => {
    const defaults = {
      text: 'first\nsecond',
      id: numberText('3791411052119578828'),
      price: numberText('1.10'),
      none: 0,
      no: false,
      yes: true,
      radio: 'b',
      picks: ['a', 'c'],
      day: '2024-02-29',
      at: '2026-07-16t12:00:00.1z',
    };
    const properties = {
      text: { type: 'string' },
      id: { type: 'integer' },
      price: { type: 'number' },
      none: { type: 'integer' },
      no: { type: 'boolean' },
      yes: { type: 'boolean' },
      radio: { type: 'string', enum: ['a', 'b'] },
      picks: { type: 'array', items: { enum: ['a', 'b', 'c'] } },
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
    } as const;
    const schema = form(
      Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [
          name,
          { ...property, default: defaults[name as keyof typeof defaults] },
        ]),
      ),
    );
    const wire = await Wire.open(server.url);
    const answer = await wire.call('elicit_approval', toJson({ message: 'Check these', requestedSchema: schema }));
    const { structuredContent: opened } = JSON.parse(answer).result;

    const review = await ApprovalReview.open(page, opened.reviewUrl);
    await expect(review.text('text')).toHaveValue('first\nsecond');
    await expect(review.text('id')).toHaveValue('3791411052119578828');
    await expect(review.text('price')).toHaveValue('1.10');
    await expect(review.text('none')).toHaveValue('0');
    await expect(review.box('no')).not.toBeChecked();
    await expect(review.box('no')).not.toBeChecked({ indeterminate: true });
    await expect(review.box('yes')).toBeChecked();
    await expect(review.radio('radio', 'b')).toBeChecked();
    await expect(review.pick('picks', 'c')).toBeChecked();
    await expect(review.text('day')).toHaveValue('2024-02-29');
    await review.approve();
    const result = await wire.call('elicit_result', JSON.stringify({ elicitationId: opened.elicitationId }));
    expect(result).toContain(`"formSubmission":${toJson(defaults)}`);
  });

  test('has no values for what is emptied, whatever it started with', async ({ agent, approval }) => {
    const page = await approval({
      message: 'Empty them',
      requestedSchema: form({
        line: { type: 'string', title: 'Line', maxLength: 40, default: 'x' },
        lines: { type: 'string', title: 'Lines', default: 'x' },
        whole: { type: 'integer', title: 'Whole', default: 5 },
        day: { type: 'string', format: 'date', title: 'Day', default: '2024-02-29' },
        at: { type: 'string', format: 'date-time', title: 'Instant', default: '2026-07-16T12:00:00Z' },
        select: { type: 'string', title: 'Select', enum: letters(9), default: 'Option A' },
        boxes: { type: 'array', title: 'Boxes', items: { enum: letters(3) }, default: ['Option A'] },
        yes: { type: 'boolean', title: 'Yes or no', default: true },
        kept: { type: 'string', title: 'Kept', default: 'x' },
      }),
    });
    for (const title of ['Line', 'Lines', 'Whole', 'Day', 'Instant']) await page.text(title).fill('');
    await page.select('Select').selectOption({ label: 'None' });
    await page.pick('Boxes', 'Option A').uncheck();
    await page.box('Yes or no').click();
    await page.box('Yes or no').click();
    await expect(page.row('yes')).toContainText('Not set');
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({ kept: 'x' });
    await expect(page.outcome).toContainText('Kept');
    await expect(page.outcome).not.toContainText('Whole');
  });

  test('takes 0 and No for values', async ({ agent, approval }) => {
    const page = await approval({
      message: 'None, and no',
      requestedSchema: form(
        {
          count: { type: 'integer', title: 'Count' },
          rate: { type: 'number', title: 'Rate' },
          urgent: { type: 'boolean', title: 'Urgent' },
        },
        ['count', 'rate', 'urgent'],
      ),
    });
    await page.text('Count').fill('0');
    await page.text('Rate').fill('0.0');
    await page.box('Urgent').click();
    await expect(page.row('urgent')).toContainText('Yes');
    await page.box('Urgent').click();
    await expect(page.row('urgent')).toContainText(/\bNo\b(?!t)/);
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({ count: 0, rate: 0, urgent: false });
  });

  test('asks for a yes or a no where one is required: nothing is taken for No', async ({ agent, approval }) => {
    const page = await approval(one({ type: 'boolean' }, true));
    await expect(page.box('Field')).toBeChecked({ indeterminate: true });
    await expect(page.row('field')).toContainText('Not set');
    await page.submit();
    await expectFault(page.box('Field'), /value is needed/);
    await expect(page.box('Field')).toBeFocused();
    expect(await agent.status(page.id)).toBe('pending');

    await page.page.keyboard.press('Space');
    await page.page.keyboard.press('Space');
    await expect(page.row('field')).toContainText(/\bNo\b(?!t)/);
    await page.page.keyboard.press('Space');
    await expect(page.box('Field')).toBeChecked();
    await page.page.keyboard.press('Space');
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({ field: false });
  });

  test('gives a set in the order of its options, with as many as are allowed', async ({ agent, approval }) => {
    const page = await approval(
      one({ type: 'array', items: { enum: letters(5) }, minItems: 1, maxItems: 3 }, true),
    );
    const group = page.page.getByRole('group', { name: 'Field', exact: true });
    await page.submit();
    await expectFault(group, /value is needed/);
    await expect(page.pick('Field', 'Option A')).toBeFocused();
    await page.pick('Field', 'Option A').check();
    await expectNoFault(group);
    await page.pick('Field', 'Option A').uncheck();
    await expectFault(group, /At least 1 choice; this has 0/);
    for (const option of ['Option E', 'Option B', 'Option D', 'Option A']) await page.pick('Field', option).check();
    await expectFault(group, /At most 3 choices; this has 4/);
    await page.pick('Field', 'Option D').uncheck();
    await expectNoFault(group);
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({ field: ['Option A', 'Option B', 'Option E'] });
  });

  for (const [way, property, told, value] of [
    ['oneOf', { type: 'string', oneOf: [titled('de', 'Germany'), titled('fr', 'France')] }, 'France', 'fr'],
    ['enumNames', { type: 'string', enum: ['de', 'fr'], enumNames: ['Germany', 'France'] }, 'France', 'fr'],
  ] as const) {
    test(`shows the titles of ${way} and gives the values`, async ({ agent, approval }) => {
      const page = await approval(one(property));
      await page.radio('Field', told).check();
      await page.approve();
      await expect(page.outcome).toContainText(value);
      expect(await agent.submission(page.id)).toEqual({ field: value });
    });
  }

  test('lets a digit pick where the options are all on view', async ({ agent, approval }) => {
    const page = await approval({
      message: 'Pick one',
      requestedSchema: form({
        size: { type: 'string', title: 'Size', enum: letters(4) },
        note: { type: 'string', title: 'Note', maxLength: 40 },
      }),
    });
    await tabTo(page.page, page.radio('Size', 'Option A'));
    await page.page.keyboard.press('3');
    await expect(page.radio('Size', 'Option C')).toBeChecked();
    await expect(page.radio('Size', 'Option C')).toBeFocused();
    for (const key of ['9', '0', 'Control+2']) await page.page.keyboard.press(key);
    await expect(page.radio('Size', 'Option C')).toBeChecked();
    await page.page.keyboard.press('2');
    await expect(page.radio('Size', 'Option B')).toBeChecked();
    await page.text('Note').pressSequentially('1 of 4');
    await expect(page.radio('Size', 'Option B')).toBeChecked();
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({ size: 'Option B', note: '1 of 4' });
  });

  test('is out of date for a second reviewer, who is told so', async ({ agent, complaints, context }) => {
    complaints.allow(/503/);
    const { elicitationId, reviewUrl } = await agent.ask(examples.form());
    const first = await ApprovalReview.open(await context.newPage(), reviewUrl);
    const deaf = await context.newPage();
    await deaf.route('**/events?*', (route) => route.fulfill({ status: 503 }));
    const second = await ApprovalReview.open(deaf, reviewUrl);
    await first.text('Your name').fill('Ann');
    await first.text('Confidence %').fill('95');
    await first.approve();
    await second.decline();
    await expect(second.outcome).toContainText(/^\s*Approved/);
    await expect(second.outcome).toContainText('Ann');
    await expect(second.outcome).toContainText(/came first/);
    expect((await agent.result(elicitationId)).data.decision).toBe('approved');
  });
});

test.describe('what is wrong with a form', () => {
  test('is told at its fields on submit, and the first of them has the focus', async ({ agent, approval }) => {
    const page = await approval(examples.form());
    const sent = decisions(page.page);
    for (const title of ['Your name', 'Confidence %']) {
      await expectNoFault(page.text(title));
      await expect(page.text(title)).toHaveAttribute('aria-required', 'true');
    }
    await page.submit();
    await expectFault(page.text('Your name'), /value is needed/);
    await expectFault(page.text('Confidence %'), /value is needed/);
    await expect(page.text('Your name')).toBeFocused();
    await expect(page.page.getByRole('alert')).toHaveText('2 fields need another look');

    await page.text('Your name').fill('Ann');
    await expectNoFault(page.text('Your name'));
    await page.text('Confidence %').fill('101');
    await page.submit();
    await expect(page.text('Confidence %')).toBeFocused();
    await expectFault(page.text('Confidence %'), /At most 100; this is 101/);
    await expect(page.page.getByRole('alert')).toHaveText('Confidence %: At most 100; this is 101');
    expect(sent).toEqual([]);
    expect(await agent.status(page.id)).toBe('pending');
  });

  test('is told once a field has been left, not while it is first filled in', async ({ approval }) => {
    const page = await approval(examples.form());
    await page.text('Your name').pressSequentially('A');
    await expectNoFault(page.text('Your name'));
    await expect(page.fault('approver')).toBeHidden();
    await page.page.keyboard.press('Tab');
    await expectFault(page.text('Your name'), /At least 2 characters; this has 1/);
    await expect(page.fault('approver')).toBeVisible();
    await page.page.keyboard.press('Tab');
    await expectFault(page.text('Confidence %'), /value is needed/);

    // From then on, while it is mended.
    await page.text('Your name').fill('An');
    await expectNoFault(page.text('Your name'));
    await page.text('Your name').fill('A');
    await expectFault(page.text('Your name'), /At least 2 characters/);
  });

  for (const [what, property, wrong, told, right] of [
    ['an address', { type: 'string', format: 'email' }, 'nobody', /is not an e-mail address/, 'a@b.example'],
    ['a web address', { type: 'string', format: 'uri' }, 'b.example', /is not a full web address/, 'https://b.example'],
    ['a whole number', { type: 'integer' }, '1.5', /whole number/, '2'],
    ['a number', { type: 'number', minimum: 1 }, 'many', /is not a number/, '2'],
    ['a length', { type: 'string', maxLength: 3 }, 'long', /At most 3 characters; this has 4/, 'ann'],
  ] as const) {
    test(`may be ${what}, and can be mended`, async ({ approval }) => {
      const page = await approval(one(property));
      await page.text('Field').fill(wrong);
      await page.submit();
      await expectFault(page.text('Field'), told);
      await expect(page.text('Field')).toBeFocused();
      await expect(page.text('Field')).toHaveValue(wrong);
      await page.text('Field').fill(right);
      await page.approve();
      await expect(page.outcome).toContainText(right);
    });
  }

  test('may be known to the server alone, and is told in the same place', async ({ agent, approval }) => {
    const page = await approval({
      message: 'Name the ticket',
      requestedSchema: form({
        note: { type: 'string', title: 'Note' },
        ticket: { type: 'string', title: 'Ticket', maxLength: 20, pattern: '(?i)^ops-[0-9]+$' },
      }),
    });
    await page.text('Ticket').fill('ops');
    await page.submit();
    await expectFault(page.text('Ticket'), /pattern/);
    await expect(page.text('Ticket')).toBeFocused();
    await expect(page.page.getByRole('alert')).toContainText('Ticket: ');
    expect(await agent.status(page.id)).toBe('pending');
    await page.text('Ticket').fill('OPS-7');
    await expectNoFault(page.text('Ticket'));
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({ ticket: 'OPS-7' });
  });

  test('takes no room from under a pointer: a click on a button is a click', async ({ approval }) => {
    const page = await approval(one({ type: 'string', format: 'email' }));
    const box = () => page.button('Decline').boundingBox();
    const before = await box();
    await page.text('Field').fill('nobody');
    await page.button('Submit').hover();
    await page.page.mouse.down();
    await expect(page.text('Field')).not.toBeFocused();
    expect(await box()).toEqual(before);
    await expectNoFault(page.text('Field'));
    await page.page.mouse.up();
    await expectFault(page.text('Field'), /is not an e-mail address/);
    await expect(page.text('Field')).toBeFocused();
  });

  test('is told once the pointer is up, where a click leaves the field', async ({ approval }) => {
    const page = await approval(examples.form());
    await page.text('Your name').fill('A');
    await page.text('Confidence %').hover();
    await page.page.mouse.down();
    await expect(page.text('Confidence %')).toBeFocused();
    await expectNoFault(page.text('Your name'));
    await page.page.mouse.up();
    await expectFault(page.text('Your name'), /At least 2 characters/);
    await expectNoFault(page.text('Confidence %'));
  });

  test('does not matter to whoever declines', async ({ agent, approval }) => {
    const page = await approval(examples.form());
    await page.text('Confidence %').fill('very');
    await page.decline();
    await expect(page.outcome).toContainText('Rejected');
    await expect(page.outcome).not.toContainText('very');
    const { data } = await agent.result(page.id);
    expect(data).toMatchObject({ decision: 'rejected', context: null, formSubmission: null });
  });

  for (const [what, alter, code] of [
    ['a field that was not asked', (values: any) => (values.owner = 'me'), 'unknown_field'],
    ['a required one left out', (values: any) => delete values.confidence, 'missing'],
    ['a number as text', (values: any) => (values.confidence = '95'), 'wrong_type'],
    ['a number out of its range', (values: any) => (values.confidence = 101), 'too_large'],
  ] as const) {
    test(`stops a draft with ${what} at the server`, async ({ agent, approval }) => {
      const page = await approval(examples.form());
      await page.text('Your name').fill('Ann');
      await page.text('Confidence %').fill('95');
      const held = await hold(page.page, () => page.submit());
      const { text } = await send(held.url, 'POST', held.headers, altered(held.body, 'approver', alter));
      expect(text).toContain(code);
      expect(await agent.status(page.id)).toBe('pending');
    });
  }
});

test.describe('date-times, read in Europe/Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin' });

  test('keep their offset, and untouched every letter', async ({ agent, approval }) => {
    const property = { type: 'string', format: 'date-time' } as const;
    const page = await approval({
      message: 'Check the times',
      requestedSchema: form({
        kept: { ...property, title: 'Kept', default: '2026-03-29T02:30:00.250-08:00' },
        moved: { ...property, title: 'Moved', default: '2026-03-24T12:00:00-08:00' },
        new: { ...property, title: 'New' },
      }),
    });
    await expect(page.row('kept')).toContainText('UTC-08:00');
    await expect(page.text('Moved')).toHaveValue(/^2026-03-24T12:00(:00)?$/);
    await page.text('Moved').fill('2026-03-24T13:00');
    await page.text('New').fill('2026-07-15T09:00');
    await expect(page.row('new')).toContainText('UTC+02:00');
    await page.approve();
    expect(await agent.submission(page.id)).toEqual({
      kept: '2026-03-29T02:30:00.250-08:00',
      moved: '2026-03-24T13:00:00-08:00',
      new: '2026-07-15T09:00:00+02:00',
    });
  });
});

test.describe('a payload and a form', () => {
  test('stand one above the other and never mix', async ({ agent, approval }) => {
    const context = { approver: 'Bob', confidence: 5 };
    const page = await approval({ ...examples.form(), context });
    const [above, below] = [await page.payload.boundingBox(), await page.text('Your name').boundingBox()];
    expect(above!.y + above!.height).toBeLessThanOrEqual(below!.y);
    await expect(page.text('Your name')).toHaveValue('');
    await expect(page.text('Confidence %')).toHaveValue('');
    await page.text('Your name').fill('Ann');
    await page.text('Confidence %').fill('95');
    await page.approve();
    await expect(page.json).toContainText('"approver": "Bob"');
    const { data } = await agent.result(page.id);
    expect(data.context).toEqual(context);
    expect(data.formSubmission).toEqual({ approver: 'Ann', confidence: 95 });
  });
});

test.describe('with the keyboard alone', () => {
  test('a form is filled in, mended and submitted', async ({ agent, approval }) => {
    const page = await approval({
      ...examples.both(),
      displayTemplate: undefined,
      requestedSchema: form(
        {
          approver: { type: 'string', title: 'Your name', minLength: 2 },
          size: { type: 'string', title: 'Size', enum: letters(3) },
          picks: { type: 'array', title: 'Picks', items: { enum: letters(3) } },
          urgent: { type: 'boolean', title: 'Urgent' },
          region: { type: 'string', title: 'Region', enum: letters(9) },
        },
        ['approver'],
      ),
    });
    const { keyboard } = page.page;
    await tabTo(page.page, page.button('Copy'));
    await tabTo(page.page, page.json.locator('summary').first());
    await tabTo(page.page, page.text('Your name'));
    await keyboard.type('A');
    await tabTo(page.page, page.radio('Size', 'Option A'));
    await keyboard.press('2');
    await tabTo(page.page, page.pick('Picks', 'Option C'));
    await keyboard.press('Space');
    await tabTo(page.page, page.box('Urgent'));
    await keyboard.press('Space');
    await tabTo(page.page, page.select('Region'));
    await keyboard.type('Option D');
    await tabTo(page.page, page.button('Submit'));
    await keyboard.press('Enter');

    await expect(page.text('Your name')).toBeFocused();
    expect((await focus(page.page))?.visible).toBe(true);
    await expectFault(page.text('Your name'), /At least 2 characters/);
    await keyboard.press('End');
    await keyboard.type('nn');
    await tabTo(page.page, page.button('Submit'));
    await keyboard.press('Enter');
    await expect(page.outcome).toContainText('Approved');
    await expect(page.outcome).toBeFocused();
    expect(await agent.submission(page.id)).toEqual({
      approver: 'Ann',
      size: 'Option B',
      picks: ['Option C'],
      urgent: true,
      region: 'Option D',
    });
  });

  test('a payload is declined', async ({ agent, approval }) => {
    const page = await approval(examples.payload());
    await tabTo(page.page, page.button('Decline'));
    await page.page.keyboard.press('Space');
    await expect(page.outcome).toContainText('Rejected');
    expect((await agent.result(page.id)).data.decision).toBe('rejected');
  });
});

test('everything has its name and its role', async ({ approval }) => {
  const page = await approval(everyField());
  const controls = page.page
    .locator('button, input, select, textarea, [role=group], [role=radiogroup], fieldset')
    .filter({ visible: true });
  expect(await controls.count()).toBeGreaterThan(45);
  for (const control of await controls.all()) await expect(control).toHaveAccessibleName(/\S/);
  for (const field of ['Line', 'Lines', 'Email', 'Address', 'Whole', 'Number', 'Day', 'Instant']) {
    await expect(page.text(field)).toHaveCount(1);
  }
  await expect(page.page.getByRole('radiogroup', { name: 'Radios', exact: true })).toHaveCount(1);
  await expect(page.page.getByRole('group', { name: 'Boxes', exact: true })).toHaveCount(1);
  await expect(page.page.getByRole('main')).toHaveCount(1);
  await expect(page.text('Lines')).toHaveAccessibleDescription(/What the register of companies says/);
});

test.describe('phone', () => {
  test.use(PHONE);

  for (const width of [390, 360]) {
    test(`nothing scrolls sideways at ${width}`, async ({ agent, page }) => {
      await page.setViewportSize({ width, height: 844 });
      const long = 'x'.repeat(300);
      const wide = {
        message: long,
        context: { [long]: long, list: [{ [long]: { deep: { deeper: long } } }], number: 1e21 },
        labels: { submit: 'S'.repeat(40), decline: 'D'.repeat(40) },
        requestedSchema: form({
          line: { type: 'string', title: long, description: long, maxLength: 400, default: long },
          one: { type: 'string', title: 'One', enum: ['a', long] },
          of: { type: 'string', title: 'Of', enum: [...'abcdefgh', long], default: long },
          many: { type: 'array', title: 'Many', items: { enum: [long, 'b'] } },
          at: { type: 'string', format: 'date-time', title: 'At', default: '2026-03-24T12:00:00.250+02:00' },
        }),
      } as const;
      for (const asked of [examples.payload(), examples.form(), everyField(), wide]) {
        const review = await ApprovalReview.open(page, (await agent.ask(asked)).reviewUrl);
        const scroll = () => page.evaluate(() => document.documentElement.scrollWidth);
        expect(await scroll()).toBeLessThanOrEqual(width);
        await page.locator('footer button').last().tap();
        await expect(review.outcome.or(page.locator('[aria-invalid=true]').first())).toBeVisible();
        expect(await scroll()).toBeLessThanOrEqual(width);
      }
    });
  }

  test('every button is large enough to tap, and the decision in reach', async ({ agent, approval }) => {
    const page = await approval({ ...examples.form(), context: { target: 'prod' } });
    for (const button of await page.page.getByRole('button').all()) {
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    }
    await expect(page.button('Submit')).toBeInViewport({ ratio: 1 });
    await expect(page.button('Decline')).toBeInViewport({ ratio: 1 });
    await page.text('Your name').tap();
    await page.text('Your name').fill('Ann');
    await page.text('Confidence %').fill('95');
    await page.button('Submit').tap();
    await expect(page.outcome).toContainText('Approved');
    await expect(page.outcome).toBeInViewport();
    expect(await agent.submission(page.id)).toEqual({ approver: 'Ann', confidence: 95 });
  });

  test('a tap on a button is a tap, though a fault comes up', async ({ agent, approval }) => {
    const page = await approval(examples.form());
    await page.text('Your name').tap();
    await page.text('Your name').fill('A');
    await page.button('Decline').tap();
    await expect(page.outcome).toContainText('Rejected');
    expect((await agent.result(page.id)).data.decision).toBe('rejected');
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [screen, use] of [
    ['wide', {}],
    ['phone', PHONE],
  ] as const) {
    test.describe(`${colorScheme}, ${screen}`, () => {
      test.use({ colorScheme, ...use });

      test('every text is easy to read', async ({ approval }) => {
        const page = await approval(everyField());
        await page.text('Email').fill('nobody');
        await page.text('Whole').fill('many');
        await page.submit();
        await expect(page.fault('Whole')).toBeVisible();
        expect(await hardToRead(page.page)).toEqual([]);
        await page.text('Email').fill('ann@example.com');
        await page.text('Whole').fill('1');
        await page.approve();
        expect(await hardToRead(page.page)).toEqual([]);
      });
    });
  }
}

test.describe('until the WebAssembly is there', () => {
  test('all can be read, nothing pretends to work, and then nothing moves', async ({ agent, page }) => {
    const { reviewUrl } = await agent.ask(everyField());
    await watchLayout(page);
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\.wasm(\?|$)/, async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(reviewUrl, { waitUntil: 'domcontentloaded' });
    const review = new ApprovalReview(page, reviewUrl);
    await expect(review.json).toContainText('elicitly-api');
    await expect(page.getByText('What the register of companies says')).toBeVisible();
    for (const control of await page.locator('fieldset :is(button, input, select, textarea)').all()) {
      await expect(control).toBeDisabled();
    }
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
    await page.evaluate(() => document.fonts.ready);
    const boxes = () =>
      page.locator('h1, .payload, [data-field], button, input, textarea, select').evaluateAll((elements) =>
        elements.map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return [element.tagName, x, y, width, height];
        }),
      );
    const before = await boxes();
    release();
    await hydrated(page);
    await expect(review.button('Submit')).toBeEnabled();
    expect(await boxes()).toEqual(before);
    expect(await layoutJumps(page)).toEqual([]);
  });
});

test.describe('JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  test('the payload and the form can be read, and a note says why nothing works', async ({ agent, page }) => {
    const { elicitationId, reviewUrl } = await agent.ask({ ...examples.form(), context: { target: 'prod' } });
    await page.goto(reviewUrl);
    const review = new ApprovalReview(page, reviewUrl);
    await expect(review.json).toContainText('"target": "prod"');
    for (const title of ['Your name', 'Confidence %']) await expect(review.text(title)).toBeDisabled();
    for (const button of ['Submit', 'Decline']) await expect(review.button(button)).toBeDisabled();
    await expect(page.getByText(/JavaScript/)).toBeVisible();
    expect(await agent.status(elicitationId)).toBe('pending');
  });
});

function titled(value: string, title: string) {
  return { const: value, title };
}
