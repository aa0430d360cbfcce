/** Following a map's changes: the events, the number of store reads, and slow readers. */

import { setTimeout as delay } from 'node:timers/promises';

import { decodeChangeCursor } from '../../../src/domain/paging/cursor.ts';
import { ChangeFeed } from '../../../src/services/changes/feed.ts';
import type { Follower } from '../../../src/services/changes/follower.ts';
import { SlowReaderError } from '../../../src/services/changes/follower.ts';
import type { LocationChange } from '../../../src/services/changes/map-log.ts';
import type { ChangeOffset } from '../../../src/storage/changes.ts';
import type { MemoryLog } from '../../support/memory-log.ts';
import { createMemoryLog } from '../../support/memory-log.ts';

const MAP = '0123456789abcdef';
const TAKES_ALL = { isBlocked: () => false };

describe('the feed of changes', () => {
  let log: MemoryLog;
  let feed: ChangeFeed;
  let failures: unknown[];
  beforeEach(() => {
    log = createMemoryLog(MAP);
    failures = [];
    feed = new ChangeFeed({ storage: log.storage, onFailure: (error) => failures.push(error) });
  });
  afterEach(() => feed.close());

  const followNew = (reader = TAKES_ALL) => feed.follow(MAP, log.place(), log.place(), true, reader);
  const followAfter = (offset: ChangeOffset, reader = TAKES_ALL) =>
    feed.follow(MAP, offset, log.place(), false, reader);
  const take = async (follower: Follower, count: number): Promise<LocationChange[]> => {
    const taken: LocationChange[] = [];
    while (taken.length < count) {
      const { done, value } = await follower.next();
      if (done === true) throw new Error(`The feed ended after ${taken.length}.`);
      taken.push(value);
    }
    return taken;
  };
  const idsOf = (changes: readonly { readonly locationId: string | null }[]) =>
    changes.map(({ locationId }) => locationId);

  it('begins with a resync whose cursor is the start of the changes', async () => {
    log.append(2);
    const follower = followNew();
    const [first] = await take(follower, 1);
    expect(first).toEqual({ cursor: first?.cursor, kind: 'resync', locationId: null, location: null });
    expect(decodeChangeCursor(MAP, first?.cursor ?? '', 'since')).toEqual(log.place());
    const added = log.append(3);
    expect(idsOf(await take(follower, 3))).toEqual(idsOf(added));
  });

  it('continues after an offset, through old and new changes, in the order of the log', async () => {
    const start = log.place();
    const before = log.append(250);
    const follower = followAfter(start);
    const taken = await take(follower, 10);
    const after = log.append(120);
    taken.push(...(await take(follower, 360)));
    expect(idsOf(taken)).toEqual(idsOf([...before, ...after]));
    expect(new Set(taken.map(({ cursor }) => cursor)).size).toBe(370);
  });

  it('sends changed locations with their data and deleted ones without', async () => {
    const follower = followNew();
    await take(follower, 1);
    const [created] = log.append(1, 'created');
    const [deleted] = log.append(1, 'deleted');
    expect(await take(follower, 2)).toMatchObject([
      { kind: 'created', locationId: created?.locationId, location: { id: created?.locationId } },
      { kind: 'deleted', locationId: deleted?.locationId, location: null },
    ]);
  });

  it('resyncs when the log no longer holds the offset, at the start or later', async () => {
    const start = log.place();
    log.append(5);
    log.cut();
    const follower = followAfter(start);
    expect(await take(follower, 1)).toMatchObject([{ kind: 'resync' }]);
    const added = log.append(1);
    expect(idsOf(await take(follower, 1))).toEqual(idsOf(added));
    log.reset();
    expect(await take(follower, 1)).toMatchObject([{ kind: 'resync' }]);
    const more = log.append(2);
    expect(idsOf(await take(follower, 2))).toEqual(idsOf(more));
  });

  it('reads a change from the store once for all followers that have caught up', async () => {
    const followers = Array.from({ length: 1_000 }, () => followNew());
    await Promise.all(followers.map((follower) => take(follower, 1)));
    const waiting = followers.map((follower) => take(follower, 1));
    await delay(20);
    log.calls.readChanges = 0;
    log.append(1);
    const changes = await Promise.all(waiting);
    // All followers share one object, so that it is serialized once.
    expect(new Set(changes.flat()).size).toBe(1);
    expect(log.calls.getLocations).toBe(1);
    expect(log.calls.readChanges).toBeLessThanOrEqual(3);
  });

  it('ends only the reader who leaves 1,000 changes waiting', async () => {
    let isBlocked = false;
    const slow = followNew({ isBlocked: () => isBlocked });
    const quick = followNew();
    await Promise.all([take(slow, 1), take(quick, 1)]);
    const waiting = take(slow, 1);
    const first = log.append(1);
    await waiting;
    isBlocked = true;
    const added = log.append(998);
    expect(idsOf(await take(quick, 999))).toEqual(idsOf([...first, ...added]));
    log.append(2);
    expect(await take(quick, 2)).toHaveLength(2);
    await expect(take(slow, 1_001)).rejects.toThrow(SlowReaderError);
  });

  it('lets a reader who left 999 changes waiting catch up', async () => {
    let isBlocked = false;
    const slow = followNew({ isBlocked: () => isBlocked });
    const quick = followNew();
    await Promise.all([take(slow, 1), take(quick, 1)]);
    const waiting = take(slow, 1);
    const first = log.append(1);
    isBlocked = true;
    const added = [...first, ...log.append(999)];
    await take(quick, 1_000);
    isBlocked = false;
    expect(idsOf([...(await waiting), ...(await take(slow, 999))])).toEqual(idsOf(added));
  });

  it('lets a reader take any time for changes from before it followed', async () => {
    const start = log.place();
    const before = log.append(3_000);
    const follower = followAfter(start, { isBlocked: () => true });
    await take(follower, 1);
    const after = log.append(1_500);
    expect(idsOf(await take(follower, 4_499))).toEqual(idsOf([...before, ...after]).slice(1));
  });

  it('does not blame readers when this process is slow to send', async () => {
    const follower = followNew();
    await take(follower, 1);
    const waiting = take(follower, 1);
    const added = log.append(3_000);
    const taken = await waiting;
    await delay(200);
    taken.push(...(await take(follower, 2_999)));
    expect(idsOf(taken)).toEqual(idsOf(added));
  });

  it('retries a failing store and loses nothing', async () => {
    const follower = followNew();
    await take(follower, 1);
    const waiting = take(follower, 2);
    await delay(20);
    log.failReads(1);
    const added = log.append(2);
    expect(idsOf(await waiting)).toEqual(idsOf(added));
    expect(failures).toHaveLength(1);
  });

  it('ends all followers when the map is deleted, also later ones', async () => {
    const start = log.place();
    log.append(100);
    const joined = followNew();
    const late = followAfter(start);
    await Promise.all([take(joined, 1), take(late, 1)]);
    const waiting = take(joined, 1);
    log.deleteMap();
    await expect(waiting).rejects.toMatchObject({ code: 'MAP_DELETED' });
    await expect(take(late, 100)).rejects.toMatchObject({ code: 'MAP_DELETED' });
  });

  it('watches a map once for all its followers, until the last one leaves', async () => {
    const [one, other] = [followNew(), followNew()];
    expect([...log.watched]).toEqual([MAP]);
    const waiting = [take(one, 2), take(other, 2)];
    await one.return();
    expect([...log.watched]).toEqual([MAP]);
    await other.return();
    expect(log.watched.size).toBe(0);
    for (const each of waiting) await expect(each).rejects.toThrow('The feed ended');
  });
});
