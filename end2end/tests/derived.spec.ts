// What the page derives of the cells: the list of the reference page, rule by rule.

import { expect, test } from '../support/test';
import { example, proposal, update, type Row } from '../support/proposals';
import { KEEP_CURRENT, USE_SOURCE, doubleClick, expectFault, expectNoFault, tooltip } from '../support/review';

const name: Row = {
  property: { type: 'string', title: 'Name', default: 'NorthMark' },
  sources: { apollo: 'NorthMark', crunchbase: 'NorthMark Inc.' },
  current: 'NorthMark',
};

test.describe('highlight', () => {
  test('each source is boxed on its own where it differs from the record', async ({ review }) => {
    const grid = await review(update());
    const boxed = {
      name: ['apollo', 'crunchbase'],
      website: ['apollo'],
      employeeCount: ['crunchbase'],
      institutionTypes: ['apollo'],
      phone: ['crunchbase'],
    };
    for (const [field, sources] of Object.entries(boxed)) {
      for (const source of ['apollo', 'crunchbase']) {
        const cell = expect(grid.source(field, source), `${field} ${source}`);
        await (sources.includes(source) ? cell : cell.not).toContainClass('differs');
      }
    }
  });

  test('a set has no order', async ({ review }) => {
    const items = { enum: ['Fund', 'REIT', 'Bank'] };
    const grid = await review(
      proposal({
        types: {
          property: { type: 'array', title: 'Types', items, default: ['REIT', 'Fund'] },
          sources: { apollo: ['REIT', 'Fund'], crunchbase: ['REIT', 'Bank'] },
          current: ['Fund', 'REIT'],
        },
      }),
    );
    await expect(grid.source('types', 'apollo')).not.toContainClass('differs');
    await expect(grid.source('types', 'crunchbase')).toContainClass('differs');
    await expect(grid.include('Types')).not.toBeChecked();
  });

  test('empty is one thing, and never boxed', async ({ review }) => {
    const grid = await review(
      proposal({
        blank: {
          property: { type: 'string', default: 'x' },
          sources: { apollo: '', crunchbase: null },
          current: 'old',
        },
        none: { property: { type: 'array', items: { enum: ['a'] } }, sources: { apollo: [] }, current: null },
        zero: { property: { type: 'integer' }, sources: { apollo: 0 }, current: null },
        no: { property: { type: 'boolean' }, sources: { apollo: false }, current: null },
      }),
    );
    await expect(grid.source('blank', 'apollo')).not.toContainClass('differs');
    await expect(grid.source('blank', 'crunchbase')).not.toContainClass('differs');
    await expect(grid.source('none', 'apollo')).not.toContainClass('differs');
    await expect(grid.source('zero', 'apollo')).toContainClass('differs');
    await expect(grid.source('no', 'apollo')).toContainClass('differs');
    await expect(grid.row('blank').getByRole('button', { name: /^Use / })).toHaveCount(0);
  });
});

