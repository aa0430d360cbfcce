import type { Storage } from '../storage.ts';
import type { Database } from './database.ts';

const TABLES = [
  ...['idempotency_records', 'keyed_calls', 'invitations', 'geocodes', 'quotas'],
  ...['one_time_secrets', 'sessions', 'sign_in_attempts'],
];

export function expiryStore(database: Database): Pick<Storage, 'removeExpired'> {
  return {
    removeExpired: (now) =>
      database.write(() =>
        TABLES.map((table) => database.run(`DELETE FROM ${table} WHERE expires_at <= ?`, now)).reduce(
          (sum, removed) => sum + removed,
        ),
      ),
  };
}
