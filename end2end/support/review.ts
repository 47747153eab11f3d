// A reviewer's side: the review page as a person sees it.

import { expect, type FrameLocator, type Locator, type Page, type Request } from '@playwright/test';

export const USE_SOURCE = 'Double-click to use as proposed value.';
export const KEEP_CURRENT = 'Double-click to restore the current value.';

export class Review {
  constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  /** Opens the page and waits until it is interactive. */
  static async open(page: Page, url: string): Promise<Review> {
    await page.goto(url);
    await hydrated(page);
    return new Review(page, url);
  }

  get id(): string {
    return new URL(this.url).searchParams.get('elicitationId') ?? '';
  }

  row(field: string): Locator {
    return this.page.locator(`tr[data-field="${field}"]`);
  }

  source(field: string, key: string): Locator {
    return this.row(field).locator(`[data-column="source:${key}"]`);
  }

  current(field: string): Locator {
    return this.row(field).locator('[data-column="current"]');
  }

  proposed(field: string): Locator {
    return this.row(field).locator('[data-column="proposed"]');
  }

  fault(field: string): Locator {
    return this.row(field).locator('.fault');
  }

  include(title: string): Locator {
    return this.page.getByRole('checkbox', { name: `Include ${title}`, exact: true });
  }

  /** The control of a text, a number, a date. */
  text(title: string): Locator {
    return this.page.getByRole('textbox', { name: title, exact: true });
  }

  /** The box of a boolean. */
  box(title: string): Locator {
    return this.page.getByRole('checkbox', { name: title, exact: true });
  }

  /** A select of one option. */
  select(title: string): Locator {
    return this.page.getByRole('combobox', { name: title, exact: true });
  }

  radio(title: string, option: string): Locator {
    return this.page
      .getByRole('radiogroup', { name: title, exact: true })
      .getByRole('radio', { name: option, exact: true });
  }

  /** The boxes of a multi-select. */
  picks(title: string): Locator {
    return this.page.getByRole('group', { name: title, exact: true }).getByRole('checkbox');
  }

  pick(title: string, option: string): Locator {
    return this.page
      .getByRole('group', { name: title, exact: true })
      .getByRole('checkbox', { name: option, exact: true });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  use(source: string, title: string): Locator {
    return this.button(`Use ${source} for ${title}`);
  }

  keep(current: string, title: string): Locator {
    return this.button(`Keep ${current} for ${title}`);
  }

  get counter(): Locator {
    return this.page.getByText(/^\s*\d+ of \d+ included\s*$/);
  }

  get deadline(): Locator {
    return this.page.getByRole('timer');
  }

  /** What has become of the request. */
  get outcome(): Locator {
    return this.page.getByRole('status').filter({ hasText: /^\s*(Approved|Rejected|Expired|Canceled)/ });
  }

  async submit(): Promise<void> {
    await this.button('Submit Changes').click();
  }

  /** Submits, and sees that it was taken. */
  async approve(): Promise<void> {
    await this.submit();
    await expect(this.outcome).toContainText('Approved');
  }

  async cancel(): Promise<void> {
    await this.button('Cancel').click();
  }
}

/** The page of an approval: the context, the fields of the form, and the two buttons. */
export class ApprovalReview extends Review {
  static override async open(page: Page, url: string): Promise<ApprovalReview> {
    await page.goto(url);
    await hydrated(page);
    return new ApprovalReview(page, url);
  }

  /** A field of the form, with what is told about it. */
  override row(field: string): Locator {
    return this.page.locator(`div[data-field="${field}"]`);
  }

  override async submit(): Promise<void> {
    await this.button('Submit').click();
  }

  async decline(): Promise<void> {
    await this.button('Decline').click();
  }

  /** The place of a context that is shown as JSON. */
  get payload(): Locator {
    return this.page.getByRole('region', { name: 'Context', exact: true });
  }

  /** The JSON itself, without the hidden text beside it that Copy copies. */
  get json(): Locator {
    return this.payload.locator('.json > :first-child');
  }

  /** What stands in the frame that shows the context in the agent's own layout. */
  get document(): FrameLocator {
    return this.page.getByTitle("Context, in the agent's own layout", { exact: true }).contentFrame();
  }
}

/** The page of a selection: a frame, and in it the options and the two buttons. */
export class SelectionReview extends Review {
  static override async open(page: Page, url: string): Promise<SelectionReview> {
    await page.goto(url);
    await hydrated(page);
    return new SelectionReview(page, url);
  }

