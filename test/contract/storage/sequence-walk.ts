/** Compares pages in order of creation, read while others write, with a plain list. */

import fc from 'fast-check';

import { readFilter } from '../../../src/domain/filter/location-filter.ts';
import { SEQUENCE_ORDER } from '../../../src/domain/filter/location-order.ts';
import type { SearchSortKey } from '../../../src/domain/filter/location-order.ts';
import type { LocationTemplate } from '../../../src/domain/location-template.ts';
import type { LocationRecord } from '../../../src/domain/location.ts';
import type { MapRecord } from '../../../src/domain/map.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { anInsert, idsOf, insertAll, listPage, locationOf, move, movedOf, seedMap } from './fixtures.ts';
import type { StorageCase } from './harness.ts';
import { change, remove, restore } from './history.ts';
import { at, somewhere } from './reference.ts';
import { expectResult, idsOfHits, WHOLE } from './search-world.ts';

const RUNS = 30;
const ID_TEMPLATE: LocationTemplate = { key: 'id', parts: [{ value: 'id' }] };
/** Some of the latitudes that locations have are outside of the box. */
const FILTERS = [{}, { bbox: { south: 0, west: -180, north: 5, east: 180 } }] as const;
const latitude = fc.constantFrom(-5, 0, 2.5, 5, 7.5);

/** A map's locations in order of creation, those in the trash, and a reader between two pages. */
class Walk {
  readonly storage: Storage;
  readonly map: MapRecord;
  readonly #filter: (typeof FILTERS)[number];
  /** By id, in order of creation. */
  readonly #all = new Map<string, LocationRecord>();
  readonly #trash = new Set<string>();
  readonly #seen: string[] = [];
  /** Matched the filter whenever a page was read, and before. */
  #stable: Set<string> | null = null;
  #last = 0;

  constructor(storage: Storage, map: MapRecord, filter: (typeof FILTERS)[number]) {
    this.storage = storage;
    this.map = map;
    this.#filter = filter;
  }

  list(isInTrash = false): readonly LocationRecord[] {
    return [...this.#all.values()].filter(({ id }) => this.#trash.has(id) === isInTrash);
  }

  put(locations: readonly LocationRecord[]): void {
    for (const location of locations) {
      this.#all.set(location.id, location);
      this.#trash.delete(location.id);
    }
    this.#check();
  }

  trash({ id }: LocationRecord): void {
    this.#trash.add(id);
    this.#check();
  }

  /** @returns whether there may be more */
  async read(limit: number): Promise<boolean> {
    this.#stable ??= new Set(idsOf(this.#matches()));
    // A page of /ogc knows no order key.
    const ofMap = { createdAt: this.map.createdAt, id: this.map.id };
    const after: SearchSortKey = { value: [], map: ofMap, sortKey: { orderKey: '', sequence: this.#last } };
    const page = { ...WHOLE, limit, after };
    const search = {
      maps: [this.map],
      filter: readFilter(this.#filter, 'filter'),
      order: SEQUENCE_ORDER,
    };
    const expected = this.#matches()
      .filter(({ sequence }) => sequence > this.#last)
      .slice(0, limit);
    const hits = await this.storage.findLocations(search, page);
    const context = { filter: this.#filter, limit, after: this.#last };
    expectResult(context, idsOfHits(hits), idsOf(expected));
    const { json, last } = await this.storage.findLocationsJson(search, page, ID_TEMPLATE);
    expectResult(context, JSON.parse(json.text), idsOf(expected));
    expectResult(context, last?.sortKey.sequence, expected.at(-1)?.sequence);
    this.#seen.push(...idsOfHits(hits));
    this.#last = hits.at(-1)?.key.sortKey.sequence ?? this.#last;
    return hits.length === limit;
  }

  async finish(limit: number): Promise<void> {
    while (await this.read(limit));
    expect(new Set(this.#seen).size).toBe(this.#seen.length);
    const stable = [...this.#stable!];
    expect(this.#seen.filter((id) => this.#stable!.has(id))).toEqual(stable);
  }

  #matches(): readonly LocationRecord[] {
    const isInBox = ({ latitude: each }: LocationRecord) => each >= 0 && each <= 5;
    return this.list().filter((location) => !('bbox' in this.#filter) || isInBox(location));
  }

  /** Forgets what does not match after a write. */
  #check(): void {
    if (this.#stable === null) return;
    const matches = new Set(idsOf(this.#matches()));
    for (const id of this.#stable) if (!matches.has(id)) this.#stable.delete(id);
  }
}

type Step = (walk: Walk) => Promise<unknown>;

const createStep = fc
  .array(latitude, { minLength: 1, maxLength: 5 })
  .map((latitudes): Step => async (walk) => {
    const inserts = latitudes.map((each) => anInsert(walk.map.id, { location: { latitude: each } }));
    const outcomes = await insertAll(walk.storage, walk.map.id, inserts);
    walk.put(outcomes.map((outcome) => locationOf(outcome)));
  });

const changeStep = fc
  .record({ where: somewhere, to: latitude, order: fc.constantFrom(null, '0', '3', '99', 'a') })
  .map(({ where, to, order }): Step => async (walk) => {
    const location = at(walk.list(), where);
    if (location === undefined) return;
    walk.put([await change(walk.storage, location, undefined, { latitude: to }, order)]);
  });

const moveStep = fc
  .record({
    picked: fc.array(somewhere, { minLength: 1, maxLength: 3 }),
    kind: fc.constantFrom('start' as const, 'end' as const),
  })
  .map(({ picked, kind }): Step => async (walk) => {
    const some = [...new Set(picked.flatMap((where) => at(walk.list(), where) ?? []))];
    if (some.length === 0) return;
    movedOf(await move(walk.storage, walk.map.id, some, { kind }));
    // A move may give others a new order.
    walk.put(await listPage(walk.storage, walk.map.id));
  });

const deleteStep = somewhere.map((where): Step => async (walk) => {
  const location = at(walk.list(), where);
  if (location === undefined) return;
  await remove(walk.storage, [location]);
  walk.trash(location);
});

const restoreStep = somewhere.map((where): Step => async (walk) => {
  const location = at(walk.list(true), where);
  if (location === undefined) return;
  const outcome = await restore(walk.storage, location);
  if (outcome.kind !== 'restored') throw new Error(`restoreLocations returned ${outcome.kind}`);
  walk.put([outcome.location]);
});

const limit = fc.integer({ min: 1, max: 4 });
const readStep = limit.map(
  (size): Step =>
    (walk) =>
      walk.read(size),
);

const steps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: createStep },
    { weight: 3, arbitrary: changeStep },
    { weight: 3, arbitrary: moveStep },
    { weight: 2, arbitrary: deleteStep },
    { weight: 2, arbitrary: restoreStep },
    { weight: 4, arbitrary: readStep },
  ),
  { minLength: 5, maxLength: 30, size: 'max' },
);

export const SEQUENCE_CASES: readonly StorageCase[] = [
  {
    name: 'pages in order of creation are those of a plain list, whatever is written between them',
    run: ({ storage }) =>
      fc.assert(
        fc.asyncProperty(
          fc.record({
            filter: fc.constantFrom(...FILTERS),
            first: createStep,
            second: createStep,
            steps,
            limit,
          }),
          async ({ filter, first, second, steps: sequence, limit: size }) => {
            const walk = new Walk(storage, await seedMap(storage), filter);
            for (const step of [first, second, ...sequence]) await step(walk);
            await walk.finish(size);
          },
        ),
        { numRuns: RUNS },
      ),
  },
];
