/** Escapes text for XML 1.0. */

/** Characters that XML forbids, even escaped (https://www.w3.org/TR/xml/#charsets). */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ALL_FORBIDDEN = new RegExp(FORBIDDEN, 'gu');
const MARKUP = /[&<>\r]/;
const ALL_MARKUP = /[&<>\r]/g;
const ALL_ATTRIBUTE_MARKUP = /[&<>"\t\n\r]/g;

const ESCAPED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export function isAllowed(text: string): boolean {
  return !FORBIDDEN.test(text);
}

export function withoutForbidden(text: string): string {
  return isAllowed(text) ? text : text.replace(ALL_FORBIDDEN, '');
}

/** @param text without forbidden characters */
export function escapeText(text: string): string {
  return MARKUP.test(text) ? text.replace(ALL_MARKUP, escaped) : text;
}

/** @param text without forbidden characters, for an attribute in double quotes */
export function escapeAttribute(text: string): string {
  return text.replace(ALL_ATTRIBUTE_MARKUP, escaped);
}

/** Escapes forbidden characters in JSON as `\uXXXX`. */
export function jsonForXml(json: string): string {
  return json.replace(
    ALL_FORBIDDEN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function escaped(character: string): string {
  return ESCAPED[character] ?? character;
}
