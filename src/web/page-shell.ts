/** What pages share: the icon, the start of the document, tables and the security headers. */

import type { PageAppearance } from '../domain/page-theme.ts';
import type { Html, HtmlValue } from './html.ts';
import { escapeText, html } from './html.ts';

/** SVG path of the icon, a map pin of 16 by 16 units. */
export const PIN =
  '<path d="M8 0a6 6 0 0 0-6 6c0 4 6 10 6 10s6-6 6-10a6 6 0 0 0-6-6zm0 8.5a2.5 2.5 0 1 1 0-5 2.5 2.5 0 0 1 0 5z"/>';

/**
 * The icon as a data URL, so that the browser does not request a favicon.
 *
 * @param color a CSS color
 */
export function iconOf(color: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${color}">${PIN}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** In the color of links (web/shared/theme.css). */
export const ICON = iconOf('#0b6bcb');

/**
 * The document up to its title; the head stays open.
 *
 * @param options.isIndexed whether search engines may list the page
 * @param options.appearance as theme.css reads it; default: as the reader prefers
 */
export function beginPage(
  title: string,
  { isIndexed = false, appearance = 'auto' }: { isIndexed?: boolean; appearance?: PageAppearance } = {},
): string {
  const isForced = appearance !== 'auto';
  return `<!doctype html>
<html lang="en"${isForced ? ` data-appearance="${appearance}"` : ''}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="${isForced ? appearance : 'light dark'}">${isIndexed ? '' : '\n    <meta name="robots" content="noindex">'}
    <title>${escapeText(title)}</title>`;
}

/** A table that scrolls by itself where it is wider than the page. @param rows `tr` elements */
export function scrollingTable(label: string, columns: readonly HtmlValue[], rows: readonly Html[]): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col">${column}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

export interface PagePermissions {
  /** Directives of the Content-Security-Policy for what the page loads, such as `script-src 'self'`. */
  readonly sources: readonly string[];
  /** Value of `frame-ancestors`: origins that may embed the page. Null for none. */
  readonly embedders?: string | null;
  /** Default: `no-referrer`. */
  readonly referrerPolicy?: 'no-referrer' | 'strict-origin-when-cross-origin';
}

/** Security headers. The page can load only what `sources` names. */
export function pageHeaders({
  sources,
  embedders = null,
  referrerPolicy = 'no-referrer',
}: PagePermissions): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    ...sources,
    `frame-ancestors ${embedders ?? "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': referrerPolicy,
    'x-content-type-options': 'nosniff',
    ...(embedders === null ? { 'x-frame-options': 'DENY' } : {}),
  };
}

/** Like {@link pageHeaders}, for a page isolated from windows of other origins. */
export function isolatedPageHeaders(
  permissions: Omit<PagePermissions, 'embedders'>,
): Readonly<Record<string, string>> {
  return { ...pageHeaders(permissions), 'cross-origin-opener-policy': 'same-origin' };
}