test.describe('copying', () => {
  test('a double click on a source proposes it and includes the row', async ({ agent, review }) => {
    const grid = await review(proposal({ name }));
    await expect(grid.include('Name')).not.toBeChecked();
    expect(await tooltip(grid.source('name', 'crunchbase'))).toBe(USE_SOURCE);

    await doubleClick(grid.source('name', 'crunchbase'));
    await expect(grid.text('Name')).toHaveValue('NorthMark Inc.');
    await expect(grid.include('Name')).toBeChecked();
    await expect(grid.counter).toHaveText('1 of 1 included');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ name: 'NorthMark Inc.' });
  });

  test('a double click on the current value restores it and leaves the row out', async ({ review }) => {
    const grid = await review(
      proposal({ name: { ...name, property: { ...name.property, default: 'NorthMark LLC' } } }),
    );
    await expect(grid.include('Name')).toBeChecked();
    expect(await tooltip(grid.current('name'))).toBe(KEEP_CURRENT);

    await doubleClick(grid.current('name'));
    await expect(grid.text('Name')).toHaveValue('NorthMark');
    await expect(grid.include('Name')).not.toBeChecked();
    await expect(grid.counter).toHaveText('0 of 1 included');
  });

  test('an empty cell has nothing to copy, and promises nothing', async ({ review }) => {
    const grid = await review(example());
    expect(await tooltip(grid.source('website', 'crunchbase'))).toBeNull();
    expect(await tooltip(grid.current('website'))).toBeNull();
    await expect(grid.use('Crunchbase', 'Website')).toHaveCount(0);
    await expect(grid.keep('Salesforce', 'Website')).toHaveCount(0);

    await doubleClick(grid.current('website'));
    await doubleClick(grid.source('website', 'crunchbase'));
    await expect(grid.text('Website')).toHaveValue('https://www.northmarkstrategies.com/');
    await expect(grid.include('Website')).toBeChecked();
  });

  test('the buttons in the cells do the same', async ({ review }) => {
    const grid = await review(update());
    await grid.source('employeeCount', 'apollo').hover();
    await grid.use('Apollo', 'Number of Employees').click();
    await expect(grid.include('Number of Employees')).toBeChecked();

    await grid.current('phone').hover();
    await grid.keep('Salesforce', 'Phone').click();
    await expect(grid.text('Phone')).toHaveValue('+1 555 0199');
    await expect(grid.include('Phone')).not.toBeChecked();

    await grid.source('phone', 'crunchbase').hover();
    await grid.use('Crunchbase', 'Phone').click();
    await expect(grid.text('Phone')).toHaveValue('+1 555 0100');
    await expect(grid.include('Phone')).toBeChecked();
  });

  test('a set is copied whole', async ({ agent, review }) => {
    const items = { enum: ['Fund', 'REIT', 'Bank'] };
    const grid = await review(
      proposal({
        types: {
          property: { type: 'array', title: 'Types', items, default: ['Fund'] },
          sources: { apollo: ['Bank', 'REIT'] },
          current: ['Fund'],
        },
      }),
    );
    await doubleClick(grid.source('types', 'apollo'));
    await expect(grid.pick('Types', 'Fund')).not.toBeChecked();
    await expect(grid.pick('Types', 'REIT')).toBeChecked();
    await expect(grid.pick('Types', 'Bank')).toBeChecked();
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ types: ['Bank', 'REIT'] });
  });

  test('a value that the field does not admit is shown with its fault, and blocks while included', async ({
    agent,
    review,
  }) => {
    const grid = await review(update());
    await doubleClick(grid.source('employeeCount', 'crunchbase'));
    const control = grid.text('Number of Employees');
    await expect(control).toHaveValue('201–500');
    await expectFault(control, /201–500|number/);
    await expect(grid.fault('employeeCount')).toBeVisible();

    await grid.submit();
    await expect(control).toBeFocused();
    expect(await agent.status(grid.id)).toBe('pending');

    await grid.include('Number of Employees').uncheck();
    await grid.approve();
    expect(await agent.values(grid.id)).not.toHaveProperty('employeeCount');
  });

  test('an option that there is none of is shown with its fault too', async ({ agent, review }) => {
    const grid = await review(
      proposal({
        size: {
          property: { type: 'string', title: 'Size', enum: ['Small', 'Large'], default: 'Small' },
          sources: { apollo: 'Enormous' },
          current: 'Small',
        },
      }),
    );
    await doubleClick(grid.source('size', 'apollo'));
    await expect(grid.include('Size')).toBeChecked();
    await expect(grid.fault('size')).toContainText('Enormous');
    await grid.submit();
    await expect(grid.fault('size')).toBeVisible();
    expect(await agent.status(grid.id)).toBe('pending');

    await grid.radio('Size', 'Large').check();
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ size: 'Large' });
  });
});

test.describe('include', () => {
  test('a row starts included where its proposal differs from the record', async ({ review }) => {
    const grid = await review(update());
    for (const title of ['Name', 'Website', 'Institution Types', 'Phone'])
      await expect(grid.include(title)).toBeChecked();
    await expect(grid.include('Number of Employees')).not.toBeChecked();
    await expect(grid.counter).toHaveText('4 of 5 included');
  });

  test('the caller may say otherwise, either way', async ({ review }) => {
    const differs = { type: 'string', default: 'new' } as const;
    const grid = await review(
      proposal({
        out: { property: differs, current: 'old', include: false },
        in: { property: differs, current: 'new', include: true },
      }),
    );
    await expect(grid.include('out')).not.toBeChecked();
    await expect(grid.include('in')).toBeChecked();
  });

  test('what is not in `fields` is a proposal without sources or a current value', async ({ agent, review }) => {
    const asked = proposal({ note: { property: { type: 'string', title: 'Note', default: 'by hand' } } });
    const grid = await review({ ...asked, fields: {} });
    await expect(grid.text('Note')).toHaveValue('by hand');
    await expect(grid.include('Note')).toBeChecked();
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ note: 'by hand' });
  });

  test('without a default nothing is proposed, and the row starts left out', async ({ agent, review }) => {
    const grid = await review(
      proposal({
        name,
        owner: { property: { type: 'string', title: 'Owner' }, sources: { apollo: 'Ada' }, current: 'Grace' },
      }),
    );
    await expect(grid.include('Owner')).not.toBeChecked();
    await expect(grid.text('Owner')).toHaveValue('');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({});
  });

  test('a blank default is a removal: marked, and left out unless the caller says so', async ({ agent, review }) => {
    const blank = { type: 'string', default: '' } as const;
    const grid = await review(
      proposal({
        fax: { property: { ...blank, title: 'Fax' }, current: '+1 555 0199' },
        pager: { property: { ...blank, title: 'Pager' }, current: '+1 555 0188', include: true },
      }),
    );
    await expect(grid.include('Fax')).not.toBeChecked();
    await expect(grid.row('fax')).toContainText('removes the current value');
    await expect(grid.include('Pager')).toBeChecked();
    await expect(grid.row('pager')).toContainText('removes the current value');
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({ pager: '' });
  });

  test('emptying a text that the record holds is marked as a removal', async ({ review }) => {
    const grid = await review(proposal({ name }));
    await expect(grid.row('name')).not.toContainText('removes the current value');
    await grid.text('Name').fill('');
    await expect(grid.row('name')).toContainText('removes the current value');
  });
});

