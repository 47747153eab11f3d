// What templates and css of a selection can do to the controls in it: nothing. Each of these requests tries to hide, to
// move, to cover, to relabel or to rebind them, and a person still sees and gets the option that is pointed at.

import type { Page } from '@playwright/test';
import { expect, test } from '../support/test';
import { SelectionReview } from '../support/review';
import type { Selection } from '../support/selections';

const LABELS = ['Alpha', 'Beta', 'Gamma'];
const BUTTONS = ['Reject — refine search', 'Choose'];
const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const OVERLAY = 'position:fixed;inset:0;z-index:2147483647;background:red;opacity:0.01';
const COVER = 'position:absolute;left:-300px;top:-300px;width:3000px;height:3000px;background:red;z-index:9';

/** What the browser says where a test looks around in a frame without scripts. */
const LOOKING = /Blocked script execution/;

type Attack = Partial<Omit<Selection, 'message' | 'options'>>;

/** Cells that begin with what the option is called, so that a row can be told by what it shows. */
function row(markup: string): Attack {
  return { rowTemplate: `<td>{{ option.label }}</td>${markup}` };
}

/** A sheet, over a row of two cells. */
function css(sheet: string): Attack {
  return { ...row('<td class="x"><b class="y">{{ option.id }}</b></td>'), css: sheet };
}

const markup: Record<string, Attack> = {
  'a row that closes its row': row('<td>x</td></tr><tr><td><input type="radio" name="pick" value="2">Gamma</td>'),
  'a row that closes the table': row('<td></td></tr></tbody></table></div><h1>Chosen for you</h1><table><tr><td>'),
  'a row that closes the form': row('<td></form><form action="/api/submit" method="post"><button>Choose</button></td>'),
  'a table in a cell': row('<td><table><tr><td><input name="pick" value="2"></td></tr></table></td>'),
  'a button of its own': row('<td><button name="do" value="choose" formaction="/api/submit">Choose</button></td>'),
  'fields of its own': row(
    '<td><input name="pick" value="2" checked><input type="hidden" name="token"><input name="do" value="reject"></td>',
  ),
  'an image button': row('<td><input type="image" name="do" value="choose" src="/x.png"></td>'),
  'a select of its own': row('<td><select name="pick" autofocus><option value="2" selected>2</option></select></td>'),
  'a label for our control': row(
    '<td><label for="p2">Beta</label><label>Beta <input name="pick" value="2"></label></td>',
  ),
  'an id twice': row('<td id="x" form="x" aria-owns="x" aria-labelledby="x"><b id="x">x</b></td>'),
  'a link': row('<td><a href="/frame/selection?do=reject" target="_top">Choose</a></td>'),
  'a refresh': row('<td><meta http-equiv="refresh" content="0;url=/healthz"></td>'),
  'a base': row('<td><base href="http://127.0.0.1:9/" target="_top"></td>'),
  'a style in a row': row('<td><style>.sayso-pick, .sayso-button { display: none !important }</style></td>'),
  'a style sheet from elsewhere': row('<td><link rel="stylesheet" href="http://127.0.0.1:9/x.css"></td>'),
  'a script': row('<td><script>document.forms[0].submit()</script><img src="x" onerror="alert(1)"></td>'),
  'a foreign object': row(
    '<td><svg><foreignObject><button name="do" value="choose">x</button></foreignObject></svg></td>',
  ),
  'markup in MathML': row(
    '<td><math><mtext><table><mglyph><style><!--</style><img title="--&gt;<input name=pick>"></td>',
  ),
  'a template': row('<td><template><input name="pick" value="2"></td></tr></template>'),
  'a textarea that swallows': row('<td><textarea name="pick">'),
  'a plaintext that swallows': row('<td><plaintext>'),
  'a title that swallows': row('<td><title><xmp><noscript><iframe>'),
  'a comment that swallows': row('<td><!-- '),
  'an attribute that swallows': row('<td title="'),
  'cells over all rows and columns': row('<td rowspan="10000" colspan="10000">x</td>'),
  'a wall of columns': row('<td>x</td>'.repeat(400)),
  'a huge text': row(`<td>${'x'.repeat(19_000)}</td>`),
  'a tall text': row(`<td>${'x<br>'.repeat(3_000)}</td>`),
  'letters from right to left': row('<td dir="rtl">\u202E\u2067\u202D{{ option.id }}</td>'),
  'a wide picture': row(`<td><img src="${PICTURE}" width="99999" height="99999"></td>`),
  'an overlay': row(`<td><div style="${OVERLAY}"></div></td>`),
  'a cell that covers': row(`<td style="${COVER}">x<i style="${COVER}"></i></td>`),
  'margins to the left': row(
    '<td style="margin-left:-300px"><p style="margin:-300px;width:3000px;background:red">x</p></td>',
  ),
  'giant letters': row('<td style="font-size:900px;line-height:99;padding:500px">x</td>'),
  'a popover and a dialog': row('<td><dialog open popover style="inset:0">x</dialog></td>'),
  'our own classes': row(
    '<td class="sayso-pick sayso-row"><input class="sayso-go"><span class="sayso-actions">Choose</span></td>',
  ),
  'a heading that closes': { headingTemplate: '<th>Name</th></tr></thead></table></form><button>Choose</button><table>' },
  'a heading that covers': { headingTemplate: `<th style="${COVER}">Name<i style="${OVERLAY}"></i></th>` },
  'a heading over all rows': { headingTemplate: '<th rowspan="999" colspan="999">Name</th>' },
  'a footer that closes': {
    footerTemplate: '<tr><td>All</td></tr></tfoot><tbody><tr><td><input type="radio" name="pick" value="2">Beta</td></tr>',
  },
  'a footer that covers': { footerTemplate: `<tr style="${COVER}"><td style="${OVERLAY}">All</td></tr>` },
  'a detail that closes': { hoverTemplate: '</td></tr></table></form><input name="pick" value="2"><table><tr><td>' },
  'a detail that covers': { hoverTemplate: `<div style="${OVERLAY}">x</div><p style="${COVER}">x</p>` },
};

