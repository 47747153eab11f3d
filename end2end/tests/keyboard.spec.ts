// The whole review with the keyboard alone.

import { expect, test } from '../support/test';
import { example, proposal, update } from '../support/proposals';
import { decisions, expectFault } from '../support/review';
import { focus, tabTo } from '../support/sight';

test('Tab, Space and Enter are enough, and the focus is always seen', async ({ agent, review }) => {
  const grid = await review(example());
  const { page } = grid;

  await tabTo(page, grid.use('Crunchbase', 'Name'));
  await page.keyboard.press('Enter');
  await expect(grid.text('Name')).toHaveValue('NorthMark Strategies Inc.');

  await tabTo(page, grid.include('Website'));
  await page.keyboard.press('Space');
  await expect(grid.include('Website')).not.toBeChecked();

  await tabTo(page, grid.text('Number of Employees'));
  await page.keyboard.press('Control+A');
  await page.keyboard.type('231');

  await tabTo(page, grid.pick('Institution Types', 'REIT'));
  await page.keyboard.press('Space');
  await expect(grid.pick('Institution Types', 'REIT')).toBeChecked();

  await tabTo(page, grid.button('Submit Changes'));
  await page.keyboard.press('Enter');
  await expect(grid.outcome).toContainText('Approved');
  expect(await agent.values(grid.id)).toEqual({
    name: 'NorthMark Strategies Inc.',
    employeeCount: 231,
    institutionTypes: ['Asset Manager', 'Private Equity', 'REIT'],
  });
});

test('a person can cancel by keyboard', async ({ agent, review }) => {
  const grid = await review(example());
  await tabTo(grid.page, grid.button('Cancel'));
  await grid.page.keyboard.press('Space');
  await expect(grid.outcome).toContainText('Rejected');
  expect((await agent.result(grid.id)).data.action).toBe('cancel');
});

test('single keys walk the rows and work on them', async ({ agent, review }) => {
  const grid = await review(update());
  const press = (key: string) => grid.page.keyboard.press(key);

  await press('j'); // Name, which is locked in
  await press('x');
  await expect(grid.include('Name')).toBeChecked();
  await press('2');
  await expect(grid.text('Name')).toHaveValue('NorthMark Strategies Inc.');

  await press('j'); // Website
  await press('x');
  await expect(grid.include('Website')).not.toBeChecked();
  await press('x');
  await expect(grid.include('Website')).toBeChecked();
  await press('0');
  await expect(grid.text('Website')).toHaveValue('http://northmark.example');
  await expect(grid.include('Website')).not.toBeChecked();
  await press('1');
  await expect(grid.text('Website')).toHaveValue('https://www.northmarkstrategies.com/');
  await expect(grid.include('Website')).toBeChecked();

  await press('j'); // Number of Employees
  await press('j'); // Institution Types
  await press('k'); // Number of Employees
  await press('1');
  await expect(grid.include('Number of Employees')).toBeChecked();
  await press('e');
  await expect(grid.text('Number of Employees')).toBeFocused();
  await press('Control+A');
  await grid.page.keyboard.type('240');

  await tabTo(grid.page, grid.button('Submit Changes'));
  await press('Enter');
  await expect(grid.outcome).toContainText('Approved');
  expect(await agent.values(grid.id)).toEqual({
    name: 'NorthMark Strategies Inc.',
    website: 'https://www.northmarkstrategies.com/',
    employeeCount: 240,
    institutionTypes: ['Asset Manager', 'Private Equity'],
    phone: '+1 555 0100',
  });
});

test('the row that the keys work on is brought into sight', async ({ review }) => {
  const rows = Array.from(
    { length: 30 },
    (_, at) => [`field${at}`, { property: { type: 'string', default: 'x' } }] as const,
  );
  const grid = await review(proposal(Object.fromEntries(rows)));
  await expect(grid.row('field20')).not.toBeInViewport();
  for (let step = 0; step <= 20; step++) await grid.page.keyboard.press('j');
  await expect(grid.row('field20')).toBeInViewport();
  await grid.page.keyboard.press('x');
  await expect(grid.include('field20')).not.toBeChecked();
});

test('a source that the row does not have changes nothing', async ({ review }) => {
  const grid = await review(example());
  await grid.page.keyboard.press('j');
  await grid.page.keyboard.press('j'); // Website
  for (const key of ['2', '9', '0']) await grid.page.keyboard.press(key);
  await expect(grid.text('Website')).toHaveValue('https://www.northmarkstrategies.com/');
  await expect(grid.include('Website')).toBeChecked();
});

test('in a text the keys are letters', async ({ review }) => {
  const grid = await review(example());
  await grid.text('Name').fill('');
  await grid.page.keyboard.type('jkx10e?');
  await expect(grid.text('Name')).toHaveValue('jkx10e?');
  await expect(grid.counter).toHaveText('4 of 4 included');
  await expect(grid.page.getByRole('dialog')).toHaveCount(0);
});

test('with a modifier the keys are the browser’s', async ({ review }) => {
  const grid = await review(example());
  await grid.page.keyboard.press('j');
  await grid.page.keyboard.press('j');
  for (const key of ['Alt+x', 'Control+x', 'Meta+x']) await grid.page.keyboard.press(key);
  await expect(grid.include('Website')).toBeChecked();
});

test('? tells all keys, Escape puts that away', async ({ review }) => {
  const grid = await review(example());
  await grid.page.keyboard.press('?');
  const dialog = grid.page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (const key of ['j', 'k', 'x', '0', 'e', '?']) await expect(dialog.getByText(key, { exact: true })).toBeVisible();
  await expect(dialog).toContainText(/1\s*–\s*9/);
  await grid.page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('a submit with faults leads to the first of them', async ({ review }) => {
  const grid = await review(example());
  await grid.text('Website').fill('no address');
  await grid.text('Number of Employees').fill('12a');
  const sent = decisions(grid.page);
  await tabTo(grid.page, grid.button('Submit Changes'));
  await grid.page.keyboard.press('Enter');
  await expect(grid.text('Website')).toBeFocused();
  await expectFault(grid.text('Website'), /is not/);
  expect((await focus(grid.page))?.visible).toBe(true);
  expect(sent).toEqual([]);
});
