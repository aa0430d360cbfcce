/** Calls under an idempotency key: one request at a time runs one, and its result is kept. */

import type { NewKeyedCall, Storage } from '../../../src/storage/storage.ts';
import { DAY, NOW, seedMap } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';

const MINUTE = 60_000;

export function aKeyedCall(overrides: Partial<NewKeyedCall> = {}): NewKeyedCall {
  return { digest: 'a', callId: 'call-1', heldUntil: NOW + MINUTE, expiresAt: NOW + DAY, ...overrides };
}

interface Held {
  readonly key?: string;
  readonly tokenId?: string;
  readonly now?: number;
}

function hold(
  storage: Storage,
  mapId: string,
  overrides: Partial<NewKeyedCall> = {},
  { key = 'key', tokenId = 'token-1', now = NOW }: Held = {},
) {
  return storage.holdKeyedCall({ tokenId, mapId }, key, aKeyedCall(overrides), now);
}

const scopeOf = (mapId: string) => ({ tokenId: 'token-1', mapId });

export const keyedCalls: StorageTopic = {
  name: 'keyed calls',
  cases: [
    {
      name: 'the first request holds the call, and others see it',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const call = { digest: 'a', callId: 'call-1', result: null, heldUntil: NOW + MINUTE };
        expect(await hold(storage, id)).toEqual({ isHeld: true, call });
        for (const digest of ['a', 'b']) {
          const other = { digest, callId: 'call-2', heldUntil: NOW + 2 * MINUTE };
          expect(await hold(storage, id, other)).toEqual({ isHeld: false, call });
        }
      },
    },
    {
      name: 'a result is kept, and ends the hold',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const { call } = await hold(storage, id);
        await storage.endKeyedCall(scopeOf(id), 'key', call, '{"ü":1}');
        const kept = { ...call, result: '{"ü":1}', heldUntil: 0 };
        for (const digest of ['a', 'b']) {
          const later = await hold(storage, id, { digest, callId: 'call-2' }, { now: NOW + DAY - 1 });
          expect(later).toEqual({ isHeld: false, call: kept });
        }
      },
    },
    {
      name: 'a call without a result is held again when its hold is over, as the same call',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        await hold(storage, id);
        const again = { callId: 'call-2', heldUntil: NOW + 3 * MINUTE };
        expect((await hold(storage, id, again, { now: NOW + MINUTE - 1 })).isHeld).toBe(false);
        expect((await hold(storage, id, { ...again, digest: 'b' }, { now: NOW + MINUTE })).isHeld).toBe(
          false,
        );
        const call = { digest: 'a', callId: 'call-1', result: null, heldUntil: NOW + 3 * MINUTE };
        expect(await hold(storage, id, again, { now: NOW + MINUTE })).toEqual({ isHeld: true, call });
        expect(await hold(storage, id, again, { now: NOW + MINUTE })).toEqual({ isHeld: false, call });
        // It keeps the time when it expires.
        expect((await hold(storage, id, { digest: 'b' }, { now: NOW + DAY - 1 })).isHeld).toBe(false);
        expect((await hold(storage, id, { digest: 'b' }, { now: NOW + DAY })).isHeld).toBe(true);
      },
    },
    {
      name: 'a call that ended without a result can be held again at once',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const { call } = await hold(storage, id);
        await storage.endKeyedCall(scopeOf(id), 'key', call, null);
        expect((await hold(storage, id, { digest: 'b' })).isHeld).toBe(false);
        const again = await hold(storage, id, { callId: 'call-2' });
        expect(again).toEqual({ isHeld: true, call });
      },
    },
    {
      name: 'a removed call frees its key',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const { call } = await hold(storage, id);
        await storage.removeKeyedCall(scopeOf(id), 'key', call);
        const other = { digest: 'b', callId: 'call-2' };
        expect(await hold(storage, id, other)).toEqual({ isHeld: true, call: { ...call, ...other } });
      },
    },
    {
      name: 'a request that no longer holds the call neither ends nor removes it',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const first = await hold(storage, id);
        const again = { callId: 'call-2', heldUntil: NOW + 3 * MINUTE };
        const { call } = await hold(storage, id, again, { now: NOW + MINUTE });
        for (const lost of [first.call, { ...call, callId: 'call-2' }]) {
          await storage.endKeyedCall(scopeOf(id), 'key', lost, 'lost');
          await storage.removeKeyedCall(scopeOf(id), 'key', lost);
        }
        expect((await hold(storage, id, { digest: 'b' })).call).toEqual(call);
      },
    },
    {
      name: 'an expired call is replaced, also while it is held and with its result',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        const { call } = await hold(storage, id, { heldUntil: NOW + 2 * DAY });
        await hold(storage, id, { heldUntil: NOW + 2 * DAY }, { key: 'ended' });
        await storage.endKeyedCall(scopeOf(id), 'ended', call, 'result');
        const other = {
          digest: 'b',
          callId: 'call-2',
          heldUntil: NOW + DAY + MINUTE,
          expiresAt: NOW + 2 * DAY,
        };
        for (const key of ['key', 'ended']) {
          expect((await hold(storage, id, other, { key, now: NOW + DAY - 1 })).isHeld).toBe(false);
          const { digest, callId, heldUntil } = other;
          expect(await hold(storage, id, other, { key, now: NOW + DAY })).toEqual({
            isHeld: true,
            call: { digest, callId, result: null, heldUntil },
          });
        }
      },
    },
    {
      name: 'calls differ by map, token and every character of the key',
      async run({ storage }) {
        const [one, two] = [await seedMap(storage), await seedMap(storage)];
        const keys = ['k', 'K', 'k ', '$k', '%', 'read k', 'k'.repeat(255)];
        for (const [index, key] of keys.entries()) {
          for (const tokenId of ['token-1', 'name', 'name read']) {
            for (const { id } of [one, two]) {
              const callId = `${id} ${tokenId} ${index}`;
              expect((await hold(storage, id, { callId }, { key, tokenId })).call.callId).toBe(callId);
            }
          }
        }
      },
    },
    {
      name: 'of concurrent requests one holds the call, at first and when its hold is over',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        for (const [round, now] of [NOW, NOW + MINUTE, NOW + DAY].entries()) {
          const all = await Promise.all(
            Array.from({ length: 12 }, (_, index) =>
              hold(
                storage,
                id,
                { callId: `call ${round} ${index}`, heldUntil: now + MINUTE, expiresAt: now + DAY },
                { now },
              ),
            ),
          );
          expect(all.filter(({ isHeld }) => isHeld)).toHaveLength(1);
          expect(new Set(all.map(({ call }) => call.callId)).size).toBe(1);
        }
      },
    },
    {
      name: 'expired calls are removed and counted',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        for (const [index, expiresAt] of [NOW + 1, NOW + 2, NOW + 3].entries()) {
          await hold(storage, id, { expiresAt }, { key: `key-${index}` });
        }
        expect(await storage.removeExpired(NOW)).toBe(0);
        expect(await storage.removeExpired(NOW + 2)).toBe(2);
        const other = { digest: 'b', expiresAt: NOW + DAY };
        expect((await hold(storage, id, other, { key: 'key-0' })).isHeld).toBe(true);
        expect((await hold(storage, id, other, { key: 'key-2' })).isHeld).toBe(false);
      },
    },
    {
      name: 'an emptied store has no calls',
      async run({ storage }) {
        const { id } = await seedMap(storage);
        await hold(storage, id);
        await storage.removeAll([]);
        expect(await storage.removeExpired(NOW + DAY)).toBe(0);
      },
    },
    {
      name: 'calls persist',
      needs: 'reopen',
      async run({ storage, reopen }) {
        const { id } = await seedMap(storage);
        const { call } = await hold(storage, id);
        await storage.endKeyedCall(scopeOf(id), 'key', call, 'result');
        const again = await reopen();
        expect((await hold(again, id)).call).toEqual({ ...call, result: 'result', heldUntil: 0 });
      },
    },
    {
      name: 'two openings of a store see the same calls',
      needs: 'openAgain',
      async run({ storage, openAgain }) {
        const { id } = await seedMap(storage);
        const other = await openAgain();
        const { call } = await hold(storage, id);
        expect(await hold(other, id, { callId: 'call-2' })).toEqual({ isHeld: false, call });
        await storage.endKeyedCall(scopeOf(id), 'key', call, 'result');
        expect((await hold(other, id)).call.result).toBe('result');
      },
    },
  ],
};
