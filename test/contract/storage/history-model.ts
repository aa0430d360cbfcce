/**
 * Compares random sequences of writes, each in a call of its own, with a model that remembers every state of every location.
 */

import fc from 'fast-check';

import type { LocationRecord } from '../../../src/domain/location.ts';
import type { Storage, TrashedLocation, VersionRecord, WriteCall } from '../../../src/storage/storage.ts';
import { expectHistory } from '../../support/history.ts';
import { anInsert, idsOf, listPage, locationOf, movedOf, NOW, seedMap } from './fixtures.ts';
import type { StorageTopic } from './harness.ts';
import { aCall, change, remove, restore, trashOf, versionsOf } from './history.ts';
import { anyOrder, at, referenceCompare, somewhere } from './reference.ts';

const RUNS = 40;
const EXTERNAL_IDS = ['a', 'b', 'c'];

class Model {
  readonly present = new Map<string, LocationRecord>();
  readonly trash = new Map<string, TrashedLocation>();
  /** Newest first, also of locations that were purged: those have none. */
  readonly versions = new Map<string, VersionRecord[]>();

  get list(): readonly LocationRecord[] {
    return [...this.present.values()].sort(
      (a, b) => referenceCompare(a.order, b.order) || a.sequence - b.sequence,
    );
  }

  hasExternalId(externalId: string | null): boolean {
    return externalId !== null && this.list.some((location) => location.externalId === externalId);
  }

  create(location: LocationRecord): void {
    this.present.set(location.id, location);
    this.versions.set(location.id, []);
  }

  replace(location: LocationRecord, { id }: WriteCall): void {
    const former = this.present.get(location.id)!;
    expect(location.version).toBe(former.version + 1);
    this.present.set(location.id, location);
    this.#keep(former, former.version, id);
  }

  delete(location: LocationRecord, { id: deletedBy }: WriteCall): void {
    this.present.delete(location.id);
    this.trash.set(location.id, { location, deletedBy });
    this.#keep(location, location.version, deletedBy);
    this.#setInTrash(location.id, true);
  }

  restore(location: LocationRecord, { id }: WriteCall): void {
    this.trash.delete(location.id);
    this.present.set(location.id, location);
    this.#setInTrash(location.id, false);
    this.versions.get(location.id)!.unshift({
      ...{ locationId: location.id, version: location.version - 1, location: null },
      ...{ replacedBy: id, isInTrash: false },
    });
  }

  purge(id: string): void {
    this.trash.delete(id);
    this.versions.set(id, []);
  }

  #keep(location: LocationRecord, version: number, replacedBy: string): void {
    const kept = { locationId: location.id, version, location, replacedBy, isInTrash: false };
    this.versions.get(location.id)!.unshift(kept);
  }

  #setInTrash(id: string, isInTrash: boolean): void {
    const [last, ...rest] = this.versions.get(id)!;
    this.versions.set(id, [{ ...last!, isInTrash }, ...rest]);
  }
}

interface Subject {
  readonly storage: Storage;
  readonly mapId: string;
  readonly model: Model;
}
type Step = (subject: Subject) => Promise<void>;

const order = fc.option(anyOrder, { freq: 2 });
const externalId = fc.option(fc.constantFrom(...EXTERNAL_IDS), { freq: 2 });

const insertStep = fc
  .array(fc.record({ order, externalId }), { minLength: 1, maxLength: 4 })
  .map((items): Step => async ({ storage, mapId, model }) => {
    const inserts = items.map((item) =>
      anInsert(mapId, { order: item.order, location: { externalId: item.externalId } }),
    );
    const result = await storage.insertLocations(mapId, inserts, NOW, { call: aCall() });
    for (const outcome of result.kind === 'done' ? result.outcomes : []) {
      if (outcome.kind === 'inserted') model.create(locationOf(outcome));
    }
  });

const updateStep = fc
  .record({ where: somewhere, order, externalId, name: fc.string({ maxLength: 3 }) })
  .map(({ where, order: to, externalId: wanted, name }): Step => async ({ storage, model }) => {
    const location = at(model.list, where);
    if (location === undefined) return;
    const isTaken = wanted !== location.externalId && model.hasExternalId(wanted);
    const call = aCall();
    const values = { name, externalId: isTaken ? location.externalId : wanted };
    model.replace(await change(storage, location, call, values, to), call);
  });

