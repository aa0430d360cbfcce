/**
 * Rights that one process of all has at a time. All their times are the server's own (`$$NOW`), so it does not matter what
 * time the gateways think it is. The server removes what is over (TTL); it counts for nothing before that too.
 */

import type { WebhookStorage } from '../webhooks.ts';
import type { Collections, Database } from './database.ts';
import { isDuplicateKey } from './failures.ts';

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
          await makeFree({ leases }, name);
        }
      }),

    dropLease: (name, holder) =>
      database.run(async ({ leases }) => {
        await leases.deleteOne({ _id: { $eq: name }, holder: { $eq: holder } });
      }),
  };
}

/** A lease to take: no upsert does both, since not every server knows the time in one that meets another. */
async function makeFree({ leases }: Pick<Collections, 'leases'>, name: string): Promise<void> {
  try {
    await leases.insertOne({ _id: name, holder: '', until: new Date(0) });
  } catch (error) {
    // Somebody else has made it.
    if (!isDuplicateKey(error)) throw error;
  }
}
