/** How every page's HTML begins. */

import { escapeText } from './escape.ts';

/**
 * The document up to the title, within its head.
 *
 * @param options.isFound whether search engines may list the page
 */
export function beginPage(title: string, { isFound = false } = {}): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">${isFound ? '' : '\n    <meta name="robots" content="noindex">'}
    <title>${escapeText(title)}</title>`;
}
