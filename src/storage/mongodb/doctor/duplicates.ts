/** What must be unique and stands in several documents, which is so only where its index was missing. */

import type { Collection, Document } from 'mongodb';

import type { Finding } from '../../examination.ts';
import { RESTORE_LAST, Wrongs } from '../../examination.ts';
import type { Collections, Database } from '../database.ts';
import { documentsOf } from '../for-each-batch.ts';

interface Unique {
  readonly what: string;
  readonly collection: keyof Collections;
  readonly match?: Document;
  /** Expressions of what is unique together. */
  readonly of: Document;
}

/** Ids are shown, never a hash nor a text that people gave. */
const UNIQUE: readonly Unique[] = [
  { what: 'name of an owner', collection: 'owners', of: { name: '$name' } },
  { what: 'hash of a token', collection: 'tokens', of: { hash: '$hash' } },
  {
    what: 'sequence number in a map',
    collection: 'locations',
    match: { place: { $gt: '' } },
    of: { mapId: '$mapId', sequence: '$sequence' },
  },
  {
    what: 'external id in a map',
    collection: 'locations',
    match: { externalId: { $exists: true } },
    of: { mapId: '$mapId', externalId: '$externalId' },
  },
  {
    what: 'idempotency key',
    collection: 'claims',
    of: { mapId: '$mapId', tokenId: '$tokenId', key: '$key' },
  },
  { what: 'id of a webhook', collection: 'webhooks', of: { id: '$id' } },
  // On a sharded cluster a server sees to it for each shard alone.
  { what: 'id of a location', collection: 'locations', of: { _id: '$_id' } },
];

export async function* findDuplicates(database: Database): AsyncGenerator<Finding> {
  for (const { what, collection, match = {}, of } of UNIQUE) {
    const wrongs = new Wrongs();
    const documents = database.collections[collection] as unknown as Collection<Document>;
    const cursor = documents.aggregate<{ first: unknown }>(
      [
        { $match: match },
        { $group: { _id: of, count: { $sum: 1 }, first: { $min: '$_id' } } },
        { $match: { count: { $gt: 1 } } },
      ],
      // The server sorts into files.
      { allowDiskUse: true },
    );
    for await (const { first } of documentsOf(database, cursor)) wrongs.add(String(first));
    const some = wrongs.describe(what);
    if (some === null) continue;
    yield {
      check: 'duplicates',
      message: `What must be unique stands in several documents: ${some}.`,
      remedy: RESTORE_LAST,
    };
  }
}
