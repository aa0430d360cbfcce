/**
 * Attacks on sessions in Chromium, with the cookies that it really sends: from another port of the same host, which is the
 * same site to a browser, and from another site. docs/security.md lists them.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Browser, BrowserContext, Page } from 'playwright-core';

import { launchChromium, skipWithoutChromium } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import type { Neighbour } from '../../support/neighbour.ts';
import { startNeighbour } from '../../support/neighbour.ts';
import type { Server, Settings } from '../../support/program.ts';
import { createFolder, killPrograms, startPlainServer } from '../../support/program.ts';
import { describeUnless } from '../../support/skip.ts';
import { PATIENCE_MS } from '../../support/until.ts';
import { inStore, prepareMap } from '../prepared-map.ts';

const PASSWORD = 'correct horse battery';
const CREATE = 'mutation { createMap(input: { name: \\"Forged\\" }) { map { id } } }';

interface Site {
  readonly server: Server;
  readonly cwd: string;
  /** A map of alice, who is the victim. */
  readonly mapId: string;
  readonly auditLog: string;
}

interface Person {
  readonly context: BrowserContext;
  /** At the console. */
  readonly page: Page;
}

interface Response {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test knows what it asked for
  readonly json: any;
}

describeUnless(skipWithoutChromium(), 'in Chromium', () => {
  let browser: Browser;
  let neighbour: Neighbour;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    browser = await launchChromium();
    neighbour = await startNeighbour((request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'http://neighbour');
      response.setHeader('set-cookie', searchParams.getAll('set-cookie'));
      response
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>Elsewhere</title><body></body>');
    });
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  });
  afterAll(async () => {
    await (browser as Browser | undefined)?.close();
    await (neighbour as Neighbour | undefined)?.close();
    killPrograms();
  });

  async function startSite(settings: Settings = {}): Promise<Site> {
    const cwd = createFolder();
    const { mapId } = await prepareMap(cwd);
    const auditLog = join(cwd, 'audit.log');
    const server = await startPlainServer(cwd, { AUDIT_LOG: auditLog, ...settings });
    for (const name of ['alice', 'mallory']) {
      const link = await inStore(cwd, ({ services }) => services.accounts.create(name, { withLink: true }));
      const body = JSON.stringify({ secret: link?.secret, password: PASSWORD });
      const { status } = await fetch(`${server.url}/auth/setup`, { method: 'POST', ...own(server, body) });
      if (status !== 200) throw new Error(`The account was not set up: ${status}`);
    }
    return { server, cwd, mapId, auditLog };
  }

  const own = ({ url }: Server, body: string) => ({
    headers: { 'content-type': 'application/json', origin: url },
    body,
  });

  /** Whose cookies are without `Secure` and a prefix, and whose programs in browsers may come from anywhere. */
  async function startHttpSite(): Promise<Site> {
    const port = await freePort();
    const settings = { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}`, CORS_ORIGINS: '*' };
    return startSite(settings);
  }

  async function newContext(): Promise<BrowserContext> {
    const context = await browser.newContext();
    context.setDefaultTimeout(PATIENCE_MS);
    contexts.push(context);
    return context;
  }

  /** Sends JSON from the console's own page. */
  const post = (page: Page, path: string, body: object) =>
    page.evaluate<Response>(`(async () => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(${JSON.stringify(path)}, { method: 'POST', headers, body: ${JSON.stringify(JSON.stringify(body))} });
      return { status: response.status, json: await response.json() };
    })()`);

  async function signIn(site: Site, name: string, given?: BrowserContext): Promise<Person> {
    const context = given ?? (await newContext());
    const page = await context.newPage();
    await page.goto(`${site.server.url}/console`);
    const { status } = await post(page, '/auth/sign-in', { name, password: PASSWORD });
    if (status !== 200) throw new Error(`${name} could not sign in: ${status}`);
    return { context, page };
  }

  const query = async (page: Page, text: string) => (await post(page, '/graphql', { query: text })).json.data;

  /** Whom the console's requests are of; null for nobody. */
  async function viewerOf(page: Page): Promise<string | null> {
    return (await query(page, '{ viewer { owner } }'))?.viewer?.owner ?? null;
  }

  async function cookieOf(site: Site, context: BrowserContext) {
    const found = (await context.cookies(site.server.url)).filter(({ name }) => !name.endsWith('-sign-in'));
    const [cookie] = found;
    if (cookie === undefined || found.length > 1) throw new Error(`There are ${found.length} cookies.`);
    return cookie;
  }

  /** Submits a form into a frame, and waits for the response. */
  const form = (method: string, path: string, enctype: string, fields: Record<string, string>) => `
    new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.name = 'frame' + Math.random();
      document.body.append(frame);
      const form = document.body.appendChild(document.createElement('form'));
      Object.assign(form, { method: '${method}', action: target + '${path}', enctype: '${enctype}', target: frame.name });
      for (const [name, value] of Object.entries(${JSON.stringify(fields)})) {
        Object.assign(form.appendChild(document.createElement('input')), { type: 'hidden', name, value });
      }
      frame.onload = () => resolve('loaded');
      form.submit();
    })`;
  /** A text/plain form whose body is JSON: a member's value is `=`. */
  const jsonForm = (path: string, members: string) =>
    form('post', path, 'text/plain', { [`{${members}, "x": "`]: '"}' });
  const fetching = (path: string, options: string) =>
    `fetch(target + ${JSON.stringify(path)}, { credentials: 'include', ${options} })
      .then((response) => response.type === 'opaque' ? 'opaque' : response.text(), () => 'refused')`;
  const MUTATION = `{"query": "${CREATE}"}`;
  const mutationByGet = `/graphql?query=${encodeURIComponent(CREATE.replaceAll('\\', ''))}`;

  interface Forgery {
    /** JavaScript of the attacker's page. */
    readonly attack: string;
    /** What that page sees of it. */
    readonly seen: string;
    /** The statuses of the responses. Of the same site, the session comes along, and is refused. */
    readonly ofSameSite: readonly number[];
    readonly ofOtherSite: readonly number[];
  }

  const FORGERIES: Readonly<Record<string, Forgery>> = {
    'a form with JSON as text/plain': {
      attack: jsonForm('/graphql', `"query": "${CREATE}"`),
      seen: 'loaded',
      ofSameSite: [403],
      ofOtherSite: [415],
    },
    'a form as of HTML': {
      attack: form('post', '/graphql', 'application/x-www-form-urlencoded', {
        query: CREATE.replaceAll('\\', ''),
      }),
      seen: 'loaded',
      ofSameSite: [403],
      ofOtherSite: [415],
    },
    'a form with parts': {
      attack: form('post', '/graphql', 'multipart/form-data', { operations: MUTATION, map: '{}' }),
      seen: 'loaded',
      ofSameSite: [403],
      ofOtherSite: [415],
    },
    'a form by GET': {
      attack: form('get', '/graphql', 'application/x-www-form-urlencoded', {
        query: CREATE.replaceAll('\\', ''),
      }),
      seen: 'loaded',
      ofSameSite: [405],
      ofOtherSite: [405],
    },
    'fetch without CORS': {
      attack: fetching('/graphql', `method: 'POST', mode: 'no-cors', body: ${JSON.stringify(MUTATION)}`),
      seen: 'opaque',
      ofSameSite: [403],
      ofOtherSite: [415],
    },
    'fetch with CORS': {
      attack: fetching(
        '/graphql',
        `method: 'POST', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(MUTATION)}`,
      ),
      seen: 'refused',
      ofSameSite: [],
      ofOtherSite: [],
    },
    'a beacon': {
      attack: `new Promise((resolve) => {
        const isSent = (list) => list.getEntries().some(({ initiatorType }) => initiatorType === 'beacon');
        new PerformanceObserver((list) => isSent(list) && resolve('sent')).observe({ type: 'resource' });
        navigator.sendBeacon(target + '/graphql', ${JSON.stringify(MUTATION)});
      })`,
      seen: 'sent',
      ofSameSite: [403],
      ofOtherSite: [415],
    },
    'an image': {
      attack: `new Promise((resolve) => {
        const image = document.body.appendChild(new Image());
        image.onerror = () => resolve('no image');
        image.src = target + ${JSON.stringify(mutationByGet)};
      })`,
      seen: 'no image',
      ofSameSite: [],
      ofOtherSite: [],
    },
    'a stream of events by GET': {
      attack: `new Promise((resolve) => {
        const source = new EventSource(target + ${JSON.stringify(mutationByGet)}, { withCredentials: true });
        source.onmessage = source.onopen = () => resolve('opened');
        source.onerror = () => { source.close(); resolve('refused'); };
      })`,
      seen: 'refused',
      ofSameSite: [],
      ofOtherSite: [],
    },
    'a stream of events by fetch': {
      attack: fetching(
        '/graphql',
        `method: 'POST', mode: 'no-cors', headers: { accept: 'text/event-stream' }, body: ${JSON.stringify(MUTATION)}`,
      ),
      seen: 'opaque',
      ofSameSite: [403],
      ofOtherSite: [415],
    },
    'a form that signs out': {
      attack: jsonForm('/auth/sign-out', '"a": 1'),
      seen: 'loaded',
      ofSameSite: [403],
      ofOtherSite: [403],
    },
    'a form that signs in to the account of the attacker': {
      attack: jsonForm('/auth/sign-in', `"name": "mallory", "password": "${PASSWORD}"`),
      seen: 'loaded',
      ofSameSite: [403],
      ofOtherSite: [403],
    },
  };

  /** Sends a mutation, if it gets so far. */
  const WEB_SOCKET = `new Promise((resolve) => {
    const seen = [];
    const socket = new WebSocket(target.replace('http', 'ws') + '/graphql', 'graphql-transport-ws');
    socket.onopen = () => socket.send('{"type":"connection_init"}');
    socket.onmessage = ({ data }) => {
      const { type, payload } = JSON.parse(data);
      seen.push(type);
      if (type === 'connection_ack') {
        socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query: "${CREATE}" } }));
      } else if (type !== 'ping') {
        seen.push(payload.errors?.[0].extensions.code ?? payload[0]?.extensions.code ?? JSON.stringify(payload));
        socket.close();
      }
    };
    socket.onclose = ({ code }) => resolve(seen.length > 0 ? seen.join(' ') : code);
  })`;

  const SITES = [
    ['with a cookie for https', startSite],
    ['with PUBLIC_URL over http and CORS_ORIGINS=*', startHttpSite],
  ] as const;

  describe.each(SITES)('a page elsewhere, %s,', (_case, start) => {
    let site: Site;
    beforeAll(async () => {
      site = await start();
    });

    const elsewhere = (): readonly (readonly [origin: string, isSameSite: boolean])[] => [
      [neighbour.sameSite, true],
      [neighbour.otherSite, false],
    ];
    const mapsOf = async (page: Page): Promise<string[]> =>
      (await query(page, '{ viewer { maps { nodes { name } } } }')).viewer.maps.nodes.map(
        ({ name }: { name: string }) => name,
      );
    const linesOf = ({ auditLog }: Site) => readFileSync(auditLog, 'utf8');
    const run = (page: Page, { server }: Site, attack: string) =>
      page.evaluate<unknown>(`((target) => ${attack})(${JSON.stringify(server.url)})`);

    it('changes nothing with the session of its visitor (CSRF)', async () => {
      const { context, page } = await signIn(site, 'alice');
      const secret = (await cookieOf(site, context)).value;
      const before = linesOf(site);
      for (const [origin, isSameSite] of elsewhere()) {
        const attacker = await context.newPage();
        await attacker.goto(origin);
        const statuses: number[] = [];
        attacker.on('response', (response) => {
          if (response.url().startsWith(site.server.url)) statuses.push(response.status());
        });
        const outcomes: Record<string, readonly unknown[]> = {};
        for (const [name, { attack }] of Object.entries(FORGERIES)) {
          const seen = await run(attacker, site, attack);
          outcomes[name] = [seen, ...statuses.splice(0)];
        }
        const expected = Object.entries(FORGERIES).map(([name, { seen, ofSameSite, ofOtherSite }]) => [
          name,
          [seen, ...(isSameSite ? ofSameSite : ofOtherSite)],
        ]);
        expect([origin, outcomes]).toEqual([origin, Object.fromEntries(expected)]);
        expect([origin, await viewerOf(page)]).toEqual([origin, 'alice']);
        expect((await cookieOf(site, context)).value).toBe(secret);
      }
      expect(linesOf(site)).toBe(before);
      expect(await mapsOf(page)).toEqual(['Cafés']);
      // The same request, from the console.
      expect(
        (await post(page, '/graphql', { query: CREATE.replaceAll('\\', '') })).json.errors,
      ).toBeUndefined();
      expect(await mapsOf(page)).toEqual(expect.arrayContaining(['Forged']));
    });

    it('opens no WebSocket with the session of its visitor', async () => {
      const { context, page } = await signIn(site, 'alice');
      const before = await mapsOf(page);
      // From anywhere, a program may connect without a session. Of the same site, the session comes along.
      const isOpen = start === startHttpSite;
      for (const [origin, isSameSite] of elsewhere()) {
        const attacker = await context.newPage();
        await attacker.goto(origin);
        const expected = !isOpen ? 1006 : isSameSite ? 4403 : 'connection_ack next UNAUTHENTICATED';
        expect([origin, await run(attacker, site, WEB_SOCKET)]).toEqual([origin, expected]);
      }
      expect(await mapsOf(page)).toEqual(before);
      expect(await run(page, site, WEB_SOCKET)).toMatch(/^connection_ack next \{"data"/);
    });

    it('reads nothing with the session of its visitor', async () => {
      const { context } = await signIn(site, 'alice');
      for (const [origin] of elsewhere()) {
        const attacker = await context.newPage();
        await attacker.goto(origin);
        for (const path of [
          '/auth/options',
          '/graphql?query={viewer{owner}}',
          `/maps/${site.mapId}/locations.csv`,
        ]) {
          const headers = `headers: { 'apollo-require-preflight': '1' }`;
          expect([origin, path, await run(attacker, site, fetching(path, headers))]).toEqual([
            origin,
            path,
            'refused',
          ]);
          expect(await run(attacker, site, scriptOf(path))).toBe('refused');
        }
      }
    });

    const scriptOf = (path: string) => `
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.onload = () => resolve('loaded');
        script.onerror = () => resolve('refused');
        script.src = target + ${JSON.stringify(path)};
        document.body.append(script);
      })`;

    it('shows none of the pages in a frame, and keeps no hold of their windows (clickjacking)', async () => {
      const { context } = await signIn(site, 'alice');
      for (const [origin] of elsewhere()) {
        const attacker = await context.newPage();
        await attacker.goto(origin);
        for (const path of [
          '/',
          '/console',
          '/console#setup=secret',
          '/docs',
          '/graphiql',
          `/maps/${site.mapId}`,
        ]) {
          await run(
            attacker,
            site,
            `new Promise((resolve) => {
            document.body.replaceChildren();
            const frame = document.createElement('iframe');
            frame.onload = resolve;
            frame.src = target + '${path}';
            document.body.append(frame);
          })`,
          );
          expect([
            path,
            attacker
              .frames()
              .map((frame) => frame.url())
              .slice(1),
          ]).toEqual([path, ['chrome-error://chromewebdata/']]);
        }
        const [opened] = await Promise.all([
          context.waitForEvent('page'),
          run(attacker, site, `void (window.opened = open(target + '/console'))`),
        ]);
        await opened.waitForLoadState();
        expect(await opened.evaluate('opener')).toBeNull();
        expect(await attacker.evaluate('opened.closed')).toBe(true);
      }
    });
  });

  describe.each(SITES)('a server on another port, %s,', (_case, start) => {
    let site: Site;
    beforeAll(async () => {
      site = await start();
    });

    /** Visits the neighbour, which sets this cookie. */
    async function toss(context: BrowserContext, cookie: string): Promise<void> {
      const page = await context.newPage();
      await page.goto(`${neighbour.sameSite}/?set-cookie=${encodeURIComponent(cookie)}`);
      await page.close();
    }

    it('cannot fix the session before its visitor signs in (session fixation)', async () => {
      const { context: attackers } = await signIn(site, 'mallory');
      const { name, value, secure } = await cookieOf(site, attackers);
      const context = await newContext();
      await toss(context, `${name}=${value}; Path=/; SameSite=Strict${secure ? '; Secure' : ''}`);
      expect((await cookieOf(site, context)).value).toBe(value);
      const { page } = await signIn(site, 'alice', context);
      expect(await viewerOf(page)).toBe('alice');
      expect((await cookieOf(site, context)).value).not.toBe(value);
      // The planted session has ended instead of becoming the visitor's.
      const attacker = await attackers.newPage();
      await attacker.goto(`${site.server.url}/console`);
      expect(await viewerOf(attacker)).toBeNull();
    });

    it('cannot put another session in front of that of its visitor (cookie tossing)', async () => {
      const { context: attackers } = await signIn(site, 'mallory');
      const { name, value, secure } = await cookieOf(site, attackers);
      const { context, page } = await signIn(site, 'alice');
      const own = await cookieOf(site, context);
      const attributes = `SameSite=Strict${secure ? '; Secure' : ''}`;
      const tosses = [
        // Sent before the visitor's, which has a shorter path.
        `${name}=${value}; Path=/graphql; ${attributes}`,
        // Without a name, so that it could be taken for one of that name.
        `=${name}=${value}; Path=/; ${attributes}`,
        `${name.toUpperCase()}=${value}; Path=/; ${attributes}`,
        `${name}-2=${value}; Path=/; ${attributes}`,
        `map-locations=${value}; Path=/; ${attributes}`,
        `x="a; Path=/; ${attributes}`,
      ];
      for (const cookie of tosses) {
        await toss(context, cookie);
        // Never mallory. Where a browser takes both, neither counts.
        const isTwice = !secure && cookie.startsWith(`${name}=`);
        expect([cookie, await viewerOf(page)]).toEqual([cookie, isTwice ? null : 'alice']);
        await context.clearCookies();
        await context.addCookies([own]);
      }
      expect(await viewerOf(page)).toBe('alice');
    });
  });

  it('two servers on one host do not sign each other out', async () => {
    const [one, other] = [await startHttpSite(), await startSite()];
    const first = await signIn(one, 'alice');
    const second = await signIn(other, 'mallory', first.context);
    expect([await viewerOf(first.page), await viewerOf(second.page)]).toEqual(['alice', 'mallory']);
    expect((await post(second.page, '/auth/sign-out', {})).status).toBe(200);
    expect([await viewerOf(first.page), await viewerOf(second.page)]).toEqual(['alice', null]);
  });
});
