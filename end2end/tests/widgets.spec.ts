// Every control of the schema's subset: what it shows, what it takes, what comes back.

import { expect, test } from '../support/test';
import { numberText, proposal, toJson, type Property, type Row } from '../support/proposals';
import { decisions, doubleClick, expectFault, expectNoFault, Review } from '../support/review';
import { Wire } from '../support/wire';

/** A grid of one row that starts included. */
function one(property: Property, cells: Partial<Row> = {}) {
  return proposal({ field: { property: { title: 'Field', ...property }, include: true, ...cells } });
}

const letters = (count: number) => Array.from({ length: count }, (_, at) => `Option ${String.fromCharCode(65 + at)}`);

test.describe('texts', () => {
  test('a long text is a textarea that keeps its line breaks', async ({ agent, review }) => {
    const grid = await review(one({ type: 'string', default: 'first\nsecond' }));
    await expect(grid.text('Field')).toHaveValue('first\nsecond');
    expect(await grid.text('Field').evaluate((control) => control.tagName)).toBe('TEXTAREA');
    await grid.text('Field').press('Control+End');
    await grid.text('Field').press('Enter');
    await grid.text('Field').pressSequentially('third');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: 'first\nsecond\nthird' });
  });

  test('a short one is a single line', async ({ review }) => {
    const grid = await review(one({ type: 'string', maxLength: 200, default: 'x' }));
    expect(await grid.text('Field').evaluate((control) => control.tagName)).toBe('INPUT');
  });

  test('its length is judged in characters as you type', async ({ agent, review }) => {
    const grid = await review(one({ type: 'string', minLength: 2, maxLength: 4, default: '🙂🙂' }));
    await expectNoFault(grid.text('Field'));
    await grid.text('Field').fill('🙂🙂🙂🙂🙂');
    await expectFault(grid.text('Field'), /At most 4 characters; this has 5/);
    await grid.text('Field').fill('x');
    await expectFault(grid.text('Field'), /At least 2 characters; this has 1/);
    await grid.text('Field').fill('🙂🙂🙂🙂');
    await expectNoFault(grid.text('Field'));
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: '🙂🙂🙂🙂' });
  });

  test('a cleared one is an empty text', async ({ agent, review }) => {
    const grid = await review(one({ type: 'string', default: 'x' }));
    await grid.text('Field').fill('');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: '' });
  });

  test('what stands at its edges and in markup comes back as it is', async ({ agent, review }) => {
    const text = '  <b>"R&D"</b> </textarea><script>alert(1)</script> \u00a0é ';
    const grid = await review(one({ type: 'string', default: text }, { sources: { apollo: text } }));
    await expect(grid.text('Field')).toHaveValue(text);
    await expect(grid.source('field', 'apollo')).toContainText('<b>"R&D"</b>');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: text });
  });

  test('a pattern is judged by the server, even one that no browser understands', async ({ agent, review }) => {
    const grid = await review(one({ type: 'string', maxLength: 20, pattern: '(?i)^de[0-9]{3}$', default: 'DE123' }));
    await grid.text('Field').fill('FR123');
    await grid.submit();
    await expectFault(grid.text('Field'), /pattern/);
    await expect(grid.text('Field')).toBeFocused();
    expect(await agent.status(grid.id)).toBe('pending');
    await grid.text('Field').fill('de456');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: 'de456' });
  });

  test('the description stands with the field', async ({ review }) => {
    const grid = await review(one({ type: 'string', description: 'As in the register of companies', default: 'x' }));
    await expect(grid.row('field').getByText('As in the register of companies')).toBeVisible();
  });

  for (const [format, wrong, right] of [
    ['email', 'nobody', 'nobody@example.com'],
    ['uri', 'northmark.example', 'https://northmark.example/about?x=1'],
  ] as const) {
    test(`an address of format ${format} is judged as you type`, async ({ agent, review }) => {
      const grid = await review(one({ type: 'string', format }));
      await grid.text('Field').fill(wrong);
      await expectFault(grid.text('Field'), /is not /);
      await grid.submit();
      await expect(grid.text('Field')).toBeFocused();
      expect(await agent.status(grid.id)).toBe('pending');
      await grid.text('Field').fill(right);
      await expectNoFault(grid.text('Field'));
      await expect(grid.fault('field')).toBeHidden();
      await grid.approve();
      expect(await agent.values(grid.id)).toEqual({ field: right });
    });
  }
});

