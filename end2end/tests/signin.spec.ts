// People sign in with a real provider, are sent back to what they were asked, and decide what is theirs.

import { type Browser, type Page } from '@playwright/test';
import { test as base, expect } from '../support/test';
import { form } from '../support/approvals';
import { Identities } from '../support/provider';
import { Server } from '../support/server';

const test = base.extend<{}, { identities: Identities; server: Server }>({
  identities: [
    async ({}, use) => {
      const identities = await Identities.start();
      await use(identities);
      await identities.dispose();
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ identities }, use) => {
      const server = await Server.start(identities.settings);
      identities.serve(server.url);
      await use(server);
      await server.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
});

/** The browser says so of every page that is answered with 401 or 403. */
const TURNED_AWAY = /the server responded with a status of 40[013]/;

/** Follows a link without having signed in, and signs in as somebody. */
async function signIn(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** Signs out, and answers the provider's question whether to do so there as well. */
async function signOut(page: Page, there: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: there }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
}

/** Somebody else's browser. */
async function another(browser: Browser): Promise<Page> {
  return (await browser.newContext()).newPage();
}

const ask = (reviewers?: string[]) => ({
  message: 'Deploy to production',
  requestedSchema: form({ why: { type: 'string', title: 'Why' } }),
  ...(reviewers && { reviewers }),
});

test('somebody signs in, comes back to the request, and decides it by their address', async ({
  agent,
  complaints,
  page,
}) => {
  complaints.allow(TURNED_AWAY);
  const { elicitationId, reviewUrl } = await agent.ask(ask(['Ann@example.com']));
  const answer = await page.goto(reviewUrl);
  expect(answer?.status()).toBe(401);
  await expect(page).toHaveTitle('Sign in · Sayso');
  await expect(page.getByRole('heading', { name: 'Sign in to review' })).toBeVisible();
  await expect(page.locator('body')).not.toContainText('Deploy');
  await signIn(page, reviewUrl, 'ann');
  await expect(page).toHaveURL(reviewUrl);
  await expect(page.getByRole('contentinfo')).toContainText('Signed in as ann@example.com');
  await expect(page.getByText('of ann@example.com')).toBeVisible();
  await page.getByRole('textbox', { name: 'Why' }).fill('because');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('status')).toContainText(/Approved\s+by ann@example\.com/);
  expect(await agent.submission(elicitationId)).toEqual({ why: 'because' });
});

test('others are told that it is not theirs, and can sign out', async ({ agent, browser, complaints, page }) => {
  complaints.allow(TURNED_AWAY);
  const { elicitationId, reviewUrl } = await agent.ask(ask(['ann@example.com', 'group:anns']));
  await signIn(page, reviewUrl, 'bob');
  await expect(page.getByRole('heading', { name: 'Not yours to decide' })).toBeVisible();
  await expect(page.locator('body')).toContainText('bob@example.com');
  await expect(page.locator('body')).not.toContainText('Deploy');
  await signOut(page, 'Yes, sign me out');
  expect((await page.goto(reviewUrl))?.status()).toBe(401);
  expect(await agent.status(elicitationId)).toBe('pending');

  const ann = await another(browser);
  await signIn(ann, reviewUrl, 'ann');
  await ann.getByRole('button', { name: 'Decline' }).click();
  await expect(ann.getByRole('status')).toContainText('Rejected');
  await ann.context().close();
});

test('after somebody has signed out, the provider asks anew who is there', async ({
  agent,
  complaints,
  identities,
  page,
  server,
}) => {
  complaints.allow(TURNED_AWAY);
  const { reviewUrl } = await agent.ask(ask());
  await signIn(page, reviewUrl, 'fred');
  const form = page.getByRole('contentinfo');
  await expect(form).toContainText('fred@example.com');

  // Whoever keeps their session at the provider is let in by it, without a question.
  await signOut(page, 'No, stay signed in');
  expect(page.url()).toBe(`${server.url}/sign-out`);
  expect((await page.goto(reviewUrl))?.status()).toBe(401);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(form).toContainText('fred@example.com');

  // From a page whose policy lets forms go nowhere else: the browser would complain.
  await page.goto(server.url);
  await signOut(page, 'Yes, sign me out');
  await page.goto(reviewUrl);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
  expect(page.url()).toContain(identities.issuer);
});

