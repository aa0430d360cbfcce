/**
 * Rights that one process of all has at a time, in SQLite. All of them are on one machine, whose clock says when a right
 * is over.
 */

import type { WebhookStorage } from '../webhooks.ts';
import type { Connection } from './database.ts';

export function leaseStore(connection: Connection): Pick<WebhookStorage, 'holdLease' | 'dropLease'> {
  return {
    holdLease: (name, holder, milliseconds) =>
      connection.write(() => {
        // Read when the transaction has the lock, and not when the call began to wait for it.
        const now = Date.now();
        connection.run('DELETE FROM leases WHERE until <= ?', now);
        const taken = connection.run(
          `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE holder = excluded.holder`,
          name,
          holder,
          now + milliseconds,
        );
        return taken === 1;
      }),

    dropLease: (name, holder) =>
      connection.write(() => {
        connection.run('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder);
      }),
  };
}
