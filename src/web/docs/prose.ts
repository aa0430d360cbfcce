/** Renders the subset of CommonMark that the descriptions use (paragraphs, lists, code), and highlighted JSON. */

import type { Html } from '../html.ts';
import { html } from '../html.ts';

/** Empty lines separate paragraphs. A paragraph whose lines start with `- ` is a list. */
export function prose(text: string): Html {
  const blocks = text.split('\n\n').map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${inline(block)}</p>`;
    return html`<ul>
      ${lines.map((line) => html`<li>${inline(line.slice(2))}</li>`)}
    </ul>`;
  });
  return html`${blocks}`;
}

/** Renders inline code only. */
export function inline(text: string): Html {
  // Every other part is between backticks.
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
  return html`${parts}`;
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;

export function json(value: unknown): Html {
  const text = JSON.stringify(value, null, 2);
  const parts: (string | Html)[] = [];
  let end = 0;
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(TOKEN)) {
    parts.push(text.slice(end, index));
    end = index + token.length;
    if (quoted === undefined) parts.push(html`<span class="number">${token}</span>`);
    else if (colon === undefined) parts.push(html`<span class="string">${quoted}</span>`);
    else parts.push(html`<span class="key">${quoted}</span>`, colon);
  }
  return html`${[...parts, text.slice(end)]}`;
}
