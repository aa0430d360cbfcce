/** Text as it stands in the XML of a workbook. */

/** Characters that XML forbids, or reads as another one, as they stand between the brackets of a regular expression. */
const FORBIDDEN = '\\u0000-\\u0008\\u000b-\\u001f\\ufffe\\uffff';
const LONE_SURROGATE = '[\\ud800-\\udbff](?![\\udc00-\\udfff])|(?<![\\ud800-\\udbff])[\\udc00-\\udfff]';
/** An underscore that would be read as the beginning of an escaped character. */
const FALSE_ESCAPE = `_(?=x[0-9A-Fa-f]{4}[_${FORBIDDEN}\\ud800-\\udfff])`;
const SPECIAL = new RegExp(`[&<>"${FORBIDDEN}]|${LONE_SURROGATE}|${FALSE_ESCAPE}`, 'g');

const MARKUP: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Read back by `unescapeText`. */
export function escapeText(text: string): string {
  return text.replace(SPECIAL, (character) => MARKUP[character] ?? escaped(character));
}

function escaped(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}
