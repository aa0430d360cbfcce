/** Mutants that run a keyed call twice, or lose it. */

import type { Storage } from '../../../src/storage/storage.ts';
import type { Mutant } from './mutant.ts';
import { pause } from './mutant.ts';

function broken(
  name: string,
  breaks: Mutant['breaks'],
  more: Partial<Pick<Mutant, 'persistent'>> = {},
): Mutant {
  return { name, topic: 'keyed calls', breaks, ...more };
}

type Hold = Storage['holdKeyedCall'];

/** Holds calls in two steps. */
function inTwoSteps(good: Storage): Hold {
  return async (scope, key, call, now) => {
    // Looks without holding: a hold that is over at once.
    const { isHeld } = await good.holdKeyedCall(scope, key, { ...call, heldUntil: 0 }, now);
    await pause();
    return isHeld
      ? { isHeld, call: { ...(await good.holdKeyedCall(scope, key, call, now)).call } }
      : good.holdKeyedCall(scope, key, call, now);
  };
}

export const keyedCallMutants: readonly Mutant[] = [
  broken('a call is looked up before it is held, so that two requests hold it', (good) => ({
    holdKeyedCall: inTwoSteps(good),
  })),
  broken('a held call is held again', (good) => ({
    holdKeyedCall: async (...args) => ({ ...(await good.holdKeyedCall(...args)), isHeld: true }),
  })),
  broken('another digest holds a call', (good) => ({
    holdKeyedCall: (scope, key, call, now) => good.holdKeyedCall(scope, key, { ...call, digest: 'a' }, now),
  })),
  broken('a call that is held again gets another id', (good) => ({
    holdKeyedCall: async (scope, key, call, now) => {
      const held = await good.holdKeyedCall(scope, key, call, now);
      return held.isHeld ? { ...held, call: { ...held.call, callId: call.callId } } : held;
    },
  })),
  broken('a hold never ends', (good) => ({
    holdKeyedCall: (scope, key, call, now) =>
      good.holdKeyedCall(scope, key, { ...call, heldUntil: call.heldUntil + 1e12 }, now),
  })),
  broken('a hold ends a millisecond early', (good) => ({
    holdKeyedCall: async (scope, key, call, now) => {
      const held = await good.holdKeyedCall(scope, key, { ...call, heldUntil: call.heldUntil - 1 }, now);
      const heldUntil = held.call.heldUntil === 0 ? 0 : held.call.heldUntil + 1;
      return { ...held, call: { ...held.call, heldUntil } };
    },
    endKeyedCall: (scope, key, hold, result) =>
      good.endKeyedCall(scope, key, { ...hold, heldUntil: hold.heldUntil - 1 }, result),
    removeKeyedCall: (scope, key, hold) =>
      good.removeKeyedCall(scope, key, { ...hold, heldUntil: hold.heldUntil - 1 }),
  })),
  broken('a result is lost', (good) => ({
    endKeyedCall: (scope, key, hold) => good.endKeyedCall(scope, key, hold, null),
  })),
  broken('a call that ends stays held', () => ({ endKeyedCall: async () => {} })),
  broken('a removed call keeps its key', (good) => ({
    removeKeyedCall: (scope, key, hold) => good.endKeyedCall(scope, key, hold, null),
  })),
  broken('a call that ends without a result frees its key', (good) => ({
    endKeyedCall: (scope, key, hold, result) =>
      result === null ? good.removeKeyedCall(scope, key, hold) : good.endKeyedCall(scope, key, hold, result),
  })),
  broken('a request that lost the call ends it', (good) => {
    const last = new Map<string, number>();
    return {
      holdKeyedCall: async (scope, key, call, now) => {
        const held = await good.holdKeyedCall(scope, key, call, now);
        last.set(key, held.call.heldUntil);
        return held;
      },
      endKeyedCall: (scope, key, hold, result) =>
        good.endKeyedCall(scope, key, { ...hold, heldUntil: last.get(key) ?? 0 }, result),
    };
  }),
  broken('a request that lost the call removes it', (good) => {
    const last = new Map<string, number>();
    return {
      holdKeyedCall: async (scope, key, call, now) => {
        const held = await good.holdKeyedCall(scope, key, call, now);
        last.set(key, held.call.heldUntil);
        return held;
      },
      removeKeyedCall: (scope, key, hold) =>
        good.removeKeyedCall(scope, key, { ...hold, heldUntil: last.get(key) ?? 0 }),
    };
  }),
  broken('calls ignore the token', (good) => ({
    holdKeyedCall: (scope, key, call, now) =>
      good.holdKeyedCall({ ...scope, tokenId: 'token-1' }, key, call, now),
  })),
  broken('a token and a key are joined by a space', (good) => ({
    holdKeyedCall: ({ mapId, tokenId }, key, call, now) =>
      good.holdKeyedCall({ mapId, tokenId: '' }, `${tokenId} ${key}`, call, now),
    endKeyedCall: ({ mapId, tokenId }, key, hold, result) =>
      good.endKeyedCall({ mapId, tokenId: '' }, `${tokenId} ${key}`, hold, result),
    removeKeyedCall: ({ mapId, tokenId }, key, hold) =>
      good.removeKeyedCall({ mapId, tokenId: '' }, `${tokenId} ${key}`, hold),
  })),
  broken('calls never expire', (good) => ({
    holdKeyedCall: (scope, key, call, now) =>
      good.holdKeyedCall(scope, key, { ...call, expiresAt: call.expiresAt + 1e12 }, now),
  })),
  broken('a call that is held again expires later', (good) => {
    const expiresAt = new Map<string, number>();
    return {
      holdKeyedCall: async (scope, key, call, now) => {
        const held = await good.holdKeyedCall(scope, key, { ...call, expiresAt: 1e15 }, now);
        const isOver = (expiresAt.get(key) ?? Infinity) <= now;
        if (held.isHeld) expiresAt.set(key, now + 24 * 60 * 60 * 1000);
        return isOver ? { ...held, isHeld: true } : held;
      },
    };
  }),
];
