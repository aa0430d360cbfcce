/** Documents that belong to a document that is not there. */

import type { Collection } from 'mongodb';

import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../for-each-batch.ts';

export async function* findOrphans(database: Database): AsyncGenerator<Finding> {
  const { maps, tokens } = database.collections;
  const ofOwners = await findMissing(database, maps.find().project<Child>({ parent: '$ownerId' }), 'owners');
  yield* tell(ofOwners, 'map', 'owner', RESTORE_LAST);
  const ownerless = await findMissing(
    database,
    tokens.find().project<Child>({ parent: '$ownerId' }),
    'owners',
  );
  yield* tell(ownerless, 'token', 'owner', REBUILD);
  const limited = tokens.find({ mapId: { $exists: true } }).project<Child>({ parent: '$mapId' });
  yield* tell(await findMissing(database, limited, 'maps'), 'token', 'map', REBUILD);
  for (const [name, thing] of Object.entries(OF_MAPS)) {
    yield* tell(await findMapless(database, name as keyof typeof OF_MAPS), thing, 'map', REBUILD);
  }
}

const OF_MAPS = {
  locations: 'map whose locations are there',
  claims: 'map whose idempotency records are there',
  externalIds: 'map whose external ids are there',
  webhooks: 'map whose webhooks are there',
} as const;

interface Child {
  readonly _id: string;
  readonly parent: string;
}

/** Parents that are asked for at a time. */
const AT_ONCE = 500;

/** Those whose parent is missing, also when it is looked for once more: it may have been made meanwhile. */
async function findMissing(
  database: Database,
  children: Parameters<typeof documentsOf<Child>>[1],
  parents: 'owners' | 'maps',
): Promise<Wrongs> {
  const wrongs = new Wrongs();
  let batch: Child[] = [];
  const look = async () => {
    const present = await presentOf(
      database,
      parents,
      batch.map(({ parent }) => parent),
    );
    for (const { _id, parent } of batch) if (!present.has(parent)) wrongs.add(_id);
    batch = [];
  };
  for await (const child of documentsOf(database, children)) {
    batch.push(child);
    if (batch.length === AT_ONCE) await look();
  }
  await look();
  return wrongs;
}

async function presentOf(
  database: Database,
  parents: 'owners' | 'maps',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const collection = database.collections[parents] as unknown as Collection<{ _id: string }>;
  const found = await database.run(() =>
    collection.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray(),
  );
  return new Set(found.map(({ _id }) => _id));
}

/** From map to map, however many documents each of them has. */
async function findMapless(database: Database, name: keyof typeof OF_MAPS): Promise<Wrongs> {
  const collection = database.collections[name] as unknown as Collection<{ mapId: string }>;
  const wrongs = new Wrongs();
  for (let last = ''; ;) {
    const [next] = await database.run(() =>
      collection
        .find({ mapId: { $gt: last } }, { projection: { mapId: 1 } })
        .sort({ mapId: 1 })
        .limit(1)
        .toArray(),
    );
    if (next === undefined) return wrongs;
    last = next.mapId;
    if ((await presentOf(database, 'maps', [last])).size === 0) wrongs.add(last);
  }
}

function* tell(wrongs: Wrongs, thing: string, parent: string, remedy: string): Generator<Finding> {
  const some = wrongs.describe(thing);
  if (some !== null) yield { check: 'orphans', message: `Of ${some} there is no ${parent}.`, remedy };
}
