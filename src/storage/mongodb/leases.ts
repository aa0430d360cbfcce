/**
 * Leases, each held by one process at a time. All times are the server's (`$$NOW`), so gateways' clocks do not matter. An
 * expired lease has no effect; the server deletes it later (TTL).
 */

import type { WebhookStorage } from '../webhooks.ts';
import type { Database } from './database.ts';
import { isDuplicateKey } from './errors.ts';
import type { Collections } from './schema.ts';

export function leaseStore(database: Database): Pick<WebhookStorage, 'holdLease' | 'dropLease'> {
  return {
    holdLease: (name, holder, milliseconds) =>
      database.run(async ({ leases }) => {
        const mine = { $literal: holder };
        const isFree = { $or: [{ $eq: ['$holder', mine] }, { $lte: ['$until', '$$NOW'] }] };
        const until = { $add: ['$$NOW', milliseconds] };
        for (;;) {
          const lease = await leases.findOneAndUpdate(
            { _id: { $eq: name } },
            [
              {
                $set: {
                  holder: { $cond: [isFree, mine, '$holder'] },
                  until: { $cond: [isFree, until, '$until'] },
                },
              },
            ],
            { returnDocument: 'after' },
          );
          if (lease !== null) return lease.holder === holder;
          await insertExpired({ leases }, name);
        }
      }),

    dropLease: (name, holder) =>
      database.run(async ({ leases }) => {
        await leases.deleteOne({ _id: { $eq: name }, holder: { $eq: holder } });
      }),
  };
}

/** Not an upsert: not every server supports `$$NOW` in an upsert that conflicts with another. */
async function insertExpired({ leases }: Pick<Collections, 'leases'>, name: string): Promise<void> {
  try {
    await leases.insertOne({ _id: name, holder: '', until: new Date(0) });
  } catch (error) {
    // Another process has inserted it.
    if (!isDuplicateKey(error)) throw error;
  }
}
