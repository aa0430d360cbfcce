/** When the issuer's keys are fetched, with a controlled clock. */

import { setImmediate as turn } from 'node:timers/promises';

import { IssuerKeys, MAX_AGE_MS, REFETCH_MS, RETRY_MS } from '../../src/jwt/issuer-keys.ts';

/** Each set of keys is the number of its fetch. */
function setUp() {
  const state = { now: 0, fetches: 0, isFailing: false, failures: 0, failedFor: [] as unknown[] };
  let release: (() => void) | null = null;
  let held: Promise<void> = Promise.resolve();
  const keys = new IssuerKeys<number>({
    now: () => state.now,
    fetch: async () => {
      const number = (state.fetches += 1);
      await held;
      if (state.isFailing) throw new Error('no response');
      return number;
    },
    onFailure: (_error, requestId) => {
      state.failures += 1;
      state.failedFor.push(requestId);
    },
  });
  const hold = () => {
    held = new Promise((resolve) => {
      release = resolve;
    });
    return () => release?.();
  };
  return { keys, state, hold };
}

const unavailable = { code: 'ISSUER_UNAVAILABLE', retryAfterSeconds: 1 };

describe('the keys of the issuer', () => {
  it('are fetched once for concurrent requests', async () => {
    const { keys, state } = setUp();
    expect(await Promise.all([keys.current(), keys.current(), keys.current()])).toEqual([1, 1, 1]);
    expect(await keys.current()).toBe(1);
    expect(state.fetches).toBe(1);
  });

  it('are fetched again for an unknown key at once after the first fetch, then once in 30 s', async () => {
    const { keys, state } = setUp();
    expect(await keys.after(await keys.current())).toBe(2);
    expect(await keys.after(2)).toBeNull();
    state.now = REFETCH_MS - 1;
    expect(await keys.after(2)).toBeNull();
    expect(state.fetches).toBe(2);
    state.now = REFETCH_MS;
    expect(await keys.after(2)).toBe(3);
  });

  it('are not fetched for a key that only older sets lack', async () => {
    const { keys, state } = setUp();
    expect(await keys.after(await keys.current())).toBe(2);
    expect(await keys.after(1)).toBe(2);
    expect(state.fetches).toBe(2);
  });

  it('are fetched once for a flood of unknown keys, which all see the new set', async () => {
    const { keys, state } = setUp();
    await keys.current();
    expect(await Promise.all(Array.from({ length: 50 }, () => keys.after(1)))).toEqual(Array(50).fill(2));
    expect(state.fetches).toBe(2);
  });

  it('report a failed fetch for the first of several requests', async () => {
    const { keys, state } = setUp();
    state.isFailing = true;
    const both = [keys.current('first'), keys.current('second')];
    for (const pending of both) await expect(pending).rejects.toMatchObject(unavailable);
    state.isFailing = false;
    state.now = RETRY_MS;
    await keys.current('third');
    state.isFailing = true;
    await keys.after(2, 'fourth');
    expect(state.failedFor).toEqual(['first', 'fourth']);
  });

  it('stay valid when a fetch for an unknown key fails, which counts as a fetch', async () => {
    const { keys, state } = setUp();
    await keys.current();
    state.isFailing = true;
    expect(await keys.after(1)).toBeNull();
    expect(await keys.current()).toBe(1);
    expect(await keys.after(1)).toBeNull();
    expect([state.fetches, state.failures]).toEqual([2, 1]);
  });

  it('are ISSUER_UNAVAILABLE without a cached set, fetched once a second', async () => {
    const { keys, state } = setUp();
    state.isFailing = true;
    await expect(keys.current()).rejects.toMatchObject(unavailable);
    state.now = RETRY_MS - 1;
    await expect(keys.current()).rejects.toMatchObject(unavailable);
    expect(state.fetches).toBe(1);
    state.now = RETRY_MS;
    state.isFailing = false;
    expect(await keys.current()).toBe(2);
    // These fetches do not count as fetches for an unknown key.
    expect(await keys.after(2)).toBe(3);
  });

  it('are fetched one second after a failure ends, however long it took', async () => {
    const { keys, state, hold } = setUp();
    state.isFailing = true;
    const release = hold();
    const first = keys.current();
    state.now = 10 * RETRY_MS;
    release();
    await expect(first).rejects.toMatchObject(unavailable);
    await expect(keys.current()).rejects.toMatchObject(unavailable);
    expect(state.fetches).toBe(1);
  });

  it('are refreshed in the background after ten minutes, which removes withdrawn keys', async () => {
    const { keys, state, hold } = setUp();
    await keys.current();
    state.now = MAX_AGE_MS - 1;
    await keys.current();
    expect(state.fetches).toBe(1);
    state.now = MAX_AGE_MS;
    const release = hold();
    expect(await keys.current()).toBe(1);
    release();
    await turn();
    expect(await keys.current()).toBe(2);
    expect(state.fetches).toBe(2);
  });

  it('stay valid beyond ten minutes while the issuer is unavailable, fetched once in 30 s', async () => {
    const { keys, state } = setUp();
    await keys.current();
    state.isFailing = true;
    state.now = MAX_AGE_MS;
    for (let times = 0; times < 3; times += 1) {
      expect(await keys.current()).toBe(1);
      await turn();
    }
    expect(state.fetches).toBe(2);
    state.now += REFETCH_MS;
    expect(await keys.current()).toBe(1);
    expect(state.fetches).toBe(3);
  });
});
