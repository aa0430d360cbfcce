/** Reads cursors, wherever all of something is read. */

import type { AbstractCursor } from 'mongodb';

import type { Database } from './database.ts';

/** Documents that the server sends at a time, to bound memory. */
const BATCH = 500;

/** A cursor's documents, each wait for the server within the time limit. */
export async function* documentsOf<T>(database: Database, cursor: AbstractCursor<T>): AsyncGenerator<T> {
  cursor.batchSize(BATCH);
  try {
    for (;;) {
      const document = await database.run(() => cursor.next());
      if (document === null) return;
      yield document;
    }
  } finally {
    // What failed is known already.
    await cursor.close().catch(() => {});
  }
}
