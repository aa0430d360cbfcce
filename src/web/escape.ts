/** Text and data, written so that HTML takes them as nothing else. */

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** For an attribute between double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;');
}

/** For where it is not known whether it is text or an attribute, nor which quotes stand around it. */
export function escapeAnywhere(text: string): string {
  return escapeAttribute(text).replaceAll('>', '&gt;').replaceAll("'", '&#39;');
}

/** JSON for a script element. Only `<` could end or change the element. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}
