/** Links that carry a secret in the fragment, which browsers neither send nor log. */

export const CONSOLE_PATH = '/console';

/** @param baseUrl of the server, without a slash at the end */
export function invitationLink(baseUrl: string, secret: string): string {
  return `${baseUrl}${CONSOLE_PATH}#join=${secret}`;
}
