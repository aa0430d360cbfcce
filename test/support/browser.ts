/**
 * A headless Chromium for the tests of what a browser gets. It is not a dependency: it is looked for on the machine,
 * and where there is none the tests are skipped, saying how to get it, unless REQUIRE_CHROMIUM=1.
 */
import { buffer } from 'node:stream/consumers';

import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Download, LaunchOptions, Page } from 'playwright-core';

import { findOnPath } from './executables.ts';
import { PATIENCE_MS } from './until.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const HOW_TO_GET_IT =
  'needs Chromium: `apt-get install chromium`, or CHROMIUM_PATH=/path/to/a/chromium-or-chrome; none was found';

/** Whether Chromium was demanded: then its absence is a failure, and nothing is skipped. */
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

/** The address of the Chromium that all test files of a run share (jest/chromium.ts). */
export const SHARED_CHROMIUM = 'TEST_CHROMIUM_URL';

/**
 * Connects to the Chromium that the test files share, or starts one. Its contexts end with the connection.
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
      // What Chromium would do on the network by itself.
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

/** What a page has offered to save. */
export async function readDownload(download: Download): Promise<Buffer> {
  return buffer(await download.createReadStream());
}

/** What a page did that it should not have. */
export interface PageRecord {
  /** Every address asked for over the network, in order. */
  readonly requests: string[];
  /** Console errors and warnings, and exceptions nobody caught. */
  readonly problems: string[];
  /** Violations of the Content-Security-Policy: the directive, and what it blocked. */
  readonly violations: string[];
}

/** Opens an empty page, with a record of all that it does from its first request on. */
export async function openRecordedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; record: PageRecord; close: () => Promise<void> }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const record: PageRecord = { requests: [], problems: [], violations: [] };
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) record.requests.push(request.url());
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      record.problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => record.problems.push(`uncaught: ${error.message}`));
  // Not every violation reaches the console (one in a style does not always), so the page's own event is heard too.
  await page.exposeFunction('recordViolation', (violation: string) => record.violations.push(violation));
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    recordViolation(event.effectiveDirective + ' blocked ' + event.blockedURI + ' ' + event.sample), true)`);
  return { page, record, close: () => context.close() };
}

/**
 * Waits, frame by frame. Playwright's own waiting evaluates in the page, which our pages' policy forbids.
 *
 * @param expression JavaScript
 * @throws Error where it is not true in time
 */
export async function until(page: Page, expression: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > deadline) throw new Error(`It did not become true: ${expression}`);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

/** Gives the page another size, and waits until it has made itself fit. */
export async function resizeTo(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size);
  await until(page, `innerWidth === ${size.width} && innerHeight === ${size.height}`);
  // An observer is called in a frame, after what hears of media queries. With Playwright's clock requestAnimationFrame
  // waits for no frame.
  await page.evaluate('new Promise((resolve) => new ResizeObserver(resolve).observe(document.body))');
}

/** The requests that went to another origin than this one. */
export function requestsElsewhere(record: PageRecord, baseUrl: string): string[] {
  const { origin } = new URL(baseUrl);
  return record.requests.filter((url) => new URL(url).origin !== origin);
}
