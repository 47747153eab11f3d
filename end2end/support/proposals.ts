// What the tests propose.

/** The arguments of `elicit_proposal`. */
export interface Proposal {
  message: string;
  columns: { sources: { key: string; label: string }[]; current: { label: string } };
  context?: unknown;
  requestedSchema: { type: 'object'; properties: Record<string, Property>; required?: string[] };
  fields: Record<string, Cells>;
  displayTemplate?: string;
  labels?: { ok?: string; cancel?: string };
  timeoutSeconds?: number;
  requireCommentOnReject?: boolean;
}

/** A property of the requested schema. */
export interface Property {
  type: 'string' | 'number' | 'integer' | 'boolean' | 'array';
  title?: string;
  default?: unknown;
  [keyword: string]: unknown;
}

interface Cells {
  sources?: Record<string, unknown>;
  current?: unknown;
  include?: boolean;
}

/** One row of a grid: its property, and what its cells hold. */
export interface Row extends Cells {
  property: Property;
  required?: boolean;
}

/** A proposal of these rows, from Apollo and Crunchbase into Salesforce. */
export function proposal(rows: Record<string, Row>, more: Partial<Proposal> = {}): Proposal {
  const entries = Object.entries(rows);
  return {
    message: 'Sync an account into Salesforce',
    columns: {
      sources: [
        { key: 'apollo', label: 'Apollo' },
        { key: 'crunchbase', label: 'Crunchbase' },
      ],
      current: { label: 'Salesforce' },
    },
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, row]) => [name, row.property])),
      required: entries.filter(([, row]) => row.required).map(([name]) => name),
    },
    fields: Object.fromEntries(entries.map(([name, { property: _, required: __, ...cells }]) => [name, cells])),
    ...more,
  };
}

/** The example of the tool's reference page, to the letter. */
export function example(): Proposal {
  return {
    message: 'Sync NorthMark Strategies from Apollo into Salesforce',
    columns: {
      sources: [
        { key: 'apollo', label: 'Apollo' },
        { key: 'crunchbase', label: 'Crunchbase' },
      ],
      current: { label: 'Salesforce' },
    },
    context: { objectType: 'Account', recordId: null, externalKey: '678cd3…' },
    requestedSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', default: 'NorthMark Strategies' },
        website: {
          type: 'string',
          format: 'uri',
          title: 'Website',
          default: 'https://www.northmarkstrategies.com/',
        },
        employeeCount: { type: 'integer', title: 'Number of Employees', default: 230 },
        institutionTypes: {
          type: 'array',
          title: 'Institution Types',
          items: { enum: ['Asset Manager', 'Private Equity', 'Hedge Fund', 'REIT'] },
          default: ['Asset Manager', 'Private Equity'],
        },
      },
      required: ['name'],
    },
    fields: {
      name: {
        sources: { apollo: 'NorthMark Strategies', crunchbase: 'NorthMark Strategies Inc.' },
        current: null,
      },
      website: { sources: { apollo: 'https://www.northmarkstrategies.com/' }, current: null },
      employeeCount: { sources: { apollo: 230 }, current: null },
      institutionTypes: {
        sources: { apollo: ['Asset Manager', 'Private Equity'] },
        current: [],
        include: true,
      },
    },
  };
}

/** The same account where Salesforce already knows something of it. */
export function update(): Proposal {
  return proposal(
    {
      name: {
        property: { type: 'string', title: 'Name', default: 'NorthMark Strategies' },
        required: true,
        sources: { apollo: 'NorthMark Strategies', crunchbase: 'NorthMark Strategies Inc.' },
        current: null,
      },
      website: {
        property: { type: 'string', format: 'uri', title: 'Website', default: 'https://www.northmarkstrategies.com/' },
        sources: { apollo: 'https://www.northmarkstrategies.com/' },
        current: 'http://northmark.example',
      },
      employeeCount: {
        property: { type: 'integer', title: 'Number of Employees', default: 230 },
        sources: { apollo: 230, crunchbase: '201–500' },
        current: 230,
      },
      institutionTypes: {
        property: {
          type: 'array',
          title: 'Institution Types',
          items: { enum: ['Asset Manager', 'Private Equity', 'Hedge Fund', 'REIT'] },
          default: ['Asset Manager', 'Private Equity'],
        },
        sources: { apollo: ['Asset Manager', 'Private Equity'] },
        current: [],
      },
      phone: {
        property: { type: 'string', title: 'Phone', maxLength: 14, default: '+1 555 0100' },
        sources: { crunchbase: '+1 555 0100' },
        current: '+1 555 0199',
      },
    },
    { message: 'Sync NorthMark Strategies from Apollo into Salesforce' },
  );
}

/** A row for every kind of control, filled and empty. */
export function everyControl(): Proposal {
  const letters = (count: number) => Array.from({ length: count }, (_, at) => `Option ${String.fromCharCode(65 + at)}`);
  const kinds: [string, Property, unknown, unknown][] = [
    ['Line', { type: 'string', maxLength: 40 }, 'NorthMark', 'NorthMark Inc.'],
    ['Lines', { type: 'string', description: 'What the register of companies says' }, 'one\ntwo\nthree', 'one'],
    ['Email', { type: 'string', format: 'email' }, 'ada@example.com', 'grace@example.com'],
    ['Address', { type: 'string', format: 'uri' }, 'https://example.com/', 'https://example.org/'],
    ['Whole', { type: 'integer', minimum: 0 }, 230, 200],
    ['Number', { type: 'number' }, 1.5, 2.5],
    ['Yes or no', { type: 'boolean' }, true, false],
    ['Radios', { type: 'string', enum: letters(4) }, 'Option A', 'Option B'],
    ['Select', { type: 'string', enum: letters(9) }, 'Option A', 'Option B'],
    ['Boxes', { type: 'array', items: { enum: letters(6) } }, ['Option A', 'Option C'], ['Option B']],
    ['List', { type: 'array', items: { enum: letters(26) } }, ['Option A', 'Option Z'], []],
    ['Day', { type: 'string', format: 'date' }, '2026-03-24', '2026-03-25'],
    ['Instant', { type: 'string', format: 'date-time' }, '2026-03-24T12:00:00+02:00', '2026-03-24T12:00:00Z'],
  ];
  const rows = kinds.flatMap(([title, property, proposed, current]): [string, Row][] => [
    [title, { property: { ...property, title, default: proposed }, sources: { apollo: proposed }, current }],
    [`${title}, empty`, { property: { ...property, title: `${title}, empty` }, sources: { crunchbase: current } }],
  ]);
  return proposal(Object.fromEntries(rows), { message: 'Every control, filled and empty' });
}

/** A number to be sent with exactly this text, which a JavaScript number would lose. */
export function numberText(text: string): string {
  return `number text ${text}`;
}

/** JSON in which every `numberText` stands as that number. */
export function toJson(value: unknown): string {
  return JSON.stringify(value).replace(/"number text ([^"]+)"/g, '$1');
}