const sheets = [
  'tr, td, body, html, table, form, input, button { display: none !important }',
  'tr:has(.y) { display: none } body:has(td) { visibility: hidden } form:has(input) { opacity: 0 }',
  '* { all: unset; visibility: hidden; opacity: 0 }',
  `td, td *, tr, tr::before { ${OVERLAY} }`,
  `td b { ${COVER} }`,
  'td { margin-left: -300px; transform: translate(-300px); position: relative; left: -300px }',
  'tr { transform: translateY(44px) scale(3) rotate(180deg) } table { direction: rtl; rotate: 180deg }',
  'tbody { display: flex; flex-direction: column-reverse } tr { order: -1; float: right }',
  'html, body, table, tr { font-size: 900px; line-height: 0; zoom: 9; color: transparent }',
  'td { direction: rtl; writing-mode: vertical-rl; float: right; order: -1 }',
  'td { font-size: 400px; padding: 300px; border: 99px solid red; outline: 99px solid red }',
  'td, tr { z-index: 2147483647; box-shadow: 0 0 0 999px red; filter: drop-shadow(-200px 0 red) }',
  'input, .sayso-pick, [class^=sayso] { pointer-events: none; appearance: none; opacity: 0; width: 0 }',
  ':root, body, tr, input { accent-color: transparent; color: transparent; background: #000; color-scheme: only dark }',
  '.sayso-actions, footer, button, button bdi { color: transparent; font-size: 0; position: static; top: -999px }',
  'tr::before, td::before, input::before, button::after { content: "Gamma"; position: fixed; inset: 0; background: red }',
  'tr::after { content: "Chosen"; display: block; height: 999px } td::after { content: "x"; margin: 0 -500px }',
  'td { text-shadow: -200px 0 red; text-decoration: underline red 300px; text-underline-offset: -300px }',
  ':root { --sayso-paper: red; --sayso-ink: transparent; --sayso-accent: transparent }',
  '@layer sayso-guard { .sayso-pick { display: none !important } } @layer sayso-base { button { display: none } }',
  '@media all { .sayso-go { display: none } } @supports (display: grid) { tr { display: none } }',
  '@import url("http://127.0.0.1:9/x.css"); td { background: url("http://127.0.0.1:9/p") }',
  '@font-face { font-family: f; src: url("http://127.0.0.1:9/f") } td { font-family: f }',
  'td { color: red } </style><input name="pick" value="2"><style>',
  'td { width: 99999px; min-width: 100vw; height: 99999px; white-space: nowrap }',
  'td { animation: a 1s infinite; transition: all 99s } @keyframes a { to { translate: -500px; visibility: hidden } }',
  'tr:nth-child(2) { visibility: collapse; height: 0 } td { height: 0; line-height: 0; display: contents }',
];

const attacks = { ...markup, ...Object.fromEntries(sheets.map((sheet) => [sheet.slice(0, 60), css(sheet)])) };

