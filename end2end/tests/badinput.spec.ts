// What bad input gets: a clear answer, and nothing stored.

import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '../support/test';
import { example, type Proposal } from '../support/proposals';
import { altered, hold } from '../support/review';
import { Wire, send } from '../support/wire';

/** Arguments that are to be spoiled. */
type Loose = any;

/** What is done to the example, and the faults that this must get, as pointer and code. */
const refused: [string, (args: Loose) => void, ...[string, string][]][] = [
  ['an unknown property', (args) => (args.urgent = true), ['/urgent', 'unknown_property']],
  ['a wrong type', (args) => (args.message = 5), ['/message', 'wrong_type']],
  ['no message', (args) => delete args.message, ['/message', 'missing']],
  ['no columns', (args) => delete args.columns, ['/columns', 'missing']],
  ['no source column', (args) => (args.columns.sources = []), ['/columns/sources', 'too_short']],
  ['an unknown field key', (args) => (args.fields.nome = {}), ['/fields/nome', 'unknown_field']],
  [
    'an unknown source key',
    (args) => (args.fields.name.sources.zoom = 'x'),
    ['/fields/name/sources/zoom', 'unknown_source'],
  ],
  [
    'a duplicate source key',
    (args) => {
      args.columns.sources[1].key = 'apollo';
      delete args.fields.name.sources.crunchbase;
    },
    ['/columns/sources/1/key', 'duplicate'],
  ],
  ['an empty label', (args) => (args.labels = { ok: '  ' }), ['/labels/ok', 'too_short']],
  ['an over-long label', (args) => (args.labels = { cancel: 'x'.repeat(41) }), ['/labels/cancel', 'too_long']],
  ['an unknown label', (args) => (args.labels = { submit: 'Go' }), ['/labels/submit', 'unknown_property']],
  [
    'a nested schema',
    (args) => (args.requestedSchema.properties.address = { type: 'object', properties: {} }),
    ['/requestedSchema/properties/address/type', 'unsupported'],
  ],
  [
    'a reference',
    (args) => (args.requestedSchema.properties.address = { $ref: '#/$defs/address' }),
    ['/requestedSchema/properties/address/$ref', 'unsupported'],
  ],
  [
    'a union of types',
    (args) => (args.requestedSchema.properties.name.type = ['string', 'null']),
    ['/requestedSchema/properties/name/type', 'unsupported'],
  ],
  [
    'a default that its own field refuses',
    (args) => (args.requestedSchema.properties.employeeCount.default = 'many'),
    ['/requestedSchema/properties/employeeCount/default', 'invalid_default'],
  ],
  [
    'a required name without a property',
    (args) => args.requestedSchema.required.push('nome'),
    ['/requestedSchema/required/1', 'unknown_field'],
  ],
  [
    'a pattern that cannot be compiled',
    (args) => (args.requestedSchema.properties.name.pattern = '(?=x)'),
    ['/requestedSchema/properties/name/pattern', 'invalid_pattern'],
  ],
  ['a message of 2,001 characters', (args) => (args.message = 'é'.repeat(2_001)), ['/message', 'too_long']],
  ['a template over 20 KB', (args) => (args.displayTemplate = 'x'.repeat(20_481)), ['/displayTemplate', 'too_long']],
  ['a number of seconds in words', (args) => (args.timeoutSeconds = 'soon'), ['/timeoutSeconds', 'wrong_type']],
  [
    'several faults at once',
    (args) => {
      args.urgent = true;
      args.labels = { ok: '' };
      args.fields.nome = {};
      args.fields.website.include = 'yes';
    },
    ['/urgent', 'unknown_property'],
    ['/labels/ok', 'too_short'],
    ['/fields/nome', 'unknown_field'],
    ['/fields/website/include', 'wrong_type'],
  ],
];

