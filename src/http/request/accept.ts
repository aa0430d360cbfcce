/** Reading `Accept` and `Accept-Encoding`: comma-separated names, each with an optional weight (RFC 9110, 12.4.2). */

/** The weight, 0 to 1, of the first of these names that the header lists; undefined when it lists none. */
export function weightOf(header: string | undefined, ...names: readonly string[]): number | undefined {
  const listed = (header ?? '').toLowerCase();
  // Most requests list none of them, and to read such a header would take longer than the rest of what is asked here.
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

/**
 * True when a page is wanted rather than data: text/html is named, and no kind of JSON weighs as much. A client that
 * accepts anything, as curl does, has not named it.
 */
export function prefersHtml(accept: string | undefined): boolean {
  const html = weightOf(accept, 'text/html') ?? 0;
  const json = Math.max(
    weightOf(accept, 'application/graphql-response+json') ?? 0,
    weightOf(accept, 'application/json') ?? 0,
  );
  return html > 0 && html > json;
}
