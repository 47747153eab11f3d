// What goes beside a decision, and what proves it afterwards: the comment, the trail, and the receipt as a gateway checks it.

import { createRemoteJWKSet, jwtVerify } from 'jose';
import { expect, test } from '../support/test';
import { example } from '../support/proposals';
import { examples } from '../support/selections';

test('a comment goes along with an approval, and the page keeps it', async ({ agent, review }) => {
  const grid = await review(example());
  const box = grid.page.getByRole('textbox', { name: 'Comment (optional)', exact: true });
  // Its letters are the grid's keys elsewhere.
  await box.pressSequentially('just x and j, 0 doubts');
  await box.press('Enter');
  await box.pressSequentially('Ann');
  await expect(grid.outcome).toHaveCount(0);
  await grid.approve();
  await expect(grid.outcome).toContainText('Comment: just x and j, 0 doubts\nAnn', { useInnerText: true });
  const { data } = await agent.result(grid.id);
  expect(data).toMatchObject({ decision: 'approved', comment: 'just x and j, 0 doubts\nAnn' });
  await grid.page.reload();
  await expect(grid.outcome).toContainText('just x and j, 0 doubts');
});

test('a refusal says why where the agent asks for it, and nothing is lost until it does', async ({ agent, review }) => {
  const grid = await review({ ...example(), requireCommentOnReject: true });
  await grid.cancel();
  await expect(grid.page.getByRole('alert')).toContainText('say why');
  expect(await agent.status(grid.id)).toBe('pending');
  await grid.page.getByRole('textbox', { name: 'Comment (needed to refuse)', exact: true }).fill('not our customer');
  await grid.cancel();
  await expect(grid.outcome).toContainText('Rejected');
  expect((await agent.result(grid.id)).data).toMatchObject({ decision: 'rejected', comment: 'not our customer' });
});

test('a selection is refused with its reason, inside the frame', async ({ agent, complaints, selection }) => {
  complaints.allow(/422/);
  const page = await selection({ ...examples.plain(), requireCommentOnReject: true });
  await page.option('Production').check();
  await page.button('Reject — refine search').click();
  await expect(page.reason).toContainText('say why');
  await expect(page.option('Production')).toBeChecked();
  await page.document.getByRole('textbox', { name: 'Comment (needed to refuse)' }).fill('neither of both');
  await page.button('Reject — refine search').click();
  await expect(page.outcome).toContainText('Rejected');
  await expect(page.outcome).toContainText('neither of both');
  expect((await agent.result(page.id)).data).toMatchObject({ decision: 'rejected', comment: 'neither of both' });
});

test('the trail of a request is a page', async ({ agent, review }) => {
  const grid = await review(example());
  await grid.approve();
  await agent.result(grid.id);
  await grid.page.getByRole('link', { name: 'What happened so far' }).click();
  const rows = grid.page.getByRole('listitem');
  await expect(rows).toHaveText([/asked/, /saw it for the first time/, /approved/, /fetched the decision/]);
  await grid.page.getByRole('link', { name: 'Back to the request' }).click();
  await expect(grid.outcome).toContainText('Approved');
});

test('a gateway checks a receipt with a stock library', async ({ agent, review, server }) => {
  const grid = await review(example());
  await grid.approve();
  const { data } = await agent.result(grid.id);
  const { receipt, ...told } = data.review;
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', server.url));
  const options = { algorithms: ['EdDSA'], typ: 'sayso-receipt+jwt', issuer: server.url, subject: grid.id };
  const { payload } = await jwtVerify(receipt, keys, options);
  expect(payload).toMatchObject({ ...told, decision: 'approved' });
  const [head, , signature] = receipt.split('.');
  const forged = Buffer.from(JSON.stringify({ ...payload, decidedBy: 'mallory' })).toString('base64url');
  await expect(jwtVerify(`${head}.${forged}.${signature}`, keys, options)).rejects.toThrow('signature');
  await expect(jwtVerify(receipt, keys, { ...options, subject: 'another' })).rejects.toThrow('sub');
});