test.describe('one of several', () => {
  test('up to seven options are radios', async ({ agent, review }) => {
    const grid = await review(one({ type: 'string', enum: letters(7), default: 'Option B' }));
    await expect(grid.page.getByRole('radiogroup', { name: 'Field', exact: true }).getByRole('radio')).toHaveCount(7);
    await expect(grid.radio('Field', 'Option B')).toBeChecked();
    await grid.radio('Field', 'Option G').check();
    await expect(grid.radio('Field', 'Option B')).not.toBeChecked();
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: 'Option G' });
  });

  test('above seven it is a select', async ({ agent, review }) => {
    const grid = await review(one({ type: 'string', enum: letters(8), default: 'Option B' }));
    await expect(grid.select('Field')).toHaveValue('Option B');
    await grid.select('Field').selectOption('Option H');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: 'Option H' });
  });

  test('nothing is picked where nothing is proposed', async ({ agent, review }) => {
    const grid = await review(
      proposal({
        radios: { property: { type: 'string', title: 'Radios', enum: letters(3) } },
        select: { property: { type: 'string', title: 'Select', enum: letters(9) } },
      }),
    );
    for (const option of letters(3)) await expect(grid.radio('Radios', option)).not.toBeChecked();
    await expect(grid.select('Select')).toHaveValue('');
    await grid.button('Accept All').click();
    await grid.submit();
    await expect(grid.fault('radios')).toBeVisible();
    await expect(grid.fault('select')).toBeVisible();
    expect(await agent.status(grid.id)).toBe('pending');

    await grid.radio('Radios', 'Option A').check();
    await grid.select('Select').selectOption('Option I');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ radios: 'Option A', select: 'Option I' });
  });

  for (const [way, titled] of [
    [
      'oneOf',
      {
        oneOf: [
          { const: 'de', title: 'Germany' },
          { const: 'fr', title: 'France' },
        ],
      },
    ],
    ['enumNames', { enum: ['de', 'fr'], enumNames: ['Germany', 'France'] }],
  ] as const) {
    test(`titles by ${way} are shown, values come back`, async ({ agent, review }) => {
      const grid = await review(one({ type: 'string', ...titled, default: 'de' }, { sources: { apollo: 'fr' } }));
      await expect(grid.radio('Field', 'Germany')).toBeChecked();
      await grid.radio('Field', 'France').check();
      await grid.approve();
      expect(await agent.values(grid.id)).toEqual({ field: 'fr' });
    });
  }
});