const moveStep = fc
  .record({ what: somewhere, to: somewhere, kind: fc.constantFrom('before', 'after', 'start', 'end') })
  .map(({ what, to, kind }): Step => async ({ storage, mapId, model }) => {
    const location = at(model.list, what);
    const target = at(model.list, to);
    if (location === undefined || target === undefined || target === location) return;
    const position = kind === 'before' || kind === 'after' ? { kind, id: target.id } : { kind };
    const call = aCall();
    const move = { ids: [location.id], position };
    movedOf(await storage.moveLocations(mapId, move, NOW + 5, { call }));
    for (const each of await listPage(storage, mapId)) {
      if (each.version !== model.present.get(each.id)!.version) model.replace(each, call);
    }
  });

const deleteStep = fc
  .array(somewhere, { minLength: 1, maxLength: 3 })
  .map((places): Step => async ({ storage, model }) => {
    const doomed = [...new Set(places.map((where) => at(model.list, where)))].filter(
      (location) => location !== undefined,
    );
    if (doomed.length === 0) return;
    const call = await remove(storage, doomed);
    for (const location of doomed) model.delete(location, call!);
  });

const restoreStep = somewhere.map((where): Step => async ({ storage, model }) => {
  const trashed = at([...model.trash.values()], where)?.location;
  if (trashed === undefined) return;
  const call = aCall();
  const outcome = await restore(storage, trashed, call);
  if (model.hasExternalId(trashed.externalId)) {
    expect(outcome).toEqual({ kind: 'external-id-taken' });
    return;
  }
  const updatedAt = Math.max(trashed.updatedAt, NOW + 9);
  expect(outcome).toEqual({
    kind: 'restored',
    location: { ...trashed, version: trashed.version + 2, updatedAt },
  });
  if (outcome.kind === 'restored') model.restore(outcome.location, call);
});

const purgeStep = somewhere.map((where): Step => async ({ storage, mapId, model }) => {
  const trashed = at([...model.trash.values()], where)?.location;
  if (trashed === undefined) return;
  const result = await storage.purgeLocations(mapId, [trashed.id]);
  expect(result).toEqual({ kind: 'done', purgedIds: [trashed.id] });
  model.purge(trashed.id);
});

const steps = fc.array(
  fc.oneof(
    { arbitrary: insertStep, weight: 3 },
    { arbitrary: updateStep, weight: 3 },
    { arbitrary: moveStep, weight: 2 },
    { arbitrary: deleteStep, weight: 2 },
    { arbitrary: restoreStep, weight: 3 },
    { arbitrary: purgeStep, weight: 1 },
  ),
  { minLength: 1, maxLength: 25 },
);

async function expectModel({ storage, mapId, model }: Subject): Promise<void> {
  expect(await listPage(storage, mapId)).toEqual(model.list);
  for (const [id, versions] of model.versions) {
    expect(await versionsOf(storage, { mapId, id })).toEqual(versions);
  }
  const newestFirst = [...model.trash.values()].sort((a, b) =>
    `${a.deletedBy} ${a.location.id}` < `${b.deletedBy} ${b.location.id}` ? 1 : -1,
  );
  expect(await trashOf(storage, mapId)).toEqual(newestFirst);
  const ids = [...model.versions.keys()];
  expect((await storage.findTrashed(mapId, ids)).map((found) => found?.location.id ?? null)).toEqual(
    ids.map((id) => (model.trash.has(id) ? id : null)),
  );
  const held = model.list.filter((location) => location.externalId !== null);
  expect(
    idsOf(
      (await storage.findLocationsByExternalIds(mapId, EXTERNAL_IDS)).filter((found) => found !== null),
    ).toSorted(),
  ).toEqual(idsOf(held).toSorted());
}

export const historyModel: StorageTopic = {
  name: 'random histories',
  cases: [
    {
      name: 'every state of every location is kept, and every deleted one can be restored',
      async run({ storage }) {
        const { ownerId } = await seedMap(storage);
        await fc.assert(
          fc.asyncProperty(steps, async (sequence) => {
            const map = await seedMap(storage, { ownerId });
            const subject: Subject = { storage, mapId: map.id, model: new Model() };
            for (const step of sequence) {
              await step(subject);
              await expectModel(subject);
            }
            const { present, trash, versions } = subject.model;
            const purged = [...versions.keys()].filter((id) => !present.has(id) && !trash.has(id));
            await expectHistory(storage, map.id, new Set(purged));
          }),
          { numRuns: RUNS },
        );
      },
    },
  ],
};
