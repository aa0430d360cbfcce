/** The deliveries of one webhook: order, failures and saved progress. */

import { setTimeout as delay } from 'node:timers/promises';

import { decodeChangeCursor } from '../../../src/domain/paging/cursor.ts';
import type { WebhookWorkerOptions } from '../../../src/services/webhooks/worker.ts';
import { WebhookWorker } from '../../../src/services/webhooks/worker.ts';
import type { Attempt, SendMessage } from '../../../src/services/webhooks/send-message.ts';
import { ConcurrencyLimit } from '../../../src/services/webhooks/concurrency-limit.ts';
import type { LoggedChange } from '../../../src/storage/changes.ts';
import type { WebhookRecord } from '../../../src/storage/webhooks.ts';
import type { MemoryLog } from '../../support/memory-log.ts';
import { createMemoryLog } from '../../support/memory-log.ts';
import type { MemoryWebhooks } from '../../support/memory-webhooks.ts';
import { createMemoryWebhooks } from '../../support/memory-webhooks.ts';
import { AwaitedList } from '../../support/awaited-list.ts';
import { until } from '../../support/until.ts';

const MAP = '0123456789abcdef';

interface Sent {
  readonly id: string;
  readonly url: string;
  readonly type: string;
  readonly data: {
    readonly cursor: string;
    readonly locationId: string | null;
    readonly location: { readonly id: string } | null;
  };
}

type Response = Partial<Attempt> | number;

