// What can be seen: focus, contrast, movement.

import { type Locator, type Page } from '@playwright/test';

/** Presses Tab until `target` has the focus; every stop on the way must show that it has it. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let stop = 0; stop < 120; stop++) {
    await page.keyboard.press(key);
    const seen = await focus(page);
    if (seen && !seen.visible) throw new Error(`the focus on ${seen.name} cannot be seen`);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`no way to ${target} by ${key}`);
}

/** What has the focus, and whether that shows; nothing where the page itself has it. */
export function focus(page: Page): Promise<{ name: string; visible: boolean } | null> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body || element === document.documentElement) return null;
    const style = getComputedStyle(element);
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
    return {
      name: element.outerHTML.slice(0, 200),
      visible:
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        (outlined || style.boxShadow !== 'none'),
    };
  });
}

/** Every text on the page that is harder to read than WCAG AA allows, with its contrast. */
export function hardToRead(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Colour = [number, number, number, number];
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 1;
    const context = canvas.getContext('2d', { willReadFrequently: true })!;

    const colour = (css: string): Colour => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [r = 0, g = 0, b = 0, a = 0] = context.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a]: Colour, [r0, g0, b0]: Colour): Colour => [
      r * a + r0 * (1 - a),
      g * a + g0 * (1 - a),
      b * a + b0 * (1 - a),
      1,
    ];
    const luminance = ([r, g, b]: Colour) => {
      const linear = [r, g, b].map((part) =>
        part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
    };
    const background = (element: Element): Colour => {
      const layers: Colour[] = [];
      for (let at: Element | null = element; at; at = at.parentElement) {
        layers.unshift(colour(getComputedStyle(at).backgroundColor));
      }
      const dark = matchMedia('(prefers-color-scheme: dark)').matches;
      return layers.reduce((below, layer) => over(layer, below), dark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
    };
    const contrast = (element: Element) => {
      const behind = background(element);
      const [a, b] = [luminance(over(colour(getComputedStyle(element).color), behind)), luminance(behind)];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    };
    const seen = (element: Element) => {
      const { width, height } = element.getBoundingClientRect();
      return width > 1 && height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };

    const texts = new Map<Element, string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      const text = textContent?.trim();
      if (text && parentElement && !parentElement.closest('script, style, noscript')) texts.set(parentElement, text);
    }
    for (const control of document.querySelectorAll<HTMLInputElement>('input, textarea, select')) {
      if (!['checkbox', 'radio', 'hidden'].includes(control.type)) texts.set(control, control.value);
    }

    const hard: string[] = [];
    for (const [element, text] of texts) {
      if (!seen(element) || element.closest(':disabled')) continue;
      const { fontSize, fontWeight } = getComputedStyle(element);
      const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
      const found = contrast(element);
      if (found < (large ? 3 : 4.5)) {
        hard.push(`${found.toFixed(2)}: ${element.tagName.toLowerCase()}.${element.className} “${text.slice(0, 40)}”`);
      }
    }
    return hard;
  });
}

/** Has the page keep account of how far its layout jumps; to be called before it is opened. */
export async function watchLayout(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const jumps: string[] = [];
    const note = (entries: PerformanceEntryList) => {
      for (const entry of entries as (PerformanceEntry & { value: number; sources: { node?: Node }[] })[]) {
        const moved = entry.sources.map(({ node }) =>
          node instanceof Element ? node.outerHTML.slice(0, 80) : node?.nodeName,
        );
        if (entry.value > 0) jumps.push(`${entry.value}: ${moved.join(' ')}`);
      }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { layoutJumps: () => (note(observer.takeRecords()), jumps) });
  });
}

/** How its layout has jumped. */
export function layoutJumps(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    return (window as unknown as { layoutJumps(): string[] }).layoutJumps();
  });
}
