/** Deliveries of all webhooks: in one of several processes, concurrently. */

import type { WebhookDispatcherOptions, WebhookCounts } from '../../../src/services/webhooks/dispatcher.ts';
import { WebhookDispatcher } from '../../../src/services/webhooks/dispatcher.ts';
import type { SendMessage } from '../../../src/services/webhooks/send-message.ts';
import { ConcurrencyLimit } from '../../../src/services/webhooks/concurrency-limit.ts';
import type { MemoryLog } from '../../support/memory-log.ts';
import { createMemoryLog } from '../../support/memory-log.ts';
import type { MemoryWebhooks } from '../../support/memory-webhooks.ts';
import { createMemoryWebhooks } from '../../support/memory-webhooks.ts';
import { AwaitedList } from '../../support/awaited-list.ts';
import { until } from '../../support/until.ts';

const MAP = '0123456789abcdef';

interface Sent {
  readonly by: string;
  readonly webhookId: string;
  readonly id: string;
}

describe('the dispatcher', () => {
  let log: MemoryLog;
  let memory: MemoryWebhooks;
  let sent: AwaitedList<Sent>;
  let counts: AwaitedList<WebhookCounts>;
  let failures: unknown[];
  let all: WebhookDispatcher[];
  let response: (webhookId: string, signal: AbortSignal) => number | Promise<number>;
  beforeEach(() => {
    log = createMemoryLog(MAP);
    memory = createMemoryWebhooks(MAP, log);
    sent = new AwaitedList();
    counts = new AwaitedList();
    failures = [];
    all = [];
    response = () => 200;
  });
  afterEach(async () => {
    await Promise.all(all.map((each) => each.stop(0)));
    expect(log.watched.size).toBe(0);
  });

  const begin = (holder: string, more: Partial<WebhookDispatcherOptions> = {}): WebhookDispatcher => {
    const send: SendMessage = async ({ id: webhookId }, { id }, _timeoutMs, signal) => {
      sent.add({ by: holder, webhookId, id });
      const status = await response(webhookId, signal);
      const outcome = status === 200 ? ('delivered' as const) : ('failed' as const);
      const error = status === 200 ? null : 'It failed.';
      return { outcome, at: Date.now(), milliseconds: 0, status, error, retryAfterMs: null };
    };
    const dispatcher = new WebhookDispatcher({
      ...{
        storage: memory.storage,
        send,
        concurrency: new ConcurrencyLimit(10),
        timeoutMs: 1_000,
        clock: Date.now,
        holder,
      },
      retry: { firstMs: 1, forMs: 1e9, random: () => 0 },
      times: { poll: 5, takeover: 20, lease: 600 },
      observer: {
        onAttempt: () => {},
        onDisabled: () => {},
        onFailure: (error) => failures.push(error),
        onCounts: (update) => counts.add(update),
      },
      ...more,
    });
    all.push(dispatcher);
    dispatcher.start();
    return dispatcher;
  };
  const by = (holder: string) => (messages: readonly Sent[]) => messages.some((each) => each.by === holder);
  const pollsUntil = (count: number) =>
    until(() => memory.calls.pageWebhooks >= count, `${count} polls for enabled webhooks`);

  it('writes nothing without an enabled webhook', async () => {
    memory.add({ isEnabled: false });
    begin('one');
    await pollsUntil(10);
    expect([memory.calls.holdLease, memory.lease]).toEqual([0, null]);
  });

  it('notices webhooks that other processes create, change, disable and delete', async () => {
    const one = memory.add();
    begin('one');
    log.append(1);
    await sent.until(1);
    const two = memory.add();
    await counts.until((updates) => updates.at(-1)?.active === 2);
    log.append(1);
    await sent.until(
      (messages) => messages.length === 3 && messages.some(({ webhookId }) => webhookId === two.id),
    );
    // No progress is left to save that would reveal the change earlier.
    await until(
      () => [one, two].every(({ id }) => memory.get(id).delivery.place.number === log.place().number),
      'the saved progress',
    );
    memory.change(one.id, { isEnabled: false });
    memory.webhooks.delete(two.id);
    await counts.until((updates) => updates.at(-1)?.active === 0);
    // Without a webhook no process holds the lease.
    await until(() => memory.lease === null, 'the end of the lease');
    const three = memory.add();
    log.append(1);
    await sent.until(4);
    expect(sent.all.at(-1)?.webhookId).toBe(three.id);
  });

  it('starts at once for a webhook that this process created', async () => {
    const first = memory.add();
    const dispatcher = begin('one', { times: { poll: 1e9, takeover: 1e9, lease: 60_000 } });
    log.append(1);
    await sent.until(1);
    const offset = log.place();
    const second = memory.add();
    dispatcher.changed(second);
    log.append(1);
    await sent.until(3);
    expect(
      sent.all
        .slice(1)
        .map(({ webhookId }) => webhookId)
        .sort(),
    ).toEqual([first.id, second.id]);
    expect(offset).toEqual(second.delivery.place);
  });

  it('takes the lease with the first webhook of this process', async () => {
    const dispatcher = begin('one', { times: { poll: 1e9, takeover: 1e9, lease: 60_000 } });
    await pollsUntil(1);
    dispatcher.changed(memory.add());
    log.append(1);
    await sent.until(1);
  });

  it('delivers in one process, and at once in another when that one stops', async () => {
    memory.add();
    // A lease that does not end on its own.
    const times = { poll: 5, takeover: 20, lease: 1e9 };
    const one = begin('one', { times });
    log.append(1);
    await sent.until(1);
    begin('other', { times });
    log.append(20);
    await sent.until(21);
    await one.stop(60_000);
    log.append(1);
    await sent.until(by('other'));
    expect(sent.all.filter((each) => each.by === 'other')).toHaveLength(1);
    expect(new Set(sent.all.map(({ id }) => id)).size).toBe(22);
    expect(memory.lease?.holder).toBe('other');
  });

  it('delivers in another process when the lease is lost, and aborts running attempts', async () => {
    memory.add();
    let isAway = false;
    let cuts = 0;
    response = (_id, signal) =>
      new Promise((resolve) => {
        if (!isAway) resolve(200);
        else {
          signal.addEventListener('abort', () => {
            cuts += 1;
            resolve(500);
          });
        }
      });
    const real = memory.storage;
    const storage = {
      ...real,
      holdLease: (name: string, holder: string, ms: number) =>
        isAway && holder === 'one' ? Promise.reject(new Error('away')) : real.holdLease(name, holder, ms),
    };
    begin('one', { storage });
    log.append(1);
    await sent.until(1);
    isAway = true;
    begin('other');
    const [added] = log.append(1);
    await sent.until(by('other'));
    expect(cuts).toBe(1);
    isAway = false;
    expect(added).toBeDefined();
    expect(failures.length).toBeGreaterThan(0);
  });

  it('does not delay webhooks for one that is slow, fails or never responds', async () => {
    const slow = memory.add();
    const failing = memory.add();
    const good = memory.add();
    response = (webhookId, signal) => {
      if (webhookId === failing.id) return 500;
      if (webhookId !== slow.id) return 200;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    };
    begin('one');
    log.append(100);
    await sent.until((messages) => messages.filter(({ webhookId }) => webhookId === good.id).length === 100);
    const of = (id: string) => sent.all.filter(({ webhookId }) => webhookId === id);
    expect(of(slow.id)).toHaveLength(1);
    expect(new Set(of(failing.id).map(({ id }) => id)).size).toBe(1);
    await counts.until((updates) => updates.at(-1)?.failing === 1 && updates.at(-1)?.active === 2);
  });

  it('reports an unavailable store once, not for each webhook', async () => {
    for (let count = 0; count < 50; count += 1) memory.add();
    begin('one');
    await counts.until((updates) => updates.at(-1)?.active === 50);
    log.failReads(50);
    log.append(1);
    await sent.until(50);
    expect(failures).toHaveLength(1);
  });

  it('also counts disabled webhooks', async () => {
    memory.add();
    memory.add({ isEnabled: false });
    memory.add({ secret: null });
    begin('one');
    await counts.until((updates) => updates.some(({ active, disabled }) => active === 1 && disabled === 2));
  });

  it('waits for running attempts when it stops, within a limit, and saves what was delivered', async () => {
    const quick = memory.add();
    const slow = memory.add();
    let release = () => {};
    response = (webhookId, signal) =>
      new Promise((resolve, reject) => {
        if (webhookId === quick.id) release = () => resolve(200);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const dispatcher = begin('one');
    const [added] = log.append(1);
    await sent.until(2);
    const stopped = dispatcher.stop(100);
    release();
    await stopped;
    expect(memory.get(quick.id).delivery.place.number).toBe(added?.number);
    expect(memory.get(slow.id).delivery).toEqual(slow.delivery);
    expect([memory.lease, sent.all.length]).toEqual([null, 2]);
  });
});