test.describe('a proposal with', () => {
  for (const [what, spoil, ...told] of refused) {
    test(`${what} is refused, and nothing of it stored or logged`, async ({ agent, server }) => {
      const mark = randomUUID();
      const args = structuredClone({ ...example(), context: { mark } }) as Loose;
      spoil(args);
      const { isError, data, text } = await agent.call('elicit_proposal', args);
      expect(isError).toBe(true);
      expect(data.faults.map(({ pointer, code }: Loose) => [pointer, code]).toSorted()).toEqual(told.toSorted());
      for (const fault of data.faults) {
        expect(fault.message).toBeTruthy();
        expect(text).toContain(fault.pointer);
      }
      expect(data).not.toHaveProperty('elicitationId');
      expect(await server.stored()).not.toContain(mark);
      expect(server.log).not.toContain(mark);
    });
  }

  test('nothing wrong is stored, and still not logged', async ({ agent, server }) => {
    const mark = randomUUID();
    await agent.propose({ ...example(), message: `Sync ${mark}`, context: { mark } });
    expect(await server.stored()).toContain(mark);
    expect(server.log).not.toContain(mark);
  });
});

test('what stands at the limit is taken', async ({ agent }) => {
  const { elicitationId } = await agent.propose({
    ...example(),
    message: 'é'.repeat(2_000),
    labels: { ok: 'x'.repeat(40), cancel: ' y ' },
    displayTemplate: 'x'.repeat(20_480),
  });
  expect(await agent.status(elicitationId)).toBe('pending');
});

test('seconds outside their range are clamped', async ({ agent }) => {
  for (const [timeoutSeconds, lasts] of [
    [1, 60],
    [1e9, 86_400],
  ] as const) {
    const { expiresAt } = await agent.propose({ ...example(), timeoutSeconds });
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - lasts * 1000)).toBeLessThan(5_000);
  }
});

test('the other tools tell what is wrong with their arguments too', async ({ agent }) => {
  for (const tool of ['elicit_await', 'elicit_status', 'elicit_result', 'elicit_cancel']) {
    const nothing = await agent.call(tool, {});
    expect(nothing.isError, tool).toBe(true);
    expect(nothing.data.faults, tool).toContainEqual(
      expect.objectContaining({ pointer: '/elicitationId', code: 'missing' }),
    );
    const wrong = await agent.call(tool, { elicitationId: 5, hurry: true });
    expect(wrong.data.faults, tool).toContainEqual(
      expect.objectContaining({ pointer: '/elicitationId', code: 'wrong_type' }),
    );
    expect(wrong.data.faults, tool).toContainEqual(
      expect.objectContaining({ pointer: '/hurry', code: 'unknown_property' }),
    );
  }
});

test.describe('over the wire', () => {
  const propose = (wire: Wire, args: Proposal) =>
    wire.request('tools/call', JSON.stringify({ name: 'elicit_proposal', arguments: args }));

  test('a body of 2 MiB is too large', async ({ server }) => {
    const wire = await Wire.open(server.url);
    const args = { ...example(), context: randomBytes(1 << 20).toString('hex') };
    expect((await wire.post(propose(wire, args))).status).toBe(413);
  });

  test('what is no JSON is refused', async ({ server }) => {
    const wire = await Wire.open(server.url);
    for (const body of ['{"jsonrpc":"2.0",', 'no JSON', '']) {
      const { status, text } = await wire.post(body);
      expect(text.includes('-32700') || status === 400, `${body}: ${status} ${text}`).toBe(true);
    }
    expect((await wire.post(propose(wire, example()))).status).toBe(200);
  });

  test('a foreign host is refused, here and on the page', async ({ agent, server }) => {
    const wire = await Wire.open(server.url);
    expect((await wire.post(propose(wire, example()), { host: 'evil.example' })).status).toBe(403);
    const { reviewUrl } = await agent.propose(example());
    expect((await send(reviewUrl, 'GET', { host: 'evil.example' })).status).toBe(403);
  });

  test('a foreign origin is refused', async ({ server }) => {
    const wire = await Wire.open(server.url);
    expect((await wire.post(propose(wire, example()), { origin: 'https://evil.example' })).status).toBe(403);
    expect((await wire.post(propose(wire, example()), { origin: 'null' })).status).toBe(403);
    expect((await wire.post(propose(wire, example()), { origin: server.url })).status).toBe(200);
  });
});

