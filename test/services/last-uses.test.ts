/** The last use of tokens: at most one write per token and minute, outside the request. */

import { LastUses } from '../../src/services/last-uses.ts';
import type { TokenUse } from '../../src/storage/storage.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { TestServer } from '../support/server.ts';
import { createTestServer } from '../support/server.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE = 60_000;

describe('the last use of a token', () => {
  let server: TestServer;
  let now = NOW;
  const calls: (readonly TokenUse[])[] = [];
  beforeAll(async () => {
    const storage = await openStorage('sqlite::memory:', { timeoutMs: 5_000 });
    server = await createTestServer(
      {},
      {
        clock: () => now,
        storage: {
          ...storage,
          saveTokenUses: (uses, intervalMs) => {
            calls.push(uses);
            return storage.saveTokenUses(uses, intervalMs);
          },
        },
      },
    );
  });
  beforeEach(() => {
    now = NOW;
    calls.length = 0;
  });
  afterAll(() => server.close());

  const tokens = () => server.gateway.services.tokens;
  const lastUseOf = async (owner: string) =>
    (await tokens().listTokens()).find(({ ownerName }) => ownerName === owner)?.lastUsedAt;

  it('is null until the first request at either endpoint', async () => {
    for (const [owner, url] of [
      ['v0', '/v0/map/none'],
      ['graphql', '/graphql?query={viewer{owner}}'],
    ] as const) {
      const token = await server.createToken({ owner });
      await tokens().saveUses();
      expect(await lastUseOf(owner)).toBeNull();
      await server.request('GET', url, { token, headers: { 'apollo-require-preflight': '1' } });
      await tokens().saveUses();
      expect(await lastUseOf(owner)).toBe(NOW);
    }
  });

  it('is stored after the response, together with other tokens’ uses', async () => {
    const [one, two] = [await server.createToken({ owner: 'a' }), await server.createToken({ owner: 'b' })];
    for (const token of [one, two, one]) await server.request('GET', '/v0/map/none', { token });
    expect(calls).toEqual([]);
    await tokens().saveUses();
    expect(calls.map((uses) => uses.length)).toEqual([2]);
  });

  it('is written at most once a minute', async () => {
    const token = await server.createToken({ owner: 'often' });
    for (const seconds of [0, 1, 30, 59, 60, 61, 119, 121]) {
      now = NOW + seconds * 1_000;
      await server.request('GET', '/v0/map/none', { token });
      await tokens().saveUses();
    }
    expect(calls.flat().map(({ usedAt }) => (usedAt - NOW) / 1_000)).toEqual([0, 60, 121]);
    expect(await lastUseOf('often')).toBe(NOW + 121_000);
  });

  it('is not stored for a refused token', async () => {
    const token = await server.createToken({ owner: 'gone' });
    await tokens().revokeToken(token);
    expect((await server.request('GET', '/v0/map/none', { token })).status).toBe(401);
    await tokens().saveUses();
    expect([calls, await lastUseOf('gone')]).toEqual([[], null]);
  });
});

describe('a recorded use', () => {
  it('is stored soon by a timer', async () => {
    const uses = await new Promise<readonly TokenUse[]>((resolve) => {
      const saveTokenUses = async (saved: readonly TokenUse[]) => resolve(saved);
      const lastUses = new LastUses<TokenUse>(saveTokenUses, () => {});
      lastUses.note('token', null, { tokenId: 'token', usedAt: NOW });
      // The timer does not keep the process alive.
      setTimeout(() => {}, 2_000);
    });
    expect(uses).toEqual([{ tokenId: 'token', usedAt: NOW }]);
  });

  it('is reported when it cannot be stored, and retried after a minute', async () => {
    const failures: unknown[] = [];
    let tries = 0;
    const saveTokenUses = () => {
      tries += 1;
      return Promise.reject(new Error('full'));
    };
    const lastUses = new LastUses<TokenUse>(saveTokenUses, (error) => failures.push(error));
    for (const time of [NOW, NOW + 1, NOW + MINUTE - 1, NOW + MINUTE]) {
      lastUses.note('token', null, { tokenId: 'token', usedAt: time });
      await lastUses.save();
    }
    expect([tries, failures.length]).toEqual([2, 2]);
  });
});