test.describe('several of several', () => {
  test('up to twelve options are boxes', async ({ agent, review }) => {
    const grid = await review(one({ type: 'array', items: { enum: letters(12) }, default: ['Option A', 'Option B'] }));
    await expect(grid.picks('Field')).toHaveCount(12);
    await grid.pick('Field', 'Option A').uncheck();
    await grid.pick('Field', 'Option L').check();
    await grid.approve();
    const { field } = (await agent.values(grid.id)) as { field: string[] };
    expect(field.toSorted()).toEqual(['Option B', 'Option L']);
  });

  test('above twelve they can be filtered, and what the filter hides stays picked', async ({ agent, review }) => {
    const grid = await review(one({ type: 'array', items: { enum: letters(13) }, default: ['Option A'] }));
    await expect(grid.picks('Field')).toHaveCount(13);
    await grid.page.getByLabel('Filter Field', { exact: true }).fill('option m');
    await expect(grid.picks('Field').filter({ visible: true })).toHaveCount(1);
    await grid.pick('Field', 'Option M').check();
    await grid.page.getByLabel('Filter Field', { exact: true }).fill('');
    await expect(grid.picks('Field').filter({ visible: true })).toHaveCount(13);
    await expect(grid.pick('Field', 'Option A')).toBeChecked();
    await grid.approve();
    const { field } = (await agent.values(grid.id)) as { field: string[] };
    expect(field.toSorted()).toEqual(['Option A', 'Option M']);
  });

  test('how many may be picked is judged', async ({ review }) => {
    const grid = await review(
      one({ type: 'array', items: { enum: letters(4) }, minItems: 1, maxItems: 2, default: ['Option A'] }),
    );
    const group = grid.page.getByRole('group', { name: 'Field', exact: true });
    await grid.pick('Field', 'Option A').uncheck();
    await expect(grid.fault('field')).toHaveText(/At least 1 choice; this has 0/);
    await expect(group).toHaveAccessibleDescription(/At least 1 choice/);
    for (const option of ['Option A', 'Option B', 'Option C']) await grid.pick('Field', option).check();
    await expect(grid.fault('field')).toHaveText(/At most 2 choices; this has 3/);
  });

  test('titles by anyOf are shown, values come back', async ({ agent, review }) => {
    const anyOf = [
      { const: 'am', title: 'Asset Manager' },
      { const: 'pe', title: 'Private Equity' },
    ];
    const grid = await review(one({ type: 'array', items: { anyOf }, default: ['am'] }));
    await grid.pick('Field', 'Private Equity').check();
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: ['am', 'pe'] });
  });
});

test.describe('yes and no', () => {
  test('where nothing is proposed the box is neither, and says so', async ({ agent, review }) => {
    const grid = await review(one({ type: 'boolean' }));
    const cell = grid.proposed('field');
    await expect(grid.box('Field')).toBeChecked({ indeterminate: true });
    await expect(cell).toContainText('Not set');
    await grid.submit();
    await expect(grid.fault('field')).toBeVisible();
    expect(await agent.status(grid.id)).toBe('pending');

    await grid.box('Field').click();
    await expect(grid.box('Field')).toBeChecked();
    await expect(cell).toContainText('Yes');
    await grid.box('Field').click();
    await expect(grid.box('Field')).not.toBeChecked();
    await expect(cell).toContainText(/\bNo\b(?!t)/);
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: false });
  });

  test('false is a value', async ({ agent, review }) => {
    const grid = await review(one({ type: 'boolean', default: false }, { current: true }));
    await expect(grid.box('Field')).not.toBeChecked();
    await expect(grid.box('Field')).not.toBeChecked({ indeterminate: true });
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: false });
  });
});

