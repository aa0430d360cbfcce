/** Compares a database's indexes with those of schema.ts. */

import { isDeepStrictEqual } from 'node:util';

import type { Collection, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';

import type { Finding } from '../../examination.ts';
import type { Database } from '../database.ts';
import type { IndexDefinition } from '../schema.ts';
import { INDEXES } from '../schema.ts';

export async function* examineIndexes(database: Database): AsyncGenerator<Finding> {
  const names = [...new Set(INDEXES.map(({ collection }) => collection))];
  for (const collection of names) {
    const found = await readIndexes(database, collection);
    for (const index of INDEXES.filter((each) => each.collection === collection)) {
      const present = found.find(({ name }) => name === index.name);
      if (present === undefined) {
        yield {
          check: 'indexes',
          message: `The index ${index.name} of ${collection} is missing.`,
          remedy:
            'The next start (map-locations serve) creates it. If that fails, there are duplicates: see the other findings.',
        };
      } else if (!isAsDefined(present, index)) {
        yield {
          check: 'indexes',
          message: `The index ${index.name} of ${collection} differs from the one that this release creates.`,
          remedy: `Drop it (db.${collection}.dropIndex("${index.name}")). The next start creates it again.`,
        };
      }
    }
  }
}

async function readIndexes(
  database: Database,
  name: IndexDefinition['collection'],
): Promise<readonly Document[]> {
  const collection = database.collections[name] as unknown as Collection<Document>;
  try {
    return await database.run<readonly Document[]>(() => collection.listIndexes().toArray());
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    // The collection does not exist.
    if (cause instanceof MongoServerError && cause.code === 26) return [];
    throw error;
  }
}

function isAsDefined(present: Document, { key, options = {} }: IndexDefinition): boolean {
  const optionsOf = (of: Document): readonly unknown[] => [
    of.unique === true,
    of.expireAfterSeconds ?? null,
    of.partialFilterExpression ?? null,
  ];
  const isSameKey = JSON.stringify(present.key) === JSON.stringify(key);
  return isSameKey && isDeepStrictEqual(optionsOf(present), optionsOf(options));
}
