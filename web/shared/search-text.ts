/** What a reader typed, as the API's `search` takes it. */

const MAX_LENGTH = 256;

/** Null where there is nothing to search for: text without a letter or digit would be refused. */
export function searchOf(text: string): string | null {
  const trimmed = text.trim();
  return /[\p{L}\p{N}]/u.test(trimmed) ? [...trimmed].slice(0, MAX_LENGTH).join('') : null;
}