test.describe('required', () => {
  test('what the record lacks is locked in, and the row says why', async ({ review }) => {
    const grid = await review(proposal({ name: { ...name, current: '', include: false, required: true } }));
    const include = grid.include('Name');
    await expect(include).toBeChecked();
    await expect(include).toBeDisabled();
    await expect(include).toHaveAttribute('title', 'Required, and Salesforce has no value');
    await expect(grid.row('name').getByText('required', { exact: true })).toBeVisible();
  });

  test('what the record has may be left out', async ({ agent, review }) => {
    const grid = await review(
      proposal({ name: { ...name, property: { ...name.property, default: 'New' }, required: true } }),
    );
    await expect(grid.include('Name')).toBeEnabled();
    await grid.include('Name').uncheck();
    await grid.approve();
    expect(await agent.values(grid.id)).toEqual({});
  });
});

test.describe('header actions', () => {
  test('Accept All includes every row, Reject All leaves the locked ones', async ({ review }) => {
    const grid = await review(update());
    await grid.button('Accept All').click();
    await expect(grid.counter).toHaveText('5 of 5 included');
    await grid.button('Reject All').click();
    await expect(grid.counter).toHaveText('1 of 5 included');
    await expect(grid.include('Name')).toBeChecked();
    await expect(grid.include('Website')).not.toBeChecked();
  });

  test('Restore Proposed brings back the values and leaves the includes as they are', async ({ review }) => {
    const grid = await review(update());
    await grid.text('Name').fill('Somebody else');
    await grid.pick('Institution Types', 'REIT').check();
    await doubleClick(grid.source('employeeCount', 'crunchbase'));
    await grid.include('Website').uncheck();
    await grid.text('Website').fill('https://example.com/');

    await grid.button('Restore Proposed').click();
    await expect(grid.text('Name')).toHaveValue('NorthMark Strategies');
    await expect(grid.text('Website')).toHaveValue('https://www.northmarkstrategies.com/');
    await expect(grid.text('Number of Employees')).toHaveValue('230');
    await expectNoFault(grid.text('Number of Employees'));
    await expect(grid.pick('Institution Types', 'REIT')).not.toBeChecked();
    await expect(grid.pick('Institution Types', 'Private Equity')).toBeChecked();
    await expect(grid.include('Website')).not.toBeChecked();
    await expect(grid.include('Number of Employees')).toBeChecked();
  });

  test('the counter is told to those who cannot see it', async ({ review }) => {
    const { counter } = await review(update());
    expect(await counter.evaluate((element) => element.closest('[aria-live], [role=status], output') !== null)).toBe(
      true,
    );
  });
});

test('the caller renames the two buttons at the foot', async ({ agent, review }) => {
  const grid = await review({ ...example(), labels: { ok: '  Apply to Salesforce ', cancel: 'Leave as it is' } });
  await expect(grid.button('Submit Changes')).toHaveCount(0);
  await expect(grid.button('Leave as it is')).toBeVisible();
  await grid.button('Apply to Salesforce').click();
  await expect(grid.outcome).toContainText('Approved');
  expect((await agent.result(grid.id)).data.action).toBe('submit');
});

test('values that are not included never leave the browser', async ({ review }) => {
  const grid = await review(example());
  await grid.text('Website').fill('https://secret.example/');
  await grid.include('Website').uncheck();
  const sent = grid.page.waitForRequest((request) => request.method() === 'POST');
  await grid.approve();
  expect((await sent).postData()).not.toContain('secret.example');
});
