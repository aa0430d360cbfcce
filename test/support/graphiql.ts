/** A person's way through GraphiQL, for any server that is up. */
import type { Browser, Page } from 'playwright-core';
import { openRecordedPage, requestsElsewhere } from './browser.ts';
import { PATIENCE_MS } from './until.ts';

export interface GraphiqlVisit {
  /** Where the server is, without a path: `http://127.0.0.1:4000`. */
  readonly baseUrl: string;
  /** A token that the server knows; one that may read is enough. */
  readonly token: string;
  /** A piece of the answer to the first tab's query (viewer, and its maps). */
  readonly expectedInAnswer: string;
  /** Called when the first answer is on the screen, to take a picture. */
  readonly onAnswer?: (page: Page) => Promise<void>;
}

/**
 * Runs a query without and with a token, in two tabs, opens what can be opened, and expects that nothing was asked
 * of another host, nothing was refused by the Content-Security-Policy, and the token was kept nowhere.
 */
export async function visitGraphiql(browser: Browser, visit: GraphiqlVisit): Promise<void> {
  const { baseUrl, token, expectedInAnswer } = visit;
  const viewport = { width: 1400, height: 900 };
  const { page, record, close } = await openRecordedPage(browser, { viewport });
  try {
    await page.goto(`${baseUrl}/graphiql`);
    expect(await page.title()).toBe('GraphiQL · Map Locations');
    await page.waitForSelector('.graphiql-container');

    // The schema is open to everyone, so it is there before a token is.
    await page.getByRole('button', { name: 'Show Documentation Explorer' }).click();
    await page.getByText('Query', { exact: true }).first().waitFor();

    await runAndExpect(page, 'UNAUTHENTICATED');
    await page.getByLabel('Token').fill(token);
    await page.getByRole('status').filter({ hasText: 'read' }).waitFor();
    await runAndExpect(page, expectedInAnswer);
    await page.getByRole('button', { name: 'Hide Documentation Explorer' }).click();
    await visit.onAnswer?.(page);

    await page.locator('.graphiql-tab-button').nth(1).click();
    await runAndExpect(page, '"viewer": {');

    // What floats above the editor: completions, and what is known of a field.
    const viewer = page.locator('.graphiql-query-editor .cm-property', { hasText: 'viewer' });
    await viewer.click();
    // Behind the brace, where there is more than one.
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

    // GraphiQL writes its tabs half a second after the last change.
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
    // Of a page that waits in vain, these say why.
    throw new Error(`GraphiQL failed; it recorded ${JSON.stringify(record, null, 2)}`, { cause: error });
  } finally {
    await close();
  }
}

/**
 * Radix, which makes the dialogs, listens to the keyboard some tasks after a dialog is to be seen and has the focus. A key
 * that comes before is lost, and nothing tells when that time is over: so the key is pressed again in the next frame.
 */
async function closeByEscape(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const deadline = Date.now() + PATIENCE_MS; (await dialog.count()) > 0;) {
    if (Date.now() > deadline) throw new Error('Escape does not close the dialog.');
    await page.keyboard.press('Escape');
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

/** The content of the editor of that name, in sight. */
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
