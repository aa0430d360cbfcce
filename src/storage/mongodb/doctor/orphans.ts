/** Finds documents that refer to a missing document. */

import type { Collection } from 'mongodb';

import type { Finding } from '../../examination.ts';
import { REBUILD, RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../database.ts';

export async function* findOrphans(database: Database): AsyncGenerator<Finding> {
  const { maps, logos, tokens } = database.collections;
  const ofOwners = await findMissing(database, maps.find().project<Child>({ parent: '$ownerId' }), 'owners');
  yield* report('Maps', ofOwners.describe('map'), 'owner', RESTORE_LAST);
  const members = maps.aggregate<Child>([
    { $unwind: '$members' },
    { $project: { parent: '$members.ownerId' } },
  ]);
  const unknown = await findMissing(database, members, 'owners');
  yield* report('Members of maps', unknown.describe('map'), 'owner', RESTORE_LAST);
  const invitations = maps.aggregate<Child>([
    { $unwind: '$invitations' },
    { $project: { _id: '$invitations.id', parent: '$invitations.createdBy' } },
  ]);
  const inviterless = await findMissing(database, invitations, 'owners');
  yield* report('Invitations', inviterless.describe('invitation'), 'owner', REBUILD);
  yield* findOrphansOfPeople(database);
  const ownerless = await findMissing(
    database,
    tokens.find().project<Child>({ parent: '$ownerId' }),
    'owners',
  );
  yield* report('Tokens', ownerless.describe('token'), 'owner', REBUILD);
  const limited = tokens.find({ mapId: { $exists: true } }).project<Child>({ parent: '$mapId' });
  const mapless = await findMissing(database, limited, 'maps');
  yield* report('Tokens', mapless.describe('token'), 'map', REBUILD);
  const ofMaps = await findMissing(database, logos.find().project<Child>({ parent: '$mapId' }), 'maps');
  yield* report('Logos', ofMaps.describe('logo'), 'map', REBUILD);
  for (const [name, children] of Object.entries(CHILDREN_OF_MAPS)) {
    const missing = await findMissingMaps(database, name as keyof typeof CHILDREN_OF_MAPS);
    yield* report(children, missing.describe('map'), 'map', REBUILD);
  }
}

async function* findOrphansOfPeople(database: Database): AsyncGenerator<Finding> {
  const { accounts, sessions, oneTimeSecrets } = database.collections;
  const ownerless = await findMissing(database, accounts.find().project<Child>({ parent: '$_id' }), 'owners');
  yield* report('Accounts', ownerless.describe('account'), 'owner', REBUILD);
  const signedIn = sessions.find().project<Child>({ parent: '$ownerId' });
  const accountless = await findMissing(database, signedIn, 'accounts');
  yield* report('Sessions', accountless.describe('session'), 'account', REBUILD);
  const links = oneTimeSecrets.aggregate<Child>([
    { $match: { ownerId: { $exists: true } } },
    { $group: { _id: '$ownerId' } },
    { $project: { parent: '$_id' } },
  ]);
  const dead = await findMissing(database, links, 'accounts');
  yield* report('One-time links', dead.describe('account'), 'account', REBUILD);
}

const CHILDREN_OF_MAPS = {
  locations: 'Locations',
  claims: 'Idempotency records',
  keyedCalls: 'Calls with an idempotency key',
  externalIds: 'External ids',
  webhooks: 'Webhooks',
  versions: 'Former states',
  history: 'Calls',
} as const;

/** Their ids begin with the id of their map, which has no index of its own. */
const BY_ID: ReadonlySet<string> = new Set<keyof typeof CHILDREN_OF_MAPS>(['versions', 'history']);

type ParentName = 'owners' | 'accounts' | 'maps';

interface Child {
  readonly _id: string;
  readonly parent: string;
}

/** Parents per query. */
const BATCH = 500;

/** Children whose parent is missing. Parents are read after their children, so new ones are not missed. */
async function findMissing(
  database: Database,
  children: Parameters<typeof documentsOf<Child>>[1],
  parents: ParentName,
): Promise<Wrongs> {
  const wrongs = new Wrongs();
  let batch: Child[] = [];
  const flush = async () => {
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
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return wrongs;
}

async function presentOf(
  database: Database,
  parents: ParentName,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const collection = database.collections[parents] as unknown as Collection<{ _id: string }>;
  const found = await database.run(() =>
    collection.find({ _id: { $in: [...ids] } }, { projection: { _id: 1 } }).toArray(),
  );
  return new Set(found.map(({ _id }) => _id));
}

/** The missing maps of a collection's documents. Skips from map to map, however many documents each has. */
async function findMissingMaps(database: Database, name: keyof typeof CHILDREN_OF_MAPS): Promise<Wrongs> {
  const collection = database.collections[name] as unknown as Collection<{ _id: string; mapId: string }>;
  const wrongs = new Wrongs();
  for (let last = ''; ;) {
    // Sorts after every id of the last map.
    const after = BY_ID.has(name) ? { _id: { $gt: `${last}~` } } : { mapId: { $gt: last } };
    const [next] = await database.run(() =>
      collection
        .find(last === '' ? {} : after, { projection: { mapId: 1 } })
        .sort(BY_ID.has(name) ? { _id: 1 } : { mapId: 1 })
        .limit(1)
        .toArray(),
    );
    if (next === undefined) return wrongs;
    last = next.mapId;
    if ((await presentOf(database, 'maps', [last])).size === 0) wrongs.add(last);
  }
}

function* report(children: string, some: string | null, parent: string, remedy: string): Generator<Finding> {
  if (some === null) return;
  yield { check: 'orphans', message: `${children} refer to a missing ${parent}: ${some}.`, remedy };
}
