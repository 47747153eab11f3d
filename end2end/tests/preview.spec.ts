// What an agent learns of a request before anybody is asked.

import { randomUUID } from 'node:crypto';
import { expect, test } from '../support/test';
import { examples } from '../support/approvals';
import { example } from '../support/proposals';

/** At most so many bytes in an answer. */
const AT_MOST = 256 * 1024;

test('a good approval is outlined, with its words, its fields and its buttons', async ({ agent, server }) => {
  const mark = randomUUID();
  const { isError, data } = await agent.call('elicit_preview', {
    tool: 'elicit_approval',
    arguments: { ...examples.form(), context: { mark }, labels: { submit: 'Ship it' } },
  });
  expect(isError).toBe(false);
  expect(data).toMatchObject({ ok: true, faults: [], warnings: [], rendered: {} });
  for (const told of ['Approve the deploy', mark, 'Your name *', 'Confidence % *', '[ Decline ]', '[ Ship it ]']) {
    expect(data.outline).toContain(told);
  }
  const order = ['Approve the deploy', mark, 'Your name', 'Confidence %', 'Ship it'];
  const places = order.map((told) => data.outline.indexOf(told));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(await server.stored()).not.toContain(mark);
  expect(server.log).not.toContain(mark);
});

test('a good proposal is outlined, row by row', async ({ agent }) => {
  const { isError, data } = await agent.call('elicit_preview', { tool: 'elicit_proposal', arguments: example() });
  expect(isError).toBe(false);
  expect(data).toMatchObject({ ok: true, faults: [] });
  for (const told of [
    example().message,
    '4 of 4 included',
    ...['Name', 'Website', 'Number of Employees', 'Institution Types'],
    ...['Apollo', 'Crunchbase', 'Salesforce'],
    'NorthMark Strategies Inc.',
    ...['[ Cancel ]', '[ Submit Changes ]'],
  ]) {
    expect(data.outline).toContain(told);
  }
});

test('the outline shows what would hide', async ({ agent }) => {
  const { data } = await agent.call('elicit_preview', {
    tool: 'elicit_approval',
    arguments: { message: 'cat \u202etxt.exe', context: {}, labels: { submit: 'G\u200bo' } },
  });
  expect(data.outline).toContain('cat [U+202E]txt.exe');
  expect(data.outline).toContain('[ G[U+200B]o ]');
});

test('a template is tried, and what it makes is shown', async ({ agent }) => {
  const { data } = await agent.call('elicit_preview', { tool: 'elicit_approval', arguments: examples.both() });
  expect(data).toMatchObject({
    ok: true,
    warnings: [],
    rendered: { displayTemplate: '<p>Deploying <strong>elicitly-api v2.4.0</strong></p>' },
  });
  expect(data.outline).toContain('displayTemplate');
  expect(data.outline).toContain('Your name');
});

test('a template that cannot be shown is told with its place, and what stands there instead', async ({ agent }) => {
  const { data } = await agent.call('elicit_preview', {
    tool: 'elicit_approval',
    arguments: { ...examples.both(), displayTemplate: '<p>\n\n {% if context %}' },
  });
  expect(data).toMatchObject({ ok: true, faults: [], rendered: {} });
  expect(data.warnings).toContainEqual(
    expect.objectContaining({ pointer: '/displayTemplate', code: 'template_falls_back', line: 3, column: 2 }),
  );
  expect(data.outline).toContain('"service": "elicitly-api"');
});

test('faulty arguments are told all at once, and nothing is stored', async ({ agent, server }) => {
  const mark = randomUUID();
  const { isError, data } = await agent.call('elicit_preview', {
    tool: 'elicit_approval',
    arguments: {
      context: { mark },
      urgent: true,
      labels: { submit: '', ok: 'Go' },
      displayTemplate: 'x'.repeat(20_481),
      expiresInSeconds: 'soon',
      requestedSchema: {
        type: 'object',
        properties: {
          nested: { type: 'object', properties: {} },
          count: { type: 'integer', default: 'many' },
        },
        required: ['nome'],
      },
    },
  });
  expect(isError).toBe(false);
  expect(data).toMatchObject({ ok: false, rendered: {} });
  expect(data.faults.map(({ pointer, code }: any) => [pointer, code]).toSorted()).toEqual([
    ['/displayTemplate', 'too_long'],
    ['/expiresInSeconds', 'wrong_type'],
    ['/labels/ok', 'unknown_property'],
    ['/labels/submit', 'too_short'],
    ['/message', 'missing'],
    ['/requestedSchema/properties/count/default', 'invalid_default'],
    ['/requestedSchema/properties/nested/type', 'unsupported'],
    ['/requestedSchema/required/0', 'unknown_field'],
    ['/urgent', 'unknown_property'],
  ]);
  for (const fault of data.faults) expect(fault.message).toBeTruthy();
  expect(await server.stored()).not.toContain(mark);
  expect(server.log).not.toContain(mark);
});