test.describe('numbers', () => {
  test('they come back to the letter, as proposed and as copied', async ({ page, server }) => {
    const wire = await Wire.open(server.url);
    const asked = proposal({
      id: { property: { type: 'integer', title: 'Id', default: numberText('3791411052119578828') } },
      price: { property: { type: 'number', title: 'Price', default: numberText('1.10') } },
      rate: { property: { type: 'number', title: 'Rate' }, sources: { apollo: numberText('2.500') }, current: 1 },
    });
    const answer = await wire.call('elicit_proposal', toJson({ ...asked, context: { revision: numberText('1.000') } }));
    const { structuredContent: opened } = JSON.parse(answer).result;

    const grid = await Review.open(page, opened.reviewUrl);
    await expect(grid.text('Id')).toHaveValue('3791411052119578828');
    await expect(grid.text('Id')).toHaveAttribute('inputmode', /numeric|decimal/);
    await expect(grid.text('Price')).toHaveValue('1.10');
    await expect(grid.source('rate', 'apollo')).toContainText('2.500');
    await doubleClick(grid.source('rate', 'apollo'));
    await grid.approve();

    const result = await wire.call('elicit_result', JSON.stringify({ elicitationId: opened.elicitationId }));
    expect(result).toContain('"values":{"id":3791411052119578828,"price":1.10,"rate":2.500}');
    expect(result).toContain('"context":{"revision":1.000}');
  });

  test('what differs only in spelling is no difference', async ({ page, server }) => {
    const wire = await Wire.open(server.url);
    const property = { type: 'number', title: 'Price', default: numberText('1.10') } as const;
    const asked = proposal({
      price: { property, sources: { apollo: numberText('11e-1') }, current: numberText('1.1') },
    });
    const { structuredContent: opened } = JSON.parse(await wire.call('elicit_proposal', toJson(asked))).result;
    const grid = await Review.open(page, opened.reviewUrl);
    await expect(grid.source('price', 'apollo')).not.toContainClass('differs');
    await expect(grid.include('Price')).not.toBeChecked();
  });

  test('what is none has a fault, what is one is a JSON number', async ({ agent, review }) => {
    const grid = await review(one({ type: 'integer', default: 5 }));
    await grid.text('Field').fill('12a');
    await expectFault(grid.text('Field'), /number/);
    await grid.submit();
    await expect(grid.text('Field')).toBeFocused();
    await expect(grid.text('Field')).toHaveValue('12a');
    expect(await agent.status(grid.id)).toBe('pending');
    await grid.text('Field').fill('42');
    await expectNoFault(grid.text('Field'));
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: 42 });
  });

  test('whole numbers and limits are judged as you type', async ({ review }) => {
    const grid = await review(one({ type: 'integer', minimum: 1, maximum: 10, default: 5 }));
    for (const [text, told] of [
      ['1.5', /whole number/],
      ['0', /At least 1; this is 0/],
      ['11', /At most 10; this is 11/],
    ] as const) {
      await grid.text('Field').fill(text);
      await expectFault(grid.text('Field'), told);
    }
    await grid.text('Field').fill('10');
    await expectNoFault(grid.text('Field'));
  });

  test('zero is a value, a cleared number is none', async ({ agent, review }) => {
    const grid = await review(one({ type: 'integer', default: 0 }, { current: 3 }));
    await expect(grid.text('Field')).toHaveValue('0');
    await grid.text('Field').fill('');
    await grid.submit();
    await expectFault(grid.text('Field'), /value is needed/);
    await expect(grid.text('Field')).toBeFocused();
    expect(await agent.status(grid.id)).toBe('pending');

    await grid.include('Field').uncheck();
    await expectNoFault(grid.text('Field'));
    await grid.include('Field').check();
    await grid.text('Field').fill('0');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ field: 0 });
  });
});

test.describe('dates', () => {
  test('a date comes back as proposed and as picked', async ({ agent, review }) => {
    const grid = await review(
      proposal({
        founded: { property: { type: 'string', format: 'date', title: 'Founded', default: '2024-02-29' } },
        closed: { property: { type: 'string', format: 'date', title: 'Closed', default: '2026-03-24' } },
      }),
    );
    await expect(grid.text('Founded')).toHaveAttribute('type', 'date');
    await expect(grid.text('Founded')).toHaveValue('2024-02-29');
    await grid.text('Closed').fill('2026-12-31');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ founded: '2024-02-29', closed: '2026-12-31' });
  });

  test('a cleared date is no value and blocks while included', async ({ agent, review }) => {
    const grid = await review(one({ type: 'string', format: 'date', default: '2024-02-29' }));
    await grid.text('Field').fill('');
    await grid.submit();
    await expectFault(grid.text('Field'), /needed|date/);
    expect(await agent.status(grid.id)).toBe('pending');
    await grid.include('Field').uncheck();
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({});
  });

  test('a text that is no date is shown with its fault', async ({ review }) => {
    const grid = await review(
      one({ type: 'string', format: 'date', default: '2024-02-29' }, { sources: { apollo: 'spring 2024' } }),
    );
    await doubleClick(grid.source('field', 'apollo'));
    await expect(grid.proposed('field')).toContainText('spring 2024');
    await expect(grid.fault('field')).toBeVisible();
  });
});