for (const [name, attack] of Object.entries(attacks)) {
  test(`every control is where it belongs: ${name}`, async ({ agent, complaints, page, server }) => {
    complaints.allow(LOOKING);
    const left: string[] = [];
    page.on('request', (request) => request.url().startsWith(server.url) || left.push(request.url()));
    const options = LABELS.map((label) => ({ id: `the "${label}"\n`, label }));
    const { elicitationId, reviewUrl } = await agent.which({ message: 'Which?', options, ...attack });
    const review = await SelectionReview.open(page, reviewUrl);
    await expect(review.document.getByRole('radio')).toHaveCount(3);

    const before = await sight(review);
    const usual = { hit: true, size: '18×18', within: true };
    expect(before.rows).toEqual(LABELS.map((label) => ({ label, shows: label, ...usual })));
    expect(before.columns).toBe(1);
    expect(before.foreign).toEqual([]);
    expect(before.buttons).toEqual(BUTTONS.map((words) => ({ words, hit: true, readable: true, within: true })));

    expect(before.comment).toEqual({ hit: true, within: true, size: true });

    // Where the mouse presses counts, not what a test tells the element.
    await review.option('Beta').scrollIntoViewIfNeeded();
    await pressUntil(page, review.option('Beta'), () => expect(review.option('Beta')).toBeChecked({ timeout: 1_000 }));
    await expect(review.option('Gamma')).not.toBeChecked();
    // More about it, where there is more, shows by now.
    expect(await sight(review)).toEqual(before);
    await pressUntil(page, review.button('Choose'), () =>
      expect(review.outcome).toContainText(/^\s*Approved/, { timeout: 3_000 }),
    );
    await expect(review.outcome).toContainText('Beta');
    expect(await agent.chosen(elicitationId)).toEqual(['the "Beta"\n']);
    expect(page.url()).toBe(reviewUrl);
    expect(left).toEqual([]);
  });
}

test('without an attack all of this is seen, and where a control is covered it is not', async ({
  complaints,
  selection,
}) => {
  complaints.allow(LOOKING);
  const options = LABELS.map((label) => ({ id: label, label }));
  const review = await selection({ message: 'Which?', options });
  const seen = () => sight(review).then(({ rows, buttons }) => [...rows, ...buttons].map(({ hit }) => hit));
  expect(await seen()).toEqual([true, true, true, true, true]);
  await review.document.locator('body').evaluate((body) => {
    const cover = document.createElement('div');
    cover.setAttribute('style', 'position: fixed; inset: 0; z-index: 99');
    body.append(cover);
  });
  expect(await seen()).toEqual([false, false, false, false, false]);
});

/**
 * Presses there until it has done its work: for a moment after a frame has scrolled or been laid out, the browser takes a
 * press to where things were. A press that lands on something else never does the work.
 */
async function pressUntil(page: Page, target: ReturnType<SelectionReview['option']>, done: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await press(page, target);
    await done();
  }).toPass({ timeout: 9_000 });
}

/** Presses the mouse on the middle of an element, wherever that is. */
async function press(page: Page, target: ReturnType<SelectionReview['option']>): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!;
  await page.mouse.click(x + width / 2, y + height / 2);
}

/** What a person sees of the controls: where they are, what is under the mouse there, and which row it is. */
function sight(review: SelectionReview) {
  return review.document.locator('body').evaluate((body) => {
    const under = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const points = [[0.5, 0.5], [0.2, 0.5], [0.8, 0.5], [0.5, 0.2], [0.5, 0.8]] as const;
      return points.every(([right, down]) => {
        const found = document.elementFromPoint(x + width * right, y + height * down);
        return found === element || (found !== null && element.contains(found));
      });
    };
    const opaque = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
    const within = (element: Element, box: Element) => {
      const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
      return inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= 0 && inner.right <= innerWidth;
    };
    const inputs = [...body.querySelectorAll<HTMLInputElement>('input[name="pick"]')];
    const rows = inputs.map((input) => {
      input.scrollIntoView({ block: 'center' });
      const { width, height } = input.getBoundingClientRect();
      const row = input.closest('tr')!;
      return {
        label: input.ariaLabel,
        shows: row.cells[1]!.textContent.trim().split(/\s/)[0]!,
        hit: under(input) && opaque(input),
        size: `${width}×${height}`,
        within: within(input, row),
      };
    });
    const columns = new Set(inputs.map((input) => Math.round(input.getBoundingClientRect().left + scrollX))).size;
    const bar = body.querySelector('footer.sayso-actions')!;
    const buttons = [...bar.querySelectorAll<HTMLElement>('button')].map((button) => {
      const { color, fontSize } = getComputedStyle(button);
      const alpha = /rgba\(.*, ([\d.]+)\)/.exec(color)?.[1] ?? '1';
      return {
        words: button.innerText,
        hit: under(button) && opaque(button),
        readable: Number(alpha) === 1 && parseFloat(fontSize) >= 13 && parseFloat(fontSize) < 20,
        within: within(button, bar) && bar.getBoundingClientRect().bottom <= innerHeight,
      };
    });
    const words = bar.querySelector('textarea')!;
    const comment = { hit: under(words) && opaque(words), within: within(words, bar), size: words.offsetHeight > 30 };
    const known =
      'input[name="pick"], input[name="token"], input[name="digest"], .sayso-default, .sayso-actions button, .sayso-actions textarea';
    const active =
      'input, button, select, textarea, a[href], iframe, object, embed, meta[http-equiv], base, link, script, form form';
    const foreign = [...document.querySelectorAll(active)].filter((element) => !element.matches(known));
    return { rows, columns, buttons, comment, foreign: foreign.map((element) => element.outerHTML.slice(0, 80)) };
  });
}
