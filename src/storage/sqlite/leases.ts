/** Leases, which one process holds at a time. All processes share the clock of one machine. */

import type { WebhookStorage } from '../webhooks.ts';
import type { Database } from './database.ts';

export function leaseStore(database: Database): Pick<WebhookStorage, 'holdLease' | 'dropLease'> {
  return {
    holdLease: (name, holder, milliseconds) =>
      database.write(() => {
        // Read with the lock held, not when the call started to wait for it.
        const now = Date.now();
        database.run('DELETE FROM leases WHERE until <= ?', now);
        const taken = database.run(
          `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE holder = excluded.holder`,
          name,
          holder,
          now + milliseconds,
        );
        return taken === 1;
      }),

    dropLease: (name, holder) =>
      database.write(() => {
        database.run('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder);
      }),
  };
}