for (const [zone, winter, summer] of [
  ['America/Los_Angeles', '-08:00', '-07:00'],
  ['Europe/Berlin', '+01:00', '+02:00'],
] as const) {
  test.describe(`date-times, read in ${zone}`, () => {
    test.use({ timezoneId: zone });

    test('untouched they come back to the letter', async ({ agent, review }) => {
      const untouched = [
        '2026-03-24T12:00:00+02:00',
        '2026-03-01T10:00:00.250-08:00',
        '2026-07-16T12:00:00Z',
        '2026-07-16t12:00:00.1z',
        '2026-03-29T02:30:00+01:00',
      ];
      const rows = untouched.map((text, at): [string, Row] => [
        `at${at}`,
        { property: { type: 'string', format: 'date-time', default: text } },
      ]);
      const grid = await review(proposal(Object.fromEntries(rows)));
      await grid.approve();
      expect(Object.values(await agent.values(grid.id))).toEqual(untouched);
    });

    for (const [from, shown, to, offset] of [
      ['2026-03-24T12:00:00+02:00', /^2026-03-24T12:00(:00)?$/, '2026-03-24T13:00', '+02:00'],
      ['2026-03-29T01:30:00+01:00', /^2026-03-29T01:30(:00)?$/, '2026-03-29T02:30', '+01:00'],
      ['2026-11-01T00:30:00-07:00', /^2026-11-01T00:30(:00)?$/, '2026-11-01T01:30', '-07:00'],
    ] as const) {
      test(`${from}, moved an hour on, is an hour later in its own offset`, async ({ agent, review }) => {
        const grid = await review(one({ type: 'string', format: 'date-time', default: from }));
        await expect(grid.text('Field')).toHaveValue(shown);
        await expect(grid.proposed('field')).toContainText(`UTC${offset}`);
        await grid.text('Field').fill(to);
        await grid.approve();
        const { field } = (await agent.values(grid.id)) as { field: string };
        expect(Date.parse(field) - Date.parse(from)).toBe(3_600_000);
        expect(field.slice(-6)).toBe(offset);
      });
    }

    for (const [wall, offset] of [
      ['2026-01-15T09:00', winter],
      ['2026-07-15T09:00', summer],
    ] as const) {
      test(`${wall} in an empty field takes the offset of the place, ${offset}`, async ({ agent, review }) => {
        const grid = await review(one({ type: 'string', format: 'date-time' }));
        await grid.text('Field').fill(wall);
        await expect(grid.proposed('field')).toContainText(`UTC${offset}`);
        await grid.approve();
        expect(await agent.values(grid.id)).toEqual({ field: `${wall}:00${offset}` });
      });
    }
  });
}

test('with faults nothing is sent, and the first faulty control has the focus', async ({ review }) => {
  const grid = await review(
    proposal({
      fine: { property: { type: 'string', title: 'Fine', default: 'fine' } },
      mail: { property: { type: 'string', format: 'email', title: 'Mail' } },
      size: { property: { type: 'integer', title: 'Size', default: 1 } },
    }),
  );
  await grid.text('Size').fill('many');
  await grid.text('Mail').fill('nobody');
  await grid.include('Mail').check();
  const sent = decisions(grid.page);
  await grid.submit();
  await expect(grid.text('Mail')).toBeFocused();
  await expectFault(grid.text('Mail'), /is not/);
  await expectFault(grid.text('Size'), /number/);
  expect(sent).toEqual([]);

  await grid.include('Mail').uncheck();
  await grid.submit();
  await expect(grid.text('Size')).toBeFocused();
  expect(sent).toEqual([]);
});