test('whoever is signed out meanwhile signs in again, and loses nothing', async ({
  agent,
  complaints,
  context,
  page,
  server,
}) => {
  complaints.allow(TURNED_AWAY);
  const { elicitationId, reviewUrl } = await agent.ask(ask());
  await signIn(page, reviewUrl, 'cleo');
  const why = page.getByRole('textbox', { name: 'Why' });
  await why.fill('typed with care');
  expect(await server.command('people', 'sign-out-all')).toMatch(/sessions ended/);
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'not signed in any more' })).toBeVisible();
  await expect(why).toHaveValue('typed with care');
  expect(await agent.status(elicitationId)).toBe('pending');

  const tab = await context.newPage();
  await tab.goto(reviewUrl);
  await tab.getByRole('link', { name: 'Sign in' }).click();
  await expect(tab.getByRole('contentinfo')).toContainText('cleo@example.com');
  await page.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByRole('status')).toContainText('Approved');
  expect(await agent.submission(elicitationId)).toEqual({ why: 'typed with care' });
});

test('a selection is decided in its frame by who is signed in', async ({ agent, complaints, page }) => {
  complaints.allow(TURNED_AWAY);
  const options = [{ id: 'a', label: 'One' }, { id: 'b', label: 'Two' }];
  const { elicitationId, reviewUrl } = await agent.which({ message: 'Which?', options });
  await signIn(page, reviewUrl, 'dora');
  const frame = page.frameLocator('iframe');
  await frame.getByRole('radio', { name: 'Two' }).check();
  await frame.getByRole('button', { name: 'Choose' }).click();
  await expect(page.getByRole('status').first()).toContainText(/Approved\s+by dora@example\.com/);
  expect(await agent.chosen(elicitationId)).toEqual(['b']);
});

test('what was ticked in vain is there again after signing in anew', async ({ agent, complaints, page, server }) => {
  complaints.allow(TURNED_AWAY);
  const options = ['One', 'Two', 'Three'].map((label) => ({ id: label.toLowerCase(), label }));
  const { elicitationId, reviewUrl } = await agent.which({ message: 'Which?', options, maxSelections: 2 });
  await signIn(page, reviewUrl, 'gina');
  const frame = page.frameLocator('iframe');
  for (const name of ['Two', 'Three']) await frame.getByRole('checkbox', { name }).check();
  await frame.getByRole('textbox', { name: 'Comment' }).fill('with care');
  await server.command('people', 'sign-out-all');
  await frame.getByRole('button', { name: 'Submit selection' }).click();
  await expect(frame.getByRole('status')).toContainText('Nothing was decided. Your choice is kept for ten minutes');
  expect((await page.reload())?.status()).toBe(401);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(reviewUrl);
  await expect(frame.getByRole('alert')).toContainText('Your choice is here again');
  for (const name of ['Two', 'Three']) await expect(frame.getByRole('checkbox', { name })).toBeChecked();
  await expect(frame.getByRole('checkbox', { name: 'One' })).not.toBeChecked();
  await expect(frame.getByRole('textbox', { name: 'Comment' })).toHaveValue('with care');
  expect(await agent.status(elicitationId)).toBe('pending');
  await frame.getByRole('button', { name: 'Submit selection' }).click();
  await expect(page.getByRole('status').first()).toContainText(/Approved\s+by gina@example\.com/);
  expect(await agent.chosen(elicitationId)).toEqual(['two', 'three']);
});

test('a sign-in comes back once, and a changed cookie is nobody', async ({ agent, complaints, context, page }) => {
  complaints.allow(TURNED_AWAY);
  const { reviewUrl } = await agent.ask(ask());
  let callback = '';
  page.on('request', (request) => {
    if (request.url().includes('/sign-in/callback')) callback = request.url();
  });
  await signIn(page, reviewUrl, 'emil');
  await expect(page.getByRole('contentinfo')).toContainText('emil@example.com');
  expect(callback).toContain('state=');
  expect((await page.goto(callback))?.status()).toBe(400);
  await expect(page.getByRole('heading', { name: 'You are not signed in' })).toBeVisible();
  expect((await page.goto(reviewUrl))?.status()).toBe(200);

  const session = (await context.cookies(reviewUrl)).find(({ name }) => name === 'sayso')!;
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  const value = (session.value[0] === '0' ? '1' : '0') + session.value.slice(1);
  await context.addCookies([{ ...session, value }]);
  expect((await page.goto(reviewUrl))?.status()).toBe(401);
});

test('a link is only ever followed to a page of this server', async ({ complaints, page, server }) => {
  complaints.allow(TURNED_AWAY);
  for (const next of ['https://evil.example/review', '//evil.example', '/review/../mcp']) {
    const answer = await page.goto(`${server.url}/sign-in?next=${encodeURIComponent(next)}`);
    expect(answer?.status(), next).toBe(400);
    expect(page.url(), next).toContain(server.url);
  }
});
