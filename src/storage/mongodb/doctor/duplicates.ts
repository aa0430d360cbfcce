/** Finds duplicates of unique values. They can exist only if a unique index was missing. */

import type { Collection, Document } from 'mongodb';

import type { Finding } from '../../examination.ts';
import { RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Database } from '../database.ts';
import { documentsOf } from '../database.ts';
import type { Collections } from '../schema.ts';

interface Unique {
  readonly what: string;
  readonly collection: keyof Collections;
  readonly match?: Document;
  /** The expressions that are unique together. */
  readonly key: Document;
}

/** Findings show ids, never a hash or users' text. */
const UNIQUE: readonly Unique[] = [
  { what: 'name of an owner', collection: 'owners', key: { name: '$name' } },
  { what: 'hash of a token', collection: 'tokens', key: { hash: '$hash' } },
  {
    what: 'sequence number in a map',
    collection: 'locations',
    match: { place: { $gt: '' } },
    key: { mapId: '$mapId', sequence: '$sequence' },
  },
  {
    what: 'external id in a map',
    collection: 'locations',
    match: { externalId: { $exists: true } },
    key: { mapId: '$mapId', externalId: '$externalId' },
  },
  {
    what: 'idempotency key',
    collection: 'claims',
    key: { mapId: '$mapId', tokenId: '$tokenId', key: '$key' },
  },
  {
    what: 'idempotency key of a call',
    collection: 'keyedCalls',
    key: { mapId: '$mapId', tokenId: '$tokenId', key: '$key' },
  },
  { what: 'id of a webhook', collection: 'webhooks', key: { id: '$id' } },
  // On a sharded cluster, each shard enforces this for its own locations only.
  { what: 'id of a location', collection: 'locations', key: { _id: '$_id' } },
];

export async function* findDuplicates(database: Database): AsyncGenerator<Finding> {
  for (const { what, collection, match = {}, key } of UNIQUE) {
    const wrongs = new Wrongs();
    const documents = database.collections[collection] as unknown as Collection<Document>;
    const cursor = documents.aggregate<{ first: unknown }>(
      [
        { $match: match },
        { $group: { _id: key, count: { $sum: 1 }, first: { $min: '$_id' } } },
        { $match: { count: { $gt: 1 } } },
      ],
      // Large groups use temporary files.
      { allowDiskUse: true },
    );
    for await (const { first } of documentsOf(database, cursor)) wrongs.add(String(first));
    yield* wrongs.report(what, {
      check: 'duplicates',
      remedy: RESTORE_LAST,
      message: (some) => `Several documents have the same unique value: ${some}.`,
    });
  }
}
