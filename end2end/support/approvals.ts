// What the tests want approved.

import type { Property } from './proposals';

/** The arguments of `elicit_approval`. */
export interface Approval {
  message: string;
  context?: unknown;
  requestedSchema?: Form;
  displayTemplate?: string;
  labels?: { submit?: string; decline?: string };
  expiresInSeconds?: number;
  requireCommentOnReject?: boolean;
  reviewers?: string[];
}

/** A schema to be filled in. */
export interface Form {
  type: 'object';
  properties: Record<string, Property>;
  required?: string[];
}

/** A form of these properties. */
export function form(properties: Record<string, Property>, required: string[] = []): Form {
  return { type: 'object', properties, required };
}

/** A request to fill in this one field. */
export function one(property: Property, required = false): Approval {
  const fields = { field: { title: 'Field', ...property } };
  return { message: 'Approve the deploy', requestedSchema: form(fields, required ? ['field'] : []) };
}

/** So many options. */
export function letters(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `Option ${String.fromCharCode(65 + at)}`);
}

/** The calls of the tool's reference page, to the letter. */
export const examples = {
  payload: (): Approval => ({ message: 'Deploy to production', context: { target: 'prod' }, expiresInSeconds: 3600 }),

  form: (): Approval => ({ message: 'Approve the deploy', requestedSchema: approver() }),

  summary: (): Approval => ({
    message: 'Approve refund',
    context: { customer: 'acme@co', amount: '$1,240.00', reason: 'duplicate charge' },
    displayTemplate:
      '<dl><dt>Customer</dt><dd>{{ context.customer }}</dd><dt>Amount</dt><dd>{{ context.amount }}</dd>' +
      '<dt>Reason</dt><dd>{{ context.reason }}</dd></dl>',
  }),

  changes: (): Approval => ({
    message: 'Approve production deploy',
    context: {
      service: 'elicitly-api',
      version: 'v2.4.0',
      changes: [
        { file: 'src/auth.ts', added: 12, removed: 3 },
        { file: 'src/db.ts', added: 5, removed: 40 },
      ],
    },
    displayTemplate:
      '<strong>Deploy {{ context.service }} {{ context.version }}</strong>' +
      '<table><tr><th>File</th><th>+</th><th>−</th></tr>{% for c in context.changes %}' +
      '<tr><td>{{ c.file }}</td><td>+{{ c.added }}</td><td>−{{ c.removed }}</td></tr>{% endfor %}</table>',
  }),

  comparison: (): Approval => ({
    message: 'Approve plan change',
    context: { field: 'Plan', current: 'Starter', proposed: 'Enterprise' },
    displayTemplate:
      '<p><strong>{{ context.field }}</strong></p>' +
      '<p><s>{{ context.current }}</s> → <mark>{{ context.proposed }}</mark></p>',
  }),

  both: (): Approval => ({
    message: 'Approve the deploy',
    context: { service: 'elicitly-api', version: 'v2.4.0' },
    displayTemplate: '<p>Deploying <strong>{{ context.service }} {{ context.version }}</strong></p>',
    requestedSchema: approver(),
  }),
};

function approver(): Form {
  return form(
    {
      approver: { type: 'string', title: 'Your name', minLength: 2 },
      confidence: { type: 'integer', title: 'Confidence %', minimum: 0, maximum: 100 },
    },
    ['approver', 'confidence'],
  );
}

/** A payload with a bit of everything above a field of every kind, none of them required and none filled. */
export function everyField(): Approval {
  const fields: [string, Property][] = [
    ['Line', { type: 'string', maxLength: 40 }],
    ['Lines', { type: 'string', description: 'What the register of companies says' }],
    ['Email', { type: 'string', format: 'email' }],
    ['Address', { type: 'string', format: 'uri' }],
    ['Whole', { type: 'integer', minimum: 0 }],
    ['Number', { type: 'number' }],
    ['Yes or no', { type: 'boolean' }],
    ['Radios', { type: 'string', enum: letters(4) }],
    ['Select', { type: 'string', enum: letters(9) }],
    ['Boxes', { type: 'array', items: { enum: letters(6) } }],
    ['List', { type: 'array', items: { enum: letters(26) } }],
    ['Day', { type: 'string', format: 'date' }],
    ['Instant', { type: 'string', format: 'date-time' }],
  ];
  const properties = fields.map(([title, property]) => [title, { title, ...property }] as const);
  return {
    message: 'Every field, and a payload above them',
    context: {
      service: 'elicitly-api',
      notes: 'one\ntwo',
      log: 'x'.repeat(700),
      changes: [{ file: 'src/auth.ts', added: 12, checked: true, owner: null }],
      none: {},
    },
    requestedSchema: form(Object.fromEntries(properties)),
  };
}
