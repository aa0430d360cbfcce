/** Small tools for texts of the pages. */

/** Maximum length of the API's `search`, in code points. */
const MAX_SEARCH = 256;

/** What a reader typed, as the API's `search`. Null if it has no letter or digit, which the API rejects. */
export function searchOf(text: string): string | null {
  const trimmed = text.trim();
  return /[\p{L}\p{N}]/u.test(trimmed) ? [...trimmed].slice(0, MAX_SEARCH).join('') : null;
}

/** Any value as text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return JSON.stringify(value);
}

/** A name within a sentence, isolated by Unicode characters, because it may be written from right to left. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