test('it finds the same faults as the call itself', async ({ agent }) => {
  const args = { ...example(), message: 5, fields: { nome: {} }, columns: { sources: [] } };
  const previewed = await agent.call('elicit_preview', { tool: 'elicit_proposal', arguments: args });
  const called = await agent.call('elicit_proposal', args);
  expect(called.isError).toBe(true);
  expect(previewed.data.faults.length).toBeGreaterThan(2);
  expect(previewed.data.faults).toEqual(called.data.faults);
});

test('numbers that a reader may round are warned of, in the call and before', async ({ agent }) => {
  const args = { message: 'Merge', context: { ids: [1, 2 ** 60] } };
  const told = expect.objectContaining({ pointer: '/context/ids/1', code: 'large_integer' });
  const previewed = await agent.call('elicit_preview', { tool: 'elicit_approval', arguments: args });
  expect(previewed.data.warnings).toEqual([told]);
  expect((await agent.ask(args)).warnings).toEqual([told]);
});

test('a tool that creates nothing cannot be previewed', async ({ agent }) => {
  for (const tool of ['elicit_result', 'elicit_guess', '']) {
    const { isError, data } = await agent.call('elicit_preview', { tool, arguments: {} });
    expect(isError, tool).toBe(true);
    const allowed = expect.stringContaining('elicit_approval');
    expect(data.faults, tool).toEqual([
      expect.objectContaining({ pointer: '/tool', code: 'unknown_option', allowed }),
    ]);
  }
});

test('its own arguments are judged as those of every tool', async ({ agent }) => {
  const nothing = await agent.call('elicit_preview', {});
  expect(nothing.isError).toBe(true);
  expect(nothing.data.faults.map(({ pointer, code }: any) => [pointer, code]).toSorted()).toEqual([
    ['/arguments', 'missing'],
    ['/tool', 'missing'],
  ]);
  const wrong = await agent.call('elicit_preview', { tool: 'elicit_approval', arguments: [], hurry: true });
  expect(wrong.data.faults).toContainEqual(expect.objectContaining({ pointer: '/arguments', code: 'wrong_type' }));
  expect(wrong.data.faults).toContainEqual(expect.objectContaining({ pointer: '/hurry', code: 'unknown_property' }));
});

test.describe('an answer has at most 256 KiB', () => {
  for (const [what, args] of [
    ['a huge context', { message: 'Huge', context: { text: 'é"'.repeat(200_000) } }],
    [
      'a huge context in a template',
      { message: 'Huge', context: '"'.repeat(450_000), displayTemplate: '{{ context }}' },
    ],
    [
      'a huge schema',
      {
        message: 'Huge',
        requestedSchema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 400 }, (_, at) => [`field${at}`, { type: 'string', description: '"'.repeat(1_000) }]),
          ),
        },
      },
    ],
    [
      'thousands of faults',
      {
        message: 'Huge',
        context: 1,
        labels: Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`x${at}`, ''])),
      },
    ],
  ] as const) {
    test(`with ${what}`, async ({ agent }) => {
      const { isError, data } = await agent.call('elicit_preview', { tool: 'elicit_approval', arguments: args });
      expect(isError).toBe(false);
      expect(Buffer.byteLength(JSON.stringify(data))).toBeLessThanOrEqual(AT_MOST);
      expect(data.ok).toBe(what !== 'thousands of faults');
      if (data.ok) expect(data.outline).toBeTruthy();
      else expect(data.faults[0]).toMatchObject({ code: 'unknown_property' });
    });
  }
});
