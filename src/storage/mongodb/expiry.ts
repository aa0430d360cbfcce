/** Removes expired documents from MongoDB. */

import type { Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { removeExpiredInvitations } from './invitations.ts';

export function expiryStore(database: Database): Pick<Storage, 'removeExpired'> {
  return {
    removeExpired: (now) =>
      database.run(async (collections) => {
        const { claims, keyedCalls, geocodes, quotas, oneTimeSecrets, sessions, signInAttempts } =
          collections;
        const filter = { expiresAt: { $lte: new Date(now) } };
        const removed = await Promise.all([
          claims.deleteMany(filter, { hint: 'claims_by_expiry' }),
          keyedCalls.deleteMany(filter, { hint: 'keyed_calls_by_expiry' }),
          geocodes.deleteMany(filter, { hint: 'geocodes_by_expiry' }),
          quotas.deleteMany(filter, { hint: 'quotas_by_expiry' }),
          oneTimeSecrets.deleteMany(filter, { hint: 'one_time_secrets_by_expiry' }),
          sessions.deleteMany(filter, { hint: 'sessions_by_expiry' }),
          signInAttempts.deleteMany(filter, { hint: 'sign_in_attempts_by_expiry' }),
        ]);
        const invitations = await removeExpiredInvitations(collections, new Date(now));
        return removed.reduce((sum, { deletedCount }) => sum + deletedCount, invitations);
      }),
  };
}