describe('the deliveries of a webhook', () => {
  let log: MemoryLog;
  let memory: MemoryWebhooks;
  let sent: AwaitedList<Sent>;
  let disabled: AwaitedList<WebhookRecord>;
  let failures: unknown[];
  let now: number;
  /** The receiver's response. */
  let response: (message: Sent, signal: AbortSignal) => Response | Promise<Response>;
  let running: { worker: WebhookWorker; done: Promise<void> }[];

  beforeEach(() => {
    log = createMemoryLog(MAP);
    memory = createMemoryWebhooks(MAP, log);
    sent = new AwaitedList();
    disabled = new AwaitedList();
    failures = [];
    now = 1_000_000;
    response = () => 200;
    running = [];
  });
  afterEach(async () => {
    for (const { worker } of running) worker.abort();
    await Promise.all(running.map(({ done }) => done));
  });

  const send: SendMessage = async ({ url }, { id, body }, _timeoutMs, signal) => {
    const message = { id, url, ...(JSON.parse(body) as Pick<Sent, 'type' | 'data'>) };
    const at = now;
    sent.add(message);
    const result = await response(message, signal);
    const status = typeof result === 'number' ? result : (result.status ?? 500);
    const isDelivered = status >= 200 && status < 300;
    return {
      ...{ outcome: isDelivered ? 'delivered' : 'failed', at, milliseconds: 0, status },
      ...{ error: isDelivered ? null : `Answered ${status}.`, retryAfterMs: null },
      ...(typeof result === 'object' && result),
    };
  };

  function begin(webhook: WebhookRecord, more: Partial<WebhookWorkerOptions> = {}): WebhookWorker {
    const worker = new WebhookWorker(webhook, {
      ...{ storage: memory.storage, send, concurrency: new ConcurrencyLimit(10), timeoutMs: 1_000 },
      retry: { firstMs: 1, forMs: 1_000_000, random: () => 0 },
      mayDeliver: () => true,
      clock: () => now,
      observer: {
        onAttempt: () => {},
        onDisabled: (disabledOne) => disabled.add(disabledOne),
        onFailure: (error) => failures.push(error),
      },
      ...more,
    });
    log.storage.watchChanges(() => worker.wake());
    running.push({ worker, done: worker.run() });
    return worker;
  }
  /** Advances the stopped clock, so that retries come due. */
  const pass = (worker: WebhookWorker, ms: number) => {
    now += ms;
    worker.wake();
  };
  const end = async (worker: WebhookWorker) => {
    worker.stop();
    await running.find((each) => each.worker === worker)?.done;
  };
  const idsOf = (changes: readonly LoggedChange[]) => changes.map(({ locationId }) => locationId);
  const locationIdsOf = (messages: readonly Sent[]) => messages.map(({ data }) => data.locationId);
  /** Waits for saved progress. */
  const savedState = async (
    id: string,
    isSo: (webhook: WebhookRecord) => boolean,
  ): Promise<WebhookRecord> => {
    await until(
      () => isSo(memory.get(id)),
      () => `saved is ${JSON.stringify(memory.get(id))}`,
    );
    return memory.get(id);
  };

  it('sends the changes after its offset one by one, in the order of the log', async () => {
    log.append(3);
    const webhook = memory.add();
    const added = log.append(150);
    let underWay = 0;
    response = async () => {
      underWay += 1;
      expect(underWay).toBe(1);
      await Promise.resolve();
      underWay -= 1;
      return 204;
    };
    begin(webhook);
    const more = log.append(20);
    expect(locationIdsOf(await sent.until(170))).toEqual([...idsOf(added), ...idsOf(more)]);
    const { delivery } = await savedState(
      webhook.id,
      ({ delivery: { place } }) => place.number === log.place().number,
    );
    expect(delivery).toEqual({
      ...{ place: log.place(), failures: 0, failingSince: null, nextAttemptAt: null },
      ...{ lastAttemptAt: now, lastStatus: 204, lastError: null },
    });
    expect(new Set(sent.all.map(({ id }) => id)).size).toBe(170);
  });

  it('sends the kind of change, its offset in the log, and the current location', async () => {
    const webhook = memory.add();
    begin(webhook);
    const [created] = log.append(1, 'created');
    const [deleted] = log.append(1, 'deleted');
    const [first, second] = await sent.until(2);
    expect(first).toMatchObject({
      id: expect.stringMatching(/^msg_[0-9a-f]{32}$/) as unknown,
      type: 'location.created',
      data: {
        mapId: MAP,
        kind: 'created',
        locationId: created?.locationId,
        location: { id: created?.locationId },
      },
    });
    expect(second).toMatchObject({
      type: 'location.deleted',
      data: { locationId: deleted?.locationId, location: null },
    });
    expect(decodeChangeCursor(MAP, first?.data.cursor ?? '', 'cursor')).toEqual({
      number: created?.number,
      stamp: created?.stamp,
    });
  });

  it('skips other kinds of change and saves its progress', async () => {
    const webhook = memory.add({ events: ['deleted'] });
    begin(webhook);
    log.append(500, 'created');
    const [deleted] = log.append(1, 'deleted');
    log.append(5, 'moved');
    expect(locationIdsOf(await sent.until(1))).toEqual([deleted?.locationId]);
    await savedState(webhook.id, ({ delivery }) => delivery.place.number === log.place().number);
    expect(sent.all).toHaveLength(1);
  });

  it('resets its failures when the failing message is no longer wanted', async () => {
    const webhook = memory.add({ events: ['created'] });
    const worker = begin(webhook, { retry: { firstMs: 1, forMs: 1_000, random: () => 0 } });
    response = () => 500;
    log.append(1, 'created');
    await savedState(webhook.id, ({ delivery: { failures: count } }) => count > 0);
    memory.change(webhook.id, { events: ['deleted'] });
    worker.refresh();
    pass(worker, 500);
    await savedState(webhook.id, ({ delivery: { failures: count } }) => count === 0);
    // An old failure does not count for the next message.
    pass(worker, 10_000);
    const before = sent.all.length;
    log.append(1, 'deleted');
    await sent.until(before + 1);
    await savedState(webhook.id, ({ delivery: { failures: count } }) => count > 0);
    expect(memory.get(webhook.id).isEnabled).toBe(true);
  });

  it('repeats a message with the same id until it is accepted, before any other', async () => {
    const webhook = memory.add();
    const worker = begin(webhook, { retry: { firstMs: 5_000, forMs: 1_000_000, random: () => 0 } });
    let left = 3;
    response = () => (left-- > 0 ? 503 : 200);
    const added = log.append(3);
    for (const [attempts, waitMs] of [
      [1, 5_000],
      [2, 10_000],
      [3, 20_000],
    ] as const) {
      await sent.until(attempts);
      const { delivery } = await savedState(
        webhook.id,
        ({ delivery: { failures: count } }) => count === attempts,
      );
      expect(delivery).toMatchObject({
        ...{ failingSince: 1_000_000, nextAttemptAt: now + waitMs },
        ...{ lastAttemptAt: now, lastStatus: 503, lastError: 'Answered 503.' },
      });
      // Not a millisecond early.
      pass(worker, waitMs - 1);
      await delay(5);
      expect(sent.all).toHaveLength(attempts);
      pass(worker, 1);
    }
    await sent.until(6);
    expect(locationIdsOf(sent.all)).toEqual([...Array(3).fill(added[0]?.locationId), ...idsOf(added)]);
    expect(new Set(sent.all.slice(0, 4).map(({ id }) => id)).size).toBe(1);
    const { delivery } = await savedState(
      webhook.id,
      ({ delivery: { place } }) => place.number === log.place().number,
    );
    expect(delivery).toMatchObject({ failures: 0, failingSince: null, nextAttemptAt: null, lastError: null });
  });

  it('waits for the receiver’s Retry-After', async () => {
    const webhook = memory.add();
    begin(webhook);
    response = () => ({ status: 429, retryAfterMs: 70_000 });
    log.append(1);
    const { delivery } = await savedState(webhook.id, ({ delivery: { failures: count } }) => count === 1);
    expect(delivery.nextAttemptAt).toBe(now + 70_000);
  });

  it('is disabled with a reason when a message has failed for too long', async () => {
    const webhook = memory.add();
    const worker = begin(webhook, { retry: { firstMs: 1_000, forMs: 5_000, random: () => 0 } });
    response = () => 500;
    log.append(2);
    await savedState(webhook.id, ({ delivery }) => delivery.failures === 1);
    pass(worker, 1_000);
    await savedState(webhook.id, ({ delivery }) => delivery.failures === 2);
    expect(memory.get(webhook.id).isEnabled).toBe(true);
    pass(worker, 4_000);
    await disabled.until(1);
    expect(memory.get(webhook.id)).toMatchObject({
      isEnabled: false,
      delivery: { place: webhook.delivery.place, failures: 3, lastError: 'Answered 500.' },
    });
    expect(sent.all).toHaveLength(3);
  });

  it('is disabled on time, without another attempt, when Retry-After exceeds the limit', async () => {
    const webhook = memory.add();
    const worker = begin(webhook, { retry: { firstMs: 1_000, forMs: 5_000, random: () => 0 } });
    response = () => ({ status: 503, retryAfterMs: 999_999_000 });
    log.append(1);
    await savedState(webhook.id, ({ delivery }) => delivery.failures === 1);
    pass(worker, 5_000);
    await disabled.until(1);
    expect(sent.all).toHaveLength(1);
  });

  it('is disabled at once by a 410', async () => {
    const webhook = memory.add();
    begin(webhook);
    response = () => 410;
    log.append(2);
    const [disabledOne] = await disabled.until(1);
    expect(disabledOne).toMatchObject({ isEnabled: false, delivery: { lastStatus: 410, failures: 1 } });
    expect(sent.all).toHaveLength(1);
    await running[0]?.done;
  });

  it('continues after the last delivered change when enabled again', async () => {
    const webhook = memory.add();
    begin(webhook);
    let isGone = false;
    response = () => (isGone ? 410 : 200);
    const first = log.append(2);
    await sent.until(2);
    isGone = true;
    const rest = log.append(3);
    await disabled.until(1);
    isGone = false;
    const cleared = {
      ...memory.get(webhook.id).delivery,
      failures: 0,
      failingSince: null,
      nextAttemptAt: null,
    };
    begin(memory.change(webhook.id, { isEnabled: true, delivery: cleared }));
    await sent.until(6);
    const [refused] = rest;
    expect(locationIdsOf(sent.all)).toEqual([...idsOf(first), refused?.locationId, ...idsOf(rest)]);
  });

  it('sends a resync when the log no longer holds its offset, for any events, and continues', async () => {
    const webhook = memory.add({ events: ['deleted'] });
    log.append(5);
    log.cut();
    const end1 = log.place();
    let isUp = false;
    response = () => (isUp ? 200 : 500);
    const worker = begin(webhook);
    await savedState(webhook.id, ({ delivery }) => delivery.failures === 1);
    // All attempts carry one message, though the log has grown meanwhile.
    const [deleted] = log.append(1, 'deleted');
    isUp = true;
    pass(worker, 1_000);
    const [first, second, third] = await sent.until(3);
    expect(first).toMatchObject({
      type: 'location.resync',
      data: { kind: 'resync', locationId: null, location: null },
    });
    expect(second).toEqual(first);
    expect(decodeChangeCursor(MAP, first?.data.cursor ?? '', 'cursor')).toEqual(end1);
    expect(third).toMatchObject({ type: 'location.deleted', data: { locationId: deleted?.locationId } });
  });

  it('pauses while its map is deleted', async () => {
    const webhook = memory.add();
    log.deleteMap();
    const worker = begin(webhook);
    await delay(20);
    expect(sent.all).toEqual([]);
    log.restoreMap();
    const [added] = log.append(1);
    worker.wake();
    expect(locationIdsOf(await sent.until(1))).toEqual([added?.locationId]);
  });

  it('ends when it is deleted or disabled, and sends nothing more', async () => {
    for (const leave of [
      (id: string) => memory.webhooks.delete(id),
      (id: string) => memory.change(id, { isEnabled: false }),
      (id: string) => memory.change(id, { secret: null }),
    ]) {
      const webhook = memory.add();
      const worker = begin(webhook);
      leave(webhook.id);
      worker.refresh();
      await running.at(-1)?.done;
      log.append(1);
      await delay(5);
      expect(sent.all).toEqual([]);
    }
  });

  it('keeps its progress on a concurrent change of the webhook, and continues with the new version', async () => {
    const webhook = memory.add();
    begin(webhook);
    response = ({ data }) => {
      // Between an attempt and the save of its result.
      if (data.locationId === first[0]?.locationId)
        memory.change(webhook.id, { url: 'https://example.org/new' });
      return 200;
    };
    const first = log.append(1);
    await sent.until(1);
    const { delivery, url } = await savedState(
      webhook.id,
      ({ delivery: { place } }) => place.number === first[0]?.number,
    );
    expect([delivery.failures, url]).toEqual([0, 'https://example.org/new']);
    log.append(1);
    const [, second] = await sent.until(2);
    expect(second?.url).toBe('https://example.org/new');
  });

  it('does not count failures of the old address against a new one', async () => {
    const webhook = memory.add();
    begin(webhook);
    response = ({ url }) => {
      if (url !== webhook.url) return 200;
      memory.change(webhook.id, { url: 'https://example.org/new' });
      return 410;
    };
    const added = log.append(2);
    await sent.until(3);
    expect(sent.all.map(({ url }) => url.slice(-3))).toEqual(['ook', 'new', 'new']);
    expect(locationIdsOf(sent.all.slice(1))).toEqual(idsOf(added));
    expect(disabled.all).toEqual([]);
    expect((await savedState(webhook.id, ({ delivery }) => delivery.failures === 0)).isEnabled).toBe(true);
  });

  it('tries a new address at once, whatever the old one’s Retry-After', async () => {
    const webhook = memory.add();
    begin(webhook);
    response = ({ url }) => {
      if (url !== webhook.url) return 200;
      memory.change(webhook.id, { url: 'https://example.org/new' });
      return { status: 503, outcome: 'failed', retryAfterMs: 600_000 };
    };
    log.append(1);
    const [, second] = await sent.until(2);
    expect(second?.url).toBe('https://example.org/new');
    const { delivery } = await savedState(webhook.id, ({ delivery: { lastStatus } }) => lastStatus === 200);
    expect(delivery.failures).toBe(0);
  });

  it('retries at once when the webhook is enabled', async () => {
    const webhook = memory.add();
    const worker = begin(webhook, { retry: { firstMs: 3_600_000, forMs: 1e9, random: () => 0 } });
    let isUp = false;
    response = () => (isUp ? 200 : 500);
    log.append(1);
    const { delivery } = await savedState(webhook.id, ({ delivery: { failures: count } }) => count === 1);
    isUp = true;
    memory.change(webhook.id, {
      delivery: { ...delivery, failures: 0, failingSince: null, nextAttemptAt: null },
    });
    worker.refresh();
    await sent.until(2);
    await savedState(webhook.id, ({ delivery: { lastStatus } }) => lastStatus === 200);
  });

  it('saves its progress again after a store failure', async () => {
    const webhook = memory.add();
    log.failReads(1);
    memory.failSaves(1);
    begin(webhook);
    const added = log.append(2);
    expect(locationIdsOf(await sent.until(2))).toEqual(idsOf(added));
    await savedState(webhook.id, ({ delivery }) => delivery.place.number === log.place().number);
    expect(failures).toHaveLength(2);
    expect(sent.all).toHaveLength(2);
  });

  it('finishes a running attempt and saves its result when it stops', async () => {
    const webhook = memory.add();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    response = async () => {
      if (sent.all.length === 5) await held;
      return 200;
    };
    const worker = begin(webhook);
    const added = log.append(9);
    await sent.until(5);
    const ended = end(worker);
    release();
    await ended;
    expect(sent.all).toHaveLength(5);
    expect(memory.get(webhook.id).delivery.place.number).toBe(added[4]?.number);
  });

  it('does not count an attempt that it aborts as a failure', async () => {
    const webhook = memory.add();
    response = (_message, signal) =>
      sent.all.length < 3
        ? 200
        : new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason as Error));
          });
    const worker = begin(webhook);
    const added = log.append(5);
    await sent.until(3);
    worker.abort();
    await running[0]?.done;
    expect(memory.get(webhook.id).delivery).toMatchObject({
      failures: 0,
      place: { number: added[1]?.number },
    });
  });

  it('sends nothing while another process may hold the lease', async () => {
    const webhook = memory.add();
    let isHolder = false;
    const worker = begin(webhook, { mayDeliver: () => isHolder });
    log.append(1);
    await delay(20);
    expect(sent.all).toEqual([]);
    isHolder = true;
    worker.wake();
    await sent.until(1);
  });

  it('loses nothing and keeps the order under random failures of receiver and store', async () => {
    const webhook = memory.add();
    let seed = 20_26;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    response = () => (random() < 0.3 ? 500 : 200);
    const arrived: string[] = [];
    const clocked = { retry: { firstMs: 1, forMs: 1e12, random }, clock: Date.now };
    const delivered: SendMessage = async (...args) => {
      const attempt = await send(...args);
      // Some messages arrive but their response is lost.
      if (attempt.outcome === 'delivered' || random() < 0.3) arrived.push(args[1].id);
      return attempt;
    };
    const added: LoggedChange[] = [];
    let worker = begin(webhook, { ...clocked, send: delivered });
    while (added.length < 500) {
      added.push(...log.append(1 + Math.floor(random() * 9)));
      if (random() < 0.1) log.failReads(0);
      await delay(Math.floor(random() * 4));
      if (random() < 0.1) {
        // Like a killed process: another one continues from the saved progress.
        const before = memory.get(webhook.id);
        memory.failSaves(Number.POSITIVE_INFINITY);
        worker.abort();
        await running.at(-1)?.done;
        memory.failSaves(0);
        expect(memory.get(webhook.id)).toEqual(before);
        worker = begin(before, { ...clocked, send: delivered });
      }
    }
    await savedState(webhook.id, ({ delivery }) => delivery.place.number === log.place().number);
    const first = [...new Set(arrived)];
    const locations = new Map(sent.all.map(({ id, data }) => [id, data.locationId]));
    expect(first.map((id) => locations.get(id))).toEqual(idsOf(added));
    console.log(
      `${added.length} changes, ${arrived.length} messages arrived, ${arrived.length - first.length} of them again`,
    );
  });
});
