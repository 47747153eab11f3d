// What the tests want chosen.

/** The arguments of `elicit_selection`. */
export interface Selection {
  message: string;
  options: Option[];
  minSelections?: number;
  maxSelections?: number;
  rowTemplate?: string;
  headingTemplate?: string;
  footerTemplate?: string;
  hoverTemplate?: string;
  css?: string;
  labels?: { ok?: string; cancel?: string };
  timeoutSeconds?: number;
  requireCommentOnReject?: boolean;
}

/** One of the options, with whatever the templates want to tell of it. */
export interface Option {
  id: string;
  label?: string;
  [field: string]: unknown;
}

/** The calls of the tool's reference page, to the letter. */
export const examples = {
  plain: (): Selection => ({
    message: 'Which environment?',
    options: [
      { id: 'staging', label: 'Staging' },
      { id: 'prod', label: 'Production' },
    ],
  }),

  table: (): Selection => ({
    message: 'Which Guggenheim did you mean?',
    options: [
      { id: 'bilbao', name: 'Guggenheim Bilbao', domain: 'guggenheim-bilbao.eus' },
      { id: 'nyc', name: 'Solomon R. Guggenheim Museum', domain: 'guggenheim.org' },
      { id: 'venice', name: 'Peggy Guggenheim Collection', domain: 'guggenheim-venice.it' },
    ],
    headingTemplate: '<th>Name</th><th>Domain</th>',
    rowTemplate: '<td>{{ option.name }}</td><td class="domain">{{ option.domain }}</td>',
    css: 'td.domain{color:#666;font-family:monospace}tr:hover{background:rgba(0,0,0,.05)}',
  }),

  several: (): Selection => ({
    message: 'Pick up to 3 launch candidates to promote',
    options: [
      { id: 'v1', label: 'v1.2.0' },
      { id: 'v2', label: 'v1.3.0-rc1' },
      { id: 'v3', label: 'v1.3.0-rc2' },
      { id: 'v4', label: 'v1.4.0-beta' },
    ],
    minSelections: 1,
    maxSelections: 3,
  }),
};

/** So many companies, every other one of them in Bilbao, in four cells each. */
export function companies(count: number): Selection {
  const company = (at: number) => ({
    id: `company-${at}`,
    label: `Company ${at}`,
    city: at % 2 === 0 ? 'Bilbao' : 'Venice',
    domain: `company-${at}.example`,
    staff: at * 10,
  });
  return {
    message: 'Which companies did you mean?',
    options: Array.from({ length: count }, (_, at) => company(at)),
    maxSelections: 5,
    headingTemplate: '<th>Name</th><th>City</th><th>Domain</th><th>Staff</th>',
    rowTemplate:
      '<td>{{ option.label }}</td><td>{{ option.city }}</td><td>{{ option.domain }}</td><td>{{ option.staff }}</td>',
  };
}
