/** Detects the structure of a JSON file from its start. */

export type JsonStructure = 'collection' | 'lines' | 'sequence' | 'single';

export const HEAD_BYTES = 65_536;
/** Precedes each record of a sequence (RFC 8142). */
export const RECORD_SEPARATOR = '\u001e';

/**
 * @param head the first {@link HEAD_BYTES} of the text
 * @returns null if the text does not start like JSON, or its start is ambiguous
 */
export function structureOf(head: string): JsonStructure | null {
  const text = head.replace(/^\ufeff/, '').trimStart();
  if (text.startsWith(RECORD_SEPARATOR)) return 'sequence';
  if (/^\[\s*(?:[{\]]|$)/.test(text)) return 'collection';
  if (!/^\{\s*["}]/.test(text)) return null;
  const end = endOfObject(text);
  if (end === -1) return FEATURES.test(text) ? 'collection' : null;
  const first = text.slice(0, end);
  if (isCollection(first)) return 'collection';
  return /[\r\n]/.test(first) ? 'single' : 'lines';
}

const FEATURES = /"features"\s*:\s*\[/;

/** True if the start of the text shows Features. */
export function holdsFeatures(head: string): boolean {
  return FEATURES.test(head) || /"type"\s*:\s*"Feature(?:Collection)?"/.test(head);
}

/** The index after the object at the start of the text; -1 if it does not end. */
function endOfObject(text: string): number {
  let depth = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\[^])*"|[{}[\]]/g)) {
    if (match[0] === '{' || match[0] === '[') depth += 1;
    else if (match[0] === '}' || match[0] === ']') depth -= 1;
    if (depth === 0) return match.index + match[0].length;
  }
  return -1;
}

function isCollection(text: string): boolean {
  try {
    const { type, features } = JSON.parse(text) as { type?: unknown; features?: unknown };
    return type === 'FeatureCollection' || Array.isArray(features);
  } catch {
    return false;
  }
}
