/** Undo of random calls, one by one and all in turn. */

import fc from 'fast-check';

import { operatorFor } from '../../../src/services/operator.ts';
import type { Services } from '../../../src/services/services.ts';
import type { Scope } from '../../../src/services/scope.ts';
import type { Storage } from '../../../src/storage/storage.ts';
import { listPage, seedMap } from '../../contract/storage/fixtures.ts';
import { anyOrder } from '../../contract/storage/reference.ts';
import { expectHistory } from '../../support/history.ts';
import { propertyRuns } from '../../support/scope.ts';
import type { TestServer } from '../../support/server.ts';
import { createTestServer } from '../../support/server.ts';

let server: TestServer;
let storage: Storage;
let services: Services;
beforeAll(async () => {
  server = await createTestServer();
  ({ storage, services } = server.gateway);
});
afterAll(() => server.close());

interface World {
  readonly scope: Scope;
  readonly mapId: string;
}

/** A call of a client. @returns its id in the history; null if it changed nothing */
type Call = (world: World) => Promise<string | null>;

/** What undo gives back: everything but versions and times. */
async function stateOf({ mapId }: World): Promise<unknown> {
  const list = await listPage(storage, mapId);
  return list.map(({ version: _version, updatedAt: _updatedAt, ...state }) => state);
}

const fields = (name: string) => ({ Name: name, Address: name });
const order = fc.option(anyOrder, { freq: 3, nil: undefined });
const name = fc.constantFrom('a', 'b', 'c', 'd');
const where = fc.double({ min: 0, max: 0.999, noNaN: true });
const places = fc.array(where, { minLength: 1, maxLength: 4 });

async function idsAt({ mapId }: World, fractions: readonly number[]): Promise<string[]> {
  const list = await listPage(storage, mapId);
  return [...new Set(fractions.flatMap((each) => list[Math.floor(each * list.length)]?.id ?? []))];
}

const create = fc
  .array(fc.record({ name, order }), { minLength: 1, maxLength: 5 })
  .map((items): Call => async ({ scope, mapId }) => {
    const inputs = items.map((item) => ({ fields: fields(item.name), order: item.order }));
    return (await services.locationBatches.createLocations(scope, mapId, inputs)).historyId;
  });

/** Several locations may be renamed, moved and created in one call, and external ids change hands between calls. */
const upsert = fc
  .uniqueArray(fc.record({ externalId: fc.constantFrom('x', 'y', 'z'), name, order }), {
    selector: ({ externalId }) => externalId,
    minLength: 1,
  })
  .map((items): Call => async ({ scope, mapId }) => {
    const inputs = items.map((item) => ({ ...item, fields: fields(item.name) }));
    return (await services.locationBatches.upsertLocations(scope, mapId, inputs)).historyId;
  });

const update = fc
  .record({ where, name, order, dropsId: fc.boolean() })
  .map(({ where: at, name: to, order: moved, dropsId }): Call => async (world) => {
    const [id] = await idsAt(world, [at]);
    if (id === undefined) return null;
    const patch = { fields: fields(to), order: moved, ...(dropsId && { externalId: null }) };
    return (await services.locations.updateLocation(world.scope, world.mapId, id, patch)).historyId;
  });

const move = fc
  .record({ places, toStart: fc.boolean() })
  .map(({ places: some, toStart }): Call => async (world) => {
    const ids = await idsAt(world, some);
    if (ids.length === 0) return null;
    const target = toStart ? { toStart } : { toEnd: true };
    return (await services.locations.moveLocations(world.scope, world.mapId, ids, target)).historyId;
  });

const remove = places.map((some): Call => async (world) => {
  const ids = await idsAt(world, some);
  if (ids.length === 0) return null;
  return (await services.locations.deleteLocations(world.scope, world.mapId, ids)).historyId;
});

const calls = fc.array(fc.oneof(create, upsert, update, move, remove), { minLength: 1, maxLength: 10 });

async function undo({ scope, mapId }: World, historyId: string, isDryRun = false) {
  return services.history.undoChange(scope, mapId, historyId, { isDryRun });
}

async function openWorld(): Promise<World> {
  const { owner } = await services.tokens.findOrCreateOwner('someone');
  const map = await seedMap(storage, { ownerId: owner.id });
  return { scope: { caller: operatorFor(owner) }, mapId: map.id };
}

describe('undo', () => {
  it('takes back each call, and the undo itself, whatever the calls are', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (sequence) => {
        const world = await openWorld();
        for (const call of sequence) {
          const before = await stateOf(world);
          const historyId = await call(world);
          if (historyId === null) continue;
          const after = await stateOf(world);
          const dry = await undo(world, historyId, true);
          expect(await stateOf(world)).toEqual(after);
          const undone = await undo(world, historyId);
          expect([undone.left, dry.left]).toEqual([[], []]);
          expect(dry.revertedIds).toEqual(undone.revertedIds);
          expect(await stateOf(world)).toEqual(before);
          if (undone.historyId === null) continue;
          const redone = await undo(world, undone.historyId);
          expect(redone.left).toEqual([]);
          expect(await stateOf(world)).toEqual(after);
          // The first undo works again, since everything is as the call has left it.
          expect((await undo(world, historyId)).left).toEqual([]);
          expect(await stateOf(world)).toEqual(before);
          expect((await undo(world, historyId)).revertedIds).toEqual([]);
          expect((await undo(world, undone.historyId)).left).toEqual([]);
          expect(await stateOf(world)).toEqual(after);
        }
        await expectHistory(storage, world.mapId);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it('takes back all calls in turn, the last first', async () => {
    await fc.assert(
      fc.asyncProperty(calls, async (sequence) => {
        const world = await openWorld();
        const made: { readonly before: unknown; readonly historyId: string }[] = [];
        for (const call of sequence) {
          const before = await stateOf(world);
          const historyId = await call(world);
          if (historyId !== null) made.push({ before, historyId });
        }
        for (const { before, historyId } of made.toReversed()) {
          expect((await undo(world, historyId)).left).toEqual([]);
          expect(await stateOf(world)).toEqual(before);
        }
        expect(await stateOf(world)).toEqual([]);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
