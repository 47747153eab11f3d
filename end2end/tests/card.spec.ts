// The card of a request, in a host that can show one: it shows and links, and can do nothing else.

import { test as base, expect } from '../support/test';
import { CardHost } from '../support/cardhost';
import { examples } from '../support/approvals';
import { ApprovalReview } from '../support/review';

const test = base.extend<{ host: CardHost }>({
  host: async ({ server, page }, use) => {
    const host = await CardHost.connect(server.url, page);
    await use(host);
    await host.close();
  },
});

const opened = (result: { structuredContent?: unknown }) =>
  result.structuredContent as { elicitationId: string; reviewUrl: string; expiresAt: string };

/** An answer of the card's tool, made up. */
function standing(more: Record<string, unknown>) {
  const told = {
    elicitationId: 'x',
    kind: 'approval',
    message: 'Deploy',
    status: 'pending',
    reviewUrl: 'https://review.example/review?elicitationId=x',
    expiresAt: '2100-01-01T00:00:00.000Z',
    remainingMs: 60_000,
    ...more,
  };
  return { content: [], structuredContent: told };
}

test('it says hello as the standard has it, and its height', async ({ host }) => {
  await host.show();
  const [hello] = host.heard;
  expect(hello).toMatchObject({ jsonrpc: '2.0', method: 'ui/initialize' });
  expect(hello!.params).toMatchObject({
    protocolVersion: '2026-01-26',
    appInfo: { name: 'sayso-card' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  });
  await host.until('ui/notifications/size-changed');
  const { height } = host.sent('ui/notifications/size-changed')[0]!.params;
  expect(height).toBeGreaterThan(80);
  expect(height).toBeLessThan(260);
});

test('it shows what is asked, how it stands and how long, and follows a decision to its end', async ({ host, context }) => {
  const card = await host.show();
  const { elicitationId, reviewUrl } = opened(await host.run('elicit_approval', { ...examples.payload() }));
  await expect(card.getByRole('heading')).toHaveText('Deploy to production');
  await expect(card.locator('#kind')).toHaveText('Approval');
  await expect(card.getByRole('status')).toHaveText('Waiting for review');
  await expect(card.locator('#left')).toHaveText(/^(59:5\d|1 h 00 min) left$/);
  const first = await card.locator('#left').textContent();
  await expect(card.locator('#left')).not.toHaveText(first!);

  const review = await ApprovalReview.open(await context.newPage(), reviewUrl);
  await review.page.getByRole('button', { name: 'Submit' }).click();
  await expect(card.getByRole('status')).toHaveText('Approved');
  await expect(card.locator('#left')).toHaveText('');

  const asked = host.sent('tools/call');
  for (const { params } of asked) expect(params).toEqual({ name: 'sayso_card', arguments: { elicitationId } });
  await review.page.waitForTimeout(4_500); // more than one beat
  expect(host.sent('tools/call')).toHaveLength(asked.length);
  // It has fetched nothing: the agent still finds the decision unfetched.
  expect((await host.call('elicit_status', { elicitationId })).structuredContent).toMatchObject({ status: 'approved' });
});

test('the button asks the host to open the page, and does nothing else', async ({ host }) => {
  const card = await host.show();
  await expect(card.getByRole('button', { name: 'Open review' })).toBeDisabled();
  const { reviewUrl } = opened(await host.run('elicit_approval', { ...examples.payload() }));
  await card.getByRole('button', { name: 'Open review' }).click();
  await host.until('ui/open-link');
  expect(host.sent('ui/open-link').map(({ params }) => params)).toEqual([{ url: reviewUrl }]);
  await expect(card.locator('#copy')).toBeHidden();
});

test('a host that opens no links leaves the person the address', async ({ host }) => {
  const card = await host.show({ noLinks: true });
  const { reviewUrl } = opened(await host.run('elicit_approval', { ...examples.payload() }));
  await card.getByRole('button', { name: 'Open review' }).click();
  await expect(card.locator('#link')).toHaveText(reviewUrl);
});

test('a hostile message is text, marked where it hides', async ({ host }) => {
  const message =
    '<img src=x onerror="parent.postMessage({jsonrpc:\'2.0\',method:\'owned\'},\'*\')"><script>document.title="owned"</script>' +
    '<a href="javascript:alert(1)">ok</a> \u202Egpj.exe {{ 7 }}';
  const card = await host.show();
  await host.tell({ method: 'ui/notifications/tool-input', params: { arguments: { message } } });
  await expect(card.getByRole('heading')).toContainText('<img src=x');
  await expect(card.getByRole('heading')).toContainText('\uFFFDgpj.exe');
  await host.run('elicit_approval', { message, context: 1 });
  await expect(card.getByRole('heading')).toContainText('[U+202E]gpj.exe {{ 7 }}');
  await expect(card.locator('body :is(img, a, b, iframe)')).toHaveCount(0);
  await expect(card.locator('body script')).toHaveCount(1);
  expect(await card.getByRole('heading').evaluate((heading) => heading.childElementCount)).toBe(0);
  expect(host.sent('owned')).toEqual([]);
});

test('when its time is up it looks once more and is done', async ({ host }) => {
  let calls = 0;
  const card = await host.show({
    call: async () => {
      calls += 1;
      return standing(calls === 1 ? { remainingMs: 1_200 } : { status: 'expired', outcome: 'expired', remainingMs: 0 });
    },
  });
  await host.tell({ method: 'ui/notifications/tool-result', params: standing({}) });
  await expect(card.getByRole('status')).toHaveText('Expired');
  expect(calls).toBe(2);
});

test('what the agent has fetched is shown as it was decided', async ({ host }) => {
  const card = await host.show({ call: async () => standing({ status: 'consumed', outcome: 'rejected' }) });
  await host.tell({ method: 'ui/notifications/tool-result', params: standing({}) });
  await expect(card.getByRole('status')).toHaveText('Rejected');
});

test('a call that was refused made nothing to look at', async ({ host }) => {
  const card = await host.show();
  await host.run('elicit_approval', { message: '' });
  await expect(card.getByRole('status')).toHaveText('Nothing was asked');
  await expect(card.getByRole('button', { name: 'Open review' })).toBeDisabled();
  expect(host.sent('tools/call')).toEqual([]);
});

test('only addresses of pages are opened, and only the host is heard', async ({ host, page }) => {
  const card = await host.show({ call: async () => standing({ reviewUrl: 'javascript:alert(1)' }) });
  await host.tell({ method: 'ui/notifications/tool-result', params: standing({ reviewUrl: 'data:text/html,x' }) });
  await expect(card.getByRole('heading')).toHaveText('Deploy');
  await expect(card.getByRole('button', { name: 'Open review' })).toBeDisabled();
  // Another frame of the same page knows the card and writes to it.
  await page.evaluate(() => {
    const other = document.body.appendChild(document.createElement('iframe'));
    other.srcdoc = `<script>parent.frames[0].postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { message: 'forged' } } }, '*')</script>`;
    return new Promise((done) => (other.onload = done));
  });
  await host.tell({ id: 7, method: 'ping' });
  await expect.poll(() => host.heard.find((message) => message.id === 7 && !message.method)).toMatchObject({ result: {} });
  await expect(card.getByRole('heading')).toHaveText('Deploy');
});

test('it dresses as the host does, and leaves when it is told', async ({ host, page }) => {
  const variables = { '--color-text-primary': 'rgb(1, 2, 3)', '--font-sans': 'serif', '--bad': 'url(https://evil.test)' };
  const card = await host.show({ context: { theme: 'dark', styles: { variables }, toolInfo: { tool: { name: 'elicit_selection' } } } });
  await expect(card.locator('#kind')).toHaveText('Selection');
  await expect(card.locator('body')).toHaveCSS('color', 'rgb(1, 2, 3)');
  await expect(card.locator('main')).toHaveCSS('background-color', 'rgb(27, 29, 34)');
  await host.tell({ method: 'ui/notifications/host-context-changed', params: { theme: 'light' } });
  await expect(card.locator('main')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await host.run('elicit_approval', { ...examples.payload() });
  await host.until('tools/call');
  await host.tell({ id: 9, method: 'ui/resource-teardown', params: { reason: 'done' } });
  await expect.poll(() => host.heard.find((message) => message.id === 9 && !message.method)).toMatchObject({ result: {} });
  const before = host.sent('tools/call').length;
  await page.waitForTimeout(4_500);
  expect(host.sent('tools/call')).toHaveLength(before);
});

test('the model of such a host never sees the tool of the card', async ({ host, agent }) => {
  const tool = host.tools.find(({ name }) => name === 'sayso_card');
  expect(tool?._meta).toEqual({ ui: { visibility: ['app'] } });
  expect(tool?.annotations?.readOnlyHint).toBe(true);
  expect(agent.tools.map(({ name }) => name)).not.toContain('sayso_card');
});
