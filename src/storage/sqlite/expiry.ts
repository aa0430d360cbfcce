/** Removes what has expired from SQLite. */

import type { Storage } from '../storage.ts';
import type { Connection } from './database.ts';

const TABLES = ['idempotency_records', 'geocodes', 'quotas'];

export function expiryStore(connection: Connection): Pick<Storage, 'removeExpired'> {
  return {
    removeExpired: (now) =>
      connection.write(() =>
        TABLES.map((table) => connection.run(`DELETE FROM ${table} WHERE expires_at <= ?`, now)).reduce(
          (sum, removed) => sum + removed,
        ),
      ),
  };
}
