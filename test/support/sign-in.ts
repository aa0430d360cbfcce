/** Signing in as a browser does. */

import { Passwords } from '../../src/services/accounts/passwords.ts';
import type { TestEndpoints, TestResponse, TestServer } from './server.ts';

export const PASSWORD = 'correct horse battery';

/** Headers of a request from the server's own page, in a test that injects requests. */
export const OWN_PAGE = { 'sec-fetch-site': 'same-origin', host: 'maps.test', origin: 'http://maps.test' };

/** Passwords with a cheap function, which counts its calls. */
export function cheapPasswords(): { readonly passwords: Passwords; readonly calls: string[] } {
  const calls: string[] = [];
  const passwords = new Passwords((password, salt, length) => {
    calls.push(password);
    const key = Buffer.alloc(length, `${password} ${salt.toString('hex')}`);
    return Promise.resolve(key);
  });
  return { passwords, calls };
}

/** A POST of the console to /auth/NAME. */
export function postAuth(
  server: TestEndpoints,
  name: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return server.request('POST', `/auth/${name}`, { token: null, body, headers: { ...OWN_PAGE, ...headers } });
}

/** The attributes of the response's cookie, the first one being its name and value. */
export function cookieOf({ headers }: Pick<TestResponse, 'headers'>): readonly string[] {
  const given = headers['set-cookie'];
  return String(Array.isArray(given) ? given[0] : (given ?? '')).split('; ');
}

/** `Cookie` of later requests. */
export function jarOf(response: Pick<TestResponse, 'headers'>): { readonly cookie: string } {
  return { cookie: cookieOf(response)[0] ?? '' };
}

/** Makes an account with {@link PASSWORD}, and signs in. @returns the cookie header of its session */
export async function signUp(server: TestServer, name: string): Promise<{ readonly cookie: string }> {
  const link = await server.gateway.services.accounts.create(name, { withLink: true });
  const response = await postAuth(server, 'setup', { secret: link?.secret, password: PASSWORD });
  if (response.status !== 200) throw new Error(`The account could not be set up: ${response.text}`);
  return jarOf(response);
}
