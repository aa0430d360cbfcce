/** Links that carry a secret in the fragment, which browsers neither send nor log. */

export const CONSOLE_PATH = '/console';

/** @param baseUrl of the server, without a slash at the end */
export function consoleLink(baseUrl: string, purpose: 'setup' | 'reset' | 'join', secret: string): string {
  return `${baseUrl}${CONSOLE_PATH}#${purpose}=${secret}`;
}