test.describe('a decision', () => {
  for (const [what, alter, code] of [
    ['with a field that was not asked', (values: Loose) => (values.owner = 'me'), 'unknown_field'],
    ['with a wrong type', (values: Loose) => (values.employeeCount = '230'), 'wrong_type'],
    ['with a value out of its format', (values: Loose) => (values.website = 'no address'), 'wrong_format'],
    ['with an option that there is none of', (values: Loose) => (values.institutionTypes = ['Bank']), 'unknown_option'],
    ['with null', (values: Loose) => (values.name = null), 'wrong_type'],
  ] as const) {
    test(`${what} is refused with its reason, and the request stays pending`, async ({ agent, review }) => {
      const grid = await review(example());
      const held = await hold(grid.page, () => grid.submit());
      const { text } = await send(held.url, 'POST', held.headers, altered(held.body, 'name', alter));
      expect(text).toContain(code);
      expect(await agent.status(grid.id)).toBe('pending');
    });
  }

  test('that the server refuses is shown on the page, and can be mended there', async ({ agent, review }) => {
    const grid = await review(example());
    await grid.page.route('**/api/**', (route) => {
      const sent = route.request().postData() ?? '';
      const postData = altered(sent, 'employeeCount', (values) => (values.employeeCount = '230'));
      return route.continue({ postData });
    });
    await grid.submit();
    await expect(grid.fault('employeeCount')).toBeVisible();
    await grid.page.unroute('**/api/**');
    await grid.approve();
    expect((await agent.result(grid.id)).data.values.employeeCount).toBe(230);
  });

  test('under a tampered id decides nothing', async ({ agent, review }) => {
    const grid = await review(example());
    const held = await hold(grid.page, () => grid.submit());
    for (const id of [
      '0'.repeat(32),
      grid.id.toUpperCase(),
      `${grid.id.slice(0, -1)}${grid.id.endsWith('0') ? 1 : 0}`,
      '',
      '../x',
    ]) {
      const { text } = await send(held.url, 'POST', held.headers, held.body.replaceAll(grid.id, id));
      expect(text, id).not.toMatch(/approved/i);
    }
    expect(await agent.status(grid.id)).toBe('pending');
  });

  test('under the id of a request that is closed changes nothing', async ({ agent, review }) => {
    const closed = await review(example());
    await closed.cancel();
    await expect(closed.outcome).toContainText('Rejected');

    const grid = await review(example());
    const held = await hold(grid.page, () => grid.submit());
    const { text } = await send(held.url, 'POST', held.headers, held.body.replaceAll(grid.id, closed.id));
    expect(text).toContain('rejected');
    expect(await agent.status(closed.id)).toBe('rejected');
    expect(await agent.status(grid.id)).toBe('pending');
  });

  test('from a foreign origin or host is refused', async ({ agent, review }) => {
    const grid = await review(example());
    const held = await hold(grid.page, () => grid.submit());
    const foreigners: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { host: 'evil.example' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ];
    for (const foreign of foreigners) {
      const { status } = await send(held.url, 'POST', { ...held.headers, ...foreign }, held.body);
      expect(status, JSON.stringify(foreign)).toBe(403);
    }
    expect(await agent.status(grid.id)).toBe('pending');
  });

  test('as a plain form, as a foreign page could send it, is refused', async ({ agent, review }) => {
    const grid = await review(example());
    const held = await hold(grid.page, () => grid.submit());
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { ...held.headers, 'content-type': type, origin: 'https://evil.example' };
      const { status } = await send(held.url, 'POST', headers, held.body);
      expect(status, type).toBeGreaterThanOrEqual(400);
    }
    expect(await agent.status(grid.id)).toBe('pending');
  });

  test('that is no JSON or far too large is refused', async ({ agent, review }) => {
    const grid = await review(example());
    const held = await hold(grid.page, () => grid.submit());
    expect((await send(held.url, 'POST', held.headers, held.body.slice(0, -2))).status).toBeGreaterThanOrEqual(400);
    const huge = altered(held.body, 'name', (values) => (values.name = 'x'.repeat(2 << 20)));
    expect((await send(held.url, 'POST', held.headers, huge)).status).toBeGreaterThanOrEqual(400);
    expect(await agent.status(grid.id)).toBe('pending');
  });
});
