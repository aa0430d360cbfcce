/** The lease: one holder at a time, renewed while it works, and given up in time when the store does not confirm it. */

import { Lease } from '../../../src/services/webhooks/lease.ts';
import { createMemoryLog } from '../../support/memory-log.ts';
import type { MemoryWebhooks } from '../../support/memory-webhooks.ts';
import { createMemoryWebhooks } from '../../support/memory-webhooks.ts';
import { AwaitedList } from '../../support/awaited-list.ts';
import { until } from '../../support/until.ts';

const MAP = '0123456789abcdef';
const HELD_MS = 300;

describe('a lease', () => {
  let memory: MemoryWebhooks;
  let lost: AwaitedList<string>;
  let failures: AwaitedList<unknown>;
  let leases: Lease[];
  beforeEach(() => {
    memory = createMemoryWebhooks(MAP, createMemoryLog(MAP));
    lost = new AwaitedList();
    failures = new AwaitedList();
    leases = [];
  });
  afterEach(async () => {
    for (const lease of leases) await lease.drop();
  });
  const leaseOf = (holder: string, storage: Partial<MemoryWebhooks['storage']> = {}) => {
    const lease = new Lease({
      storage: { ...memory.storage, ...storage },
      ...{ name: 'webhooks', holder, heldMs: HELD_MS },
      onLost: () => lost.add(holder),
      onFailure: (error) => failures.add(error),
    });
    leases.push(lease);
    return lease;
  };
  /** Waits for this number of renewals. */
  const renewedUntil = (count: number) => until(() => memory.calls.holdLease >= count, `${count} times`);

  it('has one holder at a time, and another after it is dropped', async () => {
    const [one, other] = [leaseOf('one'), leaseOf('other')];
    expect([await one.take(), await other.take()]).toEqual([true, false]);
    expect([one.isHeld, other.isHeld]).toEqual([true, false]);
    await one.drop();
    expect([one.isHeld, await other.take()]).toEqual([false, true]);
    expect(lost.all).toEqual([]);
  });

  it('is renewed beyond its duration', async () => {
    const one = leaseOf('one');
    const begun = performance.now();
    await one.take();
    await renewedUntil(8);
    expect(performance.now() - begun).toBeGreaterThan(HELD_MS);
    expect([one.isHeld, await leaseOf('other').take()]).toEqual([true, false]);
  });

  it('is lost when the store does not confirm a renewal in time', async () => {
    let isAway = false;
    const one = leaseOf('one', {
      holdLease: (...args) =>
        isAway ? Promise.reject(new Error('away')) : memory.storage.holdLease(...args),
    });
    await one.take();
    isAway = true;
    await lost.until(1);
    expect(one.isHeld).toBe(false);
    expect(failures.all.length).toBeGreaterThan(0);
    expect(memory.lease?.holder).toBe('one');
  });

  it('is lost when another holder has it', async () => {
    const one = leaseOf('one');
    await one.take();
    memory.lease = { holder: 'other', until: performance.now() + 60_000 };
    await lost.until(1);
    expect(one.isHeld).toBe(false);
    await one.drop();
    expect(memory.lease.holder).toBe('other');
  });

  it('is not taken again by a pending renewal after it is dropped', async () => {
    let release = () => {};
    const held = new AwaitedList<null>();
    const one = leaseOf('one', {
      holdLease: async (...args) => {
        if (memory.calls.holdLease > 0) {
          await new Promise<void>((resolve) => {
            release = resolve;
            held.add(null);
          });
        }
        return memory.storage.holdLease(...args);
      },
    });
    await one.take();
    await held.until(1);
    const dropped = one.drop();
    release();
    await dropped;
    expect(memory.lease).toBeNull();
  });
});
