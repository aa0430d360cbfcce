/** Media types, and the request headers that name them: `Content-Type`, `Accept`, `Accept-Encoding`. */

/** The media type of every JSON response. */
export const JSON_TYPE = 'application/json; charset=utf-8';
export const HTML_TYPE = 'text/html; charset=utf-8';

/** Whether a `Content-Type` is `application/json`, with any parameters. */
export function isJsonType(contentType: string | undefined): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/**
 * The weight, 0 to 1, that a header such as `Accept` gives to the first of these names that it lists (RFC 9110, 12.4.2);
 * undefined if it lists none.
 */
export function weightOf(header: string | undefined, ...names: readonly string[]): number | undefined {
  const listed = (header ?? '').toLowerCase();
  // Most requests list none of them; parsing the header anyway would dominate this function.
  if (!names.some((name) => listed.includes(name))) return undefined;
  const weights = new Map<string, number>();
  for (const item of listed.split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const weight = quality === undefined ? 1 : Number(quality);
    if (name !== '') weights.set(name, Number.isFinite(weight) ? weight : 0);
  }
  return names.map((name) => weights.get(name)).find((weight) => weight !== undefined);
}

const JSON_TYPES = ['application/json', 'application/graphql-response+json'];

/**
 * Whether the client wants a page rather than data: it names text/html, and weighs JSON less; or only ranges such as
 * `*\/*` include JSON, and do not weigh more. `Accept: *\/*`, as curl sends, does not name text/html.
 *
 * @param jsonTypes the media types that data may have
 */
export function prefersHtml(accept: string | undefined, jsonTypes: readonly string[] = JSON_TYPES): boolean {
  const html = weightOf(accept, 'text/html') ?? 0;
  if (html === 0) return false;
  if (jsonTypes.some((type) => (weightOf(accept, type) ?? 0) >= html)) return false;
  const isNamed = jsonTypes.some((type) => weightOf(accept, type) !== undefined);
  return isNamed || (weightOf(accept, 'application/*', '*/*') ?? 0) <= html;
}
