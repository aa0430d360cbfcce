/** Suites that run on each store. */

import { NO_MONGODB, ownDatabase, testServer } from './mongodb-server.ts';
import { describeUnless } from './skip.ts';

export type Store = 'SQLite' | 'MongoDB';

const mongodb = await testServer();

/**
 * Called outside `describe`.
 *
 * @param body registers tests; `url` is the DATABASE_URL of an empty store
 */
export function describeOnStores(name: string, body: (url: string, store: Store) => void): void {
  describe(`${name}, on SQLite`, () => body('sqlite::memory:', 'SQLite'));
  const url = mongodb === null ? '' : ownDatabase(mongodb);
  describeUnless(mongodb === null && NO_MONGODB, `${name}, on MongoDB`, () => body(url, 'MongoDB'));
}
