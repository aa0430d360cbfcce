/** A user's session in GraphiQL, for any running server. */
import type { Browser, Page } from 'playwright-core';
import { openRecordedPage, requestsElsewhere } from './browser.ts';
import { PATIENCE_MS } from './until.ts';

export interface GraphiqlVisit {
  /** The server's base URL without a path: `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** A valid token; read-only is enough. */
  readonly token: string;
  /** Part of the response to the first tab's query (viewer, and its maps). */
  readonly expectedInResponse: string;
  /** Called when the first response is visible, to take a screenshot. */
  readonly onResponse?: (page: Page) => Promise<void>;
}

/**
 * Runs a query without and with a token, in two tabs, opens all panels and dialogs, and expects no request to another
 * host, no violation of the Content-Security-Policy, and no stored token.
 */
export async function visitGraphiql(browser: Browser, visit: GraphiqlVisit): Promise<void> {
  const { baseUrl, token, expectedInResponse } = visit;
  const viewport = { width: 1400, height: 900 };
  const { page, record, close } = await openRecordedPage(browser, { viewport });
  try {
    await page.goto(`${baseUrl}/graphiql`);
    expect(await page.title()).toBe('GraphiQL · Map Locations');
    await page.waitForSelector('.graphiql-container');

    // The schema needs no token, so it loads first.
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('Query', { exact: true }).first().waitFor();

    await runAndExpect(page, 'UNAUTHENTICATED');
    await page.getByLabel('Token').fill(token);
    await page.getByRole('status').filter({ hasText: 'read' }).waitFor();
    await runAndExpect(page, expectedInResponse);
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    await visit.onResponse?.(page);

    await page.locator('.graphiql-tab-button').nth(1).click();
    await runAndExpect(page, '"viewer": {');

    // Popups of the editor: completions, and the description of a field.
    const viewer = page.locator('.graphiql-query-editor .cm-property', { hasText: 'viewer' });
    await viewer.click();
    // After the brace, if there is more than one.
    await page.keyboard.press('End');
    await page.keyboard.press('Control+Space');
    await page.locator('.CodeMirror-hints').waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.move(0, 0);
    await viewer.hover();
    await page.locator('.CodeMirror-info').waitFor();

    await page.getByRole('button', { name: 'Show History' }).click();
    for (const dialog of ['Open short keys dialog', 'Open settings dialog']) {
      await page.getByRole('button', { name: dialog }).click();
      await page.getByRole('dialog').waitFor();
      await closeByEscape(page);
    }

    // GraphiQL stores its tabs half a second after the last change.
    await page.waitForTimeout(800);
    expect(
      await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])'),
    ).not.toContain(token);
    await page.reload();
    await page.waitForSelector('.graphiql-container');
    expect(await page.getByLabel('Token').inputValue()).toBe('');

    expect(requestsElsewhere(record, baseUrl)).toEqual([]);
    expect(record.violations).toEqual([]);
    expect(record.problems).toEqual([]);
  } catch (error) {
    // The record explains why a page never becomes ready.
    throw new Error(`GraphiQL failed; it recorded ${JSON.stringify(record, null, 2)}`, { cause: error });
  } finally {
    await close();
  }
}

/**
 * Radix's dialogs handle the keyboard only some tasks after they are visible and focused, without an event. An earlier
 * key is lost, so this presses the key again in each frame.
 */
async function closeByEscape(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const deadline = Date.now() + PATIENCE_MS; (await dialog.count()) > 0;) {
    if (Date.now() > deadline) throw new Error('Escape does not close the dialog.');
    await page.keyboard.press('Escape');
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

/** The visible content of the editor with this name. */
export async function editorText(page: Page, name: 'Variables' | 'Headers'): Promise<string> {
  const lines = await page
    .locator(`[aria-label="${name}"] .CodeMirror:visible .CodeMirror-line`)
    .allInnerTexts();
  // An empty line holds a zero-width space, an indented one no-break spaces.
  return lines.join('\n').replaceAll('\u200b', '').replaceAll('\u00a0', ' ');
}

export async function runAndExpect(page: Page, expected: string): Promise<void> {
  await page.locator('.graphiql-execute-button').click();
  await page.locator('.result-window', { hasText: expected }).waitFor();
}
