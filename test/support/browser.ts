/**
 * A headless Chromium for browser tests. It is not a dependency: if the machine has none, the tests are skipped and say
 * how to get it, unless REQUIRE_CHROMIUM=1.
 */
import { buffer } from 'node:stream/consumers';

import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Download, LaunchOptions, Page, Request } from 'playwright-core';

import { findOnPath } from './executables.ts';
import { PATIENCE_MS } from './until.ts';

// The shell has no user interface, and takes a fifth of the processor's time for a new page.
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

const HOW_TO_GET_IT =
  'needs Chromium: `apt-get install chromium-headless-shell`, or CHROMIUM_PATH=/path/to/a/chromium-or-chrome; none was found';

/** Whether Chromium is required: then its absence is a failure instead of a skip. */
const required = process.env['REQUIRE_CHROMIUM'] === '1';

export function findChromium(): string | undefined {
  const given = process.env['CHROMIUM_PATH'];
  if (given) return given;
  return findOnPath(...NAMES);
}

/** For `describeUnless(skipWithoutChromium(), name, …)`. */
export function skipWithoutChromium(): string | false {
  return findChromium() === undefined && !required ? HOW_TO_GET_IT : false;
}

/** The endpoint of the Chromium that all test files of a run share (jest/chromium.ts). */
export const SHARED_CHROMIUM = 'TEST_CHROMIUM_URL';

/**
 * Connects to the shared Chromium, or starts one. Its contexts end with the connection.
 *
 * @param options.webGl whether pages draw with WebGL, on the processor; such a Chromium is not shared
 */
export async function launchChromium({ webGl = false } = {}): Promise<Browser> {
  const shared = process.env[SHARED_CHROMIUM];
  if (shared && !webGl) return chromium.connect(shared);
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error(HOW_TO_GET_IT);
  return chromium.launch(launchOptions(executablePath, { webGl }));
}

export function launchOptions(executablePath: string, { webGl = false } = {}): LaunchOptions {
  return {
    executablePath,
    args: [
      // Tests run in containers, as root, where Chromium's own sandbox does not start.
      '--no-sandbox',
      ...(webGl ? ['--use-gl=angle', '--use-angle=swiftshader'] : ['--disable-gpu']),
      // Chromium's own network activity.
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

/** Reads a download of a page. */
export async function readDownload(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}

/** Requests and faults of a page. */
export interface PageRecord {
  /** Every URL requested over the network, in order. */
  readonly requests: string[];
  /** Requests without a complete response. */
  readonly pending: Set<Request>;
  /** Console errors and warnings, and uncaught exceptions. */
  readonly problems: string[];
  /** Violations of the Content-Security-Policy: the directive and the blocked content. */
  readonly violations: string[];
}

/** Opens an empty page, recorded from its first request on. */
export async function openRecordedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; record: PageRecord; close: () => Promise<void> }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const record: PageRecord = { requests: [], pending: new Set(), problems: [], violations: [] };
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) record.requests.push(request.url());
  });
  trackPending(page, record.pending);
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      record.problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => record.problems.push(`uncaught: ${error.message}`));
  // Not every violation reaches the console (one in a style may not), so this listens to the page's event, too.
  await page.exposeFunction('recordViolation', (violation: string) => record.violations.push(violation));
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    recordViolation(event.effectiveDirective + ' blocked ' + event.blockedURI + ' ' + event.sample), true)`);
  return { page, record, close: () => context.close() };
}

function trackPending(page: Page, pending: Set<Request>): void {
  let navigation: Request | null = null;
  page.on('request', (request) => {
    pending.add(request);
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) navigation = request;
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => {
    pending.delete(request);
    // A download, for example.
    if (request === navigation) navigation = null;
  });
  // Chromium does not report the end of all requests of the document before.
  page.on('framenavigated', (frame) => {
    if (navigation === null || frame !== page.mainFrame()) return;
    const isPending = pending.has(navigation);
    pending.clear();
    if (isPending) pending.add(navigation);
    navigation = null;
  });
}

/**
 * Polls once per frame. Playwright's own waiting uses eval in the page, which our pages' policy forbids.
 *
 * @param expression JavaScript
 * @throws Error if it does not become true in time
 */
export async function until(page: Pick<Page, 'evaluate'>, expression: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > deadline) throw new Error(`It did not become true: ${expression}`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

/** Waits until the page has made no request for ten frames, but for streams that stay open. */
export async function untilQuiet(page: Page, { pending, requests }: PageRecord): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  const isQuiet = () => [...pending].every((request) => request.headers()['accept'] === 'text/event-stream');
  for (let frames = 0, count = requests.length; frames < 10;) {
    if (Date.now() > deadline) {
      const urls = [...pending].map((request) => request.url());
      throw new Error(`The page did not stop making requests. Pending: ${urls.join(', ')}`);
    }
    await page.evaluate('new Promise(requestAnimationFrame)');
    frames = isQuiet() && requests.length === count ? frames + 1 : 0;
    count = requests.length;
  }
}

/** Resizes the page, and waits until its layout has adapted. */
export async function resizeTo(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await until(page, `innerWidth === ${size.width} && innerHeight === ${size.height}`);
  // A ResizeObserver runs in a frame, after media query listeners. With Playwright's clock, requestAnimationFrame does
  // not wait for a frame.
  await page.evaluate('new Promise((resolve) => new ResizeObserver(resolve).observe(document.body))');
}

/** The requests to other origins. */
export function requestsElsewhere(record: PageRecord, baseUrl: string): string[] {
  const { origin } = new URL(baseUrl);
  return record.requests.filter((url) => new URL(url).origin !== origin);
}
