/** Open subscriptions end when their caller loses the map. Uses fake timers. */

import type { MapRecord } from '../../../src/domain/map.ts';
import { OpenStreams } from '../../../src/services/changes/open-streams.ts';
import type { Follower } from '../../../src/services/changes/follower.ts';
import type { Caller } from '../../../src/services/caller.ts';
import { operatorFor } from '../../../src/services/operator.ts';
import { aMap } from '../../contract/storage/fixtures.ts';

const EVERY_MS = 1_000;
const ANNA = 'owner_anna';
const BEN = 'owner_ben';

const callerOf = (id: string): Caller => operatorFor({ id, name: id });

/** A link's caller. */
const linkTo = (mapId: string): Caller => ({ ...callerOf('token_link'), kind: 'link', mapId, scope: 'read' });

describe('open subscriptions', () => {
  let maps: Map<string, MapRecord>;
  let reads: (readonly string[])[];
  let fails: boolean;
  let duringRead: () => void;
  let streams: OpenStreams;
  beforeEach(() => {
    jest.useFakeTimers();
    maps = new Map();
    reads = [];
    fails = false;
    duringRead = () => undefined;
    const getMaps = async (ids: readonly string[]) => {
      reads.push(ids);
      if (fails) throw new Error('The store fails.');
      const found = ids.map((id) => maps.get(id) ?? null);
      duringRead();
      return found;
    };
    streams = new OpenStreams({ getMaps }, EVERY_MS);
  });
  afterEach(() => {
    streams.close();
    jest.useRealTimers();
  });

  const makeMap = (...memberIds: string[]): MapRecord => {
    const members = memberIds.map((ownerId) => ({ ownerId, role: 'viewer' as const, since: 0 }));
    const map = aMap(ANNA, { members: [{ ownerId: ANNA, role: 'owner', since: 0 }, ...members] });
    maps.set(map.id, map);
    return map;
  };
  const open = (caller: Caller, { id: mapId }: MapRecord) => {
    const stops: unknown[] = [];
    const follower = {
      get hasEnded() {
        return stops.length > 0;
      },
      stop: (error: unknown) => void stops.push(error),
    } as unknown as Follower;
    streams.add({ follower, caller, mapId });
    return { follower, stops };
  };
  const remove = ({ id }: MapRecord, ownerId: string) => {
    const map = maps.get(id)!;
    maps.set(id, { ...map, members: map.members.filter((member) => member.ownerId !== ownerId) });
  };
  const tick = async () => {
    jest.advanceTimersByTime(EVERY_MS);
    // The check reads the maps, which takes microtasks only.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };

  it('end within a check when their member is removed, and others go on', async () => {
    const map = makeMap(BEN);
    const other = makeMap(BEN);
    const [ben, anna, elsewhere] = [
      open(callerOf(BEN), map),
      open(callerOf(ANNA), map),
      open(callerOf(BEN), other),
    ];
    await tick();
    expect(ben.stops).toEqual([]);
    remove(map, BEN);
    await tick();
    expect(ben.stops).toMatchObject([{ code: 'MAP_NOT_FOUND' }]);
    expect([anna.stops, elsewhere.stops]).toEqual([[], []]);
  });

  it('go on with a lower role that may still read, and through a link to the map', async () => {
    const map = makeMap(BEN);
    const kept = [open(callerOf(BEN), map), open(linkTo(map.id), map)];
    maps.set(map.id, { ...map, members: map.members.map((member) => ({ ...member, role: 'viewer' })) });
    await tick();
    expect(kept.map(({ stops }) => stops)).toEqual([[], []]);
  });

  it('read each map once a check, however many there are, and nothing once all have ended', async () => {
    const [one, other] = [makeMap(BEN), makeMap(BEN)];
    const all = [open(callerOf(BEN), one), open(callerOf(BEN), one), open(callerOf(ANNA), other)];
    await tick();
    expect(reads).toEqual([[one.id, other.id]]);
    for (const { follower } of all) follower.stop(null);
    await tick();
    await tick();
    expect(reads).toHaveLength(1);
    open(callerOf(ANNA), one);
    await tick();
    expect(reads).toHaveLength(2);
  });

  it('survive a failing store, and are checked again afterwards', async () => {
    const map = makeMap(BEN);
    const { stops } = open(callerOf(BEN), map);
    remove(map, BEN);
    fails = true;
    await tick();
    expect(stops).toEqual([]);
    fails = false;
    await tick();
    expect(stops).toMatchObject([{ code: 'MAP_NOT_FOUND' }]);
  });

  it('are not ended by a read that began before their member joined', async () => {
    const map = makeMap();
    open(callerOf(ANNA), map);
    const opened: ReturnType<typeof open>[] = [];
    duringRead = () => {
      maps.set(map.id, { ...map, members: [...map.members, { ownerId: BEN, role: 'viewer', since: 0 }] });
      if (opened.length === 0) opened.push(open(callerOf(BEN), map));
    };
    await tick();
    await tick();
    expect(opened.map(({ stops }) => stops)).toEqual([[]]);
  });
});
