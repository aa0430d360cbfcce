/** Writes text and data into HTML safely: escaping functions and a template tag. */

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** For an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

/** JSON for a script element. Only `<` could end or change the element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

export interface Html {
  readonly html: string;
}

export type HtmlValue = string | number | Html | null | readonly HtmlValue[];

/** Template tag. Escapes all values except HTML made by this tag; null is omitted. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return { html: String.raw({ raw: strings }, ...values.map(htmlOf)) };
}

function htmlOf(value: HtmlValue): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeAnywhere(String(value));
  return 'html' in value ? value.html : value.map(htmlOf).join('');
}

/** For text and for attributes with any quotes. */
function escapeAnywhere(text: string): string {
  return escapeAttribute(text).replaceAll('>', '&gt;').replaceAll("'", '&#39;');
}
