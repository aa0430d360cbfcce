/** A server whose people sign in at {@link TestProvider}, and what their browsers do. */

import { CLIENT_ID, CLIENT_SECRET, TestProvider, visitProvider } from './oidc-provider.ts';
import type { TestEndpoints, TestResponse } from './server.ts';

/** The server is not there: the browser of these tests does not request it by its address. */
const PUBLIC_URL = 'https://maps.test/base';
export const CONSOLE_URL = `${PUBLIC_URL}/console`;
export const REDIRECT_URI = `${PUBLIC_URL}/auth/callback`;

export function startProvider(): Promise<TestProvider> {
  return TestProvider.start({ redirectUri: REDIRECT_URI, signedOutUri: CONSOLE_URL });
}

export function providerSettings({ issuer }: TestProvider) {
  return {
    PUBLIC_URL,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT_ID,
    OIDC_CLIENT_SECRET: CLIENT_SECRET,
  } as const;
}

/** The attributes of each cookie of a response by the cookie's name, the first one being its value. */
export function cookiesOf({
  headers,
}: Pick<TestResponse, 'headers'>): ReadonlyMap<string, readonly string[]> {
  const lines = [headers['set-cookie'] ?? []].flat().map(String);
  return new Map(
    lines.map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      return [name, [value, ...attributes]] as const;
    }),
  );
}

/** A browser with the cookies of one server. `SameSite` is for real browsers. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();

  /** A navigation to a path of a server. */
  async get(server: TestEndpoints, path: string): Promise<TestResponse> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await server.request('GET', path, {
      token: null,
      headers: { host: 'maps.test', 'user-agent': 'Test/1', ...(cookie !== '' && { cookie }) },
    });
    for (const [name, [value = '']] of cookiesOf(response)) {
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  /** Starts a sign-in. @returns the path of the callback, with its query, which is not requested */
  async goToProvider(
    server: TestEndpoints,
    { name = 'anna', declines = false, returnTo = null as string | null } = {},
  ): Promise<string> {
    const query = returnTo === null ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
    const login = await this.get(server, `/auth/login${query}`);
    if (login.status !== 303) throw new Error(`The sign-in did not start: ${login.status} ${login.text}`);
    const callback = await visitProvider(String(login.headers['location']), REDIRECT_URI, { name, declines });
    return `/auth/callback${callback.search}`;
  }

  /** Signs in at the provider. @returns the response to the callback */
  async signIn(
    server: TestEndpoints,
    options?: { name?: string; declines?: boolean; returnTo?: string | null },
  ): Promise<TestResponse> {
    return this.get(server, await this.goToProvider(server, options));
  }

  /** Of the session. */
  get headers(): { readonly cookie: string } {
    const found = [...this.cookies].find(([name]) => !name.endsWith('-sign-in'));
    return { cookie: found?.join('=') ?? '' };
  }
}