  get frame(): Locator {
    return this.page.getByTitle('Options', { exact: true });
  }

  /** What stands in the frame. */
  get document(): FrameLocator {
    return this.frame.contentFrame();
  }

  /** The control of an option: a radio button where one is chosen, a box where it may be several. */
  option(label: string): Locator {
    const { document } = this;
    const named = { name: label, exact: true };
    return document.getByRole('radio', named).or(document.getByRole('checkbox', named));
  }

  /** The row of an option. */
  override row(label: string): Locator {
    return this.document.getByRole('row').filter({ has: this.option(label) });
  }

  override button(name: string): Locator {
    return this.document.getByRole('button', { name, exact: true });
  }

  /** What the frame itself says has become of the request, where the page does not. */
  get said(): Locator {
    return this.document.getByRole('status');
  }

  /** Why the server did not take what was sent. */
  get reason(): Locator {
    return this.document.getByRole('alert');
  }

  get query(): Locator {
    return this.document.getByRole('searchbox', { name: 'Filter the options', exact: true });
  }

  /** How many options are shown, and how many chosen. */
  get counts(): Locator {
    return this.document.getByText(/^\d+ of \d+ shown, \d+ chosen$/);
  }

  /** Where the document of the options is. */
  async address(): Promise<string> {
    return new URL((await this.frame.getAttribute('src')) ?? '', this.url).href;
  }

  /** Chooses these options and sends them. */
  async choose(labels: string[], submit = 'Choose'): Promise<void> {
    for (const label of labels) await this.option(label).check();
    await this.button(submit).click();
  }
}

export async function hydrated(page: Page): Promise<void> {
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached', timeout: 15_000 });
}

/** The tooltip of a cell, wherever in the cell it stands. */
export function tooltip(cell: Locator): Promise<string | null> {
  return cell.evaluate((cell) => {
    const titled = cell.hasAttribute('title') ? cell : cell.querySelector('[title^="Double-click"]');
    return titled?.getAttribute('title') ?? null;
  });
}

/** Double-clicks on what a cell holds, clear of the control beside it. */
export async function doubleClick(cell: Locator): Promise<void> {
  await cell.dblclick({ position: { x: 14, y: 16 } });
}

/** Sees that a control has a fault, told to everybody. */
export async function expectFault(control: Locator, told: RegExp): Promise<void> {
  await expect(control).toHaveAttribute('aria-invalid', 'true');
  await expect(control).toHaveAccessibleDescription(told);
}

export async function expectNoFault(control: Locator): Promise<void> {
  await expect(control).not.toHaveAttribute('aria-invalid', 'true');
}

/** The decisions that a page sends from now on. */
export function decisions(page: Page): Request[] {
  const sent: Request[] = [];
  page.on('request', (request) => {
    if (isDecision(request)) sent.push(request);
  });
  return sent;
}

/** Whether it decides; a page may ask other things of its server. */
export function isDecision(request: Request): boolean {
  return request.method() === 'POST' && new URL(request.url()).pathname === '/api/submit';
}

/** A decision on its way, held before it reaches the server. */
export interface Held {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** Lets a page send its decision and holds it for good: whoever has it may send it, altered or later. */
export async function hold(page: Page, act: () => Promise<void>): Promise<Held> {
  const sent = new Promise<Request>((resolve) => {
    void page.route('**/api/**', (route) =>
      isDecision(route.request()) ? resolve(route.request()) : route.continue(),
    );
  });
  await act();
  const request = await sent;
  const headers = await request.allHeaders();
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(':') && name !== 'content-length');
  return { url: request.url(), headers: Object.fromEntries(kept), body: request.postData() ?? '' };
}

/** A decision's body with other values; `field` is one that it holds. */
export function altered(body: string, field: string, alter: (values: Record<string, unknown>) => void): string {
  const whole: unknown = JSON.parse(body);
  const values = holding(whole, field);
  if (!values) throw new Error(`no object with ${field} in ${body}`);
  alter(values);
  return JSON.stringify(whole);
}

function holding(value: unknown, key: string): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, key)) return value as Record<string, unknown>;
  return Object.values(value)
    .map((inner) => holding(inner, key))
    .find((found) => found);
}
