/** Links that carry a secret in the fragment, which browsers neither send nor log. */

export const CONSOLE_PATH = '/console';

/** Of the page of a map. */
export function mapPath(id: string): string {
  return `/maps/${id}`;
}

/** @param baseUrl of the server, without a slash at the end */
export function consoleLink(
  baseUrl: string,
  purpose: 'setup' | 'reset' | 'join' | 'map-link',
  secret: string,
): string {
  return `${baseUrl}${CONSOLE_PATH}#${purpose}=${secret}`;
}

/** The page of an unpublished map. @param baseUrl of the server, without a slash at the end */
export function mapPageLink(baseUrl: string, mapId: string, secret: string): string {
  return `${baseUrl}${mapPath(mapId)}#key=${secret}`;
}
